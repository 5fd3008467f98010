package heaptree

import (
	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Algorithm is the election with a heap tree for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "heaptree",
	Title: "Election with a heap tree of Effatparvar et al.",
	Source: "M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani, A. Khonsari, Improved Algorithms for Leader Election " +
		"in Distributed Systems, 2nd International Conference on Computer Engineering and Technology (ICCET), 2010, section 4",
	Doc: "The nodes form a max-heap whose root is the leader. A node that notices the crash of the leader tells its parent, and so on " +
		"up to the children of the deleted root; the greater of these is the new leader. A node that joins swaps position with " +
		"its parent while it is greater.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.OneFailure, ledger.NoReturns),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: figures}, []ledger.Variant{
		{
			Name: "paper", New: of(&Protocol{}),
			Doc: "The algorithm of section 4.",
		},
		{
			Name: "recorded", New: of(Recorded()),
			Doc: "A child of the deleted root compares its ID with the ID that it has recorded of its sibling, so the greater of the " +
				"two becomes the leader without a question.",
		},
		{
			Name: "numbered", New: of(Numbered(falling)),
			Doc: "As paper, but each node knows its number in the tree, and so which child it is: a node that rises leaves the " +
				"others on their sides. The nodes that are there at the start have joined in the order of falling IDs.",
		},
		{
			Name: "last-leaf", New: of(LastLeaf(falling)),
			Doc: "As numbered, but the place that is empty below a child that has risen is for the last leaf, as HEAP-EXTRACT-MAX " +
				"has it: the root, which counts the nodes, sends for it, and it compares its ID with its parent's from there.",
		},
		{
			Name: "repaired", Repair: true, Adds: "a limit to the wait for the outcome", New: of(Repaired{&Protocol{}}),
			Doc: "A node that does not hear of the outcome of an election in time asks all others which of them are up, and hands out " +
				"their tree.",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.BoundedDelays, ledger.NoPauses, ledger.NoReturns),
			Assumes:     assumes + "; each node can send to all others; a known bound on delays; any node crashes", Setting: twoCrashes,
		},
		{
			Name: "repaired-tenure", Repair: true, Adds: "a node which joins stays below the root", New: of(Tenured{&Protocol{}}),
			Doc: "A node that joins and is greater than the root stays below it until the root crashes. Below the root the tree is " +
				"still a max-heap, so one of the two children is the greatest of the others, as the next election needs it.",
		},
	}),

	Written: claims,
	Files:   files,
	Silent:  silent,

	Properties: []*checker.Property{heapOrder, linked, numbers, complete, sources.OnceElected},
	Asked:      append(checker.Standard(), heapOrder, linked, sources.OnceElected),
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "each node knows its parent, children and sibling, and the leader; reliable delivery; the leader crashes; nodes join, " +
	"one after another"

// usual has the leader, or another node, crash.
var usual = setting.Must("n=6 start=settled crashes=1")

// twoCrashes has two crash, one of them unnoticed.
var twoCrashes = setting.Must("n=4 start=settled crashes=2")

// oneJoin has one node join, any of them.
var oneJoin = setting.Must("n=4 start=settled joins=1")
