package rediscluster

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// oneOwner is what the versions of claims are for. The new master need not be up any more.
var oneOwner = checker.AlwaysEventually("one-owner",
	"Again and again all live nodes know one new master of the slots.",
	func(v *model.View) bool {
		first := v.Elected(v.Up.Min())
		for id := range v.Up.All() {
			if v.Elected(id) != first {
				return false
			}
		}
		return v.Up.Empty() || first != model.None
	},
).Explained(func(*model.View) string {
	return "from some time on nodes know different masters of the slots, or none"
})

// Algorithm is the election of Redis Cluster for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "rediscluster",
	Title:  "Failover of Redis Cluster",
	Source: "The Redis Cluster specification, and Redis, src/cluster_legacy.c, version 7",
	Doc: "A master is dead. A replica of it begins a new epoch and asks the other masters for their votes. Who has the votes of a majority of all masters takes " +
		"its slots over. Its claim has the epoch as its version, and the newest one wins.",
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.NoCopies, ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: disks, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "shipped", New: of(&Cluster{Epochs: 2}),
			Doc: "As the program is, for two replicas of the dead master and two other masters. Two epochs are explored.",
		},
		{
			Name: "any-time", Adds: "votes again at once", New: of(&Cluster{Epochs: 2, AnyTime: true}),
			Doc: "As shipped, but a master votes again at once in the next epoch: rule 4 of the masters is left out.",
		},
		{
			Name: "takeover", Adds: "a promotion by the administrator", New: of(&Cluster{Epochs: 3, Takeover: true}),
			Doc:     "As shipped, and the administrator promotes the initiators without votes (CLUSTER FAILOVER TAKEOVER).",
			Setting: in("initiators=2:lazy"),
		},
		{
			Name: "updates", Adds: "a dead master's version, and word of it", New: of(bumped{&Cluster{Tries: 2, Updates: true}}),
			Doc: "The dead master had taken a new version, of which its replicas had not heard. A master that refuses one of them for that sends the version. Each of them tries " +
				"twice (Valkey #2178).",
			Setting: in("timing=lockstep"),
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "forgets", Of: "shipped", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=sync:2 crashes=2 restarts=2 crashers=3,4"),
			Doc: "A master does not write the epoch of its vote to nodes.conf.",
			New: of(forgets{&Cluster{Epochs: 1}}),
		},
		{
			Name: "votes-twice", Of: "any-time", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=sync:1 losses=1"),
			Doc: "A master does not compare the epoch of a request with that of its last vote: rule 1 of the masters is left out.",
			New: of(twice{&Cluster{Epochs: 2, AnyTime: true}}),
		},
	}...),
	Properties: []*checker.Property{oneOwner},
	Asked:      []*checker.Property{checker.OneLeaderPerEpoch, oneOwner},
	Relations:  relations,
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const disks = "A complete graph, and a file that a crash leaves; here the master is dead from the start, all know it, and delays differ from replica to replica."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=4 initiators=none detector=off").MustWith

// forgets is the election with a fault: votes are not on disk.
type forgets struct{ *Cluster }

func (f forgets) Stable(p *P) {
	f.Cluster.Stable(p)
	p.Voted, p.Epoch = 0, p.Config
}

// twice is the election with a fault: a master may vote twice in one epoch.
type twice struct{ *Cluster }

func (f twice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	f.Cluster.Receive(p, net, from, m)
	p.Voted = 0
}
