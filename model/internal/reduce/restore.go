package reduce

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"bullyproof/explore"
)

// A System is what is asked of a system to restore its runs.
type System interface {
	// Initial yields the initial states, Steps returns where a state leads.
	Initial(yield func(state []byte) bool)
	Steps(state []byte) []Step
	// Owes reports whether something is owed in a state.
	Owes(state []byte) bool
	// Reducer returns a reducer of the system.
	Reducer() *Reducer
}

// A Step is a transition of a system, with what tells its action from others.
type Step struct {
	Code         explore.Code
	Next         []byte // nil: there is no next state
	Kind         Kind
	Process, Who ID
	Port         Port
	Message      string
	Due          int
	Timer        string
	Choices, Out []int
	Crash        bool
}

// sameKind reports whether two steps are of actions of one kind, which codes begin with.
func (s *Step) sameKind(o *Step) bool { return s.Code>>56 == o.Code>>56 }

// Restored returns a run of a system for one of its reduced system, with the deliveries of
// dead messages that the reduction has dropped: as late as can be, and all of them where
// it ends in a state that owes nothing. It fails where the path is none of the
// reduced system.
func Restored(sys System, path []explore.PathStep) ([]explore.PathStep, error) {
	x := sys.Reducer()
	if x.foresight.kinds&Symmetries != 0 {
		var err error
		if path, err = unturned(sys, path); err != nil {
			return nil, err
		}
	}
	r := restorer{sys: sys, x: x, run: []explore.PathStep{path[0]}}
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
	if last == nil || sys.Owes(last) {
		return r.run, nil
	}
	for !bytes.Equal(r.now(), last) {
		if !r.deliver(last) && !r.pass(last) && !r.settle(last) {
			return nil, errLost
		}
	}
	return r.run, nil
}

var errLost = errors.New("the run of the reduced system is none of the system: what was dropped does something, or the handlers are not deterministic (see TestSystem)")

// A restorer follows a run of a reduced system by one of the system: it is in the
// same states except for messages that were dropped.
type restorer struct {
	sys System
	x   *Reducer // tells what steps of whole ticks are made of
	run []explore.PathStep
}

func (r *restorer) now() []byte { return r.run[len(r.run)-1].State }

