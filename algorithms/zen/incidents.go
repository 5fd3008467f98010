package zen

import "bullyproof/ledger"

// incidents are mutants that do what these versions did.
var incidents = []ledger.Mutant{
	{
		Name: "issue-2488", Of: "repaired", Caught: noSplitBrain.Name, Setting: links, New: of(majority),
		Doc: "The majority without the repair, where one link is broken: two masters share a follower.",
	},
	{
		Name: "issue-10935", Of: "majority", Caught: noSplitBrain.Name, Setting: healed, New: of(&Zen{MinMasterNodes: 1, MembersOnly: true}),
		Doc: "minimum_master_nodes is 1 among two nodes, and a master does not ping a node again that it lost.",
	},
}
