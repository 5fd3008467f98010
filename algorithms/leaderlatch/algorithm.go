package leaderlatch

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// settles is what an election by sessions can promise without clocks: a client learns
// late that its session is over, and then the clients agree.
var settles = checker.EventuallyAlways("settles",
	"From some time on exactly one client leads (or no client is up).",
	func(v *model.View) bool {
		return v.Leaders.Len() == 1 || v.Up.Without(model.ID(v.N)).Empty()
	},
).Explained(func(v *model.View) string {
	if v.Leaders.Empty() {
		return "again and again no client leads"
	}
	return "again and again more than one client leads, or none"
})

// Algorithm is the leader latch for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "leaderlatch",
	Title:  "Leader latch of ephemeral nodes",
	Source: "Apache Curator, LeaderLatch.java and ConnectionState.java, version 5.8",
	Doc: "Each client creates an ephemeral sequential node in a store, and leads if its node is the oldest. Otherwise it watches the node " +
		"before its own. A node ends with the session of its client, and the client learns of that later than the store.",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: timed, Setting: oneReport}, []ledger.Variant{
		{
			Name: "curator", Literal: []string{ledger.Own, notes}, New: of(&Latch{Pings: true}),
			Doc:         "Sessions end by timers. A client that has heard nothing for two thirds of its session is suspended.",
			Assumptions: withClocks, Setting: oneCut,
		},
		{
			Name: "any-delays", Adds: "a failure detector, in place of the timers of sessions", New: of(&Latch{}),
			Doc:     "The failure detector stands for the timeouts of sessions, and is wrong once; a client crashes.",
			Assumes: slow,
		},
		{
			Name: "recipe", Source: recipes, Literal: []string{recipes}, New: of(&Latch{Recipe: true}),
			Doc:     "A client notices no loss of connection, and leads until it hears that its session is over.",
			Assumes: slow,
		},
		{
			Name: "recipe-pings", Source: recipes, Adds: "the timers of sessions", New: of(&Latch{Recipe: true, Pings: true}),
			Doc:         "As recipe, and sessions end by timers.",
			Assumptions: withClocks, Setting: oneCut,
		},
		{
			Name: "recreates", Source: "Apache Druid, CuratorDruidLeaderSelector.java, pull request 16528", Adds: "a new latch for each loss of connection",
			Doc:     "The latch of Curator 5.4, which does not ask whose its node is. A client that was suspended deletes its node and creates another.",
			Assumes: "As any-delays.",
			New:     of(anyOwner{&Latch{Recreates: true}}),
		},
		{
			Name: "pulsar", Source: "Apache Pulsar, LeaderElectionImpl.java and ZKSessionWatcher.java, version 3.3", Adds: "one node in place of a sequence",
			Doc:     "Whoever creates the one node leads. A client that is connected again looks whether it is there, and whose it is.",
			Assumes: "As any-delays.", New: of(&Latch{Single: true}),
		},
	}),
	Mutants:    incidents,
	Properties: []*checker.Property{settles},
	Asked:      []*checker.Property{settles, checker.LeaderAgain},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

var (
	oneReport  = setting.Must(world + "suspicions=1 crashes=1 crashers=1,2 timing=async")
	oneCut     = setting.Must(world + "cuts=1 cut-by=link detector=off timing=sync:1")
	withClocks = ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.TrueClocks, ledger.NoPauses, ledger.NoNewcomers)
)

const (
	recipes = "Apache ZooKeeper, ZooKeeper Recipes and Solutions, section Leader Election"
	notes   = "Apache Curator, Tech Note 10"
	slow    = "A store that never fails, connections that keep the order of messages, any delays; sessions that end whenever they do."
	timed   = "A store that never fails, connections that keep the order of messages; messages take one tick at most, and clocks run alike."

	// world is what all settings have: nobody is asked to begin an election.
	world = "n=3 initiators=none channels=fifo "
)
