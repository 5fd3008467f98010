package effatparvar

import (
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
)

// Properties that the paper's own words ask for.
var (
	ensured = checker.AlwaysStep("ensured",
		"A node that has verified and remains the leader is the one with the greatest ID that is up.",
		func(e *model.Event) bool {
			from, to := e.From, e.To
			for id := range from.Up.All() {
				before, after := model.State[P](from, id), model.State[P](to, id)
				if before.Mode == Verifying && after != nil && after.Mode == Idle && after.Elected == id && to.Up.Max() > id {
					return false
				}
			}
			return true
		},
	).Explained(func(v *model.View) string {
		return fmt.Sprintf("a node has verified that nobody is above it, although %s is up", v.Up.Max().Name())
	})

	noLesser = checker.Always("no-lesser",
		"Once settled, nobody names a live node other than the one with the greatest ID.",
		func(v *model.View) bool {
			for id := range v.Up.All() {
				if e := v.Elected(id); v.Settled && v.Up.Has(e) && e != v.Wanted {
					return false
				}
			}
			return true
		},
	).Reading(model.ReadsSettled)
)
