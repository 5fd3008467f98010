package leaderlatch

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// incidents are the faults of Faults. The package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "any-owner", Of: "any-delays", Caught: settles.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client leads by the node of a session that is over.",
		New: of(&Latch{Faulty: Faults{AnyOwner: true}}),
	},
	{
		Name: "resets", Of: "any-delays", Caught: checker.LeaderAgain.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client that is connected again, or finds nothing to watch, deletes its node and creates another.",
		New: of(&Latch{NodeNames: 2, Faulty: Faults{Resets: true, ResetsGone: true}}),
	},
	{
		Name: "keeps-leading", Of: "any-delays", Caught: settles.Name, Setting: setting.Must(world + "suspicions=2 timing=async"),
		Doc: "A client that is connected again deletes its node in a thread of its own, and one that is not the first leads on.",
		New: of(&Latch{Faulty: Faults{Resets: true, KeepsLeading: true}}),
	},
	{
		Name: "rides-out", Of: "curator", Caught: checker.Uniqueness.Name, Setting: oneCut,
		Doc: "A client that is suspended leads on, for as long as its session may last.",
		New: of(&Latch{Pings: true, Faulty: Faults{RidesOut: true}}),
	},
	{
		Name: "falls-through", Of: "pulsar", Caught: checker.LeaderAgain.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client that finds its own node goes on to follow.",
		New: of(&Latch{Single: true, Faulty: Faults{FallsThrough: true}}),
	},
}
