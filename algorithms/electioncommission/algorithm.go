package electioncommission

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the Bully with an election commission for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "electioncommission",
	Title: "Bully with an election commission of Rahman and Nahar",
	Source: "M. Rahman, A. Nahar, Modified Bully Algorithm using Election Commission, MASAUM Journal of Computing 1(3), 2009, " +
		"as the literature tells it",
	Reconstruction: "The paper is not at hand. The rules are those that the literature tells.",
	Doc: "A process that finds the coordinator down reports it to the election commission, an agent that never fails. The commission " +
		"verifies the report, asks for the highest process that is up, and announces that one to all. It also tells newcomers " +
		"who leads.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.InOrder, ledger.BoundedDelays, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.WholeBroadcasts),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: usual}, []ledger.Variant{{
		Name: "told", Doc: "The algorithm as the literature describes it; process 1 is the commission.", New: of(&Protocol{}),
	}, {
		Name: "repaired", Repair: true, Adds: "numbers of announcements", New: of(Repaired()),
		Doc: "As told, but the commission tells the winner last, when all others have heard of it, and numbers its announcements, so " +
			"that a process recognises an older one.",
	}}),
	Mutants: mutants,
	Written: claimfile.In(files, nil), Properties: properties, Files: files,
	Asked: append([]*checker.Property{checker.Uniqueness, checker.SettledUniqueness, checker.LiveCoordinator, checker.Validity}, properties...),
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

const assumes = "an agent that never fails and that all can send to; reliable FIFO channels with a known bound on delays; processes crash and come back"

var usual = setting.Must("n=4 start=settled channels=fifo crashes=1 restarts=1")

// properties are the standard ones wherever the commission has not failed.
var properties = []*checker.Property{
	checker.Always("commission-agreement", "While the commission has not failed: once settled, all other live processes follow one process, which is up.",
		func(v *model.View) bool {
			return !v.Settled || fell(v) || follow(v)
		}).Reading(model.ReadsSettled),
	checker.Always("commission-extreme", "While the commission has not failed: once settled, the one that is followed is the highest that is up.",
		func(v *model.View) bool {
			for id := range v.Up.Without(Commission).All() {
				if v.Settled && !fell(v) && v.Elected(id) != v.Wanted {
					return false
				}
			}
			return true
		}).Reading(model.ReadsSettled),
	checker.EachLeadsTo("commission-e2", "While the commission does not fail, whoever waits for it follows a coordinator in the end, or crashes.",
		func(v *model.View, id model.ID) bool { return v.Participants.Has(id) && id != Commission },
		func(v *model.View, id model.ID) bool {
			return fell(v) || !v.Up.Has(id) || !v.Participants.Has(id) && v.Elected(id) != model.None
		}),
}

// fell reports whether the commission has failed, against the assumption.
func fell(v *model.View) bool {
	p := model.State[P](v, Commission)
	return p == nil || p.Fell
}

// follow reports whether all but the commission follow one that is up.
func follow(v *model.View) bool {
	leader := model.None
	for id := range v.Up.Without(Commission).All() {
		if leader == model.None {
			leader = v.Elected(id)
		}
		if v.Elected(id) != leader || !v.Up.Has(leader) {
			return false
		}
	}
	return true
}
