package heaptree

import (
	"fmt"

	"bullyproof/model"
)

// Told is the timer by whose end all neighbours have learned of a swap.
const Told model.Timer = 0

// The rules are the sentences of section 4.
var (
	rules model.Rules

	notices     = rules.Add("the leader has crashed: send election to the parent")
	passes      = rules.Add("election, no duplicate: send it to the next parent")
	duplicate   = rules.Add("election, a duplicate: drop it")
	compares    = rules.Add("child of the deleted root: send one's ID to the other child")
	replies     = rules.Add("the other child is greater: send it one's ID")
	wins        = rules.Add("the greater child of the deleted root: become the leader")
	rises       = rules.Add("take the place above: one's own goes to the larger child")
	told        = rules.Add("the new leader: pass it on to the children")
	joins       = rules.Add("join the group")
	seated      = rules.Add("a node joins: it is a child at the first free place")
	swaps       = rules.Add("greater than the parent: swap position with it")
	stays       = rules.Add("not greater than the parent: stay")
	becomesRoot = rules.Add("greater than the root: become the leader")
	alone       = rules.Add("the only child of the deleted root: become the leader")
	fills       = rules.Add("HEAP-EXTRACT-MAX: the last leaf takes the place that is empty")
	asks        = rules.Add("no outcome in time: ask all who is up")
	hands       = rules.Add("hand out the tree of those that are up")
)

var names = model.Names{
	Kinds: []string{
		Election: "election", Compare: "compare", Leader: "leader", Place: "place", Rise: "rise",
		Join: "join", Seek: "seek", Swap: "swap", Yours: "yours", Swapped: "swapped",
		Fill: "fill", Takes: "takes", Gone: "gone", Ask: "ask", Here: "here", Tree: "tree",
	},
	Timers: []model.TimerName{Told: {Name: "told"}, Wait: {Name: "wait"}},
	Rules:  rules,
}

// Names returns the vocabulary of the paper.
func (h *Protocol) Names() model.Names {
	return model.Names{Kinds: names.Kinds[:Fill], Timers: names.Timers[:Wait], Rules: names.Rules[:fills]}
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "election(4)", 4 being the leader that has crashed, or
// "leader(3)".
func (m M) String() string {
	name := names.Kinds[m.Type]
	var why string
	if m.Dead != model.None {
		why = fmt.Sprintf(", %v crashed", m.Dead)
	}
	switch m.Type {
	case Election:
		return fmt.Sprintf("%s(%v)", name, m.Dead)
	case Compare, Leader:
		return fmt.Sprintf("%s(%v%s)", name, m.ID, why)
	case Rise:
		return fmt.Sprintf("%s(%v%s, beside %v)", name, m.ID, why, m.Sibling)
	case Place:
		if m.Size > 0 {
			why = fmt.Sprintf(" of %d", m.Size)
		}
		return fmt.Sprintf("%s(%v%s, beside %v)", name, m.ID, why, m.Sibling)
	case Seek:
		return fmt.Sprintf("%s(%v at %d of %d)", name, m.ID, m.Index, m.Size)
	case Swap:
		return fmt.Sprintf("%s(above %v, %v)", name, m.Left, m.Right)
	case Yours:
		return fmt.Sprintf("%s(below %v, beside %v, above %v, %v)", name, m.Father, m.Sibling, m.Left, m.Right)
	case Swapped:
		return fmt.Sprintf("%s(%v, %v)", name, m.ID, m.Left)
	case Fill, Takes:
		return fmt.Sprintf("%s(%v%s, place %d for leaf %d, below %v, beside %v)", name, m.ID, why, m.Index, m.Size, m.Father, m.Sibling)
	case Tree:
		return fmt.Sprintf("%s%v", name, m.Live)
	}
	return name
}
