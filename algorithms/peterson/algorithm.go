package peterson

import (
	"embed"
	"math/bits"
	"slices"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Peterson for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "peterson",
	Title: "Unidirectional ring algorithm of Peterson",
	Source: "G. L. Peterson, An O(n log n) unidirectional algorithm for the circular extrema problem, ACM Transactions on " +
		"Programming Languages and Systems 4(4), 1982 (rules as the literature tells them)",
	Doc: "In each phase an active process learns the temporary ids of the two active processes upstream. If the nearer one is greater " +
		"than the farther one and than its own, the process goes on with that id; otherwise it only relays from then on. At least " +
		"half drop out in a phase. A process that receives its own id is elected.",
	Assumptions: slices.Concat(
		ledger.Said("assumptions", ledger.InOrder),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: everybody, Figures: figures}, []ledger.Variant{
		{
			Name: "wakes", New: of(&Protocol{}),
			Doc: "A process that a message reaches before it begins takes part from then on. So the greatest id of all wins, " +
				"whichever processes begin.",
		},
		{
			Name: "relays", New: of(&Protocol{Relays: true}),
			Doc: "A process that a message reaches before it begins is a relay. So the greatest id wins among those that began by " +
				"themselves. Equal to wakes where all begin before anything is delivered.",
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "a unidirectional ring, asynchronous; reliable FIFO channels; no failures; unique ids; no process knows N"

// everybody has all processes begin before anything is delivered.
var everybody = setting.Must("n=4 topology=ring channels=fifo timing=patient")

// bound is 2N floor(log2 N) + N.
func bound(n int) int { return 2*n*(bits.Len(uint(n))-1) + n }

// figures are what the literature says that an election costs.
var figures = []cost.Figure{
	{
		Name: "at most, without the announcement", Formula: "2N floor(log2 N) + N", Case: cost.WorstCase,
		Measure: cost.Measure{Kind: "value"}, Source: "Peterson 1982, as the literature tells it",
		Value: func(n int, _ model.ID) (int, bool) { return bound(n), true },
		Note: "It is an upper bound, and never reached: a phase with k survivors costs 2N, and in the last, which begins with " +
			"one, the id of the winner only has to get home.",
	},
}
