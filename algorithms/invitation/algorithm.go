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

	Variants: []ledger.Variant{
		{
			Name: "original",
			Doc: "The algorithm of the paper. A coordinator that finds one of higher priority waits long enough for that one to come " +
				"first: longer than from one Merge to the end of the next Check.",
			Assumes: assumes, Setting: divided, New: ledger.SystemOf[P, M](&Protocol{}),
		},
		{
			Name: "short-pauses",
			Doc: "As original, but the pause of the lower coordinator is only as long as a Check. The paper says that it depends on " +
				"the priority, and not what it is compared with.",
			Assumes: assumes, Setting: divided, New: ledger.SystemOf[P, M](&Protocol{Pauses: ShortPauses}),
		},
		{
			Name:    "equal-waits",
			Doc:     "As original, but without the pause: a coordinator that finds others invites them at once.",
			Assumes: assumes, Setting: divided, New: ledger.SystemOf[P, M](&Protocol{Pauses: NoPauses}),
		},
		{
			Name:    "volatile",
			Doc:     "As original, but a crash makes a node forget how many groups it has founded.",
			Assumes: assumes, Setting: divided, New: ledger.SystemOf[P, M](&Protocol{Volatile: true}),
		},
	},

	Written:    claimfile.Of("claims.txt", written, nil),
	Properties: properties,
	Asked:      append(properties[:len(properties):len(properties)], checker.LiveCoordinator, checker.Validity, checker.E2, checker.ReElection),
	Record:     record,
	Code:       code,
	Mutants:    mutants,
}

// The claims of sources, and the outcome; the package's test keeps the record true.
var (
	//go:embed claims.txt
	written string
	//go:embed claims.lock
	record []byte
	//go:embed *.go
	code embed.FS
)

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
