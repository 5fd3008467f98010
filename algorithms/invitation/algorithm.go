package invitation

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the Invitation algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "invitation",
	Title: "Invitation algorithm of Garcia-Molina",
	Source: "H. Garcia-Molina, Elections in a Distributed Computing System, IEEE Transactions on Computers C-31(1), 1982, " +
		"section V and appendix, as the literature tells it",
	Doc: "Every node begins as the coordinator of a group of its own. Coordinators look for others and invite them, and their " +
		"members, to one new group. The numbers of groups never repeat. A node that has lost its coordinator is alone again. So " +
		"each part of a divided network has a coordinator, and the whole network has one again after the parts are joined.",
	Assumptions: slices.Concat(
		ledger.Said("assumption 7", ledger.InOrder),
		ledger.Tacit(ledger.NoCopies, ledger.NoNewcomers),
	),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: divided}, []ledger.Variant{
		{
			Name: "original", New: of(&Protocol{}),
			Doc: "The algorithm of the paper. A coordinator that finds one of higher priority waits long enough for that one to come " +
				"first: longer than from one Merge to the end of the next Check.",
		},
		{
			Name: "short-pauses", New: of(&Protocol{Pauses: ShortPauses}),
			Doc: "As original, but the pause of the lower coordinator is only as long as a Check. The paper says that it depends on " +
				"the priority, and not what it is compared with.",
		},
		{
			Name: "equal-waits", New: of(&Protocol{Pauses: NoPauses}),
			Doc: "As original, but without the pause: a coordinator that finds others invites them at once.",
		},
		{
			Name: "volatile", New: of(&Protocol{Volatile: true}),
			Doc: "As original, but a crash makes a node forget how many groups it has founded.",
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: properties,
	Asked:      append(properties[:len(properties):len(properties)], checker.LiveCoordinator, checker.Validity, checker.E2, checker.ReElection),
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "every node can call every other and knows all ids; FIFO channels; no bound on delays, so that an answer may come too late; " +
	"the network may lose messages and divide; nodes crash, and come back with the same id and what they have in safe storage"

// divided is a network that is cut once and healed; lossy one that loses a
// message; late3 one in which two answers come too late; prompt one of two nodes in
// which nothing goes wrong.
var (
	prompt  = setting.Must("n=2 channels=fifo detector=off")
	divided = setting.Must("n=3 start=settled channels=fifo cuts=1 heals=1 detector=off")
	lossy   = setting.Must("n=3 channels=fifo losses=1 detector=off")
	late3   = setting.Must("n=3 channels=fifo timing=async:2 detector=off")
)
