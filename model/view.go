package model

import "iter"

// A View is what properties see of a state: who is up and what each process
// believes. It is good during the call that receives it.
type View struct {
	// N is the number of processes.
	N ID
	// Up are the processes that are up; Present those that are neither absent
	// nor unbooted, up or down.
	Up, Present Set
	// Leaders are the processes that are up and believe themselves coordinator.
	Leaders Set
	// Participants are the processes that are up and take part in an election.
	Participants Set
	// Wanted is the process that ought to win among those that are up: the
	// highest unless the protocol says otherwise, None if nobody is up.
	Wanted ID
	// Settled says that no owed action is enabled (those of periodic timers
	// aside) and nobody takes part in an election. Watches of states know it;
	// to watches of steps it is false in both views.
	Settled bool
	// Quiet says that no owed action is enabled (those of periodic timers
	// aside): only faults can change anything, though somebody may wait for what
	// will never come. It is known where Settled is.
	Quiet bool
	// Side is the part of the processes that a cut separates from the rest; empty
	// without one, and where links are cut one by one (Severed).
	Side Set

	// Paused are the processes that pause: they are up, and do nothing for a while.
	Paused Set

	layout *layout // of state, where the setting has cuts
	state  []byte

	elected [MaxID]ID
	procs   procs

	monitors []*monitor
	history  []byte // their values
}

// Elected returns the process that process id takes for the coordinator (its
// own id where it believes itself coordinator), None where it knows of none or
// is not up.
func (v *View) Elected(id ID) ID { return v.elected[id-1] }

// Severed reports whether a cut keeps messages of one process from another.
func (v *View) Severed(from, to ID) bool {
	switch {
	case v.layout == nil || from == to:
		return false
	case v.layout.linksOff >= 0:
		return v.layout.severed(v.state, int(from)-1, int(to)-1)
	}
	return v.Side.Has(from) != v.Side.Has(to)
}

// Epoch returns the number of the election in which process id is
// (Belief.Epoch), 0 where the protocol numbers none or the process is not up.
func (v *View) Epoch(id ID) uint64 {
	if !v.Up.Has(id) {
		return 0
	}
	return v.procs.epoch(id)
}

// State returns the state of process id in a system whose processes have state
// P, or nil where P is another type or the process is not up.
func State[P any](v *View, id ID) *P {
	if !v.Up.Has(id) {
		return nil
	}
	p, _ := v.procs.process(id).(*P)
	return p
}

// InFlight returns how many messages are in flight.
func (v *View) InFlight() int { return v.procs.inFlight() }

// Mail yields the messages in flight with their ways: of one link, where
// channels keep the order, in that order. M has to be the message type of the
// protocol.
func Mail[M Message](v *View) iter.Seq2[Link, M] {
	return func(yield func(Link, M) bool) { eachLetter(v, yield) }
}

func eachLetter[M Message](v *View, yield func(Link, M) bool) {
	pointed[M](v.procs.noLetter()) // even where nothing is in flight
	for i := range v.InFlight() {
		if link, m := v.procs.letter(i); !yield(link, *pointed[M](m)) {
			return
		}
	}
}

// Stored returns what a process has on its disk: of one that is down what its
// crash has left, and of one that is up what a crash would leave. It is zero
// without stable storage, and of a process that has yet to come up or never can
// again. P has to be the state of the protocol's processes.
func Stored[P any](v *View, id ID) P {
	return *pointed[P](v.procs.stored(id))
}

// procs gives access to what is in a state: to states of processes by pointers to
// them (*P), and to messages by pointers, too (*M).
type procs interface {
	process(id ID) any
	stored(id ID) any
	epoch(id ID) uint64
	inFlight() int
	letter(i int) (Link, any)
	noLetter() any // nil, of the type of others
}

// A Watch is a question asked of each state or of each step of a search.
type Watch struct {
	// State reports whether a state hits the watch. Nil: no state does.
	State func(v *View) bool
	// Step reports whether a step hits the watch. Nil: no step does.
	Step func(e *Event) bool
	// Demand says for people what is watched for: "At no instant ...". It may be
	// empty.
	Demand string
	// Met says that what hits the watch is what was looked for, and not what must
	// not be.
	Met bool
	// MarkOnly has states that hit the watch marked (Labels) and not reported
	// as hits of a target.
	MarkOnly bool
	// Run, where a question is about runs as a whole, says why a run is no
	// answer to it, nil if it is one (a run that breaks the property). It goes
	// through states by steps, and then for ever through those from states[loop]
	// on, where loop is not negative; otherwise it ends in the last state, and
	// nothing that is owed happens there any more. States are encoded ones of sys;
	// states[i+1] is where steps[i] leads.
	Run func(sys *System, states [][]byte, steps []Transition, loop int) error
}
