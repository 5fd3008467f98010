package sentinel

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// oneConfiguration is what the versions of configurations are for. Its maker need not be up
// any more.
var oneConfiguration = checker.AlwaysEventually("one-configuration",
	"Again and again all live sentinels have the configuration of one failover.",
	func(v *model.View) bool {
		first := v.Elected(v.Up.Min())
		for id := range v.Up.All() {
			if v.Elected(id) != first {
				return false
			}
		}
		return v.Up.Empty() || first != model.None || v.Up.Len() <= int(v.N)/2
	},
).Explained(func(*model.View) string {
	return "from some time on sentinels have different configurations, or none"
})

// firstAttempt is what the waits are for that differ from sentinel to sentinel.
var firstAttempt = checker.Always("first-attempt",
	"Each failover has the version of the first attempt.",
	func(v *model.View) bool {
		for id := range v.Up.All() {
			if v.Epoch(id) > 1 {
				return false
			}
		}
		return true
	})

// Algorithm is the election of Redis Sentinel for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "sentinel",
	Title:  "Leader vote of Redis Sentinel",
	Source: "Redis, src/sentinel.c, version 7, and its documentation, High availability with Redis Sentinel",
	Doc: "The master is dead. A sentinel begins a new epoch and asks the others for their votes. Who has the votes of a majority of all sentinels " +
		"that it knows, and of a quorum, fails the master over. Its configuration has the epoch as its version, and the newest one wins.",
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.NoCopies, ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: disks, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "shipped", New: of(&Sentinel{Quorum: 2, Epochs: 2}),
			Doc: "As the program is, for one master and three sentinels or more, with a quorum of two. Two epochs are explored.",
		},
		{
			Name: "busy", New: of(&Sentinel{Quorum: 2, Epochs: 2, Busy: true}),
			Doc: "As shipped, but another master is down also: the last sentinel begins an epoch for it. P1 and P2 find the master down at the same time.",
		},
		{
			Name: "same-epoch", Adds: "votes that count in their own epoch only", New: of(&Sentinel{Quorum: 2, Epochs: 2, SameEpoch: true, Busy: true}),
			Doc: "As busy, but a sentinel counts votes only while the epoch of its failover is the current one (pull request 2230).",
		},
		{
			Name: "quorum-1", Adds: "a quorum of one", New: of(&Sentinel{Quorum: 1, Epochs: 1}),
			Doc: "As shipped, with a quorum of one: one sentinel is enough to find the master down, and a majority still elects.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "forgets", Of: "shipped", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=sync:3 crashes=1 restarts=1"),
			Doc: "A sentinel does not write its votes to its configuration file.",
			New: of(forgets{&Sentinel{Quorum: 2, Epochs: 1}}),
		},
	}...),
	Properties: []*checker.Property{oneConfiguration, firstAttempt},
	Asked:      []*checker.Property{checker.OneLeaderPerEpoch, oneConfiguration},
	Written:    claimfile.In(files, nil),
	Files:      files,
	Relations:  relations,
}

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const disks = "A complete graph, and a configuration file that a crash leaves; here the master is dead from the start, and waits differ from sentinel to sentinel."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off").MustWith
