package ingram

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the election of Ingram et al. for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "ingram",
	Title: "Election by link reversal of Ingram et al.",
	Source: "R. Ingram, P. Shields, J. E. Walter, J. L. Welch, An Asynchronous Leader Election Algorithm for Dynamic Networks, IPDPS 2009 " +
		"(rules as the literature tells them)",
	Doc: "Each process has a height, and a link is directed from its higher end to its lower one: down the heights is the way to the leader. A process " +
		"that loses its last way begins a search, by which links are reversed. If the search comes back from all neighbours, there is no way: the process elects itself.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.NoPauses, ledger.RightReports, ledger.NoReturns),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "complete", New: of(&Protocol{}),
			Doc: "There may be a link between every two processes.",
		},
		{
			Name: "chain", New: of(&Protocol{Graph: Chain}),
			Doc: "There may be links between P1 and P2, P2 and P3, and so on, alone.",
		},
		{
			Name: "closes", New: of(Closes{&Protocol{Graph: Ring}}),
			Doc:     "As chain, and at some moment a link comes up between the first process and the last.",
			Setting: comes,
		},
		{
			Name: "local-clocks", Adds: "clocks that take no notice of others", New: of(&Protocol{Local: true}),
			Doc:     "As complete, but a process counts its own events alone.",
			Setting: joins,
		},
		{
			Name: "beacons", Repair: true, Adds: "a beacon by all links", New: of(Beacons{&Protocol{}}),
			Doc: "As complete, but a process sends its height again and again, by all links that it may have. So it learns of links that come up again, " +
				"and of what was lost with one that was down for a moment.",
			Assumes: "as complete, but nobody needs to learn of a link that comes up, and a message may be lost; a bound on delays",
			Setting: apart,
		},
		{
			Name: "twice", Repair: true, Adds: "a copy of each message", New: of(Twice{&Protocol{}}),
			Doc:         "As complete, but a process sends each message twice. So one may be lost.",
			Assumes:     "as complete, but one message may be lost",
			Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoPauses, ledger.RightReports, ledger.NoReturns),
			Setting:     usual.MustWith("losses=1"),
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{oneLeader, oriented, kept},
	Asked:      []*checker.Property{oneLeader, oriented, kept, checker.Termination},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "links that go down and come up; reliable and in order while up; either end learns of both; clocks whose values order causes before " +
	"effects; no bound on delays"

// Settings.
var (
	usual = setting.Must("n=3 start=settled cuts=2 cut-by=link channels=fifo timing=async")
	comes = setting.Must("n=3 initiators=none channels=fifo timing=async")
	joins = setting.Must("n=3 start=settled crashes=1 joins=1 channels=fifo timing=async")
	apart = setting.Must("n=2 start=settled cuts=1 heals=owed channels=fifo timing=sync:1")
)
