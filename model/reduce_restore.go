package model

import (
	"bytes"
	"errors"
	"fmt"

	"bullyproof/explore"
)

// Restored returns a run of the system for one of the reduced system, with the
// deliveries of dead messages that the reduction has dropped: as late as can be,
// and all of them where it ends in a state that owes nothing. A system that is
// not reduced has the run as it is. It fails where the path is none of the reduced
// system.
func (w *Watched) Restored(path []explore.PathStep) ([]explore.PathStep, error) {
	if w.reduction == nil || len(path) == 0 {
		return path, nil
	}
	if w.Reductions()&Rotations != 0 {
		var err error
		if path, err = w.unturned(path); err != nil {
			return nil, err
		}
	}
	r := restorer{w: w, layout: &w.impl.layout, run: []explore.PathStep{path[0]}}
	for i := range path[1:] {
		if err := r.step(path[i].State, path[i+1]); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	last := path[len(path)-1].State
	if last != nil {
		if err := r.arrive(last); err != nil {
			return nil, err
		}
	}
	if last == nil || !w.View(last).Quiet {
		return r.run, nil
	}
	for !bytes.Equal(r.now(), last) {
		if !r.deliver(last) && !r.pass(last) {
			return nil, errLost
		}
	}
	return r.run, nil
}

var errLost = errors.New("the run of the reduced system is none of the system: what was dropped does something, or the handlers are not deterministic (see TestSystem)")

// A restorer follows a run of a reduced system by one of the system: it is in the
// same states but for messages that were dropped.
type restorer struct {
	w      *Watched
	layout *layout
	run    []explore.PathStep
	jumper *reducer // nil as long as no step of whole ticks was met
}

func (r *restorer) now() []byte { return r.run[len(r.run)-1].State }

// step takes a step of the reduced system, with as many deliveries before it as
// it waits for.
func (r *restorer) step(from []byte, to explore.PathStep) error {
	if ActionKind(to.Code>>56) == leapKind {
		return r.leap(from, to)
	}
	if r.likens() && !r.covers(r.now(), from) {
		if err := r.catchUp(from); err != nil {
			return err
		}
	}
	var like *Transition
	for _, t := range r.w.Transitions(from) {
		if t.Code == to.Code && (to.State == nil) == (t.Next == nil) {
			like = &t
			break
		}
	}
	if like == nil {
		return errLost
	}
	for {
		if r.take(like, like.Next) {
			return nil
		}
		if !r.deliver(from) {
			return errLost
		}
	}
}

// take takes a transition that leads to a state but for messages that were dropped.
func (r *restorer) take(like *Transition, to []byte) bool {
	for _, t := range r.w.Transitions(r.now()) {
		a, b := &t.Action, &like.Action
		if a.Kind != b.Kind || a.Process != b.Process || a.Port != b.Port || a.Message != b.Message || a.Due != b.Due || a.Timer != b.Timer || a.Who != b.Who {
			continue
		}
		if to == nil && t.Next == nil || to != nil && r.covers(t.Next, to) {
			r.run = append(r.run, explore.PathStep{Code: t.Code, State: t.Next})
			return true
		}
	}
	return false
}

// deliver delivers a message that is not in a state of the reduced system: of
// several, one that has the least time left.
func (r *restorer) deliver(reduced []byte) bool {
	var best *Transition
	for _, t := range r.w.Transitions(r.now()) {
		if k := t.Action.Kind; (k == Delivers || k == Drops) && r.covers(t.Next, reduced) && (best == nil || t.Action.Due < best.Action.Due) {
			best = &t
		}
	}
	if best == nil {
		return false
	}
	r.run = append(r.run, explore.PathStep{Code: best.Code, State: best.Next})
	return true
}

// pass lets time pass for messages that are not in a state of the reduced system,
// in which nothing waits for it.
func (r *restorer) pass(reduced []byte) bool {
	for _, t := range r.w.Transitions(r.now()) {
		if t.Action.Kind == Ticks && r.covers(t.Next, reduced) {
			r.run = append(r.run, explore.PathStep{Code: t.Code, State: t.Next})
			return true
		}
	}
	return false
}

// covers reports whether a state is one of the reduced system with some messages
// beside.
func (r *restorer) covers(state, reduced []byte) bool {
	l := r.layout
	if state == nil || !bytes.Equal(state[:l.msgOff], reduced[:l.msgOff]) {
		return false
	}
	more, less := state[l.msgOff:], reduced[l.msgOff:]
	for ; len(more) > 0 && len(less) > 0; more = more[l.width:] {
		if bytes.Equal(more[:l.width], less[:l.width]) {
			less = less[l.width:]
		}
	}
	return len(less) == 0
}
