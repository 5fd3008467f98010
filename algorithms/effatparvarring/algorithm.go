package effatparvarring

import (
	"embed"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the modified Ring algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "effatparvarring",
	Title:  "Modified Ring algorithm of Effatparvar et al.",
	Source: paper + ", section 3",
	Doc: "A node that notices the crash of the leader sends its id round the ring. Each node forwards the greater of that id and its " +
		"own, until the greatest comes back to its owner. The owner declares itself in a second round.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.OneFailure, ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: figures}, []ledger.Variant{
		{
			Name: "suppresses", New: of(&Protocol{}),
			Doc: "A node that has put an id into the ring stops smaller ones, so only the greatest circulates. A node whose id comes " +
				"back is leader. This is the algorithm of Chang and Roberts.",
		},
		{
			Name: "forwards", New: of(literal{&Protocol{}}),
			Doc: "A node always forwards the greater of both ids and never stops a message: as many messages circulate as nodes " +
				"notice.",
		},
		{
			Name: "informer", Literal: []string{fceabr}, New: of(byInformer{&Protocol{}}),
			Doc: "A message returns to the node that noticed, which declares the greatest id as leader, whether that is its own or " +
				"not. Nodes that have passed on the message of a higher informer stop that of a lower one.",
		},
		{
			Name: "names-nobody", New: of(namesNobody{byInformer{&Protocol{}}}),
			Doc: "As informer, but a node that passes an id on names nobody until it learns of a leader.",
		},
		{
			Name: "sender-only", New: of(senderOnly{byInformer{&Protocol{}}}),
			Doc: "As informer, but the node that noticed declares a leader only if the id that comes back is its own.",
		},
		{
			Name: "repaired", Repair: true, Adds: "a count of steps, and a limit to the wait for a leader", New: of(repaired{&Protocol{}}),
			Doc: "As suppresses, but messages count their steps, and a message that has gone all round is taken out. A node that " +
				"hears of no leader within 3N message times sends its id again.",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.BoundedDelays, ledger.NoReturns, ledger.NoNewcomers),
			Assumes:     assumes + "; a known bound on delays", Setting: oneMore,
		},
	}),

	Written: claimfile.In(files, nil),
	Files:   files,

	Properties: []*checker.Property{sources.OnceElected},
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const (
	paper  = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"
	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"I.J. Information Technology and Computer Science 1, 2013"

	assumes = "a unidirectional ring that is closed around crashed nodes; reliable links, in any order; unique ids; " +
		"the leader crashes, and does not return"
)

// Settings.
var (
	usual   = setting.Must("n=4 topology=ring:repaired start=coordinator-down timing=patient")
	oneMore = setting.Must("n=3 topology=ring:repaired start=coordinator-down crashes=1")
	cold    = setting.Must("n=3 topology=ring timing=patient")
)

// figures are what publications say that an election costs. Of N nodes the
// leader has crashed.
var figures = []cost.Figure{
	{
		Name: "at worst", Formula: "n(n-1)/2", Case: cost.WorstCase, Measure: cost.Measure{Kind: kinds[Election]}, Source: paper + ", equation 4",
		Value: func(n int, p model.ID) (int, bool) { return n * (n - 1) / 2, p == model.None },
		Note: "It is right for the messages that carry ids, if n counts the node that has crashed and channels keep the order of messages. " +
			"Coordinate messages are n-1 more.",
	},
}
