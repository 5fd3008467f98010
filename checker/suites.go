package checker

import (
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model/setting"
)

// Election returns the standard safety properties of an election, in the order
// in which reports have them. Misuse, which is always checked, is not among them.
func Election() []*Property {
	return []*Property{Uniqueness, SettledUniqueness, Agreement, LiveCoordinator, Validity, Extreme}
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

// OnRequest returns the standard properties that Standard leaves out: those of elections
// with epochs and heartbeats, and E1.
func OnRequest() []*Property {
	return []*Property{OneLeaderPerEpoch, LeaderAgain, OneLeaderAgain, E1}
}

// Lookup returns the standard property of a name, those of OnRequest and Misuse included:
// "agreement", "e2", and for a liveness property under another fairness "e2-unfair" and
// "e2-strong"; or else one of others that there are besides. The error suggests the name that was
// probably meant.
func Lookup(name string, others ...*Property) (*Property, error) {
	if p := underOtherFairness(name); p != nil {
		return p, nil
	}
	all := slices.Concat(Standard(), OnRequest(), []*Property{Misuse}, others)
	names := make([]string, len(all))
	for i, p := range all {
		if p.Name == name {
			return p, nil
		}
		names[i] = p.Name
	}
	return nil, nearest.Unknown("property", name, names)
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
