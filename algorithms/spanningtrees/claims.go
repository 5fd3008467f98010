package spanningtrees

import (
	"slices"

	"bullyproof/ledger"
)

// claims are what Effatparvar et al. say of the algorithm, and of all.
var claims = []ledger.Claim{
	{
		Name: "one-tree", Place: "section 1",
		Text: "\"These algorithms work by constructing several spanning trees with a prospective leader at the root of the spanning tree " +
			"and recursively reducing the number of spanning trees to one\": in the end all follow the root of one tree.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			keep(complete, "agreement", "uniqueness", "e2", "termination"),
			keep(rings, "agreement", "uniqueness", "e2", "termination").Of("ring"),
			keep(complete, "agreement", "uniqueness", "e2", "termination").Of("merges"),
			keep(four, "agreement", "uniqueness", "e2", "termination").Of("merges"),
			keep(more, "agreement", "uniqueness", "e2").InDeep(),
		),
		Note: "This judges a reconstruction: the original was not read. Delays do not matter. The leader is the highest of those that " +
			"begin, which need not be the highest of all.",
		Needs: []string{"message tree", "message echo", "message leader", "rule 3", "two participants at once"},
	},
	{
		Name: "only-static", Place: "section 1",
		Text: "\"However, these algorithms work only in cases where the topology remains static and hence, cannot be used in a mobile " +
			"setting.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			ledger.Breaks("e2", linkDown), ledger.Breaks("e2", linkDown+" heals=1"), ledger.Breaks("e2", divided).Of("ring"), ledger.Breaks("e2", linkDown).Of("merges"),
			ledger.Breaks("e2", "n=3 channels=fifo timing=async crashes=1").Beside("a process crashes"),
		},
		Note: "A tree or an echo that is lost with a link is never sent again, even when the link is back. So a process waits for an " +
			"answer on a link that is gone (see spanningtrees-link-down).",
		Needs: []string{"cut"},
	},
	{
		Name: "remains", Place: "section 1, of any election",
		Text: "\"In leader election algorithms, such states are partitioned into elected states and non-elected states. When a node enters " +
			"either state, it always remain in that state.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(keep(complete, "irrevocable"), keep(rings, "irrevocable").Of("ring"), keep(complete, "irrevocable").Of("merges"),
			[]ledger.Evidence{ledger.Keeps("irrevocable", linkDown).Beside("a link is cut")}),
		Needs: []string{"message leader", "rule 3"},
	},
}

// Scopes: networks that remain as they are, in which some begin.
var (
	complete = []string{"n=3 initiators=any:lazy channels=fifo timing=async", "n=3 initiators=any channels=unordered timing=async"}
	rings    = []string{"n=3 topology=biring initiators=any:lazy channels=fifo timing=async", "n=4 topology=biring initiators=any:lazy channels=fifo timing=async"}
	four     = []string{"n=4 initiators=any:lazy channels=fifo timing=async"}
	more     = []string{"n=4 initiators=1,2,3 channels=fifo timing=lockstep"}
)

// Networks that do not.
const (
	linkDown = "n=3 initiators=any channels=fifo cuts=1 cut-by=link timing=async"
	divided  = "n=3 topology=biring initiators=any channels=fifo cuts=1 timing=async"
)

// keep is evidence that properties hold in settings.
func keep(settings []string, properties ...string) ledger.EvidenceList {
	return ledger.KeepsIn(settings, properties...)
}
