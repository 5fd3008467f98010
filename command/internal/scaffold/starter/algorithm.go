package starter

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
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
		New:     of(&Protocol{}),
	}},
	// A mutant is a fault that some property has to catch: it shows that the
	// property is one that can fail.
	Mutants: []ledger.Mutant{{
		Name: "stubborn", Of: "plain", Caught: checker.Uniqueness.Name,
		Doc:     "A process does not give way to a higher claim.",
		Setting: setting.Must("n=3 start=settled crashes=1"),
		New:     of(stubborn{&Protocol{}}),
	}},
	Written: claimfile.In(files, nil),
	Files:   files,
}

// of makes the system of a protocol with these states and messages in a setting.
var of = ledger.SystemOf[P, M]

// stubborn does not give way to a higher claim. A mutant embeds the protocol, and
// overrides the handler with the fault; so does a repair, or another reading.
type stubborn struct{ *Protocol }

func (a stubborn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if from.ID() < net.Self() { // and not rule 3
		a.Protocol.Receive(p, net, from, m)
	}
}

// files are the package's own. claims.txt has what the source says: see docs/claims.md.
// Claims may also be written in Go: ledger.Listed. claims.lock is the record of what they
// come to: "go test -update" writes it, and the test judges the claims of other code again.
//
//go:embed *.go claims.*
var files embed.FS
