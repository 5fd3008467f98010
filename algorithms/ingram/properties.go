package ingram

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// oneLeader is "eventually every connected component contains a unique leader", and
// the leader is known to all of it.
var oneLeader = checker.EventuallyAlways("one-leader-each",
	"From some time on each connected component has one leader, and all of its processes name it.",
	func(v *model.View) bool {
		for id := range v.Up.All() {
			c := component(v, id)
			if leaders := c & v.Leaders; leaders.Len() != 1 || v.Elected(id) != leaders.Min() {
				return false
			}
		}
		return true
	},
).Explained(func(*model.View) string {
	return "again and again a component has no leader, or several, or not all of it name it"
})

// oriented is the paper's leader-oriented DAG.
var oriented = checker.EventuallyAlways("leader-oriented",
	"From some time on each process that does not lead has a neighbour with a lower height.",
	func(v *model.View) bool {
		for id := range (v.Up &^ v.Leaders).All() {
			own, lower := model.State[P](v, id).Own, false
			for other := range neighbours(v, id).All() {
				lower = lower || model.State[P](v, other).Own.below(other, own, id)
			}
			if !lower {
				return false
			}
		}
		return true
	},
).Explained(func(*model.View) string { return "again and again a process without a lower neighbour does not lead" })

// kept is "a new leader is not elected unnecessarily".
var kept = checker.AlwaysStep("no-new-leader",
	"A process that is connected with its leader does not elect itself.",
	func(e *model.Event) bool {
		if !e.Ran(alone) && !e.Ran(elects) {
			return true
		}
		was := e.From.Elected(e.Process)
		return was == e.Process || !e.From.Leaders.Has(was) || !component(e.From, e.Process).Has(was)
	},
)

// neighbours are the processes to which a live process has a link that is up.
func neighbours(v *model.View, id model.ID) (s model.Set) {
	for other := range v.Reached(id, v.Up).Without(id).All() {
		if model.State[P](v, id).Graph.linked(v.N, id, other) {
			s = s.With(other)
		}
	}
	return s
}

// component is the connected component of a live process.
func component(v *model.View, id model.ID) model.Set {
	reached := model.SetOf(id)
	for more := reached; !more.Empty(); {
		next := model.Set(0)
		for id := range more.All() {
			next |= neighbours(v, id)
		}
		more = next &^ reached
		reached |= next
	}
	return reached
}
