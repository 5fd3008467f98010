package bully

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
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

	Variants: slices.Concat(ledger.Usually(from(slides, coulourisWords), []ledger.Variant{
		{
			Name: "coulouris", New: of(Coulouris),
			Doc: "The coordinator announces itself to lower ids only. A process that was answered waits T' for the " +
				"announcement and begins again without it. The failed coordinator is asked like any other.",
		},
		{
			Name: "coulouris-knows", New: of(KnowsDown{Coulouris}),
			Doc: "As coulouris, but a process does not ask the coordinator that it has just found dead. So the second highest can " +
				"immediately elect itself, as the slide on performance says.",
		},
		{
			Name: "coulouris-noretry", New: of(CoulourisNoRetry),
			Doc: "As coulouris, but without T', which the slides do not have: a process that was answered waits for the announcement " +
				"without end.",
		},
		{
			Name: "coulouris-keeps-waiting", New: of(KeepsWaiting{Coulouris}),
			Doc: "As coulouris, but an announcement does not end the wait for answers. If none arrives within T, the process " +
				"announces itself after all, which is what the slides literally say.",
		},
		{
			Name: "repaired", New: of(Repaired{Coulouris}),
			Doc: "As coulouris, but a process that announces itself leads only 2D later and then announces itself again. By that time " +
				"all have heard of it, and all older announcements have arrived. No source has this repair.",
			Adds: "T', and a wait before office", Repair: true,
		},
	}), ledger.Usually(from(article, wikipediaWords), []ledger.Variant{
		{
			Name: "wikipedia", New: of(Wikipedia),
			Doc: "The coordinator announces itself to all others, and a process follows the last announcement, whether the sender's " +
				"id is higher or lower. Otherwise as coulouris.",
			Adds: "a process in an election does not begin another when it is asked, against rule 4",
		},
		{
			Name: "wikipedia-again", New: of(Again{Wikipedia}),
			Doc: "As wikipedia, but a process that is asked during an election starts a new one, as rule 4 says: it sends Election again " +
				"and begins to wait anew.",
			Literal: []string{article},
		},
		{
			Name: "wikipedia-sends", New: of(SendsAgain{Wikipedia}),
			Doc: "As wikipedia, but a process that is asked during an election sends Election again and goes on waiting as before: rule " +
				"4 says of a new election that the process sends, and not that it waits anew.",
		},
		{
			Name: "wikipedia-remembers", New: of(Again{WikipediaRemembers}),
			Doc: "As wikipedia-again, but a process goes on naming its old coordinator while it is in an election. (In wikipedia-again " +
				"it names nobody then.)",
		},
		{
			Name: "wikipedia-sends-remembers", New: of(SendsAgain{WikipediaRemembers}),
			Doc: "As wikipedia-sends, but a process goes on naming its old coordinator while it is in an election.",
		},
		{
			Name: "wikipedia-refuses", New: of(Refuses{Wikipedia}),
			Doc: "As wikipedia, but a process does not follow an announcement from a lower id. It starts an election instead. The " +
				"source does not have this repair.",
			Adds: "a process objects to an announcement from a lower id", Repair: true,
		},
	}), ledger.Usually(from(paper, tanenbaumWords), []ledger.Variant{
		{
			Name: "tanenbaum", New: of(Tanenbaum),
			Doc: "A process that was answered has done its job: it leaves the election and waits for nothing. The coordinator " +
				"announces itself to all others.",
			Literal: []string{minID, heap},
		},
		{
			Name: "tanenbaum-remembers", New: of(TanenbaumRemembers),
			Doc: "As tanenbaum, but a process goes on naming its old coordinator while it is in an election, and after it has done its " +
				"job: so it notices again if no announcement follows.",
		},
		{
			Name: "tanenbaum-lower", New: of(TanenbaumLower),
			Doc: "As tanenbaum, but the coordinator announces itself to lower ids only: the paper does not say to whom.",
		},
		{
			Name: "tanenbaum-once", New: of(TanenbaumOnce),
			Doc: "As tanenbaum, but a process that is asked within a round trip after it has begun an election answers, and does not " +
				"begin another.",
		},
	})),

	Written:    claims,
	Properties: []*checker.Property{oneCall, silentFailed, takesOver},
	Asked:      checker.Standard(),
	Files:      files,
	Relations:  relations,
	Mutants:    mutants,
	Silent:     silent,
}

var of = ledger.SystemOf[P, M]

// from returns what is usual for the readings of a source, which has words of its own.
func from(source string, words model.Names) ledger.Variant {
	return ledger.Variant{Source: source, Assumes: assumes, Setting: usual, Figures: figures(words)}
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
