package bubble

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"
)

// An Env is what a process has of the world. Its methods may be called by several goroutines at
// once, which have to be those of the process.
type Env struct {
	world *world
	boot  *boot
	ctx   context.Context
	end   context.CancelFunc

	mu      sync.Mutex
	disk    map[string]string
	inbox   []Packet
	arrived chan struct{} // has an element if the inbox may have one
	calls   map[int]calls // by process
	state   func() any
	conns   conns
	now     outcome       // so far, since the event before
	written bool          // so is the disk
	shown   time.Time     // when the world first saw something of the event, zero if it has not yet
	shows   chan struct{} // has an element then
	over    bool          // whatever the process does no longer counts
}

// calls are those to one process that wait, by number. A nil channel is that of a call that no longer
// waits, and whose answer may still come: it keeps its number until then.
type calls map[int]chan string

// A Packet is a message that has arrived and is no answer.
type Packet struct {
	// From is the process that sent it.
	From int
	// Text is what it says.
	Text string

	call Call
}

var errOver = errors.New("bubble: the run is over")

// ID returns the number of the process, 1 to N.
func (e *Env) ID() int { return e.boot.self }

// N returns the number of processes.
func (e *Env) N() int { return e.boot.n }

// Context returns the context of the process. It ends when the run does: whatever the program waits
// for, it waits for that as well, or has a limit of time.
func (e *Env) Context() context.Context { return e.ctx }

// Process returns the number of the process with a host name: that of its role ("server", or
// "server2" for the second of several), or "p3" for process 3. It fails if there is no such process.
func (e *Env) Process(host string) (int, error) { return e.world.process(host, e.boot.n) }

// Go runs f in a goroutine, as the go statement does. If f panics, that is a finding with its run;
// a panic in another goroutine than those of Main and Go ends the test.
func (e *Env) Go(f func()) {
	go func() {
		defer e.catch()
		f()
	}()
}

// catch makes a panic the outcome of the event.
func (e *Env) catch() {
	if r := recover(); r != nil {
		calls := make([]uintptr, 32)
		text := fmt.Sprintf("P%d panics: %v, %s", e.boot.self, r, raised(calls[:runtime.Callers(1, calls)]))
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.now.failed == "" && !e.over {
			e.now.failed = text
			e.show()
		}
	}
}

// Leads says whether the process itself leads.
func (e *Env) Leads(yes bool) {
	leader := 0
	if yes {
		leader = e.boot.self
	}
	e.Believe(leader, 0)
}

// Believe says which process leads by what this one knows, 0 if it knows of none, and in which epoch
// (a term, a ballot), 0 if the program numbers none.
func (e *Env) Believe(leader int, epoch uint64) {
	if leader < 0 || leader > e.boot.n {
		panic(fmt.Sprintf("bubble: Believe(%d, %d): the processes are 1 to %d, and 0 is none", leader, epoch, e.boot.n))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over || e.now.leader == leader && e.now.epoch == epoch {
		return
	}
	e.now.leader, e.now.epoch = leader, epoch
	e.show()
}

// Save puts a value under a key on the disk of the process, which outlives its crashes. It is there
// before any message of the same event leaves.
func (e *Env) Save(key, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if old, ok := e.disk[key]; e.over || ok && old == value {
		return
	}
	e.disk[key], e.written = value, true
	e.show()
}

// Load returns the value under a key of the disk, "" if there is none.
func (e *Env) Load(key string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.disk[key]
}

// Keys returns the keys of the disk that have values, in order.
func (e *Env) Keys() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.disk))
}

// State names the values of which everything follows that the process will do: two histories that
// end in equal ones are then one state, of which there are fewer. The function runs while all
// goroutines wait, in another goroutine (with the race detector what it reads needs a lock), and
// returns any value that package shipped can compare, without instants: have Env.In in it. The disk,
// what the process believes, its inbox, and the numbers of its calls count without being named. Test
// and searches look for two histories that are taken to be one and go on in different ways.
func (e *Env) State(values func() any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = values
}

// In returns in how many ticks an instant of the program's clock is, less than 0 of one that has been.
func (e *Env) In(at time.Time) int {
	return int(time.Until(at).Round(e.world.Tick) / e.world.Tick)
}

// Send sends a message to a process. To the process itself it arrives at once.
func (e *Env) Send(to int, text string) { e.post(to, Message{Text: text}) }

