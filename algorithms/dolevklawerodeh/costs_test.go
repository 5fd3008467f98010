package dolevklawerodeh_test

import (
	"testing"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/internal/rings"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: every process reads a single channel.
func TestCosts(t *testing.T) {
	rings.Costs(t, dolevklawerodeh.Algorithm,
		rings.Cost{N: 2, Least: 6, Most: 6, Mean: "6"},
		rings.Cost{N: 3, Least: 9, Most: 9, Mean: "9"},
		rings.Cost{N: 4, Least: 12, Most: 20, Mean: "44/3"},
		rings.Cost{N: 5, Least: 15, Most: 25, Mean: "65/3"},
		rings.Cost{N: 6, Least: 18, Most: 30, Mean: "142/5"},
		rings.Cost{N: 7, Least: 21, Most: 35, Straight: true},
		rings.Cost{N: 8, Least: 24, Most: 56, Straight: true, Deep: true},
	)
}
