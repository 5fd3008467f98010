package lelann

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is LeLann's algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "lelann",
	Title: "Ring algorithm of LeLann",
	Source: "G. LeLann, Distributed systems: towards a formal approach, Information Processing 77, IFIP, 1977, as told by " + tel +
		", section 7.2.1",
	Doc: "Each initiator sends a token with its id round the ring and notes the ids of the tokens that come by. When its own token is " +
		"back it knows all initiators, and the one with the greatest id is the leader.",
	Assumptions: slices.Concat(
		ledger.Said("section 7.2.1", ledger.InOrder),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "tel", New: of(&Protocol{}),
			Doc: "A process that a token reaches before it has begun passes tokens on and never begins. It is not told of " +
				"the leader.",
			Figures: figures,
		},
		{
			Name: "starts-late", New: of(LateStart{&Protocol{}}),
			Doc:     "As tel, but a process that passes its first token on may begin an election after it.",
			Figures: figures,
		},
		{
			Name: "collects", Repair: true, Adds: "a list of initiators in each token", New: of(Collects{&Protocol{}}),
			Doc: "As tel, but a token collects the ids of the initiators that it reaches, so channels need not be FIFO. This is a " +
				"repair, and a step towards the ring with collected ids.",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
			Assumes:     "as tel, but channels need not be FIFO", Setting: unordered,
			Figures: figures,
		},
		{
			Name: "repaired", Repair: true, Adds: "a round that announces the leader", New: of(Announces{&Protocol{}}),
			Doc: "As tel, but the leader announces itself by one more round, so that all know it.",
		},
	}),

	Written:    claims,
	Relations:  relations,
	Properties: []*checker.Property{greatest, remains},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const (
	tel = "G. Tel, Introduction to Distributed Algorithms, 2nd edition, Cambridge University Press, 2000"

	assumes = "a unidirectional ring, asynchronous; FIFO channels; no failures; unique ids, none known to others"
)

// Settings: every process is an initiator.
var (
	usual     = setting.Must("n=4 topology=ring channels=fifo timing=patient")
	unordered = setting.Must("n=4 topology=ring timing=patient")
)

// figures are what an election is said to cost.
var figures = []cost.Figure{
	{
		Name: "all begin", Formula: "N²", Case: cost.WorstCase, Source: tel + ", section 7.2.1",
		Value: func(n int, p model.ID) (int, bool) { return n * n, p == model.None },
		Note:  "It is kN where k begin, and less than N² where some begin too late.",
	},
	{
		Name: "time", Formula: "2N-1", Case: cost.WorstCase, Measure: cost.Measure{Unit: cost.Ticks}, Source: tel + ", section 7.2.1",
		Value: func(n int, p model.ID) (int, bool) { return 2*n - 1, p == model.None },
		Note:  "It is for initiators that begin as late as they can. Where all begin at once it is N.",
	},
}
