package zen

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties. Two masters at one instant are no fault: it takes
// a master some time to learn that it is one no more.
var (
	noSplitBrain = checker.EventuallyAlways("no-split-brain",
		"From some time on there is at most one master.",
		func(v *model.View) bool { return v.Leaders.Len() <= 1 })

	hasMaster = checker.EventuallyAlways("has-master",
		"From some time on there is a master.",
		func(v *model.View) bool { return !v.Leaders.Empty() })
)

// Algorithm is zen discovery for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "zen",
	Title:  "Zen discovery of Elasticsearch 1.x",
	Source: "Elasticsearch 1.0 reference, Zen Discovery; its classes ZenDiscovery and ElectMasterService; issue 2488, minimum_master_nodes does not prevent split-brain if splits are intersecting",
	Doc: "A node without a master pings all others and elects the lowest of those that answer, if they are at least " +
		"minimum_master_nodes. A master steps down if fewer than that answer its pings. (The election from version 7 on is elasticsearch.)",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.BoundedDelays, ledger.NoPauses, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: "A complete graph that a partition may divide; messages that take one tick.", Setting: partition}, []ledger.Variant{
		{
			Name: "majority", New: of(majority),
			Doc: "minimum_master_nodes is 2: a majority of 3 nodes.",
		},
		{
			Name: "repaired", Adds: "followers that answer one master", New: of(repaired),
			Doc: "As majority, but a follower answers only its own master, and a node is master once enough nodes follow it. This " +
				"is a repair.",
			Assumes: "A complete graph whose links may break one by one; messages that take one tick.",
			Setting: links,
		},
		{
			Name: "members", Adds: "a master that pings its members only", New: of(&Zen{MinMasterNodes: 2, MembersOnly: true}),
			Doc: "As majority, but a master pings the nodes that answered it last, as NodesFaultDetection does, and never those that it lost. (An answer to a ping names no master here.)",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "default", Of: "majority", Caught: noSplitBrain.Name, Setting: partition, New: of(byDefault),
			Doc: "minimum_master_nodes is 1, its default: each side of a partition elects a master.",
		},
	}...),
	Properties: []*checker.Property{noSplitBrain, hasMaster},
	Asked:      []*checker.Property{noSplitBrain, hasMaster},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var of = ledger.SystemOf[P, M]

//go:embed *.go claims.*
var files embed.FS

var (
	byDefault = &Zen{MinMasterNodes: 1}
	majority  = &Zen{MinMasterNodes: 2}
	repaired  = &Zen{MinMasterNodes: 2, Repaired: true}

	partition = setting.Must(world + "n=3 cuts=1")
	healed    = setting.Must(world + "n=2 cuts=1 heals=owed")
	links     = setting.Must(world + "n=3 cuts=1 cut-by=link")
)

// world is what all settings have: nobody is asked to begin, nobody has a failure
// detector but its own pings, and every message takes a tick.
const world = "initiators=none detector=off timing=lockstep "
