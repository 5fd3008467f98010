package assistant

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the assistant-based algorithm for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "assistant",
	Title: "Election with an assistant of Zargarnataj",
	Source: "M. Zargarnataj, New Election Algorithm based on Assistant in Distributed Systems, AICCSA 2007, as the paper on FCEABR " +
		"describes it in a sentence (section II); the rules follow from that",
	Reconstruction: "The paper is not at hand. The rules follow from one sentence of the paper on FCEABR.",
	Doc: "The coordinator is elected together with an assistant. A process that finds the coordinator down tells the assistant, which " +
		"takes over and looks for an assistant of its own. If the assistant is down as well, the process asks all others.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.BoundedDelays, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "described", Doc: "The algorithm as described; a process that comes back holds an election, as in the Bully.", New: of(&Protocol{}),
		},
		{
			Name: "repaired", Repair: true, Adds: "a question who leads", New: of(&Repaired{}),
			Doc: "As described, but a process that comes back asks who leads and follows that process. It does not hold an election " +
				"beside the succession of the assistant.",
		},
	}),
	Mutants: mutants,
	Written: claimfile.In(files, nil), Properties: []*checker.Property{assisted}, Files: files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "every process can send to every other; reliable delivery within a known bound; processes crash"

var (
	usual      = setting.Must("n=3 start=settled crashes=1 restarts=1")
	twoCrashes = setting.Must("n=4 start=settled crashes=2")
)

// assisted: while nothing has failed since, there is somebody to take over.
var assisted = checker.Always("assisted",
	"Once settled, whoever believes itself coordinator has an assistant, another process (or is alone).",
	func(v *model.View) bool {
		if !v.Settled {
			return true
		}
		for id := range v.Leaders.All() {
			if p := model.State[P](v, id); v.Up.Len() > 1 && (p.Assistant == model.None || p.Assistant == id) {
				return false
			}
		}
		return true
	}).Reading(model.ReadsSettled)