// Recv waits for a message that is no answer and of no connection. It fails when the context
// ends, or the run does.
func (e *Env) Recv(ctx context.Context) (Packet, error) {
	for {
		e.mu.Lock()
		if len(e.inbox) > 0 {
			p := e.inbox[0]
			e.inbox = e.inbox[1:]
			e.mu.Unlock()
			return p, nil
		}
		e.mu.Unlock()
		select {
		case <-e.arrived:
		case <-ctx.Done():
			return Packet{}, ctx.Err()
		case <-e.ctx.Done():
			return Packet{}, errOver
		}
	}
}

// Call sends a request to a process, and returns its answer. It fails when the context ends, or the
// run does; an answer that comes later is dropped.
func (e *Env) Call(ctx context.Context, to int, text string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	answer := make(chan string, 1)
	e.mu.Lock()
	of := e.calls[to]
	if of == nil {
		of = calls{}
		e.calls[to] = of
	}
	number := 1
	for ; ; number++ {
		if _, taken := of[number]; !taken {
			break
		}
	}
	of[number] = answer
	e.mu.Unlock()
	e.post(to, Message{Form: Request, Call: Call{Boot: e.boot.boots, Number: number}, Text: text})
	var err error
	select {
	case text := <-answer:
		return text, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-e.ctx.Done():
		err = errOver
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	of[number] = nil
	return "", err
}

// Answer answers a request that Recv has returned. Of a message that wants no answer it is one on
// its own.
func (e *Env) Answer(p Packet, text string) {
	m := Message{Text: text}
	if p.call != (Call{}) {
		m.Form, m.Call = Answer, p.call
	}
	e.post(p.From, m)
}

// Serve answers all requests, one after the other, until the run is over.
func (e *Env) Serve(answer func(from int, text string) string) {
	for {
		p, err := e.Recv(e.ctx)
		if err != nil {
			return
		}
		e.Answer(p, answer(p.From, p.Text))
	}
}

// post sends a message.
func (e *Env) post(to int, m Message) {
	if to < 1 || to > e.boot.n {
		panic(fmt.Sprintf("bubble: a message to process %d: the processes are 1 to %d", to, e.boot.n))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.send(to, m)
}

// send sends a message to a process that there is. The lock is held.
func (e *Env) send(to int, m Message) {
	switch {
	case e.over:
	case to == e.boot.self:
		e.arrive(to, m)
	default:
		m.Text = e.shift(m.Text, e.ticked(time.Now()), epoch)
		e.now.out = append(e.now.out, sent{to, m})
		e.show()
	}
}

// epoch is when the clocks of bubbles begin.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// ticked returns an instant, or the next one with a whole number of ticks.
func (e *Env) ticked(at time.Time) time.Time {
	tick := e.world.Tick
	return epoch.Add((at.Sub(epoch) + tick - 1).Truncate(tick))
}

// shift returns a text whose instants are as far from one instant as they were from another, in ticks.
func (e *Env) shift(text string, from, to time.Time) string {
	if e.world.Instants == nil {
		return text
	}
	return e.world.Instants(text, func(at time.Time) time.Time { return to.Add(e.ticked(at).Sub(from)) })
}

// show notes that the world sees something. The lock is held.
func (e *Env) show() {
	if e.shown.IsZero() {
		e.shown = time.Now()
		e.shows <- struct{}{}
	}
}

// deliver has a message arrive.
func (e *Env) deliver(from int, m Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	m.Text = e.shift(m.Text, epoch, e.ticked(time.Now()))
	e.arrive(from, m)
}

// arrive puts a message where somebody waits for it. The lock is held.
func (e *Env) arrive(from int, m Message) {
	switch m.Form {
	case Answer:
		of := e.calls[from]
		answer, ours := of[m.Call.Number]
		if !ours || m.Call.Boot != e.boot.boots {
			return // of a call before a crash
		}
		delete(of, m.Call.Number)
		if answer != nil {
			answer <- m.Text
		}
	case Dial, Accept, Data, Close, Reset:
		e.conns.arrive(e, from, m)
	default:
		e.inbox = append(e.inbox, Packet{from, m.Text, m.Call})
		select {
		case e.arrived <- struct{}{}:
		default:
		}
	}
}

// collect ends an event: it returns what has come of it. All goroutines of the process wait.
func (e *Env) collect() outcome {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.written {
		e.now.disk, e.written = e.world.kept(e.disk), false
	}
	got := e.now
	// Goroutines that run at once send to different processes in any order.
	slices.SortStableFunc(got.out, func(a, b sent) int { return a.to - b.to })
	e.now.out = nil
	e.shown = time.Time{}
	select {
	case <-e.shows:
	default:
	}
	return got
}

// close ends the process: it has returned, or the run is over.
func (e *Env) close() {
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
	e.end()
}
