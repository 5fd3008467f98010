package checker

import (
	"fmt"

	"bullyproof/model"
)

// The standard liveness properties of an election, under weak fairness. Lookup
// knows each by its name, and under no and strong fairness with "-unfair" and
// "-strong" behind it.
var (
	// E2 is Coulouris' liveness condition: "All processes p_i participate and
	// eventually either set elected_i ≠ ⊥ or crash." (The slides print "= ⊥", which
	// is a misprint.) That a process takes part at all is not demanded: where
	// nobody begins an election there is none.
	E2 = EachLeadsTo("e2",
		"Every participant eventually leaves the election and names a coordinator, or crashes.",
		func(v *model.View, id model.ID) bool { return v.Participants.Has(id) },
		func(v *model.View, id model.ID) bool {
			return !v.Up.Has(id) || !v.Participants.Has(id) && v.Elected(id) != model.None
		},
	).owing(participation).ExplainedEach(func(v *model.View, id model.ID) string {
		e := v.Elected(id)
		switch {
		case !v.Participants.Has(id):
			return fmt.Sprintf("%s has left its election and never learns the outcome", id.Name())
		case e == model.None:
			return fmt.Sprintf("%s is in an election that never ends", id.Name())
		case e == id:
			return fmt.Sprintf("%s names itself, and is in an election that never ends", id.Name())
		}
		return fmt.Sprintf("%s names %s, and is in an election that never ends", id.Name(), e.Name())
	}).Given("a process in an election", func(v *model.View) bool { return !v.Participants.Empty() })

	// StableLeadership: in the end there is one coordinator, and it stays.
	StableLeadership = EventuallyAlways("stable-leadership",
		"From some time on all live processes name the same live process, which believes itself coordinator (or nobody is up).",
		led,
	).Explained(explainNames)

	// ReElection: no failed coordinator goes without a successor.
	ReElection = LeadsTo("re-election",
		"Whenever a live process names a coordinator that is down, all live processes eventually name live ones (or nobody is up).",
		deadNamed,
		func(v *model.View) bool { return allName(v) && named(v)&^v.Up == 0 },
	).Explained(explainNames).Given("a live process that names a dead one", deadNamed)

	// Termination: messages cease. A process that waits without end for what
	// nobody sends is no offence against it, but against E2.
	Termination = AlwaysEventually("termination",
		"Sooner or later no messages are sent and no timers run, until the next fault. Periodic timers do not count.",
		func(v *model.View) bool { return v.Quiet },
	).Explained(func(*model.View) string { return "messages or timers never cease" })
)

// participation is what E2 asks of a process: who takes part owes to be out of the
// election, and to name somebody.
var participation = model.Obligation{
	Begins: func(b model.Belief) bool { return b.Participant },
	Ends:   func(b model.Belief) bool { return b.Elected != model.None },
}

// owing returns the property with what its trigger and its goal say of one process that
// stays up.
func (p *Property) owing(o model.Obligation) *Property {
	q := *p
	q.owes = &o
	return &q
}

// deadNamed reports whether a live process names one that is down.
func deadNamed(v *model.View) bool { return named(v)&v.Present&^v.Up != 0 }

// led reports whether all that are up have one coordinator.
func led(v *model.View) bool {
	return v.Up.Empty() || agreed(v) && v.Leaders.Len() == 1
}

// allName reports whether every live process names somebody.
func allName(v *model.View) bool {
	for t := v.Up; t != 0; t &= t - 1 {
		if v.Elected(t.Min()) == model.None {
			return false
		}
	}
	return true
}
