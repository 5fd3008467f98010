package sortbully

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

// Algorithm is the modified Bully algorithm that sorts, for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "sortbully",
	Title: "Modified Bully algorithm with a sort mechanism",
	Source: "M. Effatparvar, M. R. Effatparvar, A. Bemana, M. Dehghan, Determining a Central Controlling Processor with Fault " +
		"Tolerant Method in Distributed System, ITNG 2007, reconstructed from what " + later + " says of it",
	Reconstruction: "The paper is not at hand. The rules follow from what a later paper by the same authors says of it. " +
		"(The paper on FCEABR has half a sentence on it: it \"modified bully algorithm to alleviate exchanged message numbers during " +
		"election\". Its other half is surrogatering.)",
	Doc: "A node that notices the crash asks all higher nodes, which only respond. It sorts the responses and grants the highest, " +
		"which announces itself to all. If no announcement comes, it grants the next.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.BoundedDelays, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts, ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: twoCrashes, Figures: figures}, []ledger.Variant{
		{
			Name: "waits", New: of(&Protocol{}),
			Doc: "The node that noticed waits for the announcement. If none comes, it grants the next of its list.",
		},
		{
			Name: "trusts", New: of(&Protocol{Trusts: true}),
			Doc: "The node that noticed is done when it has granted the highest. If that node has crashed, a node has to notice once " +
				"more.",
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
	later = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"

	assumes = "every process can send to every other and knows all ids; reliable delivery within a known bound; processes crash"
)

// Settings, under synchronous timing with D = 1.
var (
	oneCrash   = setting.Must("n=4 start=settled crashes=1")
	twoCrashes = setting.Must("n=4 start=settled crashes=2")
)

// figures are for comparison; section 2 prints none for this algorithm.
var figures = []cost.Figure{{
	Name: "the Bully algorithm, where node i alone notices", Formula: "(n-i+1)(n-i)+(n-1)", Case: cost.WorstCase,
	Source: later + ", Table 1",
	Value: func(n int, i model.ID) (int, bool) {
		return (n-int(i)+1)*(n-int(i)) + n - 1, i != model.None && int(i) < n
	},
	Note: "It is the figure that this algorithm is to be better than.",
}}
