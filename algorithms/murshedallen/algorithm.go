package murshedallen

import (
	"slices"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the improved Bully algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "murshedallen",
	Title: "Improved Bully algorithm of Murshed and Allen",
	Source: "Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully Algorithm, section III as " +
		"printed, which tells of M. G. Murshed, A. R. Allen, Enhanced Bully Algorithm for Leader Node Election in Synchronous " +
		"Distributed Systems, Computers 1, 2012",
	Doc: "The upper half of the processes are Candidates. A process that detects the coordinator's failure asks the Candidates (a " +
		"Candidate asks those above it), takes the highest that answers and announces it to all. Only if no Candidate is left " +
		"does it ask the others. A process that joins asks who the coordinator is, and begins an election if its own id is " +
		"higher.",
	Assumptions: slices.Concat(
		ledger.Said("the title", ledger.BoundedDelays),
		ledger.Tacit(ledger.Reliable, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual, Figures: figures}, []ledger.Variant{
		{
			Name: "rules", New: of(rules),
			Doc: "Rules 1 to 4. The Candidates are always the upper half. A process that learns who is coordinator ends its own election " +
				"and follows. A process that joins and gets no answer begins an election.",
			Adds: "a limit to the wait for an answer",
		},
		{
			Name: "goes-on", New: of(goesOn{rules}),
			Doc: "As rules, but a process that has begun an election goes on with it after it learns of a coordinator, and " +
				"announces its choice after all.",
			Adds: "a limit to the wait for an answer",
		},
		{
			Name: "knows-down", New: of(knowing),
			Doc: "As rules, but a process does not ask the coordinator that it has just found dead. So the second highest announces " +
				"itself at once.",
			Adds: "a limit to the wait for an answer; a process does not ask the coordinator that it has found dead",
		},
		{
			Name: "answers-leader", New: of(answersLeader),
			Doc: "As rules, but a process that is asked to elect a successor and has one answers with that coordinator, which " +
				"ends the election.",
			Adds: "a limit to the wait for an answer, and an answer that ends an election",
		},
		{
			Name: "rearranges", New: of(rearranging),
			Doc: "As rules, but the Candidates are rearranged with each announcement: the coordinator and those below it, half of " +
				"all processes.",
			Adds: "a limit to the wait for an answer",
		},
		{
			Name: "waits", New: of(waits),
			Doc: "As rules, but a process that joins waits for an answer without end, even if it has none to ask. The source does not " +
				"say how long it waits, and begins an election only at an answer.",
			Literal: []string{ledger.Own},
		},
		{
			Name: "tie-breaker", New: of(tieBreaker),
			Doc: "As rules, but a process that detects the failure waits before it begins an election, the longer the lower its id, " +
				"and leaves it to another that begins meanwhile. This is a guess at the original's tie breaker time.",
			Adds: "a limit to the wait for an answer, and one before an election",
		},
		{
			Name: "keeps-higher", New: of(keepsHigher{rules}),
			Doc: "As rules, but a process ignores announcements of lower ids than its coordinator's, unless it has detected the " +
				"coordinator's failure.",
			Adds: "a limit to the wait for an answer; the higher of two announcements counts", Repair: true,
		},
		{
			Name: "repaired", New: of(repaired),
			Doc: "As keeps-higher, with four changes. A process takes office a round trip after it has announced itself, when all " +
				"have been told. A process that another one chose announces itself. A process that hears a lower id announced objects. A " +
				"process that joins follows the highest coordinator that it learns of within a round trip.",
			Adds: "a limit to the wait for an answer, a wait before office; the higher of two announcements counts", Repair: true,
		},
	}),

	Written: claims,
	Files:   files,
	Mutants: mutants,
	Silent:  silent,
}

var of = ledger.SystemOf[P, M]

const assumes = "every process can send to every other, knows all ids and which are Candidates; reliable delivery within a known " +
	"bound; processes crash, join, and come back with the same id"

// usual is the setting that the source has in mind, with D = 1.
var usual = setting.Must("n=3 start=settled crashes=1 restarts=1")

// figures are what the source says that an election costs.
var figures = []cost.Figure{
	{
		Name: "an Ordinary process detects", Formula: "9, 18, 38 for 5, 10, 20: 2⌈n/2⌉+n-2", Case: cost.WorstCase,
		Source: "Kabashi, Zeqiri, Zabeli, Table I",
		Value:  func(n int, p model.ID) (int, bool) { return table1(n), p == model.None || int(p) <= n/2 },
		Note: "It is right where one process detects the failure and no other process fails. Where several do, each holds an " +
			"election.",
	},
	{
		Name: "at best", Formula: "n-1", Case: cost.BestCase, Source: "Kabashi, Zeqiri, Zabeli, Table II",
		Value: func(n int, p model.ID) (int, bool) { return n - 1, p == model.None || int(p) == n-1 },
		Note:  "It leaves out the election message to the coordinator that has failed, which Table I counts.",
	},
}
