package effatparvar

import (
	"bullyproof/algorithms/internal/sources"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Algorithm is the modified Bully algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "effatparvar",
	Title: "Modified Bully algorithm of Effatparvar et al.",
	Source: "M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani, A. Khonsari, Improved Algorithms for Leader Election " +
		"in Distributed Systems, 2nd International Conference on Computer Engineering and Technology (ICCET), 2010, section 2",
	Doc: "A node that notices the crash asks all higher nodes, which only respond. It selects the highest that responded. Since a " +
		"higher response may have been lost, the selected node asks those above itself once more; if one responds, it announces " +
		"that one.",
	Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts, ledger.OneFailure, ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: []cost.Figure{secondFigure}}, []ledger.Variant{
		{
			Name: "to-all", New: of(toAll),
			Doc: "The algorithm of the text: the selected ID is sent to all nodes, which follow it from then on, while the selected " +
				"node verifies that no node is above it.",
		},
		{
			Name: "to-one", New: of(toOne{toAll}),
			Doc: "The algorithm that Table 2 adds up: the selected ID is sent only to the selected node, and there is one " +
				"announcement, after that node has verified.",
		},
		{
			Name: "unverified", New: of(unverified{toAll}),
			Doc: "Without fault tolerance, as in the first paragraph of section 2 and in equation 1: the selected node does " +
				"not verify.",
			Figures: []cost.Figure{firstFigure},
		},
		{
			Name: "repaired", Repair: true, Adds: "a node verifies and announces before it leads", New: of(repair),
			Doc: "As to-one, but a node that gets no response also verifies before it announces itself. The selected node is not the " +
				"leader, and no node follows it, before it has verified and announced the leader.",
		},
		{
			Name: "repaired-objects", Repair: true, Adds: "a node verifies, announces before it leads, and objects to a smaller leader",
			Doc: "As repaired, and a node that learns of a leader with a smaller ID than its own begins an election.",
			New: of(repairedObjects),
		},
	}),

	Written: claims,
	Files:   files,

	Properties: []*checker.Property{sources.OnceElected, ensured, noLesser},
	Mutants:    mutants,
	Silent:     silent,
}

var of = ledger.SystemOf[P, M]

const assumes = "every process can send to every other and knows all ids; delivery within a known bound; the leader crashes; " +
	"messages may be lost"

// usual has the leader crash, and one message lost.
var usual = setting.Must("n=4 start=settled losses=1 crashes=1")

// More settings, all under synchronous timing with D = 1.
var (
	oneCrash     = setting.Must("n=4 start=settled crashes=1")
	threeOneLoss = setting.Must("n=3 start=settled losses=1 crashes=1")
)