// step takes a step of the reduced system, with as many deliveries before it as
// it waits for.
func (r *restorer) step(from []byte, to explore.PathStep) error {
	if to.Code>>56 == wholeTickCode>>56 {
		return r.wholeTick(from, to)
	}
	if r.mayStandFor() && !r.covers(r.now(), from) {
		if err := r.catchUp(from); err != nil {
			return err
		}
	}
	var like *Step
	for _, t := range r.sys.Steps(from) {
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

// take takes a transition that leads to a state except for messages that were dropped.
func (r *restorer) take(like *Step, to []byte) bool {
	for _, t := range r.sys.Steps(r.now()) {
		if !t.sameKind(like) || t.Process != like.Process || t.Port != like.Port || t.Message != like.Message || t.Due != like.Due || t.Timer != like.Timer || t.Who != like.Who {
			continue
		}
		// The outcomes of one event may differ in what they send alone, and then what one
		// of them leads to has what another leads to with messages beside.
		if r.x.r.Flaws&FlawChoice == 0 && (t.Crash != like.Crash || !slices.Equal(t.Choices, like.Choices) || !slices.Equal(t.Out, like.Out)) {
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
	var best *Step
	for _, t := range r.sys.Steps(r.now()) {
		if k := t.Kind; (k == Delivers || k == Drops) && r.covers(t.Next, reduced) && (best == nil || t.Due < best.Due) {
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
	for _, t := range r.sys.Steps(r.now()) {
		if t.Kind == Ticks && r.covers(t.Next, reduced) {
			r.run = append(r.run, explore.PathStep{Code: t.Code, State: t.Next})
			return true
		}
	}
	return false
}

// settle has all messages delivered that are due and not in a state of the reduced system,
// in which none is due and nothing is owed: none of them alone may do nothing, and still
// all of them together.
func (r *restorer) settle(last []byte) bool {
	before := len(r.run)
	return r.mayStandFor() && r.catchUp(last) == nil && len(r.run) > before
}

// covers reports whether a state is one of the reduced system with some messages
// beside.
func (r *restorer) covers(state, reduced []byte) bool {
	l := r.x.Layout
	if state == nil || !bytes.Equal(state[:l.MsgOff], reduced[:l.MsgOff]) {
		return false
	}
	more, less := state[l.MsgOff:], reduced[l.MsgOff:]
	for ; len(more) > 0 && len(less) > 0; more = more[l.Width:] {
		if bytes.Equal(more[:l.Width], less[:l.Width]) {
			less = less[l.Width:]
		}
	}
	return len(less) == 0
}

// wholeTick takes a step of whole ticks of the reduced system.
func (r *restorer) wholeTick(from []byte, to explore.PathStep) error {
	x := r.x
	way := x.wayOf(from, to.Code)
	if len(x.tick.targets) == 0 {
		return errLost
	}
	if x.mayStandFor() && r.x.Calm(from) {
		targets, expiring := slices.Clone(x.tick.targets), x.tick.expiring
		ticks := len(way) > 0 && way[len(way)-1].kind == Ticks
		return r.reach(from, targets, expiring, to.State != nil, ticks)
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

// reach goes through a phase of the system, which is in a state that has the prospects of
// one of the reduced system, to the same outcomes or, where these are none, to the
// same values of what is read.
func (r *restorer) reach(from []byte, targets []target, expiring, ends, ticks bool) error {
	if expiring {
		if err := r.catchUp(from); err != nil {
			return err
		}
	}
	x := r.x
	t, now := &x.tick, r.now()
	x.look(now)
	x.startFrom(now, x.down, x.unreachable, x.up, faultsLeft{})
	t.tables = x.foresight.tables
	var way []explored
	for pos := range x.N {
		s := x.foresight.stages.at(pos, expiring)
		node := x.closest(s, &targets[pos], ends)
		if node < 0 {
			return errLost
		}
		way = append(way, t.wayTo(s, pos, node, x.up)...)
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

// closest returns the node of a stage that comes closest to a target, -1 if none comes to
// it: at an end one in the same local state that has sent no less, and as little as
// can be beside; elsewhere one with the same values.
func (x *Reducer) closest(s *stage, to *target, ends bool) (node int32) {
	t := &x.tick
	node = -1
	if !s.known {
		return node
	}
	if !ends {
		for i := range s.nodes {
			at := t.locals[s.nodes[i].local]
			if at.together == to.together && at.alone == to.alone && (node < 0 || at.key == to.key && t.locals[s.nodes[node].local].key != to.key) {
				node = int32(i)
			}
		}
		return node
	}
	least := 0
	for _, i := range s.final {
		a := x.targetOf(&s.nodes[i])
		if a.key == to.key && includes(a.sends, to.sends) && (node < 0 || len(a.sends) < least) {
			node, least = i, len(a.sends)
		}
	}
	return node
}

// includes reports whether a list has all of another one, in its order.
func includes(all, some []string) bool {
	for _, x := range all {
		if len(some) > 0 && some[0] == x {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// targetsAt returns the local states of a state of the reduced system as targets.
func (r *restorer) targetsAt(state []byte) []target {
	x := r.x
	x.look(state)
	x.startFrom(state, x.down, x.unreachable, x.up, faultsLeft{})
	x.tick.tables = x.foresight.tables
	var targets []target
	for pos := range x.N {
		targets = append(targets, x.targetOf(&stageNode{local: x.foresight.start.here[pos]}))
	}
	return targets
}

// catchUp has the messages delivered that are due in the system and not in a state of the
// reduced system, in which none is due.
func (r *restorer) catchUp(reduced []byte) error {
	if !r.x.AnyDue(r.now()) || r.x.AnyDue(reduced) {
		return nil
	}
	return r.reach(reduced, r.targetsAt(reduced), false, true, false)
}

// arrive goes to a state of the system that is like the last one of the reduced system.
func (r *restorer) arrive(last []byte) error {
	if !r.mayStandFor() || r.covers(r.now(), last) {
		return nil
	}
	if err := r.catchUp(last); err != nil || r.covers(r.now(), last) {
		return err
	}
	return r.reach(last, r.targetsAt(last), false, false, false)
}

// mayStandFor reports whether one state may stand for another in the reduced system.
func (r *restorer) mayStandFor() bool {
	return r.x.mayStandFor()
}

// leadsTo reports whether a state is one of the reduced system except for what is dropped,
// or is replaced by it.
func (r *restorer) leadsTo(state, reduced []byte) bool {
	if r.covers(state, reduced) {
		return true
	}
	x := r.x
	return x.normal != nil && bytes.Equal(x.normal(bytes.Clone(state), 0), reduced)
}

// follow returns the step of an action on the way of a step of whole ticks; the last one
// leads to the end except for dead messages.
func (r *restorer) follow(from []byte, x *explored, end []byte) *explore.PathStep {
	text := ""
	if x.kind == Delivers || x.kind == Drops {
		text = r.x.handlers.Text(&x.event)
	}
	outcome := -1
	for _, t := range r.sys.Steps(from) {
		if t.Kind != x.kind || t.Next == nil || x.pos >= 0 && t.Process != r.x.ids[x.pos] {
			continue
		}
		if outcome++; (x.kind == Crashes || x.kind == Restarts) && outcome != x.outcome && r.x.r.Flaws&FlawChoice == 0 || end != nil && !r.leadsTo(t.Next, end) {
			continue
		}
		switch x.kind {
		case Delivers, Drops:
			if t.Due > 0 || t.Port != Port(x.event.Message[0]) || t.Message != text {
				continue
			}
		case Expires:
			if t.Timer != r.x.Timers[x.event.Timer] {
				continue
			}
		case Suspects:
			if t.Who != x.event.Who {
				continue
			}
		}
		return &explore.PathStep{Code: t.Code, State: t.Next}
	}
	return nil
}

// unturned returns a run of the system without symmetries for one with them: what
// leads from one orbit to the next leads there from each state of it.
func unturned(sys System, path []explore.PathStep) ([]explore.PathStep, error) {
	x := sys.Reducer()
	stand := func(state []byte) []byte { return x.orbits.Stand(nil, state) }
	var run []explore.PathStep
	sys.Initial(func(state []byte) bool {
		if bytes.Equal(stand(state), path[0].State) {
			run = append(run, explore.PathStep{Code: path[0].Code, State: bytes.Clone(state)})
		}
		return len(run) == 0
	})
	if len(run) == 0 {
		return nil, errLost
	}
	for i, to := range path[1:] {
		now := run[i].State
		for _, t := range sys.Steps(now) {
			next := bytes.Clone(t.Next)
			if next != nil && x.foresight.kinds&DeadMessages != 0 {
				next = x.drop(next, 0)
			}
			if next == nil && to.State == nil || next != nil && to.State != nil && bytes.Equal(stand(next), to.State) {
				run = append(run, explore.PathStep{Code: t.Code, State: next})
				break
			}
		}
		if len(run) != i+2 {
			return nil, fmt.Errorf("step %d: %w", i+1, errLost)
		}
	}
	return run, nil
}
