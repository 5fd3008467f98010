package itairodeh_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

var system = play.In(itairodeh.Algorithm)

func TestProtocol(t *testing.T) {
	for _, c := range []itairodeh.Protocol{
		{}, {K: 1}, {K: 2}, {Size: 2}, {Rounds: itairodeh.Counted}, {Rounds: itairodeh.Without}, {Rounds: itairodeh.Without, NoBit: true},
	} {
		play.Protocols(t, "n=2 topology=ring:anonymous initiators=all:lazy channels=fifo timing=patient", &c)
	}
	play.Protocols(t, "n=3 topology=biring:anonymous initiators=all:lazy timing=patient", &itairodeh.Bidirectional{})
}

// Each test has a rule and a run that shows it, on a ring of two, which are 1 and
// 2 for us and not for themselves. A choice is written from 0: choice 2 is
// identity 3.
func TestRules(t *testing.T) {
	begin := func(one, two int) []string {
		return []string{
			fmt.Sprintf("1 starts an election, choosing %d", one-1), fmt.Sprintf("2 starts an election, choosing %d", two-1),
		}
	}
	sentences := []play.Sentence{
		{
			Says: "choose an identity at random, and send it", Run: begin(2, 3)[:1],
			Rule: "begin: choose an identity at random, send it", Sends: "1->2 (id 2, round 0, hop 1)",
		},
		{
			Says: "a greater identity: become passive, and pass it on", Run: append(begin(2, 3), "prev->1 (id 3, round 0, hop 1)"),
			Rule:  "a later round, or a greater identity: become passive and pass it on",
			Sends: "1->2 (id 3, round 0, hop 2)", Then: map[model.ID]string{1: "names nobody"},
		},
		{
			Says: "a smaller identity: purge the message", Run: append(begin(2, 3), "prev->2 (id 2, round 0, hop 1)"),
			Rule: "an earlier round, or a smaller identity: purge the message",
		},
		{
			Says: "hop = N, bit = true: become the leader",
			Run: append(begin(2, 3), "prev->1 (id 3, round 0, hop 1)", "prev->2 (id 2, round 0, hop 1)",
				"prev->2 (id 3, round 0, hop 2)"),
			Rule: "hop = N, no clash: become the leader", Then: map[model.ID]string{1: "names nobody", 2: "names 2"},
		},
		{
			Says: "the same identity: bit := false, and pass it on", Run: append(begin(3, 3), "prev->1 (id 3, round 0, hop 1)"),
			Rule: "the same identity and round, hop < N: note the clash", Sends: "1->2 (id 3, round 0, hop 2, clash)",
		},
		{
			Says: "hop = N, bit = false: choose a new identity, the next round",
			Run: append(begin(3, 3), "prev->1 (id 3, round 0, hop 1)", "prev->2 (id 3, round 0, hop 1)",
				"prev->2 (id 3, round 0, hop 2, clash), choosing 0"),
			Rule: "hop = N, a clash: choose a new identity, next round", Sends: "2->1 (id 1, round 1, hop 1)",
		},
		{
			Says: "without the bit: choose a new identity at once", Variant: "fokkink-pang-b",
			Run:  append(begin(3, 3), "prev->1 (id 3, hop 1), choosing 0"),
			Rule: "the same identity, hop < N: choose a new identity, purge the message", Sends: "1->2 (id 1, hop 1)",
		},
	}
	play.Show(t, itairodeh.Algorithm, "", "n=2 topology=ring:anonymous initiators=all:lazy channels=fifo timing=patient", sentences)
}

// With one identity nothing breaks the symmetry: the algorithm goes round and
// round, and no leader can be reached (Angluin).
func TestCoinsAreNeeded(t *testing.T) {
	sys, err := model.New(&itairodeh.Protocol{K: 1}, itairodeh.Algorithm.Variants[0].Setting)
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: itairodeh.Algorithm.Asked})
	require.NoError(t, err)
	assert.Equal(t, checker.Vacuous, r.Finding("uniqueness").Verdict)
	assert.Equal(t, checker.Violated, r.Finding("leader-reachable").Verdict)
}

// Where channels are not FIFO, modulo 4 is not enough, and a process says so.
func TestRoundsModulo4(t *testing.T) {
	r, err := checker.Check(t.Context(), system(t, "", "n=3 topology=ring:anonymous timing=patient"),
		checker.Options{Properties: []*checker.Property{checker.Uniqueness}, MaxStates: 100_000})
	require.NoError(t, err)
	assert.Equal(t, checker.Violated, r.Finding("misuse").Verdict)
}

// What elections take on average, if every order of delivery and every outcome
// of a coin is as likely as another. On a ring of two with identities 1 and 2: 3
// messages where they differ, and 4 for each clash before that (3 + 4 times 1).
// The algorithm of Fokkink and Pang takes as many as that of Itai and Rodeh.
func TestAverages(t *testing.T) {
	modulo4 := func(k int) *itairodeh.Protocol { return &itairodeh.Protocol{K: k} }
	without := func(k int) *itairodeh.Protocol { return &itairodeh.Protocol{K: k, Rounds: itairodeh.Without} }
	noBit := func(k int) *itairodeh.Protocol {
		return &itairodeh.Protocol{K: k, Rounds: itairodeh.Without, NoBit: true}
	}
	tests := []struct {
		of    func(k int) *itairodeh.Protocol
		n, k  int
		least int
		mean  float64
	}{
		{modulo4, 2, 2, 3, 7}, {without, 2, 2, 3, 7}, {noBit, 2, 2, 3, 5},
		{modulo4, 2, 3, 3, 5}, {without, 2, 3, 3, 5}, {noBit, 2, 3, 3, 4},
		{modulo4, 3, 3, 5, 163.0 / 16}, {without, 3, 3, 5, 163.0 / 16}, {noBit, 3, 3, 5, 101.0 / 12},
		{without, 4, 3, 8, 1315.0 / 78}, {noBit, 4, 3, 8, 13.865147198479951},
	}
	for _, tt := range tests {
		sys, err := model.New(tt.of(tt.k), setting.Setting{N: tt.n, Needs: setting.Needs{Topology: setting.Ring, Anonymous: true, FIFO: true, Timing: setting.Timing{Kind: setting.Patient}}})
		require.NoError(t, err)
		r := play.Costs(t, sys)
		c := r.Cost(cost.Measure{})
		assert.Equal(t, tt.least, c.Best)
		assert.True(t, c.Unbounded)
		assert.InDelta(t, tt.mean, c.Uniform, 1e-9, "N=%d, K=%d", tt.n, tt.k)
		assert.Zero(t, r.Stuck)
	}
}

func ExampleProtocol() {
	sys, err := itairodeh.Algorithm.Variants[0].System()
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), sys, checker.Options{Properties: itairodeh.Algorithm.Asked})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict(), report.Distinct)
	// Output: holds 3051
}
