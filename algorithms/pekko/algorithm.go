package pekko

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// singletonAgain is what a cluster is for.
var singletonAgain = checker.AlwaysEventually("singleton-again",
	"Again and again a live member runs the singleton.",
	func(v *model.View) bool { return !v.Leaders.Empty() || v.Up.Empty() },
).Explained(func(*model.View) string {
	return "from some time on no live process runs the singleton"
})

// Algorithm is the cluster singleton of Pekko for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "pekko",
	Title:  "Cluster singleton of Pekko and Akka",
	Source: "Apache Pekko, version 1, documentation of the Split Brain Resolver and of the Cluster Singleton, and its program",
	Doc: "The oldest member of a cluster leads. Members miss each other's heartbeats. Once that has been stable for a while, a strategy says which part of a divided " +
		"cluster stays. The other part shuts down. The oldest of those that stay leads after a margin.",
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.NoCopies, ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: clocks, Setting: in("cuts=1")}, []ledger.Variant{
		{
			Name: "keep-majority", New: of(&Cluster{Decide: KeepMajority}),
			Doc: "The larger part stays, or of equal parts that with the lowest address. This is the default.",
		},
		{
			Name: "static-quorum", Adds: "a quorum of two", New: of(&Cluster{Decide: StaticQuorum(2)}),
			Doc: "A part of two or more stays. If there are more than three members, all shut down.",
		},
		{
			Name: "keep-oldest", Adds: "the part of the oldest member stays", New: of(&Cluster{Decide: KeepOldest(true)}),
			Doc: "The part with the oldest member stays, unless it is alone and there are two others or more (down-if-alone).",
		},
		{
			Name: "keep-oldest-alone", Adds: "the part of the oldest member stays, even if that is alone",
			Doc: "The part with the oldest member stays (down-if-alone is off).",
			New: of(&Cluster{Decide: KeepOldest(false)}),
		},
		{
			Name: "auto-down", Adds: "whoever is unreachable is removed", New: of(&Cluster{Decide: AutoDown}),
			Doc: "Each part removes the other one (auto-down-unreachable-after).",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "no-margin", Of: "keep-majority", Caught: checker.Uniqueness.Name, Setting: in("cuts=1"),
			Doc: "The singleton starts as soon as its old host is removed.",
			New: of(&Cluster{Decide: KeepMajority, NoMargin: true}),
		},
	}...),
	Properties: []*checker.Property{singletonAgain},
	Asked:      []*checker.Property{checker.Uniqueness, singletonAgain},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const clocks = "A complete graph, cuts that divide all processes in two, clocks at one rate, and no pauses; a process that comes back stays out."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off timing=lockstep").MustWith
