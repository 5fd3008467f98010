package fredericksonlynch

import (
	"embed"
	"slices"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the election of Frederickson and Lynch for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "fredericksonlynch",
	Title: "Election in a synchronous ring of Frederickson and Lynch",
	Source: "G. N. Frederickson, N. A. Lynch, Electing a Leader in a Synchronous Ring, Journal of the ACM 34(1), 1987 " +
		"(rules as the literature tells them)",
	Doc: "A token with an identifier v goes round the ring, one link in 2^v rounds. A process discards the tokens that are larger than the smallest " +
		"that it has seen. Small identifiers are fast, so they stop larger ones before these have come far. A process whose token is back is elected.",
	Assumptions: slices.Concat(
		ledger.Said("the title: a synchronous ring", ledger.EqualDelays, ledger.BoundedDelays, ledger.TrueClocks),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.NoFailures, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes + "; all begin in the same round", Setting: usual}, []ledger.Variant{
		{
			Name: "variable-speeds", New: of(&Protocol{}),
			Doc:     "All processes begin in the same round, and their identifiers are 1 to N.",
			Source:  lynch + ", section 3.5",
			Figures: figures,
		},
		{
			Name: "wake-up", New: of(&Protocol{WakeUp: true}),
			Doc: "Processes wake up in different rounds. An identifier travels one link a round until it meets a process that has woken up by " +
				"itself. A process that a message wakes is a relay, and only passes identifiers on.",
			Source: "H. Attiya, J. Welch, Distributed Computing, 2004, section 3.4.1", Literal: []string{attiya},
			Assumes: assumes, Setting: lazy,
		},
		{
			Name: "from-three", New: of(&Protocol{Above: 2}),
			Doc: "As variable-speeds, but the smallest identifier is 3: that of P1.",
		},
	}),

	Relations:  relations,
	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{tokens, least, sources.Irrevocable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const (
	lynch  = "N. A. Lynch, Distributed Algorithms, 1996"
	attiya = "H. Attiya, J. Welch, Distributed Computing, 2004"

	assumes = "a unidirectional ring; rounds: each message takes one, and clocks run alike; no failures; identifiers are positive integers, and unique; " +
		"no process knows N"
)

// Settings, with rounds.
var (
	usual = setting.Must("n=4 topology=ring timing=lockstep")
	lazy  = setting.Must("n=3 topology=ring initiators=any:lazy timing=lockstep")
)

// figures are what the literature says that an election costs.
var figures = []cost.Figure{
	{
		Name: "fewer than this, with the announcement", Formula: "2N + N", Case: cost.WorstCase, Source: lynch + ", section 3.5",
		Value: func(n int, p model.ID) (int, bool) { return 2*n + n, p == model.None },
		Note:  "It is 2N + 1 to 2N + 3 in the worst arrangement of 3 to 6 processes, and 4 of two.",
	},
	{
		Name: "time, with the announcement", Formula: "2N + N", Case: cost.WorstCase, Source: lynch + ", section 3.5",
		Measure: cost.Measure{Unit: cost.Ticks},
		Value:   func(n int, p model.ID) (int, bool) { return 2*n + n, p == model.None },
		Note:    "The smallest identifier is 1.",
	},
}
