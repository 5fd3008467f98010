package dolevklawerodeh_test

import (
	"testing"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/internal/rings"
)

// What others have counted, over all arrangements: least and most messages
// without the announcement, and the average. Each arrangement has one cost,
// whatever order messages arrive in: every process reads a single channel.
func TestCosts(t *testing.T) {
	for _, cost := range []rings.Cost{
		{N: 2, Least: 6, Most: 6, Mean: "6"},
		{N: 3, Least: 9, Most: 9, Mean: "9"},
		{N: 4, Least: 12, Most: 20, Mean: "44/3"},
		{N: 5, Least: 15, Most: 25, Mean: "65/3"},
		{N: 6, Least: 18, Most: 30, Mean: "142/5"},
	} {
		cost.Searched(t, dolevklawerodeh.Algorithm)
	}
}

// Of larger rings there is one order of arrival for each arrangement: on smaller
// ones it makes no difference.
func TestCostsOfLargerRings(t *testing.T) {
	for _, cost := range []rings.Cost{{N: 7, Least: 21, Most: 35}, {N: 8, Least: 24, Most: 56}} {
		if cost.N <= 7 || *play.Deep {
			cost.Straight(t, dolevklawerodeh.Algorithm)
		}
	}
}
