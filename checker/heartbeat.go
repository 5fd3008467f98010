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
