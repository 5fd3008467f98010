package spanningtrees

import "bullyproof/model"

// The rules.
const (
	roots model.Rule = iota
	joins
	refuses
	echoes
	leads
	follows
)

var names = model.Names{
	Kinds: []string{Tree: "tree", Echo: "echo", Leader: "leader"},
	Rules: []string{
		roots:   "1: be the root of a tree: offer it to all neighbours",
		joins:   "2: a tree with a greater root: join it, and offer it to all other neighbours",
		refuses: "3: a tree with a smaller root: do not join it",
		echoes:  "4: all neighbours are in the tree: tell the parent",
		leads:   "5: the root is told by all: it is the leader, announce it down the tree",
		follows: "6: an announcement: follow it, pass it down the tree",
	},
}

// Names returns the vocabulary.
func (x *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "tree(3)".
func (m M) String() string { return names.Kinds[m.Type] + "(" + m.Root.String() + ")" }
