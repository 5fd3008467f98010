package linear

import (
	"errors"
	"fmt"
	"io"
	"time"

	"bullyproof/runtime/eventlog"
)

// A Logged makes histories of who leads of the event logs of a system that runs:
// each event that tells what its process believes is a question to that process
// with its answer, and one with which a process comes to believe itself
// coordinator is an election.
type Logged struct {
	slack  time.Duration
	first  time.Time
	h      History
	leads  map[int]bool  // who is known to believe itself coordinator
	begun  map[int]bool  // whose log has begun
	whole  bool          // every log begins with the process coming up
	told   map[int]int64 // of who was named, when it was so first
	chosen map[int]int64 // of who was elected, when it was so first
}

// NewLogged returns what makes a history of logs. Their clocks are right to within
// slack: each event was at most so much earlier or later than its time says. A
// history that is not linearizable then is not for any clocks within that.
func NewLogged(slack time.Duration) (*Logged, error) {
	if slack < 0 || slack > time.Hour {
		return nil, fmt.Errorf("history: clocks to within %v; want 0 to an hour", slack)
	}
	return &Logged{
		slack: slack, h: History{Spec: Leader}, leads: map[int]bool{}, begun: map[int]bool{}, whole: true,
		told: map[int]int64{}, chosen: map[int]int64{},
	}, nil
}

// Read adds a log. A torn last line is left out.
func (l *Logged) Read(r *eventlog.Reader) error {
	var numbers eventlog.Numbers
	for {
		e, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, eventlog.ErrTorn):
			return nil
		case err != nil:
			return err
		}
		if err = numbers.Next(&e); err == nil {
			err = l.Add(&e)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", r.Name(), e.Line, err)
		}
	}
}

// Add adds an event. Those of one process come in their order.
func (l *Logged) Add(e *eventlog.Event) error {
	p := int(e.Process)
	if p == 0 {
		return nil
	}
	if !l.begun[p] {
		l.begun[p] = true
		l.whole = l.whole && e.Kind == eventlog.Boot
	}
	if e.Kind == eventlog.Boot || e.Kind == eventlog.Crash {
		l.leads[p] = false
	}
	if e.Belief == nil || e.Belief.Elected == nil {
		return nil
	}
	switch {
	case e.Time.IsZero():
		return errors.New("the event has no time, and a history is about that")
	case len(l.h.Operations)+2 > MaxOperations:
		return fmt.Errorf("more than %d answers", MaxOperations)
	case l.first.IsZero():
		l.first = e.Time
	}
	l.add(p, int(*e.Belief.Elected), e.Time.Sub(l.first))
	return nil
}

// me is how a process without an id names itself.
const me = 255

func (l *Logged) add(p, elected int, at time.Duration) {
	if elected == me {
		elected = p
	}
	from, to := int64(at-l.slack), int64(at+l.slack)
	note := func(when map[int]int64, who int) {
		if first, ok := when[who]; !ok || from < first {
			when[who] = from
		}
	}
	leads := elected == p
	if leads && !l.leads[p] {
		note(l.chosen, p)
		l.h.Operations = append(l.h.Operations, Operation{Op: Elect, Value: uint64(p), Call: from, Pending: true})
	}
	l.leads[p] = leads
	if elected == 0 {
		return
	}
	note(l.told, elected)
	l.h.Operations = append(l.h.Operations, Operation{Client: p, Op: Ask, Value: uint64(elected), Via: p, Call: from, Return: to, OK: true})
}

// History returns the history of what was added. Where a log begins in the middle,
// whoever is named before it was seen to be elected was elected before that.
func (l *Logged) History() *History {
	h := l.h
	h.Operations = nil
	start := int64(0)
	for _, o := range l.h.Operations {
		start = min(start, o.Call)
	}
	if !l.whole {
		for who := range me {
			if at, ok := l.told[who]; ok {
				if first, elected := l.chosen[who]; !elected || at < first {
					h.Operations = append(h.Operations, Operation{Op: Elect, Value: uint64(who), Call: start, Pending: true})
				}
			}
		}
	}
	h.Operations = append(h.Operations, l.h.Operations...)
	for i := range h.Operations {
		o := &h.Operations[i]
		o.Call -= start
		if !o.Pending {
			o.Return -= start
		}
	}
	return &h
}
