package lelann_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/lelann"
	"bullyproof/cost"
	"bullyproof/model"
	"bullyproof/setting"
)

var system = play.In(lelann.Algorithm)

func TestProtocol(t *testing.T) {
	plain := &lelann.Protocol{}
	play.Protocols(t, "n=3 topology=ring timing=patient", plain, lelann.LateStart{Protocol: plain}, lelann.Collects{Protocol: plain}, lelann.Announces{Protocol: plain})
}

// Each test has a statement of the textbook, in our words, and a run that shows
// it. The ring is 1, 2, 3.
func TestStatements(t *testing.T) {
	sentences := []play.Sentence{
		{
			Variant: "tel", Says: "an initiator sends its id round the ring",
			Run:   []string{"1 starts an election"},
			Sends: "1->2 token(1)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Variant: "tel", Says: "who receives a token before it has begun passes it on and takes no part",
			Run:   []string{"1 starts an election", "prev->2 token(1)"},
			Sends: "2->3 token(1)",
			Then:  map[model.ID]string{2: "names nobody"},
		},
		{
			Variant: "tel", Says: "an initiator passes the tokens of others on, greater or smaller",
			Run:   []string{"1 starts an election", "2 starts an election", "prev->2 token(1)"},
			Sends: "2->3 token(1)",
		},
		{
			Variant: "tel", Says: "when its token is back an initiator elects the extreme one of those on its list",
			Run: []string{
				"1 starts an election", "2 starts an election", "prev->2 token(1)", "prev->3 token(2)", "prev->1 token(2)",
				"prev->3 token(1)", "prev->1 token(1)",
			},
			Then: map[model.ID]string{1: "names 2", 2: "names nobody, in an election"},
		},
		{
			Variant: "repaired", Says: "those that are no initiators can be told by one more round",
			Run:   []string{"1 starts an election", "prev->2 token(1)", "prev->3 token(1)", "prev->1 token(1)", "prev->2 leader(1)"},
			Sends: "2->3 leader(1)",
			Then:  map[model.ID]string{1: "names 1", 2: "names 1", 3: "names nobody"},
		},
		{
			Variant: "collects", Says: "a token notes the initiators that it comes to",
			Run:   []string{"1 starts an election", "2 starts an election", "prev->2 token(1: {1})"},
			Sends: "2->3 token(1: {1,2})",
		},
	}
	play.Show(t, lelann.Algorithm, "", "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=patient", sentences)
}

// N² tokens in every arrangement, be the channels FIFO or not.
func TestTokens(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for _, variant := range []string{"tel", "collects"} {
			setting := fmt.Sprintf("n=%d topology=ring channels=fifo timing=patient", n)
			if !*play.Deep && n > 5 {
				continue
			}
			r := play.Costs(t, system(t, variant, setting))
			c := r.Cost(cost.Measure{})
			require.NotNil(t, c.Fixed(), setting)
			assert.Equal(t, []int{n * n, n * n}, []int{c.Best, c.Worst}, "%s, %s", variant, setting)
		}
	}
}

// How many tokens an election takes where all of n begin.
func ExampleProtocol() {
	for n := 2; n <= 5; n++ {
		sys, err := model.New(&lelann.Protocol{}, setting.Setting{N: n, Needs: setting.Needs{Topology: setting.Ring, FIFO: true, Timing: setting.Timing{Kind: setting.Patient}}})
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := cost.Of(context.Background(), sys, cost.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(report.Cost(cost.Measure{}).Worst, " ")
	}
	// Output: 4 9 16 25
}
