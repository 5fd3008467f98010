package garciamolina_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

var system = play.In(garciamolina.Algorithm)

// Each test has a step of the paper's procedures and a run that shows it: what
// its last action sends, and what nodes are in then.
func TestStepsOfTheProcedures(t *testing.T) {
	const down = "n=3 channels=fifo start=coordinator-down"
	halting := []string{"2 suspects 3", "tick", "tick", "2 times out (T)", "tick", "tick", "2 times out (T)"}
	after := func(more ...string) []string { return append(halting[:len(halting):len(halting)], more...) }
	sentences := []play.Sentence{
		{
			Says: "Timeout: if s is Normal, call AreYouUp(c).", Setting: down,
			Run:   []string{"1 suspects 3"},
			Sends: "1->3 AreYouUp",
			Then:  map[model.ID]string{1: "names 3, in an election"},
		},
		{
			Says: "Timeout: on timeout, Election(i), which checks the nodes of higher priority, one after the other.", Setting: down,
			Run:   []string{"1 suspects 3", "tick", "tick", "1 times out (T)"},
			Sends: "1->2 AreYouUp",
		},
		{
			Says: "Election 1: if any such node is up, quit.", Setting: down,
			Run:  []string{"1 suspects 3", "tick", "tick", "1 times out (T)", "1->2 AreYouUp", "2->1 up"},
			Then: map[model.ID]string{1: "names 3", 2: "names 3"},
		},
		{
			Says: "Election 2: next, halt all lower priority nodes, starting with this node.", Setting: down,
			Run:   after(),
			Sends: "2->1 Halt",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "Halt: s := Election, h := j, stop.", Setting: down,
			Run:   after("2->1 Halt"),
			Sends: "1->2 halted",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "Election 3: the election point; inform the nodes of Up of the new coordinator.", Setting: down,
			Run:   after("2->1 Halt", "1->2 halted"),
			Sends: "2->1 NewCoordinator",
			Then:  map[model.ID]string{2: "names 2, in an election"},
		},
		{
			Says: "NewCoordinator: if h = j and s = Election then c := j, s := Reorganization.", Setting: down,
			Run:   after("2->1 Halt", "1->2 halted", "2->1 NewCoordinator"),
			Sends: "1->2 informed",
			Then:  map[model.ID]string{1: "names 2, in an election"},
		},
		{
			Says: "Election 4: for j in Up call Ready(j, d).", Setting: down,
			Run: after("2->1 Halt", "1->2 halted", "2->1 NewCoordinator",
				"1->2 informed"),
			Sends: "2->1 Ready(1)",
		},
		{
			Says: "Ready: if c = j and s = Reorganization then d := x, s := Normal.", Setting: down,
			Run: after("2->1 Halt", "1->2 halted", "2->1 NewCoordinator",
				"1->2 informed", "2->1 Ready(1)", "1->2 ready"),
			Then: map[model.ID]string{1: "names 2", 2: "names 2"},
		},
		{
			Says: "Recovery: h is undefined, Election(i).", Setting: "n=3 channels=fifo start=settled crashes=1 restarts=1",
			Run:   []string{"1 crashes", "1 restarts"},
			Sends: "1->2 AreYouUp'",
			Then:  map[model.ID]string{1: "names nobody, in an election", 3: "names 3"},
		},
		{
			Says: "Check: if s is Normal and c = i, call AreYouNormal of all others.", Setting: "n=3 channels=fifo start=settled",
			Run:   []string{"tick", "tick", "3 times out (period)"},
			Sends: "3->1 AreYouNormal",
			Then:  map[model.ID]string{3: "names 3"},
		},
		{
			Says: "Check: if one answers no, Election(i).", Setting: "n=2 channels=fifo start=settled crashes=1 restarts=1",
			Run:   []string{"1 crashes", "1 restarts", "1->2 AreYouUp'", "2->1 up'", "tick", "tick", "2 times out (period)", "2->1 AreYouNormal", "1->2 no"},
			Sends: "2->1 Halt",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
	}
	play.Show(t, garciamolina.Algorithm, "", "", sentences)
}

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=3 start=settled channels=fifo crashes=1 restarts=1", &garciamolina.Protocol{}, &garciamolina.Protocol{CallsItself: true}, &garciamolina.Protocol{AnyAnswer: true})
}

// Everything that is asked of an election holds, at every instant and in the
// end: from a cold start, and where nodes fail and recover.
func TestStandardProperties(t *testing.T) {
	for _, tt := range []struct {
		setting string
		states  uint64
	}{
		{"n=3 channels=fifo start=cold:interleaved timing=sync:1", 849},
		{"n=4 channels=fifo start=coordinator-down timing=sync:1", 1345},
		{"n=3 channels=fifo start=settled timing=sync:1 crashes=1 restarts=1", 8112},
		{"n=3 channels=fifo start=settled timing=sync:2 crashes=3", 994},
	} {
		r, err := checker.Check(context.Background(), system(t, "", tt.setting), checker.Options{Exhaustive: true})
		require.NoError(t, err)
		assert.Equal(t, checker.Holds, r.Verdict(), tt.setting)
		assert.Equal(t, tt.states, r.Distinct, tt.setting)
	}
}

// A node whose own election is linear: what it takes for N up to 5.
func ExampleProtocol() {
	for n := 2; n <= 5; n++ {
		s := setting.Setting{N: n, Needs: setting.Needs{FIFO: true, Start: setting.CoordinatorDown}, World: setting.World{Detectors: model.SetOf(model.ID(n - 1))}}
		sys, err := model.New(&garciamolina.Protocol{}, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		costs, err := cost.Of(context.Background(), sys, cost.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, costs.Cost(cost.Measure{}).Fixed().RatString())
	}
	// Output:
	// 2 2
	// 3 8
	// 4 14
	// 5 20
}
