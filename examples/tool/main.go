// Tool is the command of the examples, as anybody has one for protocols of their
// own:
//
//	go run ./examples/tool list
//	go run ./examples/tool check zen/default
//	go run ./examples/tool explore raft
package main

import (
	"bullyproof/algorithms/raft"
	"bullyproof/algorithms/river"
	"bullyproof/algorithms/zen"
	"bullyproof/command"
	"bullyproof/examples/gossip"
)

func main() {
	command.Main(raft.Algorithm, river.Algorithm, zen.Algorithm, gossip.Algorithm)
}
