package xie_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/xie"
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	deep   = flag.Bool("deep", false, "also search what takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, xie.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}

func TestProtocol(t *testing.T) {
	for i, p := range []*xie.Protocol{{}, {AtOnce: true}, {Repaired: true}} {
		v := xie.Algorithm.Variants[i]
		s, err := v.Setting.With("crashes=1")
		require.NoError(t, err)
		assert.NoError(t, checker.TestProtocol(p, s), v.Name)
	}
}

// Each test has a sentence of the paper on FCEABR and a run that shows it. The
// ring is 1, 2, 3, 4; 4 has crashed.
func TestSentencesOfThePaper(t *testing.T) {
	tests := []struct {
		says  string
		run   []string
		sends string
		then  map[model.ID]string
	}{
		{
			says: "sending election messages simultaneously by processes which find coordinator crash out to their successor " +
				"and predecessor",
			run:   []string{"2 suspects 4"},
			sends: "2->3 Election(2,2), 2->1 Election(2,2)",
			then:  map[model.ID]string{2: "names nobody, in an election", 1: "names 4"},
		},
		{
			says: "two sections format: if process number be larger than coordinator's number, it'll be placed in coordinator " +
				"number section",
			run:   []string{"2 suspects 4", "tick", "prev->3 Election(2,2)"},
			sends: "3->1 Election(2,3)",
		},
		{
			says:  "if n processes find it out, each has an election of its own",
			run:   []string{"2 suspects 4", "1 suspects 4", "tick", "prev->2 Election(1,1)"},
			sends: "2->3 Election(1,2)",
		},
		{
			says: "where both copies have come, the greatest number is announced both ways",
			run: []string{
				"2 suspects 4", "tick", "prev->3 Election(2,2)", "next->1 Election(2,2)", "tick", "prev->1 Election(2,3)",
			},
			sends: "1->2 Coordinator(2,3), 1->3 Coordinator(2,3)",
			then:  map[model.ID]string{1: "names 3", 2: "names nobody, in an election"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.says, func(t *testing.T) {
			s, err := model.ParseSetting("n=4 topology=biring:repaired arrangement=1-2-3-4 start=coordinator-down channels=fifo timing=lockstep")
			require.NoError(t, err)
			sys, err := xie.Algorithm.Variants[0].In(s)
			require.NoError(t, err)
			p := play.Start(t, sys)
			p.Do(tt.run...)
			assert.Equal(t, tt.sends, p.Sent())
			for id, want := range tt.then {
				assert.Equal(t, want, p.Of(id), "process %v", id)
			}
		})
	}
}

// Four processes, one of which begins: an election takes 2N+3 messages if a
// process passes on what comes first.
func ExampleProtocol() {
	sys, err := model.New(&xie.Protocol{}, model.Setting{
		N: 4, Topology: model.BiRing, FIFO: true,
		Initiators: model.Initiators{Which: model.EachOne},
		Timing:     model.Timing{Kind: model.Lockstep},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := checker.Costs(context.Background(), sys, checker.CostOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := r.Cost(checker.Measure{})
	fmt.Println(c.Best, c.Worst)
	// Output: 11 11
}
