package kalternatives

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the algorithm with k alternatives for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "kalternatives",
	Title: "Election with k alternatives of Gholipour et al.",
	Source: "M. Gholipour, M. S. Kordafshari, M. Jahanshahi, A. M. Rahmani, A New Approach for Election Algorithm in Distributed " +
		"Systems, CTRQ 2009, as the paper on FCEABR describes it in two sentences (section II); the rules follow from that",
	Reconstruction: "The paper is not at hand. The rules follow from two sentences of the paper on FCEABR.",
	Doc: "An election by collected answers makes the highest process coordinator and the k next ones its alternatives. When the " +
		"coordinator fails the first alternative takes its place. Only when no alternative is left is there another election.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.BoundedDelays, ledger.RightReports, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{
		{
			Name: "told", Doc: "Two alternatives; a process that finds the coordinator down tells all others which one is next.",
			New: of(&Protocol{K: 2, Tells: true}),
		},
		{
			Name: "silent", Doc: "Two alternatives; each process removes a process from its own list when its failure detector " +
				"reports it, and tells no other.",
			New: of(&Protocol{K: 2}),
		},
		{
			Name: "one", Doc: "As told, with one alternative.", New: of(&Protocol{K: 1, Tells: true}),
		},
		{
			Name: "repaired", Repair: true, Adds: "a question who leads", New: of(&Repaired{Protocol{K: 2, Tells: true}}),
			Doc: "As told, but a process that comes back asks who leads and takes the list in the answer. It does not hold an " +
				"election beside the succession.",
		},
	}),
	Mutants: mutants,
	Written: claimfile.In(files, nil), Properties: []*checker.Property{sameList, highestListed}, Files: files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "every process can send to every other; reliable delivery within a known bound; processes crash"

// sameList and highestListed are about the alternatives, not the coordinator
// alone.
var (
	sameList = checker.Always("same-list",
		"Once settled, all live processes have the same list of coordinator and alternatives.",
		func(v *model.View) bool {
			if !v.Settled || v.Up.Empty() {
				return true
			}
			first := model.State[P](v, v.Up.Min()).List
			for id := range v.Up.All() {
				if model.State[P](v, id).List != first {
					return false
				}
			}
			return true
		}).Reading(model.ReadsSettled)
	highestListed = checker.Always("highest-listed",
		"Once settled, those on a list that are up are the highest that are up, in their order.",
		func(v *model.View) bool {
			for id := range v.Up.All() {
				up := v.Up
				for _, listed := range model.State[P](v, id).List {
					if !v.Settled || !v.Up.Has(listed) {
						continue // or it has failed since, and it is nobody's turn
					}
					if listed != up.Max() {
						return false
					}
					up = up.Without(listed)
				}
			}
			return true
		}).Reading(model.ReadsSettled)
)

var usual = setting.Must("n=3 start=settled crashes=1 restarts=1")
