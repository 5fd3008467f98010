package shipped

import (
	"bytes"
	"fmt"
	"slices"
)

// Of the values with one dump so many other histories are kept, and so many of them that
// end in the same step: different ways to a value are the ones that may differ.
const (
	mostHistories = 12
	mostOfStep    = 2
)

// audit runs a handler that has run once more on every other value with the same dump
// that it knows how to make. Equal dumps have to lead to the same: what differs later
// and not in the dump has been left out of it, or is not the copy's own.
func (c *core[S, M]) audit(from, to *state[S], e *event, net *Net[M]) {
	if from != nil {
		if _, dump := c.states.identify(from.value); !bytes.Equal(dump, from.dump) {
			panic(fmt.Sprintf("%s changes a value that is not its own, by what copies of a state share: leave nothing out that handlers change", c.eventText(e)))
		}
	}
	others := histories(from)
	type audited struct {
		from  *state[S]
		event event
		to    *state[S]
		known int
	}
	this := audited{from, *e, to, len(others)}
	if _, fine := c.audited.Load(this); fine {
		return
	}
	for _, h := range others {
		s := c.replay(h)
		again := &Net[M]{world: &repeated{answers: e.seen}, letter: c.letter}
		if what := c.calmly(s, again, e); what != "" {
			panic(c.differ(e, "does what it should, and on an equal value panics: "+what))
		}
		_, dump := c.states.identify(s)
		switch {
		case !bytes.Equal(dump, to.dump):
			panic(c.differ(e, "leads to two values: "+c.states.codec.Difference(to.value, s)))
		case !slices.Equal(again.did, net.did) || again.world.(*repeated).asked != len(e.seen):
			panic(c.differ(e, fmt.Sprintf("does %s, and %s", c.actsText(net.did), c.actsText(again.did))))
		}
		if from != to {
			to.more.also(from, h.and(e))
		}
	}
	c.audited.Store(this, true)
}

// calmly calls a handler, and returns what it panics with.
func (c *core[S, M]) calmly(s *S, net *Net[M], e *event) (what string) {
	defer func() {
		if r := recover(); r != nil {
			what = fmt.Sprint(r)
		}
	}()
	c.call(s, net, e)
	return ""
}

func (c *core[S, M]) differ(e *event, what string) string {
	return fmt.Sprintf("%s, on two values with the same dump, %s\n\teither the handler is not deterministic (map order, clocks, random numbers, what is kept outside of the value), or LeaveOut and tags leave out what matters",
		c.eventText(e), what)
}

// histories returns those that lead to a value.
func histories[S any](of *state[S]) []*history {
	if of == nil {
		return []*history{nil}
	}
	of.more.mu.Lock()
	defer of.more.mu.Unlock()
	return append([]*history{of.more.history}, of.more.others...)
}

// also notes another history that leads to a value, in a step from another one.
func (l *local[S]) also(from any, h *history) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.history.before == h.before && l.history.event == h.event {
		return
	}
	h.from = from
	alike := 0
	for _, o := range l.others {
		if o.event != h.event || o.from != h.from {
			continue
		}
		if alike++; alike == mostOfStep || o.before == h.before {
			return
		}
	}
	if len(l.others) < mostHistories {
		l.others = append(l.others, h)
	}
}

func (c *core[S, M]) eventText(e *event) string {
	switch e.what {
	case receives:
		return fmt.Sprintf("Receive of %s", c.Format(e.letter))
	case expires:
		return fmt.Sprintf("Timeout of %s", c.machine.Names().Timers[e.timer].Name)
	}
	return [...]string{"Init", "Start", "Suspect", "Receive", "Timeout", "Settle", "Wake", "Stable", "Request"}[e.what]
}

// actsText says what a handler did.
func (c *core[S, M]) actsText(acts []act) string {
	if len(acts) == 0 {
		return "nothing"
	}
	var text string
	for i, a := range acts {
		if i > 0 {
			text += ", "
		}
		switch a.what {
		case "send", "broadcast", "reply":
			text += fmt.Sprintf("%s %s", a.what, c.Format(a.letter))
		default:
			text += fmt.Sprintf("%s %d", a.what, a.number)
		}
	}
	return text
}
