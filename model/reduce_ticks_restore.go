package model

import (
	"bullyproof/explore"
)

// unfold returns the states on the way of a step of whole ticks, each with the code
// of the system, without those that it starts from. No message is dropped on the way.
func (r *restorer) unfold(from []byte, to explore.PathStep) ([]explore.PathStep, error) {
	if r.jumper == nil {
		e, _ := r.w.impl.reduced(nil, *r.w.reduction)
		r.jumper = e.(*reducer)
	}
	way := r.jumper.wayOf(from, to.Code)
	if len(way) == 0 {
		return nil, errLost
	}
	var steps []explore.PathStep
	for i := range way {
		var end []byte
		if i == len(way)-1 {
			end = to.State
		}
		next := r.follow(from, &way[i], end)
		if next == nil {
			return nil, errLost
		}
		steps, from = append(steps, *next), next.State
	}
	return steps, nil
}

// follow returns the step of an action on the way of a step of whole ticks; the last one
// leads to the end but for dead messages.
func (r *restorer) follow(from []byte, x *explored, end []byte) *explore.PathStep {
	text := ""
	if x.kind == Delivers || x.kind == Drops {
		text = r.jumper.textOf(&x.event)
	}
	for _, t := range r.w.Transitions(from) {
		a := &t.Action
		if a.Kind != x.kind || t.Next == nil || x.pos >= 0 && a.Process != r.jumper.ids[x.pos] || end != nil && !r.covers(t.Next, end) {
			continue
		}
		switch x.kind {
		case Delivers, Drops:
			if a.Due > 0 || a.Port != Port(x.event.message[0]) || a.Message != text {
				continue
			}
		case Expires:
			if a.Timer != r.w.names.Timers[x.event.timer].Name {
				continue
			}
		case Suspects:
			if a.Who != x.event.who {
				continue
			}
		}
		return &explore.PathStep{Code: t.Code, State: t.Next}
	}
	return nil
}

// textOf returns the text of the message of an event.
func (x *reducer) textOf(ev *event) string {
	e := x.expander
	rec := append([]byte{0}, ev.message...)
	return e.hands.text(e.message(append(rec, 0)))
}
