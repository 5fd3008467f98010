package starter

import (
	_ "embed"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/setting"
)

// Algorithm is what the command knows of the protocol. The first variant is the
// one that is meant where none is named.
var Algorithm = &ledger.Algorithm{
	Name:   "starter",
	Title:  "Election by claims",
	Source: "say where the algorithm is described",
	Doc: "Whoever needs a coordinator claims, by a message to all others. A process that hears a lower claim claims itself, " +
		"one that hears a higher claim follows it, and one that hears no higher claim for 2D leads.",
	Variants: []ledger.Variant{{
		Name:    "plain",
		Doc:     "The four rules.",
		Assumes: "A complete graph, delays of D ticks at most, crashes.",
		Setting: setting.Must("n=3 start=settled crashes=1"),
		New:     ledger.SystemOf[P, M](&Protocol{}),
	}},
	// A mutant is a fault that some property has to catch: it shows that the
	// property is one that can fail.
	Mutants: []ledger.Mutant{{
		Name: "hasty", Of: "plain", Caught: checker.Uniqueness.Name,
		Doc:     "A process leads as soon as it has claimed.",
		Setting: setting.Must("n=3 start=settled crashes=1"),
		New:     ledger.SystemOf[P, M](&Protocol{Hasty: true}),
	}},
	Claims: claimed,
	Record: record,
}

// claimed is what the source says, and what decides it. The test judges each
// claim and compares what comes of it with Outcome, and with the record.
var claimed = []ledger.Claim{
	{
		Name: "one-coordinator", Place: "abstract", Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Text:     "\"At no moment do two processes lead.\"",
		Evidence: []ledger.Evidence{ledger.Keeps(checker.Uniqueness.Name, "n=3 start=settled crashes=1")},
	},
	{
		Name: "coordinator-again", Place: "abstract", Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Text:     "\"Where a coordinator has crashed there is one again.\"",
		Evidence: []ledger.Evidence{ledger.Keeps(checker.ReElection.Name, "n=3 start=settled crashes=1")},
	},
	{
		Name: "messages-at-best", Place: "section 2", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Text:     "\"n-1 messages are enough.\"",
		Evidence: []ledger.Evidence{ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2, "n=3 start=coordinator-down")},
	},
}

// record is what the claims came to: "go test -update" writes it.
//
//go:embed claims.json
var record []byte
