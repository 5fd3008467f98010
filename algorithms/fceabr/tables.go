package fceabr

import (
	"math"
	"math/big"
	"math/rand/v2"
)

// formula is equation 1, MN = 2N + N(FPN-1)/FPN. It is not legible where it is
// printed; the rows of Table 1 are its values.
func formula(n, fpn float64) float64 { return 2*n + n*(fpn-1)/fpn }

// OnAverage is what the rules take on average where m of n processes begin at
// once, whatever the order of all, with equal delays and both copies handled in
// one step where they meet. The Election of the greatest takes n steps, or n+1 if
// that is odd, and so does the announcement. That of the k-th greatest of the m
// goes half the way to the next greater one, in both directions; there are k-1
// greater ones in any places, as likely one as another, so that it takes at least
// j steps with the chance that the first 2j-2 places hold none of them. In all it
// is about n(1+1/2+...+1/m) + n.
func OnAverage(n, m int) *big.Rat {
	sum := new(big.Rat)
	for k := 2; k <= m; k++ {
		none := new(big.Int) // choices of k-1 places, for each j
		all := new(big.Int).Binomial(int64(n-1), int64(k-1))
		choices := new(big.Int).Set(all)
		for r := n - 1; r > 0; r-- { // choices is r over k-1
			if (n-r)%2 == 1 {
				none.Add(none, choices)
			}
			choices.Mul(choices, big.NewInt(int64(max(r-(k-1), 0))))
			choices.Quo(choices, big.NewInt(int64(r)))
		}
		sum.Add(sum, new(big.Rat).SetFrac(none, all))
	}
	sum.Add(sum, sum) // both ways
	return sum.Add(sum, big.NewRat(int64(2*evenly(n)), 1))
}

// Deviation is the standard deviation of the average of so many runs, equation
// 13, where three of n processes begin at any places, as likely one as another.
// The lowest is at place 0 and the others at i and j; their messages go half the
// ways between.
func Deviation(n, runs int) float64 {
	half := func(way int) int { return (way + 1) / 2 }
	var cases, sum, squares float64
	for i := 1; i < n; i++ {
		for j := i + 1; j < n; j++ {
			total := float64(2*evenly(n) + half(i) + half(n-j) + half(j-i) + half(n-(j-i)))
			cases, sum, squares = cases+1, sum+total, squares+total*total
		}
	}
	mean := sum / cases
	return math.Sqrt((squares/cases - mean*mean) / float64(runs))
}

// orders is how many orders Simulated looks at.
const orders = 10_000

// Simulated is the standard deviation of the average of so many runs where m of n processes
// begin, in orders drawn at random, the same ones each time: see OnAverage.
func Simulated(n, m, runs int) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	var sum, squares float64
	for range orders {
		greater := random.Perm(n)[:m] // places of those that begin, the greatest first
		total := 0
		for k := 1; k < m; k++ {
			next, before := n, n
			for _, place := range greater[:k] {
				way := (place - greater[k] + n) % n
				next, before = min(next, way), min(before, n-way)
			}
			total += (next+1)/2 + (before+1)/2
		}
		sum, squares = sum+float64(total), squares+float64(total*total)
	}
	mean := sum / orders
	return math.Sqrt((squares/orders - mean*mean) / float64(runs))
}

// near reports whether a figure is off an average by less than 2 per cent.
func near(printed int, average *big.Rat) bool {
	off := new(big.Rat).Quo(big.NewRat(int64(printed), 1), average)
	return off.Cmp(big.NewRat(98, 100)) > 0 && off.Cmp(big.NewRat(102, 100)) < 0
}
