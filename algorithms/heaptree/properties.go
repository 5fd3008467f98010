package heaptree

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// Properties of the tree.
var (
	heapOrder = checker.Always("heap-order",
		"Once settled, no node has a parent with a smaller ID: A[PARENT(i)] >= A[i].",
		func(v *model.View) bool {
			return !v.Settled || eachNode(v, func(id model.ID, p *P) bool { return p.Father == model.None || p.Father > id })
		},
	).Reading(model.ReadsSettled)

	linked = checker.Always("linked",
		"Once settled, the nodes that are up form a tree, and each knows its parent, its children and its sibling.",
		func(v *model.View) bool {
			if !v.Settled {
				return true
			}
			roots := 0
			ok := eachNode(v, func(id model.ID, p *P) bool {
				if p.Father == model.None {
					roots++
					return p.Sibling == model.None
				}
				f := model.State[P](v, p.Father)
				return f == nil && v.Present.Has(p.Father) ||
					f != nil && (f.Left == id && f.Right == p.Sibling || f.Right == id && f.Left == p.Sibling)
			})
			return ok && roots <= 1
		},
	).Reading(model.ReadsSettled)

	// numbers is asked of the readings in which nodes record them.
	numbers = checker.Always("numbers",
		"Once settled, each node records its number in the tree: that of its place.",
		func(v *model.View) bool {
			return !v.Settled || eachNode(v, func(id model.ID, p *P) bool { return int(p.Index) == index(v, id) })
		},
	).Reading(model.ReadsSettled)

	// complete is asked where nobody but the leader crashes: who else does stays in its place.
	complete = checker.Always("complete",
		"Once settled, the tree is filled on all levels except possibly the lowest, and that from the left.",
		func(v *model.View) bool {
			if !v.Settled {
				return true
			}
			size := v.Up.Len()
			return eachNode(v, func(id model.ID, _ *P) bool {
				i := index(v, id)
				return i >= 1 && i <= size
			})
		},
	).Reading(model.ReadsSettled)
)

// index returns i where the node is A[i], found by way of its fathers; 0 where
// these do not lead to the root.
func index(v *model.View, id model.ID) int {
	i, bit := 0, 1
	for range v.N {
		p := model.State[P](v, id)
		if p == nil {
			return 0
		}
		if p.Father == model.None {
			return bit + i
		}
		if f := model.State[P](v, p.Father); f != nil && f.Right == id {
			i += bit
		}
		bit *= 2
		id = p.Father
	}
	return 0
}

// eachNode reports whether something is true of every node that is up.
func eachNode(v *model.View, is func(id model.ID, p *P) bool) bool {
	for id := range v.Up.All() {
		if !is(id, model.State[P](v, id)) {
			return false
		}
	}
	return true
}
