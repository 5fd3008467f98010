package k8slease

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// Faults are what programs did that had incidents.
type Faults struct {
	// Blocks: the deadline is looked at between requests, not during one.
	Blocks bool
	// OwnDuration: each client goes by its own LeaseDuration, not by that in the record.
	OwnDuration bool
	// SlowShutdown is how long a program goes on that was told to stop, in ticks.
	SlowShutdown int
	// NeverStops: a leader that failed to renew until the deadline goes on trying, and its
	// program is told nothing.
	NeverStops bool
	// OneShot: a program that has lost the lease never asks again.
	OneShot bool
}

// incidents are mutants that do what these programs did.
var incidents = []ledger.Mutant{
	{
		Name: "blocks", Of: "no-timeout", Caught: checker.Uniqueness.Name, Setting: in("losses=1"),
		Doc: "The deadline is looked at between requests, and a request may hang for longer (kubernetes #44887).",
		New: of(&Lease{Times: hanging, GetFirst: true, Terms: 2, Faulty: Faults{Blocks: true}}),
	},
	{
		Name: "own-duration", Of: "two-durations", Caught: checker.Uniqueness.Name, Setting: in(""),
		Doc: "P1 is configured with a shorter LeaseDuration than P2, and each goes by its own (kubernetes #47671, fabric8 kubernetes-client #7160).",
		New: of(&Lease{Times: slow, First: quick, GetFirst: true, Terms: 2, Faulty: Faults{OwnDuration: true}}),
	},
	{
		Name: "slow-shutdown", Of: "defaults", Caught: checker.Uniqueness.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
		Doc: "A program that was told to stop goes on while it shuts down, for longer than the lease lasts (cilium #42920).",
		New: of(&Lease{Times: usual, Terms: 2, Faulty: Faults{SlowShutdown: 10}}),
	},
	{
		Name: "never-stops", Of: "defaults", Caught: checker.OneLeaderAgain.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
		Doc: "A leader that lost the lease goes on, since it is never told to stop (kubernetes #23731).",
		New: of(&Lease{Times: usual, GetFirst: true, Terms: 2, Faulty: Faults{NeverStops: true}}),
	},
	{
		Name: "one-shot", Of: "defaults", Caught: checker.LeaderAgain.Name, Setting: in("n=2 cuts=1 cut-by=link heals=owed"),
		Doc: "A program that has lost the lease never asks for it again (kuberhealthy #1533).",
		New: of(&Lease{Times: usual, Terms: 2, Faulty: Faults{OneShot: true}}),
	},
}
