package hirschbergsinclair

import (
	"math"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Hirschberg and Sinclair for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "hirschbergsinclair",
	Title: "Bidirectional ring algorithm of Hirschberg and Sinclair",
	Source: "D. S. Hirschberg, J. B. Sinclair, Decentralized extrema-finding in circular configurations of processors, " +
		"Communications of the ACM 23(11), 1980 (rules as the literature tells them)",
	Doc: "A candidate sends probes both ways, 2^k links far in phase k. A probe that meets a greater id goes no further; a probe that " +
		"reaches its end is answered. With both answers a candidate begins the next phase. A process that receives its own probe " +
		"is elected.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: everybody, Figures: figures}, []ledger.Variant{
		{
			Name: "textbook", New: of(&Protocol{}),
			Doc: "The probe of a smaller id is swallowed, and a candidate that gets no answer waits. A process that a message " +
				"reaches before it begins is a candidate from then on.",
			Source: "H. Attiya, J. Welch, Distributed Computing, 2004, section 3.3.2; N. A. Lynch, Distributed Algorithms, 1996, section 3.4",
		},
		{
			Name: "echoes", New: of(&Protocol{Echoes: true}),
			Doc: "The probe of a smaller id is answered with no, and a candidate that is told no, or sees a greater id, drops out: " +
				"every candidate learns how its phase ended. (This is the paper's own program, as far as the literature describes it.)",
		},
		{
			Name: "bystanders", New: of(&Protocol{Bystanders: true}),
			Doc: "As textbook, but a process that does not begin by itself judges probes and is no candidate. Equal to textbook where " +
				"all begin before anything is delivered.",
		},
	}),

	Written:    claims,
	Relations:  relations,
	Properties: []*checker.Property{sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "a bidirectional ring, asynchronous; reliable delivery, in any order; no failures; unique ids; no process knows N"

// everybody has all processes begin before anything is delivered.
var everybody = setting.Must("n=3 topology=biring timing=patient")

// four is a ring of four, on which two processes may be greater than their
// neighbours.
var four = setting.Must("n=4 topology=biring channels=fifo timing=patient")

// bound is 8N + 8 ceil(N lg N).
func bound(n int) int { return 8*n + 8*int(math.Ceil(float64(n)*math.Log2(float64(n)))) }

// duration is 3N if N is a power of two, and 5N otherwise.
func duration(n int) int {
	if n&(n-1) == 0 {
		return 3 * n
	}
	return 5 * n
}

// figures are what the literature says that an election costs.
var figures = []cost.Figure{
	{
		Name: "at most, with the announcement", Formula: "8N + 8 ceil(N lg N) + N", Case: cost.WorstCase, Source: franklin + ", abstract",
		Value: func(n int, _ model.ID) (int, bool) { return bound(n) + n, true },
		Note:  "An upper bound that is far from what small rings take.",
	},
	{
		Name: "time, with the announcement", Formula: "4N if N is a power of two, else 6N", Case: cost.WorstCase, Source: lynch,
		Measure: cost.Measure{Unit: cost.Ticks},
		Value:   func(n int, _ model.ID) (int, bool) { return duration(n) + n, true },
		Note:    "This is an upper bound: 3N or 5N until a process is elected, and N to announce it.",
	},
}
