// Package sources has what the claims of several algorithms share of their
// sources: demands on elections in general, and how a formula grows.
package sources

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// OnceElected is what Effatparvar et al., Improved Algorithms for Leader Election
// in Distributed Systems, ICCET 2010, section 1, say of the elected state.
var OnceElected = checker.AlwaysStep("once-elected",
	"A node that has entered the elected state remains in it while it is up.",
	func(e *model.Event) bool { return e.From.Leaders&e.To.Up&^e.To.Leaders == 0 },
)

// Irrevocable is what the same section says of both states: "When a node enters
// either state, it always remain in that state."
var Irrevocable = checker.AlwaysStep("irrevocable",
	"A process that names a coordinator names the same one from then on.",
	func(e *model.Event) bool {
		from, to := e.From, e.To
		for id := range to.Up.All() {
			if e := from.Elected(id); e != model.None && to.Elected(id) != e {
				return false
			}
		}
		return true
	})

// Growth returns the order in which f grows, "log n", "n" or "n²": what doubling
// n multiplies it by.
func Growth(f func(n int) int) string {
	switch ratio := float64(f(200)) / float64(f(100)); {
	case ratio < 1.5:
		return "log n"
	case ratio < 3:
		return "n"
	}
	return "n²"
}
