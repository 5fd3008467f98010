package etcdelection

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// incidents are mutants that do what programs did that had incidents, and what fencing is for.
var incidents = []ledger.Mutant{
	{
		Name: "unguarded", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in("timing=lockstep cuts=1 cut-by=link heals=owed"),
		Doc: "A client whose session ends while it campaigns campaigns on (cagriekin/charts #326).",
		New: of(&Election{TTL: 6, Revisions: 3, Unguarded: true}),
	},
	{
		Name: "unfenced", Of: "proclaims", Caught: fenced.Name, Setting: in("timing=lockstep pauses=1 pausers=1,2"),
		Doc: "What a leader proclaims is put without a look at its key.",
		New: of(&Election{TTL: 6, Revisions: 3, Proclaims: true, Unfenced: true}),
	},
}
