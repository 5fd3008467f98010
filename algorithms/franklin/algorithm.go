package franklin

import (
	"math/bits"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Franklin for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "franklin",
	Title: "Bidirectional ring algorithm of Franklin",
	Source: "W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular configurations of " +
		"processors, Communications of the ACM 25(5), 1982 (rules as the literature tells them)",
	Doc: "In each round an active process sends its id both ways and compares itself with its active neighbours. If one of them is " +
		"greater, it becomes passive and only passes messages on from then on. At least half drop out in a round. A process that " +
		"receives its own id is elected.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: everybody, Figures: figures}, []ledger.Variant{
		{
			Name: "wakes", New: of(&Protocol{}),
			Doc: "A process that a message reaches before it begins takes part from then on. So the greatest id of all wins, " +
				"whichever processes begin.",
		},
		{
			Name: "initiators", New: of(&Protocol{Initiators: true}),
			Doc: "A process that a message reaches before it begins is passive. So the greatest id wins among those that began by " +
				"themselves. Equal to wakes where all begin before anything is delivered.",
		},
	}),

	Written:    claims,
	Relations:  relations,
	Properties: []*checker.Property{sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "a bidirectional ring, asynchronous; reliable FIFO channels; no failures; unique ids; no process knows N"

// everybody has all processes begin before anything is delivered.
var everybody = setting.Must("n=4 topology=biring channels=fifo timing=patient")

// bound is 2N floor(log2 N) + 3N.
func bound(n int) int { return 2*n*(bits.Len(uint(n))-1) + 3*n }

// figures are what the literature says that an election costs.
var figures = []cost.Figure{
	{
		Name: "at most, with the announcement", Formula: "2N floor(log2 N) + 3N", Case: cost.WorstCase,
		Source: abstract + ", abstract",
		Value:  func(n int, _ model.ID) (int, bool) { return bound(n), true },
	},
}
