package sentinel

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// incidents are what sentinels did, each as a mutant.
var incidents = []ledger.Mutant{
	{
		Name: "added", Of: "shipped", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("n=5 timing=lockstep cuts=1"),
		Doc: "Two sentinels have just been added to three, and two of the three do not know them yet (redis #6459).",
		New: of(added{&Sentinel{Quorum: 2, Epochs: 1}}),
	},
	{
		Name: "together", Of: "shipped", Caught: firstAttempt.Name, Setting: in("timing=lockstep"),
		Doc: "All sentinels begin their first attempt at the same time, and each votes for itself (redis #4334).",
		New: of(together{&Sentinel{Quorum: 2, Epochs: 2}}),
	},
	{
		Name: "of-those-who-answer", Of: "quorum-1", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("cuts=1 heals=owed"),
		Doc: "A majority is one of the sentinels that answer (redis #1972).",
		New: of(ofThoseWhoAnswer{&Sentinel{Quorum: 1, Epochs: 1}}),
	},
	{
		Name: "apart", Of: "shipped", Caught: oneConfiguration.Name, Setting: in("timing=lockstep"),
		Doc: "Each sentinel was started with a master of its own, all with the same version (redis #12271).",
		New: of(apart{&Sentinel{Quorum: 2, Epochs: 2}}),
	},
}
