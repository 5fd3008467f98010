// Package algorithms is the catalogue: one leader-election algorithm in each
// package below this one, and all of them in one list.
//
// To add an algorithm, write its package and put its value into All: docs/catalogue.md
// has the files that it needs, and which of bully's or changroberts' to look at.
package algorithms

import (
	"bullyproof/algorithms/advisorylock"
	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/chubby"
	"bullyproof/algorithms/consul"
	"bullyproof/algorithms/dijkstra"
	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/elasticsearch"
	"bullyproof/algorithms/electioncommission"
	"bullyproof/algorithms/etcdelection"
	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/fle"
	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/fredericksonlynch"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/genleader"
	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/herman"
	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/ingram"
	"bullyproof/algorithms/invitation"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/algorithms/jgroupsraft"
	"bullyproof/algorithms/k8scoordinated"
	"bullyproof/algorithms/k8slease"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/kalternatives"
	"bullyproof/algorithms/leaderlatch"
	"bullyproof/algorithms/lelann"
	"bullyproof/algorithms/mongodb"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/algorithms/omega"
	"bullyproof/algorithms/omnipaxos"
	"bullyproof/algorithms/paxoslease"
	"bullyproof/algorithms/pekko"
	"bullyproof/algorithms/peterson"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/raftmembers"
	"bullyproof/algorithms/rediscluster"
	"bullyproof/algorithms/redlock"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/sentinel"
	"bullyproof/algorithms/shirali"
	"bullyproof/algorithms/silberschatz"
	"bullyproof/algorithms/sortbully"
	"bullyproof/algorithms/spanningtrees"
	"bullyproof/algorithms/surrogatering"
	"bullyproof/algorithms/swim"
	"bullyproof/algorithms/vault"
	"bullyproof/algorithms/viewstamped"
	"bullyproof/algorithms/vrrp"
	"bullyproof/algorithms/xie"
	"bullyproof/algorithms/zen"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// All is every algorithm.
var All = []*ledger.Algorithm{
	bully.Algorithm,
	assistant.Algorithm,
	electioncommission.Algorithm,
	kalternatives.Algorithm,
	changroberts.Algorithm,
	garciamolina.Algorithm,
	invitation.Algorithm,
	effatparvarring.Algorithm,
	lelann.Algorithm,
	silberschatz.Algorithm,
	kabashi.Algorithm,
	effatparvar.Algorithm,
	sortbully.Algorithm,
	heaptree.Algorithm,
	murshedallen.Algorithm,
	fceabr.Algorithm,
	xie.Algorithm,
	shirali.Algorithm,
	surrogatering.Algorithm,
	spanningtrees.Algorithm,
	ingram.Algorithm,
	dolevklawerodeh.Algorithm,
	franklin.Algorithm,
	hirschbergsinclair.Algorithm,
	fredericksonlynch.Algorithm,
	itairodeh.Algorithm,
	peterson.Algorithm,
	raft.Algorithm,
	fle.Algorithm,
	leaderlatch.Algorithm,
	k8slease.Algorithm,
	k8scoordinated.Algorithm,
	sentinel.Algorithm,
	rediscluster.Algorithm,
	pekko.Algorithm,
	etcdelection.Algorithm,
	river.Algorithm,
	zen.Algorithm,
	viewstamped.Algorithm,
	redlock.Algorithm,
	mongodb.Algorithm,
	omega.Algorithm,
	paxoslease.Algorithm,
	swim.Algorithm,
	elasticsearch.Algorithm,
	dijkstra.Algorithm,
	herman.Algorithm,
	chubby.Algorithm,
	vault.Algorithm,
	raftmembers.Algorithm,
	genleader.Algorithm,
	vrrp.Algorithm,
	omnipaxos.Algorithm,
	jgroupsraft.Algorithm,
	advisorylock.Algorithm,
	consul.Algorithm,
}

// Find returns the algorithm of a name. The error suggests the name that was
// probably meant.
func Find(name string) (*ledger.Algorithm, error) { return ledger.Find(All, name) }

// Lookup returns the system that a variant of an algorithm (or a mutant) is in
// a setting, and the watch of a property: ledger.Lookup of all.
func Lookup(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	return ledger.Lookup(All, algorithm, variant, property, s)
}
