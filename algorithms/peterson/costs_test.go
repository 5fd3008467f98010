package peterson_test

import (
	"testing"

	"bullyproof/algorithms/internal/rings"
	"bullyproof/algorithms/peterson"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: every process reads a single channel.
func TestCosts(t *testing.T) {
	rings.Costs(t, peterson.Algorithm,
		rings.Cost{N: 2, Least: 5, Most: 5, Mean: "5"},
		rings.Cost{N: 3, Least: 8, Most: 8, Mean: "8"},
		rings.Cost{N: 4, Least: 11, Most: 16, Mean: "38/3"},
		rings.Cost{N: 5, Least: 14, Most: 21, Mean: "55/3"},
		rings.Cost{N: 6, Least: 17, Most: 27, Mean: "121/5"},
		rings.Cost{N: 7, Least: 20, Most: 32, Straight: true},
		rings.Cost{N: 8, Least: 23, Most: 46, Straight: true, Deep: true},
	)
}
