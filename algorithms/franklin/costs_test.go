package franklin_test

import (
	"testing"

	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: a round is 2N messages.
func TestCosts(t *testing.T) {
	for _, cost := range []rings.Cost{
		{N: 2, Least: 8, Most: 8, Mean: "8"},
		{N: 3, Least: 12, Most: 12, Mean: "12"},
		{N: 4, Least: 16, Most: 24, Mean: "56/3"},
		{N: 5, Least: 20, Most: 30, Mean: "80/3"},
		{N: 6, Least: 24, Most: 36, Mean: "172/5"},
	} {
		if cost.N <= 5 || *play.Deep {
			cost.Searched(t, franklin.Algorithm)
		}
	}
}

// Of larger rings there is one order of arrival for each arrangement: on smaller
// ones it makes no difference.
func TestCostsOfLargerRings(t *testing.T) {
	for _, cost := range []rings.Cost{{N: 7, Least: 28, Most: 42}, {N: 8, Least: 32, Most: 64}} {
		if cost.N <= 7 || *play.Deep {
			cost.Straight(t, franklin.Algorithm)
		}
	}
}
