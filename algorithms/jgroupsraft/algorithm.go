package jgroupsraft

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties.
var (
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again a member leads that is in a view of a majority.",
		func(v *model.View) bool {
			for leader := range v.Leaders.All() {
				if model.State[P](v, leader).View.Members().Len() > int(v.N-1)/2 {
					return true
				}
			}
			return false
		},
	).Explained(func(*model.View) string { return "from some time on nobody leads a view of a majority" })

	runsOn = checker.AlwaysStep("runs-on",
		"The voting thread of a member ends when it has told of a leader, when the member knows of one, or without a majority.",
		func(e *model.Event) bool {
			for id := range (e.From.Up & e.To.Up).Without(e.To.N).All() {
				from, to := model.State[P](e.From, id), model.State[P](e.To, id)
				told := from.Decided != model.None && e.Action().Kind == model.Expires
				if from.Voting && !to.Voting && !told && to.Leader == model.None && to.View.Members().Len() > int(e.To.N-1)/2 {
					return false
				}
			}
			return true
		}).Given("a member that votes", func(v *model.View) bool { return !v.Participants.Empty() })

	inView = checker.EventuallyAlways("leader-in-view",
		"From some time on the leader that a member knows of is in its view.",
		func(v *model.View) bool {
			for id := range v.Up.Without(v.N).All() {
				p := model.State[P](v, id)
				if p.Leader != model.None && !p.View.Members().Has(p.Leader) {
					return false
				}
			}
			return true
		},
	).Explained(func(*model.View) string { return "again and again a member knows of a leader that is not in its view" })
)

// Algorithm is the election of jgroups-raft for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "jgroupsraft",
	Title:  "Election of jgroups-raft",
	Source: "jgroups-extras/jgroups-raft, ELECTION, BaseElection and Utils, with pull requests 263 and 286 and the mending of issue 306",
	Doc: "A membership service tells the members views, of which the first member is the coordinator. Where a view has a majority the coordinator begins a term, asks all in the " +
		"view for their votes, and says who leads: who has the longest log of those that answered. (The process with the highest id is the service.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.NoFailures, ledger.NoNewcomers, ledger.NoPauses, ledger.Connected, ledger.BoundedDelays),
	Variants: ledger.Usually(ledger.Variant{Assumes: views, Setting: in("timing=lockstep")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc: "The service cuts one member off and brings it back. A member discards messages of those that are not in its view. Six terms are explored.",
		},
		{
			Name: "flush", New: of(flush), Adds: "messages that all members of a view get",
			Doc: "As shipped, but a member takes every message that was sent to it, also when its sender has left the view.",
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{leadsAgain, runsOn, inView},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, leadsAgain, inView},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var (
	shipped = &Election{Views: 2, Terms: 6}
	flush   = &Election{Views: 2, Terms: 6, Flush: true}
)

//go:embed *.go claims.*
var files embed.FS

const views = "A membership service that is up, and views that come in one order; connections in order, and processes that are up."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=4 initiators=none channels=fifo detector=off").MustWith
