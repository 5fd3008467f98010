package spanningtrees

import "bullyproof/model"

// The rules.
var (
	rules model.Rules

	roots   = rules.Add("1: be the root of a tree: offer it to all neighbours")
	joins   = rules.Add("2: a tree with a greater root: join it, and offer it to all other neighbours")
	refuses = rules.Add("3: a tree with a smaller root: do not join it")
	echoes  = rules.Add("4: all neighbours are in the tree: tell the parent")
	leads   = rules.Add("5: the root is told by all: it is the leader, announce it down the tree")
	follows = rules.Add("6: an announcement: follow it, pass it down the tree")
)

var names = model.Names{
	Kinds: []string{Tree: "tree", Echo: "echo", Leader: "leader"},
	Rules: rules,
}

// Names returns the vocabulary.
func (x *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "tree(3)".
func (m M) String() string { return names.Kinds[m.Type] + "(" + m.Root.String() + ")" }
