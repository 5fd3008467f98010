package sentinel

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// Faults are what sentinels did that had incidents.
type Faults struct {
	// Added: those after P3 have just been added. P2 and P3 do not know them yet.
	Added bool
	// Together: all find the master down at the same time, and begin at once.
	Together bool
	// OfThoseWhoAnswer: a majority is one of the sentinels that answer, not of those that
	// are known.
	OfThoseWhoAnswer bool
	// Apart: each was started with a master of its own, which is up, in a configuration of
	// version 0. Nobody else finds that master down, so that no quorum ever does.
	Apart bool
}

// incidents are mutants that do what these sentinels did.
var incidents = []ledger.Mutant{
	{
		Name: "added", Of: "shipped", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("n=5 timing=lockstep cuts=1"),
		Doc: "Two sentinels have just been added to three, and two of the three do not know them yet (redis #6459).",
		New: of(&Sentinel{Quorum: 2, Epochs: 1, Faulty: Faults{Added: true}}),
	},
	{
		Name: "together", Of: "shipped", Caught: firstAttempt.Name, Setting: in("timing=lockstep"),
		Doc: "All sentinels begin their first attempt at the same time, and each votes for itself (redis #4334).",
		New: of(&Sentinel{Quorum: 2, Epochs: 2, Faulty: Faults{Together: true}}),
	},
	{
		Name: "of-those-who-answer", Of: "quorum-1", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("cuts=1 heals=owed"),
		Doc: "A majority is one of the sentinels that answer (redis #1972).",
		New: of(&Sentinel{Quorum: 1, Epochs: 1, Faulty: Faults{OfThoseWhoAnswer: true}}),
	},
	{
		Name: "apart", Of: "shipped", Caught: oneConfiguration.Name, Setting: in("timing=lockstep"),
		Doc: "Each sentinel was started with a master of its own, all with the same version (redis #12271).",
		New: of(&Sentinel{Quorum: 2, Epochs: 2, Faulty: Faults{Apart: true}}),
	},
}
