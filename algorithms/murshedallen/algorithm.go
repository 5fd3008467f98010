package murshedallen

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// Algorithm is the improved Bully algorithm for the catalogue.
var Algorithm = &checker.Algorithm{
	Name:  "murshedallen",
	Title: "Improved Bully algorithm of Murshed and Allen",
	Source: "M. G. Murshed, A. R. Allen, Enhanced Bully Algorithm for Leader Node Election in Synchronous Distributed Systems, " +
		"Computers 1, 2012, as told by Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully " +
		"Algorithm, section III",
	Doc: "The upper half of the processes are Candidates. A process that detects the coordinator's failure asks the Candidates " +
		"(if it is one, those above it), takes the highest that answers and announces it to all; only where no Candidate is " +
		"left does it ask the others. A process that joins asks who the coordinator is, and begins an election if its own id " +
		"is higher.",

	Variants: []checker.Variant{
		{
			Name: "rules",
			Doc: "Rules 1 to 4. The Candidates are always the upper half; a process that is told of a coordinator ends its own " +
				"election and follows; one that joins and is not answered begins an election.",
			Assumes: assumes, Setting: usual, New: system(rules), Figures: figures,
		},
		{
			Name: "goes-on",
			Doc: "As rules, but a process that has begun an election goes on with it when it is told of a coordinator, and " +
				"announces its choice after all.",
			Assumes: assumes, Setting: usual, New: system(goesOn), Figures: figures,
		},
		{
			Name: "answers-leader",
			Doc: "As rules, but a process that is asked to elect a successor and has one answers with that coordinator, which " +
				"ends the election.",
			Assumes: assumes, Setting: usual, New: system(answersLeader), Figures: figures,
		},
		{
			Name: "rearranges",
			Doc: "As rules, but the Candidates are rearranged with each announcement: the coordinator and those below it, half of " +
				"all processes.",
			Assumes: assumes, Setting: usual, New: system(rearranges), Figures: figures,
		},
		{
			Name:    "waits",
			Doc:     "As rules, but a process that joins waits for an answer for ever: the source does not say for how long.",
			Assumes: assumes, Setting: usual, New: system(waits), Figures: figures,
		},
		{
			Name: "tie-breaker",
			Doc: "As rules, but a process that detects the failure waits before it begins an election, the longer the lower its " +
				"id, and leaves it to another that begins meanwhile. A guess at what the original's tie breaker time is.",
			Assumes: assumes, Setting: usual, New: system(tieBreaker), Figures: figures,
		},
		{
			Name: "keeps-higher",
			Doc: "As rules, but a process ignores announcements of lower ids than that of the coordinator that it has, unless it " +
				"has detected its failure.",
			Assumes: assumes, Setting: usual, New: system(keepsHigher), Figures: figures,
		},
		{
			Name: "repaired",
			Doc: "As keeps-higher, and whoever announces itself takes office a round trip later, when all have been told; who was " +
				"chosen by another announces itself; and a process that joins goes by the highest coordinator that it is told " +
				"of within a round trip.",
			Assumes: assumes, Setting: usual, New: system(repaired), Figures: figures,
		},
	},
}

const assumes = "every process can send to every other, knows all ids and which are Candidates; reliable delivery within a known " +
	"bound; processes crash, join, and come back with the same id"

// usual is the setting that the source has in mind, with D = 1.
var usual = model.Setting{N: 3, Start: model.SettledStart, Crashes: 1, Restarts: 1}

var figures []checker.Figure

// system returns the function that makes the system of a protocol.
func system(a model.Protocol[P, M]) func(model.Setting) (*model.System, error) {
	return func(s model.Setting) (*model.System, error) { return model.New(a, s) }
}
