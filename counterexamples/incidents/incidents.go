// Package incidents has faults of elections that people ran, from their public
// reports: for each a setting, a shortest run in which a model of the program breaks
// a property, and the variant of the model in which the fix has ended it. A report that
// the model does not reproduce is also there, with the scope that was searched.
//
// To add one, write an Incident into the file of its algorithm, name the algorithm in
// Algorithms if it is new, and run
//
//	go test ./counterexamples/incidents -update -only NAME && go test ./counterexamples/incidents
//
// The package's test executes every run again, searches for a shorter one, and searches
// for one after the fix.
package incidents

import (
	"embed"
	"encoding/json"
	"slices"

	"bullyproof/algorithms/advisorylock"
	"bullyproof/algorithms/consul"
	"bullyproof/algorithms/elasticsearch"
	"bullyproof/algorithms/etcdelection"
	"bullyproof/algorithms/fle"
	"bullyproof/algorithms/genleader"
	"bullyproof/algorithms/jgroupsraft"
	"bullyproof/algorithms/k8scoordinated"
	"bullyproof/algorithms/k8slease"
	"bullyproof/algorithms/leaderlatch"
	"bullyproof/algorithms/mongodb"
	"bullyproof/algorithms/omnipaxos"
	"bullyproof/algorithms/pekko"
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/rediscluster"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/sentinel"
	"bullyproof/algorithms/swim"
	"bullyproof/algorithms/vault"
	"bullyproof/algorithms/vrrp"
	"bullyproof/algorithms/zen"
	"bullyproof/ledger"
	"bullyproof/trace"
)

//go:embed *.json
var files embed.FS

// Runs are the recorded runs.
var Runs = trace.Collection{Files: files}

//go:embed testdata/record.json
var record []byte

// Algorithms are those that incidents are about.
var Algorithms = []*ledger.Algorithm{raft.Algorithm, fle.Algorithm, leaderlatch.Algorithm, k8slease.Algorithm, k8scoordinated.Algorithm, sentinel.Algorithm, rediscluster.Algorithm, pekko.Algorithm, etcdelection.Algorithm, river.Algorithm, zen.Algorithm, elasticsearch.Algorithm, mongodb.Algorithm, swim.Algorithm, vault.Algorithm, genleader.Algorithm, vrrp.Algorithm, omnipaxos.Algorithm, jgroupsraft.Algorithm, advisorylock.Algorithm, consul.Algorithm}

// All is every incident.
var All = slices.Concat(ofRaft, ofFLE, ofLeaderLatch, ofK8sLease, ofK8sCoordinated, ofSentinel, ofRedisCluster, ofPekko, ofEtcdElection, ofRiver, ofZen, ofElasticsearch, ofMongoDB, ofSWIM, ofVault, ofGenLeader, ofVRRP, ofOmniPaxos, ofJGroupsRaft, ofAdvisoryLock, ofConsul)

// Catalogue is all of it.
var Catalogue = ledger.Incidents{List: All, Record: record, Runs: Runs}

// Records returns what the searches came to, by name.
func Records() (list []ledger.IncidentRecord, err error) {
	err = json.Unmarshal(record, &list)
	return list, err
}
