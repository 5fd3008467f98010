package effatparvar

import (
	"bullyproof/checker/cost"
	"bullyproof/model"
)

// equation1 is what section 5.1 says that an election without fault tolerance
// takes, where node i of n notices the crash.
func equation1(n, i int) int { return 2*(n-i) + (n - 2) }

// equation2 is what it says of one with fault tolerance; chosen is i', "the
// selected leader ID number in the first step".
func equation2(n, i, chosen int) int { return 2*(n-i) + (n - 2) + 2*(n-chosen) + (n - 2) }

var firstFigure = cost.Figure{
	Name: "node i alone notices, without fault tolerance", Formula: "2(n-i)+(n-2)", Case: cost.WorstCase,
	Source: "section 5.1, equation 1",
	Value: func(n int, i model.ID) (int, bool) {
		return equation1(n, int(i)), i != model.None && int(i) < n
	},
	Note: notTheTerms,
}

var secondFigure = cost.Figure{
	Name: "node i alone notices, with fault tolerance", Formula: "2(n-i)+(n-2)+2(n-i')+(n-2), i' = n-1", Case: cost.WorstCase,
	Source: "section 5.1, equation 2",
	Value: func(n int, i model.ID) (int, bool) {
		return equation2(n, int(i), n-1), i != model.None && int(i) < n-1
	},
	Note: "Where nothing is lost, node n-1 is selected first, finds no node above it and remains the leader: the second announcement, " +
		"which the equation counts, is not made. The number of messages is right where responses were lost and the node selected " +
		"first is not the leader in the end.",
}

const notTheTerms = "The sum is right and its terms are not. The crashed leader is sent an election message and never responds, so " +
	"there are n-i election messages and n-i-1 responses; and the announcement to all others, including the crashed leader, " +
	"takes n-1 messages, not n-2."

// most returns the largest value of f for numbers from 1 to n-1.
func most(n int, f func(i int) int) int {
	largest := 0
	for i := 1; i < n; i++ {
		largest = max(largest, f(i))
	}
	return largest
}
