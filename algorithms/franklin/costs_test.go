package franklin_test

import (
	"testing"

	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/internal/rings"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: a round is 2N messages.
func TestCosts(t *testing.T) {
	rings.Costs(t, franklin.Algorithm,
		rings.Cost{N: 2, Least: 8, Most: 8, Mean: "8"},
		rings.Cost{N: 3, Least: 12, Most: 12, Mean: "12"},
		rings.Cost{N: 4, Least: 16, Most: 24, Mean: "56/3"},
		rings.Cost{N: 5, Least: 20, Most: 30, Mean: "80/3"},
		rings.Cost{N: 6, Least: 24, Most: 36, Mean: "172/5", Deep: true},
		rings.Cost{N: 7, Least: 28, Most: 42, Straight: true},
		rings.Cost{N: 8, Least: 32, Most: 64, Straight: true, Deep: true},
	)
}
