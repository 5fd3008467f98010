package rediscluster

import (
	"bullyproof/ledger"
)

// Faults are what the program did that had incidents.
type Faults struct {
	// Collide: two masters with one version keep it.
	Collide bool
	// Bumped: the dead master had taken a new version shortly before. The other masters know of
	// it, and its replicas do not.
	Bumped bool
}

// incidents are mutants that do what these clusters did.
var incidents = []ledger.Mutant{
	{
		Name: "collide", Of: "takeover", Caught: oneOwner.Name, Setting: in("initiators=2:lazy timing=lockstep"),
		Doc: "Two masters that claim the same slots with one version keep it (redis #1547).",
		New: of(&Cluster{Epochs: 3, Takeover: true, Faulty: Faults{Collide: true}}),
	},
	{
		Name: "bumped", Of: "shipped", Caught: oneOwner.Name, Setting: in("timing=lockstep"),
		Doc: "The dead master had taken a new version, of which its replicas had not heard. Each of them tries twice (redis #9548).",
		New: of(&Cluster{Tries: 2, Faulty: Faults{Bumped: true}}),
	},
}
