package checker

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
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

// Liveness returns the standard liveness properties, in the order in which
// reports have them.
func Liveness() []*Property { return []*Property{E2, StableLeadership, ReElection, Termination} }

// Standard returns all that is asked of an election as a rule: the properties
// of Election and those of Liveness. (E1 is not among them: hardly anything
// that tolerates crashes satisfies it literally.)
func Standard() []*Property { return append(Election(), Liveness()...) }

// InSetting returns properties without the standard ones that are no question in
// a setting: without ReElection, under whatever fairness, where no process can be
// down.
func InSetting(props []*Property, s setting.Setting) []*Property {
	if s.Crashes > 0 || s.Start == setting.CoordinatorDown {
		return props
	}
	return slices.DeleteFunc(slices.Clone(props), func(p *Property) bool { return p == ReElection })
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

// underOtherFairness returns the standard property that a name with an ending
// stands for, nil if there is none.
func underOtherFairness(name string) *Property {
	for ending, f := range map[string]Fairness{unfairEnding: NoFairness, strongEnding: StrongFairness} {
		base, ok := strings.CutSuffix(name, ending)
		for _, p := range append(Liveness(), LeaderAgain, OneLeaderAgain) {
			if ok && p.Name == base {
				return p.Under(f)
			}
		}
	}
	return nil
}

// The properties of Heartbeat that are not of Standard.
var (
	// OneLeaderPerEpoch: what a protocol guarantees that numbers its elections,
	// and lets a leader of an old one go on until it hears of the new one.
	OneLeaderPerEpoch = Always("one-leader-per-epoch",
		"There are never two live processes that both believe themselves coordinator of the same epoch (a term, a ballot).",
		func(v *model.View) bool { return rivals(v).Empty() },
	).Explained(func(v *model.View) string {
		two := rivals(v)
		return fmt.Sprintf("%s in epoch %d", explainSet(two), v.Epoch(two.Min()))
	}).Given("a live process that believes itself coordinator of an epoch", func(v *model.View) bool {
		for t := v.Leaders; t != 0; t &= t - 1 {
			if v.Epoch(t.Min()) != 0 {
				return true
			}
		}
		return false
	}).Reading(model.ReadsEpochs).Blind()

	// LeaderAgain: everybody gets a coordinator again and again.
	LeaderAgain = AlwaysEventually("leader-again",
		"Again and again a live process believes itself coordinator (or nobody is up).",
		func(v *model.View) bool { return v.Up.Empty() || someLeader(v) },
	).Explained(func(*model.View) string { return "from some time on nobody believes itself coordinator" })

	// OneLeaderAgain: after each fault there is one coordinator again, for all. It
	// ignores coordinators that are cut off, or that others have forgotten.
	OneLeaderAgain = AlwaysEventually("one-leader-again",
		"Again and again one live process believes itself coordinator, and no live process names another one (or nobody is up).",
		func(v *model.View) bool {
			return v.Up.Empty() || v.Leaders.Len() == 1 && named(v) == v.Leaders
		},
	).Explained(func(*model.View) string {
		return "from some time on nobody believes itself coordinator, or some name another one"
	})
)

// Heartbeat returns what is asked as a rule of an election whose timers never
// cease, since a leader proves that it lives by heartbeats and its followers time
// out without them: OneLeaderPerEpoch, Validity, E2, StableLeadership,
// ReElection and LeaderAgain.
//
// Standard does not fit such a protocol: no state of it is ever settled, so that
// SettledUniqueness, Agreement, LiveCoordinator and Extreme are vacuous, and
// Termination is violated. (If its timers are called periodic, model.TimerName,
// states are settled in spite of them, and a pause between two heartbeats counts
// as the end of an election.) It does not demand Uniqueness either, for a leader
// that was cut off may believe in itself for a while. Heartbeat does not fit a
// protocol whose elections end and have no numbers: OneLeaderPerEpoch is vacuous
// there. ReElection is vacuous in a setting in which nobody can be down.
func Heartbeat() []*Property {
	return []*Property{OneLeaderPerEpoch, Validity, E2, StableLeadership, ReElection, LeaderAgain}
}

// rivals returns the coordinators of the first epoch that has several.
func rivals(v *model.View) model.Set {
	for t := v.Leaders; t != 0; t &= t - 1 {
		first := t.Min()
		epoch := v.Epoch(first)
		if epoch == 0 {
			continue // it is of no epoch
		}
		same := model.SetOf(first)
		for u := t & (t - 1); u != 0; u &= u - 1 {
			if v.Epoch(u.Min()) == epoch {
				same = same.With(u.Min())
			}
		}
		if same.Len() > 1 {
			return same
		}
	}
	return 0
}
