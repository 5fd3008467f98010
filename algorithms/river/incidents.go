package river

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// Faults are what was wrong with the program, and what might be.
type Faults struct {
	// AlwaysTrue: the query of a reelection compares the client with itself, and not with the row.
	AlwaysTrue bool
	// NoExpiry: nobody deletes the row when it has expired.
	NoExpiry bool
	// Replaces: the insert replaces the row that there is.
	Replaces bool
	// TrustsAnswer: the trust in the row counts from the answer.
	TrustsAnswer bool
}

// incidents are mutants that do what the program did once.
var incidents = []ledger.Mutant{
	{
		Name: "always-true", Of: "before-terms", Caught: checker.OneLeaderAgain.Name, Setting: in("losses=1"),
		Doc: "The query of a reelection compares the client with itself: a client without a row extends the other's (issue 197).",
		New: of(&Elector{Interval: 5, Padding: 10, BeforeTerms: true, Terms: 2, Faulty: Faults{AlwaysTrue: true}}),
	},
	{
		Name: "no-padding", Of: "before-terms", Caught: steady.Name, Setting: in(""), New: of(&Elector{Interval: 5, BeforeTerms: true, Terms: 2}),
		Doc: "The row lives for as long as a leader waits before it extends it (pull request 217).",
	},
}
