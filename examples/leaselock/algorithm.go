package leaselock

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

// held is what a lock is for: that somebody gets it, again and again.
var held = checker.AlwaysEventually("held",
	"The lock is held by a client again and again.", someHolder)

func someHolder(v *model.View) bool { return !v.Leaders.Empty() }

// Algorithm is the example for a catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "leaselock",
	Title:  "Lock with a lease",
	Source: "C. Gray and D. Cheriton, Leases, SOSP 1989; fencing tokens as in M. Kleppmann, Designing Data-Intensive Applications, 2017",
	Doc: "A store gives a lock for a time, by compare and swap. A client leads from the answer on, and gives up a margin before the " +
		"lease ends. Each change of the holder increases a fencing token.",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.BoundedDelays, ledger.TrueClocks, ledger.NoPauses, ledger.NoNewcomers),
	Variants: []ledger.Variant{{
		Name:    "margin",
		Doc:     "A client gives up two ticks before the end of the lease, counted from the answer.",
		Assumes: "Answers that take one tick at most, clocks that run alike; messages may be lost.",
		Setting: oneLoss, New: ledger.SystemOf[P, M](withMargin),
	}},
	Mutants: []ledger.Mutant{
		{
			Name: "no-margin", Of: "margin", Caught: checker.Uniqueness.Name, Setting: oneLoss,
			Doc: "A client leads for the whole lease, counted from the answer: longer than the store counts.",
			New: ledger.SystemOf[P, M](&Lock{Lease: 8, Renew: 4}),
		},
		{
			Name: "no-disk", Of: "margin", Caught: checker.Uniqueness.Name, Setting: setting.Must(world + "n=3 crashes=1 restarts=1"),
			Doc: "The store has nothing on disk: after a crash the lock is free.",
			New: ledger.SystemOf[P, M](noDisk{withMargin}),
		},
	},
	Properties: []*checker.Property{held},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, held},
}

var (
	withMargin = &Lock{Lease: 8, Renew: 4, Margin: 2}
	oneLoss    = setting.Must(world + "n=3 losses=1")
)

// world is what all settings have: nobody is asked to begin, and nobody but a clock
// tells of a failure.
const world = "initiators=none detector=off "

// noDisk is the lock with a fault: a store that crashes forgets who has it.
type noDisk struct{ *Lock }

func (noDisk) Stable(p *P) { *p = P{} }
