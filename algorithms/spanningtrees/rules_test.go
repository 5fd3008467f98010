package spanningtrees_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/spanningtrees"
	"bullyproof/model"
)

func TestProtocol(t *testing.T) {
	of := spanningtrees.Algorithm.Variants
	play.Protocols(t, of[0].Setting.String(), &spanningtrees.Protocol{})
	play.Protocols(t, of[1].Setting.String(), &spanningtrees.Protocol{Ring: true})
	play.Protocols(t, of[2].Setting.String(), &spanningtrees.Merging{})
}

// Each test has a part of the sentences that describe the algorithm, and a run
// that shows it.
func TestTheDescription(t *testing.T) {
	const (
		three = "n=3 initiators=1,2:lazy channels=fifo timing=async"
		cut   = "n=3 initiators=1:lazy channels=fifo cuts=1 cut-by=link timing=async"
		ring  = "n=4 topology=biring arrangement=1-2-3-4 initiators=1:lazy channels=fifo timing=async"
	)
	grown := []string{"1 starts an election", "1->3 tree(1)", "3->2 tree(1)"}
	alone := []string{"1 starts an election", "1->2 tree(1)", "1->3 tree(1)", "2->3 tree(1)", "3->2 tree(1)"}
	told := append(alone[:5:5], "2->1 echo(1)", "3->1 echo(1)")
	play.Show(t, spanningtrees.Algorithm, "", three, []play.Sentence{
		{
			Says: "several spanning trees with a prospective leader at the root", Run: grown[:1],
			Rule:  "1: be the root of a tree: offer it to all neighbours",
			Sends: "1->2 tree(1), 1->3 tree(1)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "constructing spanning trees: whoever joins offers it to all others", Run: grown[:2],
			Sends: "3->2 tree(1)",
			Then:  map[model.ID]string{3: "names nobody, in an election"},
		},
		{
			Says: "reducing the number of spanning trees: a smaller one is not joined",
			Run:  []string{"1 starts an election", "2 starts an election", "1->2 tree(1)"},
			Rule: "3: a tree with a smaller root: do not join it",
		},
		{
			Says:  "reducing the number of spanning trees: a greater one takes the process",
			Run:   []string{"1 starts an election", "2 starts an election", "2->1 tree(2)"},
			Rule:  "2: a tree with a greater root: join it, and offer it to all other neighbours",
			Sends: "1->3 tree(2)",
		},
		{
			Says: "a leaf is one whose neighbours are all in the tree", Run: alone[:4],
			Rule:  "4: all neighbours are in the tree: tell the parent",
			Sends: "3->1 echo(1)",
		},
		{
			Says: "to one: its root is the leader", Run: told,
			Rule:  "5: the root is told by all: it is the leader, announce it down the tree",
			Sends: "1->2 leader(1), 1->3 leader(1)",
			Then:  map[model.ID]string{1: "names 1", 2: "names nobody, in an election"},
		},
		{
			Says: "all follow the root", Run: append(told[:7:7], "1->2 leader(1)"),
			Then: map[model.ID]string{2: "names 1"},
		},
		{
			Says: "on a ring a tree has some height", Variant: "ring", Setting: ring,
			Run:   []string{"1 starts an election", "prev->2 tree(1)", "prev->3 tree(1)"},
			Sends: "3->4 tree(1)",
		},
		{
			Says: "work only in cases where the topology remains static", Setting: cut,
			Run: []string{"1 starts an election", "the link 1-2 is cut", "1->3 tree(1)"}, Sends: "3->2 tree(1)",
			Then: map[model.ID]string{1: "names nobody, in an election"},
		},
	})
}

// The same of the reading in which trees merge.
func TestTheDescriptionOfMerging(t *testing.T) {
	const (
		three = "n=3 initiators=1,2:lazy channels=fifo timing=async"
		cut   = "n=3 initiators=1:lazy channels=fifo cuts=1 cut-by=link timing=async"
	)
	two := []string{"1 starts an election", "2 starts an election", "2->1 join(2)"}
	two = two[:len(two):len(two)]
	merged := append(two, "1->2 join(1)", "1->2 merge{1}")
	merged = merged[:len(merged):len(merged)]
	play.Show(t, spanningtrees.Algorithm, "merges", three, []play.Sentence{
		{
			Says: "several spanning trees with a prospective leader at the root", Run: two[:2],
			Rule:  "1: be the root of a tree",
			Sends: "2->1 join(2)",
			Then:  map[model.ID]string{1: "names nobody, in an election", 2: "names nobody, in an election"},
		},
		{
			Says: "recursively reducing the number of spanning trees: the smaller one is given up", Run: two,
			Rule:  "4: a root, asked by a greater one: give the tree up to it",
			Sends: "1->2 merge{1}",
		},
		{
			Says: "the greater one is not", Run: append(two[:2:2], "1->2 join(1)"),
			Rule: "5: a root, asked by a smaller one: do not answer",
		},
		{
			Says: "and goes on with the next process", Run: merged,
			Rule:  "2: a root: ask a process outside of the tree to join",
			Sends: "2->3 join(2)",
		},
		{
			Says: "to one", Run: append(merged, "2->3 join(2)", "3->2 merge{3}"),
			Rule:  "7: all processes are in the tree: announce its root as leader",
			Sends: "2->1 leader(2), 2->3 leader(2)",
			Then:  map[model.ID]string{2: "names 2"},
		},
		{
			Says: "all follow the root", Run: []string{
				"1 starts an election", "1->2 join(1)", "2->1 merge{2}", "1->3 join(1)", "3->1 merge{3}", "1->2 leader(1)",
			},
			Rule: "8: an announcement: follow it",
			Then: map[model.ID]string{2: "names 1", 3: "names nobody, in an election"},
		},
		{
			Says: "work only in cases where the topology remains static", Setting: cut,
			Run:  []string{"1 starts an election", "the link 1-2 is cut"},
			Then: map[model.ID]string{1: "names nobody, in an election"},
		},
	})
}
