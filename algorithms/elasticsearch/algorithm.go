package elasticsearch

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the election of Elasticsearch from version 7 on for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "elasticsearch",
	Title:  "Cluster coordination of Elasticsearch from version 7 on",
	Source: "Elasticsearch reference 7.x, Quorum-based decision making, Voting configurations and Bootstrapping a cluster; its classes Coordinator, CoordinationState and Reconfigurator",
	Doc: "A node that finds no master asks for pre-votes, and begins a new term with those of a quorum. Each node joins one node in a term, and the " +
		"joins of a quorum elect. A master publishes the cluster state in two phases. The state has the voting configuration, which changes as nodes come and go.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.BoundedDelays, ledger.NoPauses),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: in("n=4 crashes=1")}, []ledger.Variant{
		{
			Name: "fixed", New: of(fixed),
			Doc: "The voting configuration has all nodes, and does not change. A node joins one node in a term, which is on disk, and publications have " +
				"two phases. Eight terms are explored.",
			Setting: in("crashes=1 restarts=1"),
		},
		{
			Name: "reconfigures", New: of(reconfigures),
			Doc: "As fixed, but a master improves the configuration, which shrinks to an odd size of three at least (auto-shrink). Four terms are explored.",
		},
		{
			Name: "grows", New: of(grows),
			Doc: "As reconfigures, but cluster.initial_master_nodes has P1 alone: the configuration grows from one node to all. Eight terms are " +
				"explored.",
			Setting: in("cuts=1 heals=owed"),
		},
		{
			Name: "replaces", New: of(replaces()),
			Doc: "As reconfigures, but cluster.initial_master_nodes has P1, P2 and P3: a fourth node takes the place of one that leaves.",
		},
		{
			Name: "no-shrink", New: of(&Node{Terms: 4, NoShrink: true}),
			Doc:     "As reconfigures, but the configuration does not shrink (cluster.auto_shrink_voting_configuration is false).",
			Setting: in("n=5 crashes=2"),
		},
		{
			Name: "own-lists", Adds: "initial_master_nodes that differ from node to node", New: of(&Node{Terms: 4, OwnLists: true}),
			Doc:     "As reconfigures, but cluster.initial_master_nodes of each node has that node alone. The manual warns of it.",
			Setting: in("n=2 cuts=1 heals=owed"),
		},
		{
			Name: "no-disk", Adds: "nodes that lose their disks", New: of(&Node{Terms: 4, Fixed: true, NoDisk: true}),
			Doc:     "As fixed, but a node that comes back has an empty disk, and cluster.initial_master_nodes is still set. The manual warns of it.",
			Assumes: "A complete graph; messages that take one tick.", Setting: in("n=2 crashes=2 restarts=2"),
		},
	}),
	Mutants: []ledger.Mutant{
		{
			Name: "forgets-term", Of: "fixed", Caught: joinsOnce.Name, Setting: in("cuts=1 cut-by=link crashes=1 restarts=1"),
			Doc: "A node does not have its term on disk, and joins twice in one.",
			New: of(forgetsTerm{&Node{Terms: 2, Fixed: true}}),
		},
		{
			Name: "newer-joins", Of: "fixed", Caught: committedKept.Name, Setting: in("cuts=1 heals=1 crashes=1"),
			Doc: "Pre-votes and joins of nodes count whose accepted state is newer.",
			New: of(newerJoins{&Node{Terms: 3, Fixed: true}}),
		},
		{
			Name: "accepted-alone", Of: "replaces", Caught: checker.OneLeaderPerEpoch.Name, Setting: settled("n=4 cuts=1"),
			Doc: "An election takes a quorum of the accepted configuration alone.",
			New: of(with(acceptedAlone{replaces()})),
		},
		{
			Name: "committed-alone", Of: "replaces", Caught: committedKept.Name, Setting: settled("n=4 cuts=1"),
			Doc: "An election takes a quorum of the committed configuration alone.",
			New: of(with(committedAlone{replaces()})),
		},
		{
			Name: "new-alone", Of: "replaces", Caught: committedKept.Name, Setting: settled("n=4 cuts=1"), New: of(with(newAlone{replaces()})),
			Doc: "A publication takes a quorum of the published configuration alone.",
		},
		{
			Name: "overlaps", Of: "replaces", Caught: oneChange.Name, Setting: settled("n=4 crashes=1 mid-send=yes"),
			Doc: "A node that is elected changes the configuration at once, although the one before is not committed.",
			New: of(with(overlaps{replaces()})),
		},
		{
			Name: "no-joins", Of: "grows", Caught: joinsQuorum.Name, Setting: in("crashes=2 crashers=2,3 restarts=2 mid-send=yes"),
			Doc: "A master puts nodes into the configuration that have not joined it in its term.",
			New: of(with(noJoins{&Node{Initial: model.SetOf(1), Terms: 2}})),
		},
	},
	Properties: []*checker.Property{
		noSplitBrain, hasMaster, committedKept, inOrder, joinsOnce, oneChange, joinsQuorum, oneCluster, oddSize, votersUp, threeVote,
	},
	Asked:   []*checker.Property{checker.OneLeaderPerEpoch, noSplitBrain, hasMaster, committedKept, inOrder, oneCluster},
	Written: claimfile.In(files, nil),
	Files:   files,
}

//go:embed *.go claims.*
var files embed.FS

const assumes = "A complete graph that a partition may divide; disks that keep the term and the accepted state; messages that take one tick."

var (
	fixed        = &Node{Terms: 8, Fixed: true}
	reconfigures = &Node{Terms: 4}
	grows        = &Node{Terms: 8, Initial: model.SetOf(1)}
)

func replaces() *Node { return &Node{Terms: 4, Initial: model.Upto(3)} }

var of = ledger.SystemOf[P, M]

// in returns a setting of three nodes that start, and settled one where the highest is master.
func in(words string) setting.Setting { return world("initiators=none " + words) }

func settled(words string) setting.Setting { return world("start=settled " + words) }

var world = setting.Must("n=3 detector=off timing=lockstep").MustWith
