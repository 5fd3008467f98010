package changroberts

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Chang and Roberts for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "changroberts",
	Title: "Ring algorithm of Chang and Roberts",
	Source: "E. Chang, R. Roberts, An improved algorithm for decentralized extrema-finding in circular configurations of " +
		"processes, Communications of the ACM 22(5), 1979, as told by G. Coulouris, J. Dollimore, T. Kindberg, Distributed " +
		"Systems: Concepts and Design, 5th edition, Pearson, 2012, section 15.3, and its lecture slides",
	Doc: "Each process sends its id round the ring. A process passes on ids greater than its own and stops smaller ones, so only the " +
		"greatest comes home. Its owner is the coordinator, and announces that in a second round.",
	Assumptions: slices.Concat(
		ledger.Said("section 15.3", ledger.Reliable, ledger.NoFailures),
		ledger.Tacit(ledger.NoCopies, ledger.Connected, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: lazy, Figures: figures}, []ledger.Variant{
		{
			Name: "coulouris", New: of(&Protocol{}),
			Doc: "The algorithm of the slides: a process that has learned the outcome is a non-participant, ready for " +
				"another election.",
		},
		{
			Name: "once", New: of(Once{&Protocol{}}),
			Doc: "A process that has learned the outcome stops all smaller ids from then on: there is one election. Equal to coulouris " +
				"while channels are FIFO.",
		},
		{
			Name: "repaired", Repair: true, Adds: "numbers of elections", New: of(Numbered{&Protocol{}}),
			Doc: "As coulouris, but elections are numbered, and an election message of one that is over is taken out of the ring. So " +
				"no process remains a participant where channels are not FIFO.",
		},
	}),

	Written:    claims,
	Relations:  relations,
	Properties: []*checker.Property{homeComing},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "a unidirectional ring, asynchronous; reliable delivery, in any order; no failures; unique ids, none known to others"

// lazy has every process begin an election, unless a message reaches it first; inOrder
// also keeps the order of messages.
var (
	lazy    = setting.Must("n=4 topology=ring initiators=all:lazy timing=patient")
	inOrder = setting.Must("n=3 topology=ring initiators=all:lazy channels=fifo timing=patient")
)

// figures are what the slides say that an election costs.
var figures = []cost.Figure{
	{
		Name: "the neighbour before the one with the highest identifier begins", Formula: "3N-1", Case: cost.WorstCase,
		Source: slidesName + ", Ring-based Election Algorithm",
		Value:  func(n int, _ model.ID) (int, bool) { return 3*n - 1, true }, Note: oneBegins,
	},
	{
		Name: "turnaround", Formula: "3N-1", Case: cost.WorstCase, Measure: cost.Measure{Unit: cost.Ticks},
		Source: slidesName + ", Ring-based Election Algorithm",
		Value:  func(n int, _ model.ID) (int, bool) { return 3*n - 1, true }, Note: oneBegins,
	},
	{
		Name: "at best", Formula: "2N", Case: cost.BestCase, Source: slidesName + ", summary",
		Value: func(n int, _ model.ID) (int, bool) { return 2 * n, true }, Note: oneBegins,
	},
}

const (
	slidesName = "slides Co-ordinator Election Algorithms after Coulouris et al."

	oneBegins = "It is right where one process begins, whichever it may be. Where all do, each identifier travels until it meets a " +
		"greater one: 3N-1 to N(N+1)/2+N messages and a turnaround of 2N, and fewer only where some begin late. And where " +
		"channels are not FIFO, an election message that the elected message overtakes begins one more election (except in once)."
)
