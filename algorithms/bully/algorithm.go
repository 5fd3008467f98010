package bully

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/setting"
)

// Algorithm is the Bully algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "bully",
	Title: "Bully algorithm",
	Source: "H. Garcia-Molina, Elections in a Distributed Computing System, IEEE Transactions on Computers C-31(1), 1982, " +
		"as textbooks simplify it: each variant names its own source",
	Doc: "A process that notices that the coordinator has failed asks all processes with higher ids. If one of them answers, it takes " +
		"over the election, and each that was asked asks further up. A process that gets no answer in time is the highest that is " +
		"up, and announces itself as coordinator.",
	Assumptions: slices.Concat(
		ledger.Said("section 15.3", ledger.Reliable, ledger.BoundedDelays, ledger.RightReports),
		ledger.Tacit(ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	),

	Variants: []ledger.Variant{
		{
			Name: "coulouris",
			Doc: "The coordinator announces itself to lower ids only. A process that was answered waits T' for the " +
				"announcement and begins again without it. The failed coordinator is asked like any other.",
			Adds:   "T', a limit to the wait for the announcement",
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Coulouris), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-knows",
			Doc: "As coulouris, but a process does not ask the coordinator that it has just found dead. So the second highest can " +
				"immediately elect itself, as the slide on performance has it.",
			Adds:   "T', and that a process does not ask the coordinator that it has found dead",
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](KnowsDown{Coulouris}), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-noretry",
			Doc: "As coulouris, but without T', which the slides do not have: a process that was answered waits for the announcement " +
				"for ever.",
			Literal: []string{slidesName},
			Source:  slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](CoulourisNoRetry), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-keeps-waiting",
			Doc: "As coulouris, but an announcement does not end the wait for answers. If none arrives within T, the process " +
				"announces itself after all, which is what the slides say to the letter.",
			Adds:   "T', a limit to the wait for the announcement",
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](KeepsWaiting{Coulouris}), Figures: figures(coulourisWords),
		},
		{
			Name: "repaired",
			Doc: "As coulouris, but a process that announces itself leads only 2D later and then announces itself again. By that time " +
				"all have heard of it, and all older announcements have arrived. No source has this repair.",
			Adds: "T', and a wait before office", Repair: true,
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Repaired{Coulouris}), Figures: figures(coulourisWords),
		},
		{
			Name: "wikipedia",
			Doc: "The coordinator announces itself to all others, and a process follows the last announcement, whether the sender's " +
				"id is higher or lower. Otherwise as coulouris.",
			Adds:   "to rule 4 that a process in an election does not begin another",
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Wikipedia), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-again",
			Doc: "As wikipedia, but a process that is asked during an election starts a new one, which is what rule 4 says to the " +
				"letter.",
			Literal: []string{article},
			Source:  article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Again{Wikipedia}), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-refuses",
			Doc: "As wikipedia, but a process does not follow an announcement from a lower id. It starts an election instead. The " +
				"source does not have this repair.",
			Adds: "that a process objects to an announcement from a lower id", Repair: true,
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Refuses{Wikipedia}), Figures: figures(wikipediaWords),
		},
		{
			Name: "tanenbaum",
			Doc: "A process that was answered has done its job: it leaves the election and waits for nothing. The coordinator " +
				"announces itself to all others.",
			Literal: []string{minID, heap},
			Source:  paper, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Tanenbaum), Figures: figures(tanenbaumWords),
		},
	},

	Written:    claims,
	Properties: []*checker.Property{oneCall},
	Asked:      checker.Standard(),
	Record:     record,
	Mutants:    mutants,
}

const (
	slides = "G. Coulouris, J. Dollimore, T. Kindberg, Distributed Systems: Concepts and Design, 5th edition, Pearson, 2012, " +
		"section 15.3, as on the lecture slides Co-ordinator Election Algorithms"
	article = "Wikipedia, Bully algorithm, revision of 18 May 2017"
	paper   = "Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully Algorithm, section II, " +
		"after A. Tanenbaum, M. van Steen, Distributed Systems: Principles and Paradigms, 2nd edition, 2006"

	assumes = "every process can send to every other and knows all ids; reliable delivery within a known bound; " +
		"processes crash, and come back with the same id"
)

// Settings, all under synchronous timing with D = 1.
var (
	usual          = setting.Must("n=3 start=settled crashes=1 restarts=1")
	oneCrash       = setting.Must("n=3 start=settled crashes=1")
	twoCrashes     = setting.Must("n=3 start=settled crashes=2")
	fourTwoCrashes = setting.Must("n=4 start=settled crashes=2")
	oneJoin        = setting.Must("n=3 start=settled joins=1")
	twoJoins       = setting.Must("n=3 start=settled joins=2")
	oneInitiator   = setting.Must("n=3 initiators=1")
)
