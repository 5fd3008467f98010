package fceabr

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Algorithm is FCEABR for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "fceabr",
	Title: "FCEABR, a bidirectional ring with a surrogate coordinator",
	Source: "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"International Journal of Information Technology and Computer Science 5(1), 2013, pages 15-25",
	Doc: "An Election message travels round the ring both ways and collects the two greatest numbers. Where its two copies meet, a " +
		"process announces them as coordinator and surrogate, both ways again. A process that detects the coordinator's crash " +
		"turns to the surrogate at once, and sends the same pair of rounds to tell the others and to find a new surrogate.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.EqualDelays, ledger.NoPauses, ledger.RightReports),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "one-by-one", New: of(read(one())),
			Doc: "As at-once, but messages are handled one by one, whenever they arrive: even under equal delays a process passes the " +
				"first of two copies on before it sees the other.",
			Figures: figures,
		},
		{
			Name: "at-once", Literal: []string{ledger.Own}, New: of(&Protocol{}),
			Doc: "The algorithm of the paper: messages that arrive from both sides at the same moment are handled in one step, as in " +
				"its examples with an even number of processes. A message stays with a process for a tick, so a step from one process to " +
				"the next takes two. Of two announcements of an election the lower informer's is stopped (IV with V.4). Where the paper " +
				"is silent: a process at which two copies meet also compares its own number; the coordinator does not become its own " +
				"surrogate; an announcement ends an election for every process that receives it.",
			Figures: figures,
		},
		{
			Name: "one-announcement", New: of(read(oneAnnouncement{&Protocol{}})),
			Doc: "As at-once, but of two announcements of an election a process stops the second, whichever process made it: section " +
				"IV literally. In the other readings a higher initiator's goes on, as section V.4 says.",
			Figures: figures,
		},
		{
			Name: "one-goes-on", New: of(read(oneGoesOn{&Protocol{}})),
			Doc: "As at-once, but of two announcements of an election that arrive from both sides at the same moment a process stops " +
				"one and passes the other on: section IV literally. A process does not keep announcements for a tick.",
			Figures: figures,
		},
		{
			Name: "informer-counts", Repair: true, Adds: "the sender of an SElection counts itself", New: of(read(informerCounts{one()})),
			Doc: "As one-by-one, but the sender of an SElection puts its own number into the surrogate section, where the paper has it put " +
				"zero: otherwise it cannot become surrogate.",
			Figures: figures,
		},
		{
			Name: "own-surrogate", New: of(read(ownSurrogate{&Protocol{}})),
			Doc: "As at-once, but the new coordinator also compares its own number with the surrogate section of an SElection, as \"each " +
				"process in the network\" literally does.",
			Figures: figures,
		},
		{
			Name: "maker-left-out", New: of(read(makerLeftOut{&Protocol{}})),
			Doc:     "As at-once, but a process at which two copies meet compares only the two, as in the steps of section V.2.",
			Figures: figures,
		},
		{
			Name: "coordinator-counts", New: of(read(coordinatorCounts{&Protocol{}})),
			Doc: "As at-once, but a process takes the process in the coordinator section of an SElection or SCoordinator message for " +
				"the coordinator, whichever coordinator it had before. In at-once it gives its coordinator up only for its own surrogate, " +
				"or by a Coordinator message.",
			Figures: figures,
		},
		{
			Name: "remembers", New: of(read(remembers{&Protocol{}})),
			Doc:     "As at-once, but a process never forgets the initiators that it has seen: the paper does not say when it does.",
			Figures: figures,
		},
		{
			Name: "watches-surrogate", New: of(read(watchesSurrogate{&Protocol{}})),
			Doc:     "As at-once, but a process also detects a crash of the surrogate, and then knows no surrogate.",
			Figures: figures,
		},
		{
			Name: "repaired", Repair: true, Adds: "numbers of elections, and a limit to the wait for an outcome",
			Doc: "Three changes. Elections are numbered, and every message of an earlier one is stopped. A process that has heard of " +
				"an election, but not of its end within 2ND+1 ticks, begins another. The sender of an SElection counts itself.",
			New: of(read(repaired{informerCounts{one()}})),
		},
	}),

	Written:    claims,
	Properties: Properties,
	// OneResult is about a first election, NewcomerWaits about who joins.
	Asked:   append(checker.Standard(), Surrogate, NoWaiting, Undisturbed),
	Files:   files,
	Silent:  silent,
	Mutants: mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "a bidirectional ring that is closed around crashed processes; reliable links; the same time between any two " +
	"neighbours; each process knows its own number, which is unique, and its neighbours; any process may detect a crash"

// Settings, in lockstep: "we suppose that the end to end time between each two
// process is the same".
var (
	usual         = setting.Must("n=3 topology=biring:repaired start=settled channels=fifo timing=lockstep crashes=2")
	oneCrash      = with("start=settled crashes=1")
	sixOneDetects = with("n=6 start=coordinator-down detectors=1 crashes=0")
	cold          = with("start=cold crashes=0")
	fourOneBegins = with("n=4 start=cold initiators=1 crashes=0")
)

// with returns the usual setting as changed by a text.
var with = usual.MustWith
