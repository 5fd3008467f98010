package roles

import (
	"reflect"
	"strings"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// optional are the optional methods of a role, nil where it has none.
type optional[P any, M model.Message] struct {
	stable  func(p *P)
	settle  func(p *P, self, coordinator model.ID, live model.Set)
	wake    func(p *P, net *model.Net[M])
	request func(p *P, net *model.Net[M], r model.Request)
	watches func(p *P, self model.ID) model.Set
	beyond  func(p *P) string
	show    func(p *P) []model.Field
	wanted  func(live model.Set) model.ID
	format  func(m M) string
	oldest  func() int
	remark  func() string
	fits    func(s setting.Setting) error
	role    func(id model.ID, n int) string
}

func (o *optional[P, M]) find(p model.Protocol[P, M]) {
	if has, ok := model.As[interface{ Stable(p *P) }](p); ok {
		o.stable = has.Stable
	}
	if has, ok := model.As[interface {
		Settle(p *P, self, coordinator model.ID, live model.Set)
	}](p); ok {
		o.settle = has.Settle
	}
	if has, ok := model.As[interface{ Wake(p *P, net *model.Net[M]) }](p); ok {
		o.wake = has.Wake
	}
	o.request = func(s *P, net *model.Net[M], _ model.Request) { p.Start(s, net) }
	if has, ok := model.As[interface {
		Request(p *P, net *model.Net[M], r model.Request)
	}](p); ok {
		o.request = has.Request
	}
	if has, ok := model.As[interface {
		Watches(p *P, self model.ID) model.Set
	}](p); ok {
		o.watches = has.Watches
	}
	if has, ok := model.As[interface{ Beyond(p *P) string }](p); ok {
		o.beyond = has.Beyond
	}
	if has, ok := model.As[model.Shown[P]](p); ok {
		o.show = has.Show
	}
	if has, ok := model.As[interface{ Wanted(live model.Set) model.ID }](p); ok {
		o.wanted = has.Wanted
	}
	if has, ok := model.As[interface{ Format(m M) string }](p); ok {
		o.format = has.Format
	}
	if has, ok := model.As[interface{ Oldest() int }](p); ok {
		o.oldest = has.Oldest
	}
	if has, ok := model.As[model.Remarked](p); ok {
		o.remark = has.Remark
	}
	if has, ok := model.As[interface{ Fits(s setting.Setting) error }](p); ok {
		o.fits = has.Fits
	}
	if has, ok := model.As[interface {
		Role(id model.ID, n int) string
	}](p); ok {
		o.role = has.Role
	}
}

// age returns how many ticks ago an instant counts to a role, 0 where it knows none.
func (o *optional[P, M]) age() int {
	p, m := clock.PlacesOf(reflect.TypeFor[P]()), clock.PlacesOf(reflect.TypeFor[M]())
	switch {
	case o.oldest != nil:
		return o.oldest()
	case len(p.Instants)+len(m.Instants) > 0:
		return clock.Oldest
	}
	return 0
}

// said returns the remark of a role, "" where it makes none.
func (o *optional[P, M]) said() string {
	if o.remark == nil {
		return ""
	}
	return o.remark()
}

// The optional methods, each of them for both roles.
type (
	stable[A, B any, M model.Message]  struct{ of *two[A, B, M] }
	settle[A, B any, M model.Message]  struct{ of *two[A, B, M] }
	wake[A, B any, M model.Message]    struct{ of *two[A, B, M] }
	request[A, B any, M model.Message] struct{ of *two[A, B, M] }
	watches[A, B any, M model.Message] struct{ of *two[A, B, M] }
	beyond[A, B any, M model.Message]  struct{ of *two[A, B, M] }
	show[A, B any, M model.Message]    struct{ of *two[A, B, M] }
	oldest[A, B any, M model.Message]  struct{ of *two[A, B, M] }
	remark[A, B any, M model.Message]  struct{ of *two[A, B, M] }
	fits[A, B any, M model.Message]    struct{ of *two[A, B, M] }

	// Those of the first role that has one.
	wanted                  struct{ of func(live model.Set) model.ID }
	format[M model.Message] struct{ of func(m M) string }
)

// Fits says whether both roles run in a setting.
func (f fits[A, B, M]) Fits(s setting.Setting) error {
	for _, fits := range []func(s setting.Setting) error{f.of.a.fits, f.of.b.fits} {
		if fits == nil {
			continue
		}
		if err := fits(s); err != nil {
			return err
		}
	}
	return nil
}

// Wanted is the process that ought to win.
func (w wanted) Wanted(live model.Set) model.ID { return w.of(live) }

// Format is the text of a message.
func (f format[M]) Format(m M) string { return f.of(m) }

// Stable keeps what the role keeps. Which role that is, a process that comes up knows anyway: it is
// not kept, so that a disk with nothing is empty.
func (t stable[A, B, M]) Stable(p *State[A, B]) {
	second := p.Second
	p.Second = false
	switch {
	case second && t.of.b.stable != nil:
		t.of.b.stable(&p.Other)
	case !second && t.of.a.stable != nil:
		t.of.a.stable(&p.First)
	default:
		*p = State[A, B]{}
	}
}

// Settle is the state of the role after an election.
func (t settle[A, B, M]) Settle(p *State[A, B], self, coordinator model.ID, live model.Set) {
	*p = State[A, B]{Second: t.of.second.Has(self)}
	switch {
	case p.Second && t.of.b.settle != nil:
		t.of.b.settle(&p.Other, self, coordinator, live)
	case !p.Second && t.of.a.settle != nil:
		t.of.a.settle(&p.First, self, coordinator, live)
	}
}

// Wake sets the timers of the role after an election.
func (t wake[A, B, M]) Wake(p *State[A, B], net *model.Net[M]) {
	t.of.run(p, net, func(p *A) {
		if t.of.a.wake != nil {
			t.of.a.wake(p, net)
		}
	}, func(p *B) {
		if t.of.b.wake != nil {
			t.of.b.wake(p, net)
		}
	})
}

// Request asks the role for what it can be asked for. A request to the other role alone
// changes nothing.
func (t request[A, B, M]) Request(p *State[A, B], net *model.Net[M], r model.Request) {
	part := &t.of.parts[0]
	if t.of.second.Has(net.Self()) {
		part = &t.of.parts[1]
	}
	own, ok := part.Request(r)
	if !ok {
		return
	}
	t.of.run(p, net, func(p *A) { t.of.a.request(p, net, own) }, func(p *B) { t.of.b.request(p, net, own) })
}

// Watches are whom the role watches: without a method of its own the process that it takes for
// the coordinator.
func (t watches[A, B, M]) Watches(p *State[A, B], self model.ID) model.Set {
	switch {
	case p.Second && t.of.b.watches != nil:
		return t.of.b.watches(&p.Other, self)
	case !p.Second && t.of.a.watches != nil:
		return t.of.a.watches(&p.First, self)
	}
	if e := t.of.Belief(p).Elected; e != model.None && e != model.Me {
		return model.SetOf(e)
	}
	return 0
}

// Beyond is the bound of the role.
func (t beyond[A, B, M]) Beyond(p *State[A, B]) string {
	switch {
	case p.Second && t.of.b.beyond != nil:
		return t.of.b.beyond(&p.Other)
	case !p.Second && t.of.a.beyond != nil:
		return t.of.a.beyond(&p.First)
	}
	return ""
}

// Show is what people see of the role's state.
func (t show[A, B, M]) Show(p *State[A, B]) []model.Field {
	switch {
	case p.Second && t.of.b.show != nil:
		return t.of.b.show(&p.Other)
	case !p.Second && t.of.a.show != nil:
		return t.of.a.show(&p.First)
	}
	return nil
}

// Oldest is how long instants count to the role to which they count longest. To one that does
// not say, that is as long as can be, if it has any.
func (t oldest[A, B, M]) Oldest() int { return max(t.of.a.age(), t.of.b.age()) }

// Remark is what the roles say.
func (t remark[A, B, M]) Remark() string {
	return strings.TrimSpace(t.of.a.said() + " " + t.of.b.said())
}
