package heaptree

import (
	"math/bits"

	"bullyproof/checker/cost"
	"bullyproof/model"
)

const table1 = "section 4, Table 1"

var figures = []cost.Figure{
	{
		Name: "at best", Formula: "log n", Case: cost.BestCase, Source: table1,
		Value: func(n int, _ model.ID) (int, bool) { return log(n), true }, Note: tellsOthers,
	},
	{
		Name: "at worst", Formula: "log n + (n-1)", Case: cost.WorstCase, Source: table1,
		Value: func(n int, _ model.ID) (int, bool) { return log(n) + n - 1, n > 2 },
		Note: "This is right where one node notices, in the worst case the lowest. Where all may notice there are up to 2n-3 " +
			"messages.",
	},
}

const tellsOthers = "To tell the n-2 other nodes that are up takes n-2 messages, whichever node notices, and at least one comparison " +
	"comes before."

// log returns the logarithm of n to the base 2, rounded down.
func log(n int) int { return bits.Len(uint(n)) - 1 }

// path lists the indices from i to the root, the array A_i of Table 1: i,
// PARENT(i), and so on.
func path(i int) (list []int) {
	for ; i > 0; i /= 2 {
		list = append(list, i)
	}
	return list
}

// shared returns log(max(A_i ∩ B_j)).
func shared(i, j int) int {
	for i != j {
		if i > j {
			i /= 2
		} else {
			j /= 2
		}
	}
	return log(i)
}

// formula is the last column of Table 1 for the nodes that notice; of each pair
// of them it takes off what they share, as often as weight says.
func formula(notice []int, weight int) int {
	sum := 0
	for k, c := range notice {
		sum += log(c)
		for _, d := range notice[:k] {
			sum -= weight * shared(c, d)
		}
	}
	return sum
}

// edges is the number of links that the messages go over where each node passes
// on the first alone: those on the paths from the nodes that notice to the root.
func edges(notice []int) int {
	on := make(map[int]bool)
	for _, c := range notice {
		for _, i := range path(c) {
			on[i] = i > 1
		}
	}
	sum := 0
	for _, below := range on {
		if below {
			sum++
		}
	}
	return sum
}

// mostLinks bounds the number of links on the paths from k nodes of a heap of n
// to its root: k at most that end at each level, and as many as nodes are there.
func mostLinks(n, k int) (sum int) {
	for first := 2; first <= n; first *= 2 {
		sum += min(k, min(2*first-1, n)-first+1)
	}
	return sum
}

// entries is the number of fathers, children and siblings that the nodes of a
// heap of n know together.
func entries(n int) int {
	sum := 0
	for i := 1; i <= n; i++ {
		for _, j := range []int{i / 2, 2 * i, 2*i + 1, i ^ 1} {
			if j >= 1 && j <= n && (i > 1 || j > 1) {
				sum++
			}
		}
	}
	return sum
}

// heights is the sum of the heights of the nodes of a heap of n: the levels that
// MAX-HEAPIFY goes through, called for each.
func heights(n int) (sum int) {
	for i := 1; i <= n; i++ {
		sum += log(n / i)
	}
	return sum
}
