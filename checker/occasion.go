package checker

import (
	"sync/atomic"

	"bullyproof/model"
)

// An occasion is what has to come up somewhere for a property to be a question
// at all.
type occasion struct {
	what string
	// One of these: a state, or a step.
	when func(v *model.View) bool
	step func(e *model.Event) bool
}

// Given returns the property with the occasion without which its question never
// arises: a state of which when is true. What names it in a few words, for
// "there was never" to stand before: "a live process that believes itself
// coordinator".
// Where the property would hold, and no reachable state is such an occasion, the
// verdict is Vacuous. The function is called as those of Always are, with
// Settled as it is. What the property reads has to be said again (Reading).
//
// Properties made with LeadsTo and EachLeadsTo have an occasion without Given:
// their trigger. A witness takes none.
func (p *Property) Given(what string, when func(v *model.View) bool) *Property {
	q := *p
	q.given, q.reads = &occasion{what: what, when: when}, 0
	q.blind = false
	return &q
}

// GivenStep is Given with a step for an occasion: "a grant of the lock". The
// function is called as those of AlwaysStep are.
func (p *Property) GivenStep(what string, when func(e *model.Event) bool) *Property {
	q := *p
	q.given, q.reads = &occasion{what: what, step: when}, 0
	q.blind = false
	return &q
}

// occasion returns the occasion of a property among n processes, nil if it has
// none.
func (p *Property) occasion(n int) *occasion {
	switch {
	case p.given != nil:
		return p.given
	case p.kind != kindResponse:
		return nil
	}
	t := p.temporal
	ids := t.ids(n)
	return &occasion{what: "a state that triggers it", when: func(v *model.View) bool {
		for _, id := range ids {
			if t.trigger(v, id) {
				return true
			}
		}
		return false
	}}
}

// occasions notes which of the properties of a search have met their occasion.
// All workers of the search share it. Once all have, asking costs the reading of
// one number.
type occasions struct {
	missing atomic.Int32
	of      map[*Property]*meeting
	list    []*meeting
	steps   []*meeting
}

// A meeting says of one occasion whether it has come up.
type meeting struct {
	*occasion
	met atomic.Bool
}

func newOccasions(n int, props ...*Property) *occasions {
	o := &occasions{of: make(map[*Property]*meeting)}
	for _, p := range props {
		if given := p.occasion(n); given != nil {
			m := &meeting{occasion: given}
			o.of[p] = m
			if given.step != nil {
				o.steps = append(o.steps, m)
			} else {
				o.list = append(o.list, m)
			}
		}
	}
	o.missing.Store(int32(len(o.list)))
	return o
}

// watch returns the watch for settled states, which looks for occasions as well.
func (o *occasions) watch() model.Watch {
	w := model.Watch{State: func(v *model.View) bool {
		o.look(v)
		return v.Settled
	}}
	if len(o.steps) > 0 {
		w.Step = func(e *model.Event) bool {
			for _, m := range o.steps {
				if !m.met.Load() && m.step(e) {
					m.met.Store(true)
				}
			}
			return false
		}
	}
	return w
}

// look notes which occasions a state is. It may be called by several goroutines.
func (o *occasions) look(v *model.View) {
	if o.missing.Load() == 0 {
		return
	}
	for _, m := range o.list {
		if !m.met.Load() && m.when(v) && m.met.CompareAndSwap(false, true) {
			o.missing.Add(-1)
		}
	}
}

// absent says what a property would have taken and never came up; "" if it came
// up, or nothing had to.
func (o *occasions) absent(p *Property) string {
	if m := o.of[p]; m != nil && !m.met.Load() {
		return m.what
	}
	return ""
}
