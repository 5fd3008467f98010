package fceabr

import (
	"bullyproof/checker/cost"
	"bullyproof/model"
)

// evenly is n for an even number of processes and n+1 for an odd one.
func evenly(n int) int { return n + n%2 }

// figures are what the paper says that an election costs.
var figures = []cost.Figure{
	{
		Name: "one process finds the crash out", Formula: "2N", Case: cost.WorstCase, Source: "Table 1, row 1",
		Value: func(n int, p model.ID) (int, bool) { return 2 * n, p != model.None }, Note: live,
	},
	{
		Name: "all find it out", Formula: "3N-1", Case: cost.WorstCase, Source: "Table 1, last row",
		Value: func(n int, p model.ID) (int, bool) { return 3*n - 1, p == model.None }, Note: live,
	},
	{
		Name: "turnaround", Formula: "N, half of what Ring takes", Case: cost.WorstCase, Source: "abstract",
		Measure: cost.Measure{Unit: cost.Ticks},
		Value:   func(n int, p model.ID) (int, bool) { return n, p != model.None }, Note: live,
	},
}

const live = "N counts the processes that are up, one less than before the crash. The figure is right if both copies of a message are " +
	"handled in one step where they meet, and the number is even: see the claims."
