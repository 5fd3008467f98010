package shirali

import (
	"embed"

	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm of Shirali et al. for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:           "shirali",
	Title:          "Election in groups of a ring of Shirali et al.",
	Source:         "Reference [16] of " + fceabr + ", as section II describes it",
	Reconstruction: "The paper is not at hand. The rules follow from one sentence of the paper on FCEABR.",
	Doc: "Groups are created along a bidirectional ring, and each elects the greatest of its processes: an Election message goes from " +
		"the head of the group both ways and comes back. The heads then compare the groups' coordinators by a message that goes " +
		"round, and the greatest is announced.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.RightReports,
		ledger.OneFailure, ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "neighbours", New: of(&Protocol{Reach: 1}),
			Doc: "A group is a process and its two neighbours. If an Election message reaches a process outside the group, that " +
				"process is the head of the next group. So one process that notices is enough to create groups all round the ring.",
		},
		{
			Name: "informers", New: of(&Protocol{}),
			Doc: "The head of a group is a process that has noticed the crash. Its group extends to the next head: there are as many " +
				"groups as processes that notice before they are told.",
		},
	}),

	Written: claimfile.In(files, nil),
	Files:   files,
	Mutants: mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const (
	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"International Journal of Information Technology and Computer Science 5(1), 2013"

	assumes = "a bidirectional ring that is closed around crashed processes; reliable FIFO links; each process knows its own number, " +
		"which is unique, and its neighbours; any process may detect a crash of the coordinator"
)

// Settings.
var (
	usual = setting.Must("n=4 topology=biring:repaired start=coordinator-down channels=fifo timing=lockstep")
	one   = setting.Must("n=5 topology=biring initiators=one channels=fifo timing=lockstep")
)
