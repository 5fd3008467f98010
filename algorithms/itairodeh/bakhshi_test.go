package itairodeh_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/model"
)

// Each test has a rule of the bidirectional algorithm and a run that shows it.
// The ring is 1, 2, 3 for us: next of 1 is 2. A choice is written from 0.
func TestRulesBothWays(t *testing.T) {
	begin := []string{"1 starts an election, choosing 1", "2 starts an election, choosing 0", "3 starts an election, choosing 0"}
	equal := []string{"1 starts an election, choosing 0", "2 starts an election, choosing 0", "3 starts an election, choosing 0"}
	passive := append(begin[:3:3], "prev->2 (id 2, hop 1, round 0)", "next->2 (id 1, hop 1, round 0)")
	second := append(passive[:5:5], "prev->3 (id 1, hop 1, round 0)", "next->3 (id 2, hop 1, round 0)",
		"prev->1 (id 1, hop 1, round 0)", "next->1 (id 1, hop 1, round 0), choosing 0")
	home := append(second[:9:9], "prev->2 (id 1, hop 1, round 1)", "next->3 (id 1, hop 1, round 1)",
		"prev->3 (id 1, hop 2, round 1)", "next->2 (id 1, hop 2, round 1)", "prev->1 (id 1, hop 3, round 1)",
		"next->1 (id 1, hop 3, round 1)")
	sentences := []play.Sentence{
		{
			Says:  "random identity selection: choose one and send it both ways",
			Run:   begin[:1],
			Rule:  "begin a round: choose an identity at random, send it both ways",
			Sends: "1->2 (id 2, hop 1, round 0), 1->3 (id 2, hop 1, round 0)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "wait for a message from either side",
			Run:  append(begin[:3:3], "prev->2 (id 2, hop 1, round 0)"),
			Rule: "a message from one side: wait for the other",
		},
		{
			Says: "one side is greater: passive",
			Run:  passive,
			Rule: "one side is greater: become passive",
			Then: map[model.ID]string{2: "names nobody"},
		},
		{
			Says:  "neither is greater: another round, modulo 2",
			Run:   append(equal[:3:3], "prev->1 (id 1, hop 1, round 0)", "next->1 (id 1, hop 1, round 0), choosing 1"),
			Rule:  "neither side is greater: begin the next round",
			Sends: "1->2 (id 2, hop 1, round 1), 1->3 (id 2, hop 1, round 1)",
		},
		{
			Says:  "hop counters: a passive process adds one",
			Run:   append(second[:9:9], "prev->2 (id 1, hop 1, round 1)"),
			Rule:  "passive: pass the message on, one hop more",
			Sends: "2->3 (id 1, hop 2, round 1)",
		},
		{
			Says: "N hops: its own, and no clash of identities: the leader",
			Run:  home,
			Rule: "the messages have come N hops: become the leader",
			Then: map[model.ID]string{1: "names 1", 2: "names nobody", 3: "names nobody"},
		},
	}
	play.Show(t, itairodeh.Algorithm, "bakhshi", "n=3 topology=biring:anonymous initiators=all:lazy channels=fifo timing=patient", sentences)
}
