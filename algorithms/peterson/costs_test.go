package peterson_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
	"bullyproof/algorithms/peterson"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: every process reads a single channel.
func TestCosts(t *testing.T) {
	for _, cost := range []rings.Cost{
		{N: 2, Least: 5, Most: 5, Mean: "5"},
		{N: 3, Least: 8, Most: 8, Mean: "8"},
		{N: 4, Least: 11, Most: 16, Mean: "38/3"},
		{N: 5, Least: 14, Most: 21, Mean: "55/3"},
		{N: 6, Least: 17, Most: 27, Mean: "121/5"},
	} {
		cost.Searched(t, peterson.Algorithm)
	}
}

// Of larger rings there is one order of arrival for each arrangement: on smaller
// ones it makes no difference.
func TestCostsOfLargerRings(t *testing.T) {
	for _, cost := range []rings.Cost{{N: 7, Least: 20, Most: 32}, {N: 8, Least: 23, Most: 46}} {
		if cost.N <= 7 || *play.Deep {
			cost.Straight(t, peterson.Algorithm)
		}
	}
}
