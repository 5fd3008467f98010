package hirschbergsinclair_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/cost"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement. Where it does not depend on the order in which
// messages arrive there is an average, too. (With N=4 it does: a candidate that
// hears of the outcome first does not begin another phase.)
func TestCosts(t *testing.T) {
	rings.Costs(t, hirschbergsinclair.Algorithm,
		rings.Cost{N: 2, Least: 10, Most: 10, Mean: "10"},
		rings.Cost{N: 3, Least: 23, Most: 23, Mean: "23"},
		rings.Cost{N: 4, Least: 28, Most: 32},
		rings.Cost{N: 5, Least: 49, Most: 55, Mean: "158/3"},
		rings.Cost{N: 6, Least: 54, Most: 68, Deep: true},
	)
}

// Where the probe of a smaller id is refused, the refusal has to get home, too.
func TestCostsOfRefusals(t *testing.T) {
	for _, tt := range []struct{ n, least, most int }{{2, 12, 12}, {3, 26, 26}, {4, 32, 40}} {
		sys := system(t, "echoes", fmt.Sprintf("n=%d topology=biring channels=fifo timing=patient", tt.n))
		assert.Equal(t, [2]int{tt.least + tt.n, tt.most + tt.n}, play.Takes(t, sys, cost.Measure{}), "N=%d", tt.n)
	}
}
