package bully

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Algorithm is the Bully algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "bully",
	Title: "Bully algorithm",
	Source: "H. Garcia-Molina, Elections in a Distributed Computing System, IEEE Transactions on Computers C-31(1), 1982, " +
		"as textbooks simplify it: each variant names its own source",
	Doc: "A process that notices that the coordinator has failed asks all processes with higher ids. Any of them that answers takes " +
		"over, and asks those above it. A process that gets no answer in time is the highest that is " +
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
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Coulouris), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-knows",
			Doc: "As coulouris, but a process does not ask the coordinator that it has just found dead. So the second highest can " +
				"immediately elect itself, as the slide on performance says.",
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](KnowsDown{Coulouris}), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-noretry",
			Doc: "As coulouris, but without T', which the slides do not have: a process that was answered waits for the announcement " +
				"without end.",
			Source: slides, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](CoulourisNoRetry), Figures: figures(coulourisWords),
		},
		{
			Name: "coulouris-keeps-waiting",
			Doc: "As coulouris, but an announcement does not end the wait for answers. If none arrives within T, the process " +
				"announces itself after all, which is what the slides literally say.",
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
			Adds:   "a process in an election does not begin another when it is asked, against rule 4",
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Wikipedia), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-again",
			Doc: "As wikipedia, but a process that is asked during an election starts a new one, as rule 4 says: it sends Election again " +
				"and begins to wait anew.",
			Literal: []string{article},
			Source:  article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Again{Wikipedia}), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-sends",
			Doc: "As wikipedia, but a process that is asked during an election sends Election again and goes on waiting as before: rule " +
				"4 says of a new election that the process sends, and not that it waits anew.",
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](SendsAgain{Wikipedia}), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-remembers",
			Doc: "As wikipedia-again, but a process goes on naming its old coordinator while it is in an election. (In wikipedia-again " +
				"it names nobody then.)",
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Again{WikipediaRemembers}), Figures: figures(wikipediaWords),
		},
		{
			Name:   "wikipedia-sends-remembers",
			Doc:    "As wikipedia-sends, but a process goes on naming its old coordinator while it is in an election.",
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](SendsAgain{WikipediaRemembers}), Figures: figures(wikipediaWords),
		},
		{
			Name: "wikipedia-refuses",
			Doc: "As wikipedia, but a process does not follow an announcement from a lower id. It starts an election instead. The " +
				"source does not have this repair.",
			Adds: "a process objects to an announcement from a lower id", Repair: true,
			Source: article, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Refuses{Wikipedia}), Figures: figures(wikipediaWords),
		},
		{
			Name: "tanenbaum",
			Doc: "A process that was answered has done its job: it leaves the election and waits for nothing. The coordinator " +
				"announces itself to all others.",
			Literal: []string{minID, heap},
			Source:  paper, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](Tanenbaum), Figures: figures(tanenbaumWords),
		},
		{
			Name: "tanenbaum-remembers",
			Doc: "As tanenbaum, but a process goes on naming its old coordinator while it is in an election, and after it has done its " +
				"job: so it notices again if no announcement follows.",
			Source: paper, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](TanenbaumRemembers), Figures: figures(tanenbaumWords),
		},
		{
			Name:   "tanenbaum-lower",
			Doc:    "As tanenbaum, but the coordinator announces itself to lower ids only: the paper does not say to whom.",
			Source: paper, Assumes: assumes, Setting: usual, New: ledger.SystemOf[P, M](TanenbaumLower), Figures: figures(tanenbaumWords),
		},
	},

	Written:    claims,
	Properties: []*checker.Property{oneCall},
	Asked:      checker.Standard(),
	Record:     record,
	Code:       code,
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
