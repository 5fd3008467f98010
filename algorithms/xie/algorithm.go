package xie

import (
	"embed"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Xie et al. for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "xie",
	Title: "Bidirectional ring of Xie et al.",
	Source: "Reference [23] of Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional " +
		"Ring Network, International Journal of Information Technology and Computer Science 5(1), 2013, as section II describes it",
	Reconstruction: "The paper is not at hand. The rules follow from section II of the paper on FCEABR, filled in by that paper's own messages.",
	Doc: "A process that detects the coordinator's crash sends an Election message round the ring both ways. Each process puts its " +
		"number into it if that is greater. Where the two copies meet, the greatest is announced, both ways again. Each process " +
		"that detects the crash has an election of its own.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.EqualDelays, ledger.NoPauses, ledger.RightReports, ledger.OneFailure),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "fceabr-describes", New: of(newOneByOne()),
			Doc: "The algorithm as the paper on FCEABR describes it, completed by that paper's own Election and Coordinator messages: " +
				"without a surrogate, and without a rule that stops the messages of others.",
			Figures: figures,
		},
		{
			Name: "at-once", Literal: []string{ledger.Own}, New: of(&Protocol{}),
			Doc: "As fceabr-describes, but messages that arrive from both sides at the same moment are handled in one step. A message " +
				"stays with a process for a tick, so a step from one process to the next takes two.",
			Figures: figures,
		},
		{
			Name: "repaired", Repair: true, Adds: "numbers of elections, and a limit to the wait for an outcome", New: of(repaired{newOneByOne()}),
			Doc: "An informer numbers its elections, and a process begins another if its election does not end in 2ND+1 ticks. " +
				" The original claims no fault tolerance.",
		},
	}),

	Written: claimfile.In(files, nil),
	Files:   files,
	Mutants: mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "a bidirectional ring that is closed around crashed processes; reliable links; the same time between any two " +
	"neighbours; each process knows its own number, which is unique, and its neighbours; any process may detect a crash"

// Settings, with equal delays.
var (
	usual = setting.Must("n=4 topology=biring:repaired start=coordinator-down channels=fifo timing=lockstep")
	one   = setting.Must("n=4 topology=biring initiators=1 channels=fifo timing=lockstep")
)

// figures are what the source says that an election costs.
var figures = []cost.Figure{
	{
		Name: "one process finds the crash out", Formula: "2N, the same as Ring", Case: cost.WorstCase, Source: "section II",
		Value: func(n int, p model.ID) (int, bool) { return 2 * n, p != model.None },
		Note: "N counts the processes that are up. A process passes on the copy that comes first before it knows of the other: that " +
			"makes up to four messages more.",
	},
}
