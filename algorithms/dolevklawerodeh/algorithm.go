package dolevklawerodeh

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

// Algorithm is the algorithm of Dolev, Klawe and Rodeh for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "dolevklawerodeh",
	Title: "Unidirectional ring algorithm of Dolev, Klawe and Rodeh",
	Source: "D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional distributed algorithm for extrema finding in a " +
		"circle, Journal of Algorithms 3(3), 1982 (rules as the literature tells them)",
	Doc: "In each phase an active process learns the numbers that the two active processes upstream hold. If the nearer number is " +
		"greater than the farther one and than its own, the process holds that number from then on; otherwise it becomes passive. " +
		"A process that receives its own number knows it to be the greatest; the process to which the number " +
		"belongs is the coordinator.",
	Assumptions: slices.Concat(
		ledger.Said("assumptions", ledger.InOrder),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: everybody, Figures: figures}, []ledger.Variant{
		{
			Name: "wakes", New: of(&Protocol{}),
			Doc: "A process that a message reaches before it begins takes part from then on. So the greatest number of all is found, " +
				"whichever processes begin.",
		},
		{
			Name: "initiators", New: of(&Protocol{Initiators: true}),
			Doc: "A process that a message reaches before it begins is passive. So the greatest number is found among those that " +
				"began by themselves. Equal to wakes where all begin before anything is delivered.",
		},
		{
			Name: "sorts", New: of(&Protocol{Sorts: true}),
			Doc: "An active process that waits for one kind of message stores a message of the other kind until its turn. Equal to " +
				"wakes where channels are FIFO.",
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{foundElsewhere, sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "a unidirectional ring, asynchronous; reliable FIFO channels; no failures; unique ids; no process knows N"

// everybody has all processes begin before anything is delivered.
var everybody = setting.Must("n=4 topology=ring channels=fifo timing=patient")

// foundElsewhere is what makes this algorithm an election only once the outcome
// is announced.
var foundElsewhere = checker.AlwaysStep("found-elsewhere",
	"The process that learns the outcome first is another one than the coordinator.",
	func(e *model.Event) bool { return !nobodyNamed(e.From) || e.To.Leaders.Empty() })

func nobodyNamed(v *model.View) bool {
	for id := range v.Up.All() {
		if v.Elected(id) != model.None {
			return false
		}
	}
	return true
}

// bound is 2N floor(log2 N) + N.
func bound(n int) int { return 2*n*(bits.Len(uint(n))-1) + n }

// figures are what the literature says that an election costs.
var figures = []cost.Figure{
	{
		Name: "at most, with the announcement", Formula: "2N floor(log2 N) + 2N", Case: cost.WorstCase,
		Source: paper,
		Value:  func(n int, _ model.ID) (int, bool) { return bound(n) + n, true },
	},
}

const paper = "Dolev, Klawe and Rodeh 1982, as the literature tells it"
