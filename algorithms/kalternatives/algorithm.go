package kalternatives

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// Algorithm is the algorithm with k alternatives for the catalogue.
var Algorithm = &checker.Algorithm{
	Name:  "kalternatives",
	Title: "Election with k alternatives of Gholipour et al.",
	Source: "M. Gholipour, M. S. Kordafshari, M. Jahanshahi, A. M. Rahmani, A New Approach for Election Algorithm in Distributed " +
		"Systems, CTRQ 2009, as the paper on FCEABR describes it in two sentences (section II); the rules follow from that",
	Doc: "An election by collected answers makes the highest process coordinator and the k next ones its alternatives. When the " +
		"coordinator fails the first alternative takes its place, and only when none is left there is another election.",
	Variants: []checker.Variant{
		{
			Name: "told", Doc: "Two alternatives; who finds the coordinator down tells all others who is next.",
			Assumes: assumes, Setting: usual, New: checker.SystemOf[P, M](&Protocol{K: 2, Tells: true}),
		},
		{
			Name: "silent", Doc: "Two alternatives; each process strikes off its own list whom its failure detector reports, and tells nobody.",
			Assumes: assumes, Setting: usual, New: checker.SystemOf[P, M](&Protocol{K: 2}),
		},
		{
			Name: "one", Doc: "As told, with one alternative.",
			Assumes: assumes, Setting: usual, New: checker.SystemOf[P, M](&Protocol{K: 1, Tells: true}),
		},
	},
	Mutants: []checker.Mutant{
		{
			Name: "lowest-first", Of: "told", Caught: "extreme", Setting: usual,
			Doc: "The election takes the lowest that answered.", New: checker.SystemOf[P, M](lowestFirst{&Protocol{K: 2, Tells: true}}),
		},
		{
			Name: "never-decides", Of: "told", Caught: "e2", Setting: usual,
			Doc: "Who holds an election waits for ever.", New: checker.SystemOf[P, M](neverDecides{&Protocol{K: 2, Tells: true}}),
		},
		{
			Name: "decides-alone", Of: "told", Caught: "agreement", Setting: usual,
			Doc: "Who holds an election tells nobody of its outcome.", New: checker.SystemOf[P, M](decidesAlone{&Protocol{K: 2, Tells: true}}),
		},
	},
	Claims: claims, Record: record,
}

const assumes = "every process can send to every other; reliable delivery within a known bound; processes crash"

var usual = model.Setting{N: 3, Start: model.SettledStart, Crashes: 1, Restarts: 1}
