package linear

import (
	"sync"
	"time"
)

// A Recorder makes the history of a system that runs: clients tell it of each call
// and each return. It may be used by many goroutines.
type Recorder struct {
	start time.Time
	mu    sync.Mutex
	h     History
}

// NewRecorder returns a recorder of a history with an initial value.
func NewRecorder(s *Spec, initial uint64) *Recorder {
	return &Recorder{start: time.Now(), h: History{Spec: s, Initial: initial}}
}

// A Call is an operation that has not returned.
type Call struct {
	r  *Recorder
	at int
}

// Call notes that a client, from 1, calls an operation. The value is what it
// writes; other operations have none. One of which nobody learns whether it took
// place is left without a return.
func (r *Recorder) Call(client int, op Op, value uint64) Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.h.Operations = append(r.h.Operations, Operation{Client: client, Op: op, Value: value, Call: r.now(), Pending: true})
	return Call{r, len(r.h.Operations) - 1}
}

// now returns the nanoseconds since the beginning, by a clock that never goes
// back.
func (r *Recorder) now() int64 { return int64(time.Since(r.start)) }

// Return notes the answer: of Ask and Read the value.
func (c Call) Return(value uint64) {
	c.done(func(o *Operation) {
		o.OK = true
		if o.Op == Ask || o.Op == Read {
			o.Value = value
		}
	})
}

// Granted notes that the lock was given, with its fencing token.
func (c Call) Granted(token uint64) {
	c.done(func(o *Operation) { o.OK, o.Token = true, token })
}

// Refused notes that the lock is taken.
func (c Call) Refused() { c.done(func(*Operation) {}) }

// Failed notes that the operation has had no effect and never will: it is no part
// of the history.
func (c Call) Failed() { c.done(func(o *Operation) { o.Op = 0 }) }

// Via notes which process serves the operation.
func (c Call) Via(process int) {
	c.r.mu.Lock()
	defer c.r.mu.Unlock()
	c.r.h.Operations[c.at].Via = process
}

func (c Call) done(answer func(o *Operation)) {
	now := c.r.now()
	c.r.mu.Lock()
	defer c.r.mu.Unlock()
	o := &c.r.h.Operations[c.at]
	o.Pending, o.Return = false, now
	answer(o)
}

// History returns the history so far.
func (r *Recorder) History() *History {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.h
	h.Operations = nil
	for _, o := range r.h.Operations {
		if o.Op != 0 {
			h.Operations = append(h.Operations, o)
		}
	}
	return &h
}
