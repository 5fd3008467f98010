package garciamolina

import (
	"slices"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the Bully algorithm of Garcia-Molina for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "garciamolina",
	Title: "Bully algorithm of Garcia-Molina",
	Source: "H. Garcia-Molina, Elections in a Distributed Computing System, IEEE Transactions on Computers C-31(1), 1982, " +
		"section IV and appendix, as the literature tells it",
	Doc: "A node that times out, or recovers, asks whether a higher node is up, and leaves the election to that. If none is up, it " +
		"halts all lower nodes, announces itself to the halted ones as the coordinator, and hands out the task. From time to time " +
		"the coordinator looks for nodes that are not Normal, and begins again to include them.",
	Assumptions: slices.Concat(
		ledger.Said("assumption 7", ledger.InOrder),
		ledger.Said("assumption 8", ledger.Reliable, ledger.Connected, ledger.BoundedDelays),
		ledger.Said("assumption 9", ledger.NoPauses),
		ledger.Tacit(ledger.NoCopies, ledger.RightReports, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: figures}, []ledger.Variant{
		{
			Name: "original", New: of(&Protocol{}),
			Doc: "The algorithm of the paper, one call after the other. A node that finds a higher one up returns to its previous " +
				"state. The higher one learns nothing from the question: it begins an election when it notices the failure itself.",
		},
		{
			Name: "calls-itself", New: of(&Protocol{CallsItself: true}),
			Doc: "As original, but a node that times out as its own coordinator before it has finished reorganizing calls itself and " +
				"finds itself up, which is what Timeout literally says.",
		},
		{
			Name: "any-answer", New: of(&Protocol{AnyAnswer: true}),
			Doc: "As original, but a node that has recovered takes the answer to a call from before its crash for the answer to its " +
				"present call. The paper's calls return their own results; plain messages do not.",
		},
	}),

	Written:    claims,
	Properties: properties,
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "every node can call every other and knows all ids; FIFO channels; the communication subsystem does not fail and has a " +
	"known bound on delays (assumption 8); nodes answer at once (assumption 9), crash, and come back with the same id"

// usual has one crash and one return, under synchronous timing with D = 1.
var usual = setting.Must("n=3 start=settled channels=fifo crashes=1 restarts=1")

// figures are what seeds of the catalogue say of the Bully algorithm and cite
// this paper for.
var figures = []cost.Figure{
	{
		Name: "at best", Formula: "N-1", Case: cost.BestCase, Source: slides + ", summary",
		Value: func(n int, p model.ID) (int, bool) { return n - 1, p == model.None || int(p) == n-1 }, Note: another,
	},
	{
		Name: "node P notices", Formula: "(N-P+1)(N-P)+N-1", Case: cost.WorstCase, Source: heap + ", Table 1",
		Value: func(n int, p model.ID) (int, bool) {
			return (n-int(p)+1)*(n-int(p)) + n - 1, p != model.None && int(p) < n
		},
		Note: another,
	},
}

const (
	slides = "slides Co-ordinator Election Algorithms after Coulouris et al."
	heap   = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"

	another = "It is about the algorithm that textbooks make of this one. Here the winner P, with nobody above it up, sends a call to " +
		"the coordinator that has failed and one to each higher node, and makes three calls, all answered, to each lower node: " +
		"1 + (N-P) + 6(P-1). Who is not the highest asks in vain, and asks again as long as the highest has not noticed."
)
