package electioncommission_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/electioncommission"
	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	deep   = flag.Bool("deep", false, "also search what takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, electioncommission.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}

func TestProtocol(t *testing.T) {
	setting := model.Setting{N: 3, Start: model.SettledStart, Crashes: 2, Restarts: 1}
	for _, v := range electioncommission.Algorithm.Variants {
		sys, err := v.In(setting)
		require.NoError(t, err)
		require.NoError(t, checker.TestSystem(sys), v.Name)
	}
	require.NoError(t, checker.TestProtocol(&electioncommission.Protocol{}, setting))
	require.NoError(t, checker.TestProtocol(&electioncommission.Protocol{Repaired: true}, setting))
}

// Each test has a rule as the literature tells it, and a run that shows it. 1 is
// the commission.
func TestRules(t *testing.T) {
	const (
		down = "n=4 start=coordinator-down channels=fifo timing=sync:1 restarts=1"
		up   = "n=4 start=settled channels=fifo timing=sync:1 crashes=1 restarts=1 suspicions=1"
	)
	asked := []string{"2 suspects 4", "2->1 REPORT(4)", "tick", "1->4 VERIFY is dropped", "tick", "1 times out (T)"}
	after := func(more ...string) []string { return append(asked[:len(asked):len(asked)], more...) }
	tests := []struct {
		says, variant, setting string
		run                    []string
		sends                  string
		then                   map[model.ID]string
	}{
		{says: "1. A process that finds the coordinator down reports it to the commission.", setting: down, run: asked[:1], sends: "2->1 REPORT(4)"},
		{says: "2. The commission asks the coordinator whether it is up.", setting: down, run: asked[:2], sends: "1->4 VERIFY"},
		{
			says: "2. If it is, the report was false: no election.", setting: up,
			run:   []string{"2 wrongly suspects 4", "2->1 REPORT(4)", "1->4 VERIFY", "4->1 ALIVE"},
			sends: "1->2 COORDINATOR(4), 1->3 COORDINATOR(4), 1->4 COORDINATOR(4)",
			then:  map[model.ID]string{4: "names 4"},
		},
		{says: "3. If it is not, the commission asks the next highest.", setting: down, run: asked, sends: "1->3 VERIFY"},
		{
			says: "4. Who answers is announced to all.", setting: down,
			run:   after("1->3 VERIFY", "3->1 ALIVE"),
			sends: "1->2 COORDINATOR(3), 1->3 COORDINATOR(3), 1->4 COORDINATOR(3)",
		},
		{
			says: "5. Another report of the same failure changes nothing.", setting: down,
			run: after("3 suspects 4", "3->1 REPORT(4)"),
		},
		{
			says: "6. A process that comes up asks the commission, and a higher one than the coordinator is announced.", setting: down,
			run:   after("1->3 VERIFY", "3->1 ALIVE", "1->2 COORDINATOR(3)", "1->3 COORDINATOR(3)", "4 restarts", "4->1 RECOVERED"),
			sends: "1->2 COORDINATOR(4), 1->3 COORDINATOR(4), 1->4 COORDINATOR(4)",
			then:  map[model.ID]string{2: "names 3", 3: "names 3", 4: "names nobody, in an election"},
		},
		{
			says: "6. A lower one is told who leads.", setting: up,
			run: []string{"2 crashes", "2 restarts", "2->1 RECOVERED"}, sends: "1->2 COORDINATOR(4)",
		},
		{
			says: "repaired: the winner is told last", variant: "repaired", setting: down,
			run: after("1->3 VERIFY", "3->1 ALIVE"), sends: "1->2 COORDINATOR(3) no. 1, 1->4 COORDINATOR(3) no. 1",
		},
		{
			says: "repaired: when all others have heard of it", variant: "repaired", setting: down,
			run:   after("1->3 VERIFY", "3->1 ALIVE", "tick", "1->2 COORDINATOR(3) no. 1", "1->4 COORDINATOR(3) no. 1 is dropped", "1 times out (D)"),
			sends: "1->3 COORDINATOR(3) no. 1",
			then:  map[model.ID]string{2: "names 3", 3: "names 4"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.says, func(t *testing.T) {
			p := play.Start(t, system(t, tt.variant, tt.setting))
			p.Do(tt.run...)
			assert.Equal(t, tt.sends, p.Sent())
			for id, want := range tt.then {
				assert.Equal(t, want, p.Of(id), "process %v", id)
			}
		})
	}
}

func system(t testing.TB, variant, setting string) *model.System {
	t.Helper()
	v, err := electioncommission.Algorithm.Variant(variant)
	require.NoError(t, err)
	s, err := model.ParseSetting(setting)
	require.NoError(t, err)
	sys, err := v.In(s)
	require.NoError(t, err)
	return sys
}

// What an election costs where one process reports, and where all do.
func ExampleProtocol() {
	for n := 3; n <= 5; n++ {
		var worst []int
		for _, detectors := range []model.Set{model.SetOf(2), 0} {
			s := model.Setting{N: n, FIFO: true, Start: model.CoordinatorDown, Detectors: detectors}
			sys, err := model.New(&electioncommission.Protocol{}, s)
			if err != nil {
				fmt.Println(err)
				return
			}
			costs, err := checker.Costs(context.Background(), sys, checker.CostOptions{})
			if err != nil {
				fmt.Println(err)
				return
			}
			worst = append(worst, costs.Cost(checker.Measure{}).Worst)
		}
		fmt.Println(n, worst)
	}
	// Output:
	// 3 [6 6]
	// 4 [7 9]
	// 5 [8 12]
}
