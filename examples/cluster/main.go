// Cluster runs an algorithm of the catalogue, or Raft, as processes of this
// machine, as anybody can for protocols of their own:
//
//	go run ./examples/cluster -for 5s raft/figure-2
//	go run ./examples/cluster -dir /tmp/cluster -tick 100ms bully/coulouris
package main

import (
	"bullyproof/algorithms"
	"bullyproof/algorithms/raft"
	"bullyproof/runtime/cluster"
)

func main() { cluster.Main(append(algorithms.All, raft.Algorithm)...) }
