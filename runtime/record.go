package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/eventlog"
	"bullyproof/model"
)

// A recorder writes the event log of a process. Where that fails it writes no
// more: a log that ends is a log, one with a hole in a line is none.
type recorder struct {
	p     *Process
	to    *eventlog.Writer // or nil
	seq   uint64
	clock uint64 // Lamport's, of the last event
}

// meet has the clock be later than one that came with a message.
func (r *recorder) meet(clock uint64) { r.clock = max(r.clock, clock) }

// handled writes that a handler has run, and what it sends.
func (r *recorder) handled(e *eventlog.Event, now time.Time) {
	r.clock++
	if r.to == nil {
		return
	}
	m := r.p.machine
	if len(r.p.choices) > 0 {
		e.Choices = slices.Clone(r.p.choices)
	}
	e.Rules = []string{}
	for rule := range m.Rules {
		e.Rules = append(e.Rules, r.p.names.Rules[rule])
	}
	e.Belief = eventlog.Knows(m.Belief())
	for _, f := range m.State() {
		e.State = append(e.State, eventlog.Field{Name: f.Name, Value: f.Value})
	}
	slices.SortFunc(e.State, func(a, b eventlog.Field) int { return strings.Compare(a.Name, b.Name) })
	r.write(e, now)
	order := r.p.posted
	for to, letter := range m.Sends {
		order++
		r.write(&eventlog.Event{Kind: eventlog.Send, To: to, Message: letter.Text, ID: mailID(r.p.config.Self, r.p.session, order)}, now)
	}
}

// mailID returns by what the logs of sender and receiver know a message.
func mailID(from model.ID, session, order uint64) string {
	return fmt.Sprintf("%v-%x-%d", from, session, order)
}

func (r *recorder) write(e *eventlog.Event, now time.Time) {
	if r.to == nil {
		return
	}
	r.seq++
	e.Process, e.Seq, e.Clock, e.Time = r.p.config.Self, r.seq, r.clock, now
	if err := r.to.Write(e); err != nil {
		r.p.config.Log.Error("the event log ends here", "error", err)
		r.to = nil
	}
}
