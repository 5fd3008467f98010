package checker

import (
	"fmt"

	"bullyproof/model"
)

// The properties of Heartbeat that are not of Standard.
var (
	// OneLeaderPerEpoch: what a protocol guarantees that numbers its elections,
	// and lets a leader of an old one go on until it hears of the new one.
	OneLeaderPerEpoch = Always("one-leader-per-epoch",
		"At no instant are there two live processes that each believe themselves coordinator of the same epoch (a term, a ballot).",
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
	})

	// LeaderAgain: nobody goes without a coordinator for ever.
	LeaderAgain = AlwaysEventually("leader-again",
		"Again and again a live process believes itself coordinator (or nobody is up).",
		func(v *model.View) bool { return v.Up.Empty() || someLeader(v) },
	).Explained(func(*model.View) string { return "from some time on nobody believes itself coordinator" })
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
// as the end of an election.) Nor does it demand Uniqueness, for a leader that was
// cut off may believe in itself for a while. Nor does Heartbeat fit a protocol
// whose elections end and have no numbers: OneLeaderPerEpoch is vacuous there.
// ReElection is vacuous in a setting in which nobody can be down.
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
