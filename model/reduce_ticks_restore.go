package model

import (
	"bytes"
	"slices"

	"bullyproof/explore"
)

// leap takes a step of whole ticks of the reduced system.
func (r *restorer) leap(from []byte, to explore.PathStep) error {
	x := r.jumps()
	way := x.wayOf(from, to.Code)
	if len(x.jump.aims) == 0 {
		return errLost
	}
	if x.likens() && r.w.impl.calm(from) {
		aims, expiring := slices.Clone(x.jump.aims), x.jump.expiring
		ticks := len(way) > 0 && way[len(way)-1].kind == Ticks
		return r.reach(from, aims, expiring, to.State != nil, ticks)
	}
	for i := range way {
		var end []byte
		if i == len(way)-1 {
			end = to.State
		}
		next := r.follow(from, &way[i], end)
		if next == nil {
			return errLost
		}
		if err := r.step(from, *next); err != nil {
			return err
		}
		from = next.State
	}
	return nil
}

// jumps returns the reducer that tells what steps of whole ticks are made of.
func (r *restorer) jumps() *reducer {
	if r.jumper == nil {
		e, _ := r.w.impl.reduced(r.w.watches, *r.w.reduction)
		r.jumper = e.(*reducer)
	}
	return r.jumper
}

// reach goes through a phase of the system, which is in a state that has the prospects of
// one of the reduced system, to the same outcomes or, where these are none, to the
// same values of what is read.
func (r *restorer) reach(from []byte, aims []aim, expiring, ends, ticks bool) error {
	if expiring {
		if err := r.catchUp(from); err != nil {
			return err
		}
	}
	x := r.jumps()
	e, l, now := x.expander, &x.jump, r.now()
	e.decode(now)
	x.observeDown(now, e.down, e.unreachable, e.up, faultsLeft{})
	l.tables = x.fore.tables
	var way []explored
	for pos := range e.n {
		s := x.fore.stage(pos, expiring)
		node := l.closest(s, &aims[pos], ends)
		if node < 0 {
			return errLost
		}
		way = append(way, l.wayTo(s, pos, node, e.up)...)
	}
	if ticks {
		way = append(way, explored{kind: Ticks, pos: -1})
	}
	for i := range way {
		next := r.follow(r.now(), &way[i], nil)
		if next == nil {
			return errLost
		}
		r.run = append(r.run, *next)
	}
	return nil
}

// closest returns the node of a stage that comes closest to an aim, -1 if none comes to
// it: at an end one in the same local state that has sent no less, and as little as
// can be beside; elsewhere one with the same values.
func (l *leap) closest(s *stage, to *aim, ends bool) (node int32) {
	node = -1
	if !s.known {
		return node
	}
	if !ends {
		for i := range s.nodes {
			x := l.locals[s.nodes[i].local]
			if x.together == to.together && x.apart == to.apart && (node < 0 || x.key == to.key && l.locals[s.nodes[node].local].key != to.key) {
				node = int32(i)
			}
		}
		return node
	}
	least := 0
	for _, i := range s.final {
		a := l.aimOf(&s.nodes[i])
		if a.key == to.key && includes(a.sends, to.sends) && (node < 0 || len(a.sends) < least) {
			node, least = i, len(a.sends)
		}
	}
	return node
}

// includes reports whether a sorted list has all of another one.
func includes(all, some []string) bool {
	for _, x := range all {
		if len(some) > 0 && some[0] == x {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// aimsAt returns the local states of a state of the reduced system as aims.
func (r *restorer) aimsAt(state []byte) []aim {
	x := r.jumps()
	e := x.expander
	e.decode(state)
	x.observeDown(state, e.down, e.unreachable, e.up, faultsLeft{})
	x.jump.tables = x.fore.tables
	var aims []aim
	for pos := range e.n {
		aims = append(aims, x.jump.aimOf(&stageNode{local: x.fore.here[pos]}))
	}
	return aims
}

// catchUp has the messages delivered that are due in the system and not in a state of the
// reduced system, in which none is due.
func (r *restorer) catchUp(reduced []byte) error {
	if !r.w.impl.anyDue(r.now()) || r.w.impl.anyDue(reduced) {
		return nil
	}
	return r.reach(reduced, r.aimsAt(reduced), false, true, false)
}

// arrive goes to a state of the system that is like the last one of the reduced system.
func (r *restorer) arrive(last []byte) error {
	if !r.likens() || r.covers(r.now(), last) {
		return nil
	}
	if err := r.catchUp(last); err != nil || r.covers(r.now(), last) {
		return err
	}
	return r.reach(last, r.aimsAt(last), false, false, false)
}

// likens reports whether one state may stand for another in the reduced system.
func (r *restorer) likens() bool {
	return r.w.reduction.kinds(r.w.impl)&WholeTicks != 0 && r.jumps().likens()
}

// leadsTo reports whether a state is one of the reduced system but for what is dropped, or
// is replaced by it.
func (r *restorer) leadsTo(state, reduced []byte) bool {
	if r.covers(state, reduced) {
		return true
	}
	x := r.jumps()
	return x.normal != nil && bytes.Equal(x.normal(bytes.Clone(state), 0), reduced)
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
		if a.Kind != x.kind || t.Next == nil || x.pos >= 0 && a.Process != r.jumper.ids[x.pos] || end != nil && !r.leadsTo(t.Next, end) {
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
