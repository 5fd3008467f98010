package kabashi

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the minimum-ID Bully algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "kabashi",
	Title: "Minimum-ID Bully algorithm of Kabashi, Zeqiri and Zabeli",
	Source: "Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully Algorithm, sections IV " +
		"and V",
	Doc: "The lowest id wins. The process with the second lowest announces itself as soon as it notices, or is told, that the " +
		"coordinator has failed. Any other process asks all by a broadcast and announces the lowest of those that answer. A " +
		"process that joins asks for the coordinator and takes over if its own id is lower.",
	Assumptions: slices.Concat(
		ledger.Said("section II", ledger.Reliable, ledger.BoundedDelays),
		ledger.Tacit(ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: figures}, []ledger.Variant{
		{
			Name: "prose", New: of(prose),
			Doc: "The rules of section IV. The second minimum ID is the one above the minimum that a process may take. A process that " +
				"learns who is coordinator ends its own election and follows. A process that joins and gets no answer from a coordinator " +
				"does not wait without end.",
			Adds: "a limit to the wait for CID",
		},
		{
			Name: "sparse", New: of(noMinima),
			Doc: "As prose, where no process has the minimum ID that a process may take, or the one above it: every election is by " +
				"ELECTION, and every process that joins asks.",
			Adds: "a limit to the wait for CID, and leaves out the first two processes",
		},
		{
			Name: "goes-on", New: of(goesOn{prose}),
			Doc: "As prose, but a process that has begun an election goes on with it after it learns of a coordinator, as in the " +
				"pseudocode, and announces its choice after all.",
			Adds: "a limit to the wait for CID",
		},
		{
			Name: "knows-all", New: of(knowing),
			Doc: "As prose, but the second minimum ID is the one above the coordinator that has failed: every process knows all " +
				"ids.",
			Adds: "a limit to the wait for CID; a process knows which others are up",
		},
		{
			Name: "keeps-smaller", New: of(keeping),
			Doc: "As prose, but a process ignores announcements of higher ids than its coordinator's, unless it has noticed the " +
				"coordinator's failure.",
			Adds: "a limit to the wait for CID; the lower of two announcements counts",
		},
		{
			Name: "waits", New: of(waits),
			Doc: "As prose, but a process that joins waits for the coordinator's answer without end: the paper does not say how long it " +
				"waits.",
			Literal: []string{ledger.Own},
		},
		{
			Name: "pseudocode", New: of(procedure),
			Doc: "The procedures of section V. The process with the second minimum ID answers any ELECTION by COORDINATOR, the one " +
				"with the minimum queries when it joins, and a process that waits accepts only responses. (An OK has the ID of its " +
				"sender, as in the prose.)",
		},
		{
			Name: "pseudocode-letter", New: of(letter{procedure}),
			Doc: "As pseudocode, literally: an OK has the ID of the process that began the election, which then selects itself. " +
				"This is probably a misprint.",
		},
		{
			Name: "repaired", New: of(repaired),
			Doc: "As keeps-smaller, with three changes. A process takes office a round trip after it has announced itself, when all " +
				"have been told and any lower one has objected. A process that another one chose announces itself. A process that waits " +
				"for the coordinator's answer ignores announcements, which may be old.",
			Adds: "a limit to the wait for CID, a wait before office; the lower of two announcements counts", Repair: true,
		},
		{
			Name: "asks-first", New: of(asksFirst),
			Doc: "As prose, but a process that notices the failure announces it to all and waits for a round trip before it holds " +
				"an election. A process that hears of it leaves the election to that process, and of two the lower id goes first. So " +
				"elections come one after another; nothing else changes.",
			Adds: "a limit to the wait for CID, and a round trip before an election", Repair: true,
		},
	}),

	Written: claims,
	Silent:  silent,

	Properties: []*checker.Property{atMostOne, steadfast},
	Files:      files,
	Relations:  relations,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const assumes = "every process can broadcast; reliable delivery within a known bound; the minimum ID that a process may take is " +
	"known; processes crash, join, and come back with the same id"

// usual is the setting that the paper has in mind, with D = 1.
var usual = setting.Must("n=3 start=settled crashes=1 restarts=1")

// figures are what the paper says that an election costs.
var figures = []cost.Figure{
	{
		Name: "the second minimum ID notices", Formula: "1", Case: cost.BestCase, Measure: broadcasts,
		Source: "section VI, Table II", Value: func(_ int, p model.ID) (int, bool) { return 1, p == model.None || p == MIN+1 },
		Note: "One broadcast counts as one message.",
	},
	{
		Name: "at worst", Formula: "2b+(n-1), b = 1", Case: cost.WorstCase, Measure: broadcasts,
		Source: "section VI, equation 2, Table I",
		Value:  func(n int, p model.ID) (int, bool) { return equation2(1, n), p == model.None || int(p) == n },
		Note: "It has n-1 processes answer; where one process notices n-3 do, and n-1 messages are sent. Where a process goes on with its " +
			"election after it learns of a coordinator, it is right.",
	},
}
