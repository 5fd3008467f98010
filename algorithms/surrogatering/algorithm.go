package surrogatering

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the Ring algorithm with a surrogate for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:           "surrogatering",
	Title:          "Ring algorithm with a surrogate coordinator of Effatparvar",
	Source:         "Reference [15] of " + fceabr + ", as section II describes it",
	Reconstruction: "The paper is not at hand. The rules follow from half a sentence of the paper on FCEABR, and from its paragraph on the Ring algorithm.",
	Doc: "As in the Ring algorithm a packet goes round and collects the processes that are up. The first of them is coordinator and " +
		"the second its surrogate. If the coordinator has failed, the surrogate stands in for it.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.RightReports, ledger.OneFailure,
		ledger.NoReturns, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "stands-in", New: of(&Protocol{}),
			Doc: "A process that notices the failure of the coordinator begins an election. The surrogate is coordinator for all that " +
				"the packet has reached, until the election is over.",
		},
		{
			Name: "takes-over", New: of(TakesOver{&Protocol{}}),
			Doc: "A process that notices tells the surrogate, which remains coordinator. The surrogate's packet only looks for " +
				"another surrogate.",
		},
	}),

	Written:    claimfile.In(files, nil),
	Properties: []*checker.Property{served},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const (
	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"International Journal of Information Technology and Computer Science 5(1), 2013"

	assumes = "a unidirectional ring that is closed around crashed processes; reliable links; each process knows its own number, which is " +
		"unique, and its successor; any process may detect a crash of the coordinator"
)

// Settings.
var (
	usual   = setting.Must("n=4 topology=ring:repaired start=coordinator-down timing=async")
	oneAsks = setting.Must("n=4 topology=ring:repaired start=coordinator-down detectors=1 timing=async")
	cold    = setting.Must("n=4 topology=ring initiators=one timing=async")
)

// served: the failure of a coordinator leaves nobody without one.
var served = checker.Always("served",
	"Every process in an election names a process that is up.",
	func(v *model.View) bool {
		for id := range v.Participants.All() {
			if !v.Up.Has(v.Elected(id)) {
				return false
			}
		}
		return true
	}).Reading(model.ReadsElected | model.ReadsParticipants)
