// Package roles makes one protocol of two, for systems in which not all processes are alike: a
// store and its clients, or voters and those who want their votes.
//
// Each role is a protocol of its own, with its own state, timers, rules and choices, which it
// numbers from 0. Both have the same type of messages. The result is a protocol like any other.
package roles

import (
	"bullyproof/model"
	"bullyproof/model/protocol"
)

// A Role is what some processes are: a protocol with a name.
type Role[P any, M model.Message] struct {
	// Name is the role in a word or two, which diagrams write behind the name of a process:
	// "store". It may be empty; then it is as the protocol says (method Role), if it does.
	Name string
	// Protocol is what its processes do. Its optional methods (model.Methods) count, except
	// Symmetric: ids decide who has which role. Wanted and Format count of the first role that has
	// them.
	Protocol model.Protocol[P, M]
}

// State is the state of a process: of the role that it has, and the zero value of the other.
type State[A, B any] struct {
	// Second says that the process has the second role.
	Second bool
	First  A
	Other  B
}

// Two returns the protocol of two roles. The processes of second have the second one. (If that is
// P1, the others can be as many as a setting says.) Processes need ids, so that there are no roles
// on an anonymous ring. The names of timers, rules and choices are those of the first role and then
// those of the second, at most 16 timers and 64 rules in all; those of messages are the first
// role's, and the second one should have the same. A role can itself be one of Two: so three kinds of
// processes are Two(a, Role{Protocol: Two(b, c, thoseOfC)}, thoseOfBAndC). If one role alone names requests, the processes
// of the other are asked to begin an election. If one role alone has a method Settle or
// Stable, nothing of the other is set or kept.
func Two[A, B any, M model.Message](first Role[A, M], other Role[B, M], second model.Set) model.Protocol[State[A, B], M] {
	names, parts := protocol.Parts(first.Protocol.Names(), other.Protocol.Names())
	t := &two[A, B, M]{first: first, other: other, second: second, names: names, parts: [2]protocol.Part(parts)}
	all := &whole[A, B, M]{two: t}
	t.a.find(first.Protocol)
	t.b.find(other.Protocol)
	if t.a.stable != nil || t.b.stable != nil {
		all.withStable = stable[A, B, M]{t}
	}
	if t.a.settle != nil || t.b.settle != nil {
		all.withSettle = settle[A, B, M]{t}
	}
	if t.a.wake != nil || t.b.wake != nil {
		all.withWake = wake[A, B, M]{t}
	}
	if len(names.Requests) > 0 {
		all.withRequest = request[A, B, M]{t}
	}
	if t.a.watches != nil || t.b.watches != nil {
		all.withWatches = watches[A, B, M]{t}
	}
	if t.a.beyond != nil || t.b.beyond != nil {
		all.withBeyond = beyond[A, B, M]{t}
	}
	if t.a.show != nil || t.b.show != nil {
		all.withShow = show[A, B, M]{t}
	}
	if t.a.oldest != nil || t.b.oldest != nil {
		all.withOldest = oldest[A, B, M]{t}
	}
	if t.a.remark != nil || t.b.remark != nil {
		all.withRemark = remark[A, B, M]{t}
	}
	if t.a.fits != nil || t.b.fits != nil {
		all.withFits = fits[A, B, M]{t}
	}
	if f := t.a.wanted; f != nil {
		all.withWanted = wanted{f}
	} else if f := t.b.wanted; f != nil {
		all.withWanted = wanted{f}
	}
	if f := t.a.format; f != nil {
		all.withFormat = format[M]{f}
	} else if f := t.b.format; f != nil {
		all.withFormat = format[M]{f}
	}
	return all
}

// whole is the protocol, with the optional methods that a role has.
type whole[A, B any, M model.Message] struct {
	*two[A, B, M]
	withStable
	withSettle
	withWake
	withRequest
	withWatches
	withBeyond
	withShow
	withOldest
	withRemark
	withWanted
	withFormat
	withFits
}

type (
	withStable  any
	withSettle  any
	withWake    any
	withRequest any
	withWatches any
	withBeyond  any
	withShow    any
	withOldest  any
	withRemark  any
	withWanted  any
	withFormat  any
	withFits    any
)

// two is the protocol without optional methods.
type two[A, B any, M model.Message] struct {
	first  Role[A, M]
	other  Role[B, M]
	second model.Set
	names  model.Names
	parts  [2]protocol.Part
	a      optional[A, M]
	b      optional[B, M]
}

// run runs a handler of the process's role, with the timers, rules and choices of that role.
func (t *two[A, B, M]) run(p *State[A, B], net *model.Net[M], first func(p *A), other func(p *B)) {
	part := &t.parts[0]
	if p.Second = t.second.Has(net.Self()); p.Second {
		part = &t.parts[1]
	}
	w := protocol.Enter(net, part)
	defer protocol.Leave(net, part, w) // also if the handler panics
	if p.Second {
		other(&p.Other)
	} else {
		first(&p.First)
	}
}

// Init brings up the role of the process.
func (t *two[A, B, M]) Init(p *State[A, B], net *model.Net[M], why model.Boot) {
	t.run(p, net, func(p *A) { t.first.Protocol.Init(p, net, why) }, func(p *B) { t.other.Protocol.Init(p, net, why) })
}

// Start is a request to begin an election.
func (t *two[A, B, M]) Start(p *State[A, B], net *model.Net[M]) {
	t.run(p, net, func(p *A) { t.first.Protocol.Start(p, net) }, func(p *B) { t.other.Protocol.Start(p, net) })
}

// Suspect is a report of the failure detector.
func (t *two[A, B, M]) Suspect(p *State[A, B], net *model.Net[M], who model.ID) {
	t.run(p, net, func(p *A) { t.first.Protocol.Suspect(p, net, who) }, func(p *B) { t.other.Protocol.Suspect(p, net, who) })
}

// Receive is the arrival of a message.
func (t *two[A, B, M]) Receive(p *State[A, B], net *model.Net[M], from model.Port, m M) {
	t.run(p, net, func(p *A) { t.first.Protocol.Receive(p, net, from, m) }, func(p *B) { t.other.Protocol.Receive(p, net, from, m) })
}

// Timeout is the expiry of a timer of the process's role.
func (t *two[A, B, M]) Timeout(p *State[A, B], net *model.Net[M], timer model.Timer) {
	t.run(p, net, func(p *A) { t.first.Protocol.Timeout(p, net, t.parts[0].Own(timer)) },
		func(p *B) { t.other.Protocol.Timeout(p, net, t.parts[1].Own(timer)) })
}

// Belief is that of the process's role.
func (t *two[A, B, M]) Belief(p *State[A, B]) model.Belief {
	if p.Second {
		return t.other.Protocol.Belief(&p.Other)
	}
	return t.first.Protocol.Belief(&p.First)
}

// Names are those of both roles.
func (t *two[A, B, M]) Names() model.Names { return t.names }

// Role is the name of the process's role.
func (t *two[A, B, M]) Role(id model.ID, n int) string {
	name, of := t.first.Name, t.a.role
	if t.second.Has(id) {
		name, of = t.other.Name, t.b.role
	}
	if name == "" && of != nil {
		return of(id, n)
	}
	return name
}
