package pekko

import "bullyproof/ledger"

// incidents are mutants that do what clusters did that had incidents.
var incidents = []ledger.Mutant{
	{
		Name: "alone-of-two", Of: "keep-oldest", Caught: singletonAgain.Name, Setting: in("n=2 crashes=1 crashers=2"),
		Doc: "The oldest member shuts down if it is alone, of two members, too (akka.net #3690).",
		New: of(&Cluster{Decide: keepOldest(1)}),
	},
}
