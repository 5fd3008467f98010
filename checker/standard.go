package checker

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/setting"
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
		"Every process that takes part in an election is sooner or later out of it and names a coordinator, or crashes.",
		func(v *model.View, id model.ID) bool { return v.Participants.Has(id) },
		func(v *model.View, id model.ID) bool {
			return !v.Up.Has(id) || !v.Participants.Has(id) && v.Elected(id) != model.None
		},
	).ExplainedEach(func(v *model.View, id model.ID) string {
		e := v.Elected(id)
		switch {
		case !v.Participants.Has(id):
			return fmt.Sprintf("%s has taken part in an election and never learns of its outcome", id)
		case e == model.None:
			return fmt.Sprintf("%s takes part in an election that never ends for it", id)
		case e == id:
			return fmt.Sprintf("%s names itself, and takes part in an election that never ends for it", id)
		}
		return fmt.Sprintf("%s names %s, and takes part in an election that never ends for it", id, e)
	}).Given("a process that takes part in an election", func(v *model.View) bool { return !v.Participants.Empty() })

	// StableLeadership: in the end there is one coordinator, and it stays.
	StableLeadership = EventuallyAlways("stable-leadership",
		"From some time on all live processes name the same live process, which believes itself coordinator (or nobody is up).",
		led,
	).Explained(explainNames)

	// ReElection: no failed coordinator goes without a successor.
	ReElection = LeadsTo("re-election",
		"Whenever a live process names a coordinator that is down, all live processes sooner or later name live ones (or nobody is up).",
		deadNamed,
		func(v *model.View) bool { return allName(v) && named(v)&^v.Up == 0 },
	).Explained(explainNames).Given("a live process that names one that is down", deadNamed)

	// Termination: messages cease. A process that waits for ever for what nobody
	// sends is no offence against it, but against E2.
	Termination = AlwaysEventually("termination",
		"Messages and timers cease sooner or later, until the next fault (but for what periodic timers begin).",
		func(v *model.View) bool { return v.Quiet },
	).Explained(func(*model.View) string { return "messages or timers go on for ever" })
)

// Liveness returns the standard liveness properties, in the order in which
// reports have them.
func Liveness() []*Property { return []*Property{E2, StableLeadership, ReElection, Termination} }

// Standard returns all that is asked of an election as a rule: the properties
// of Election and those of Liveness. (E1 is not among them: hardly anything
// that tolerates crashes satisfies it to the letter.)
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
		for _, p := range Liveness() {
			if ok && p.Name == base {
				return p.Under(f)
			}
		}
	}
	return nil
}
