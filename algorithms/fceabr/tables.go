package fceabr

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// formula is equation 1, MN = 2N + N(FPN-1)/FPN. It is not legible where it is
// printed; the rows of Table 1 are its values.
func formula(n, fpn float64) float64 { return 2*n + n*(fpn-1)/fpn }

// onAverage is what the rules take on average where m of n processes begin at
// once, whatever the order of all, with equal delays and both copies handled in
// one step where they meet. The Election of the greatest takes n steps, or n+1 if
// that is odd, and so does the announcement. That of the k-th greatest of the m
// goes half the way to the next greater one, in both directions; there are k-1
// greater ones in any places, as likely one as another, so that it takes at least
// j steps with the chance that the first 2j-2 places hold none of them. In all it
// is about n(1+1/2+...+1/m) + n.
func onAverage(n, m int) *big.Rat {
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

// deviation is the standard deviation of the average of so many runs, equation
// 13, where three of n processes begin at any places, as likely one as another.
// The lowest is at place 0 and the others at i and j; their messages go half the
// ways between.
func deviation(n, runs int) float64 {
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

// near reports whether a figure is off an average by less than 2 per cent.
func near(printed int, average *big.Rat) bool {
	off := new(big.Rat).Quo(big.NewRat(int64(printed), 1), average)
	return off.Cmp(big.NewRat(98, 100)) > 0 && off.Cmp(big.NewRat(102, 100)) < 0
}

// tableClaims are the equation and the tables, row by row: arithmetic, and what
// the rules give.
var tableClaims = slices.Concat(ours, rings(), measured(), []ledger.Claim{spread})

var needs = []string{"message Election", "message Coordinator"}

// ours are equation 1 and the column FCEABR of Table 1.
var ours = []ledger.Claim{
	{
		Name: "equation-1", Place: "section VI.1, equation 1", Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Text: "Where FPN of N processes detect the crash \"the number of messages which exchanges via this algorithm\" is 2N + " +
			"N(FPN-1)/FPN.",
		Evidence: func() (list ledger.EvidenceList) {
			for _, fpn := range []int{1, 2, 3, 10, 40} {
				list = append(list, ledger.Adds(fmt.Sprintf("N = 40, FPN = %d, on average over all orders", fpn),
					fmt.Sprintf("%.0f", formula(40, float64(fpn))), onAverage(40, fpn).FloatString(0)))
			}
			return list
		}(),
		Note: "The equation is not legible in our copy; it was recovered from the rows of Table 1. It is right neither in the worst " +
			"case, as those rows show, nor on average. Among the processes that detect the crash, the message of the k-th greatest " +
			"travels some N/k steps before a greater one's stops it. So the average is N(1+1/2+...+1/FPN) + N. That equals the " +
			"equation for one and, except for rounding, for two, and is more for all others, N ln N in the end. The paper's own " +
			"simulations (Table 3) agree with this and not with the equation.",
	},
	{
		Name: "table1-one", Place: "Table 1, FPN = 1, and equation 1", Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Text: "Where one process detects the crash an election takes 2N messages.",
		Evidence: slices.Concat(
			exactly("one-announcement", cost.Measure{}, twice, begun("one"), 2, 3, 4, 5, 6),
			exactly("at-once", cost.Measure{}, twice, begun("one"), 2, 3, 4, 5, 6),
			exactly("one-announcement", cost.Measure{}, twice, oneDetects, 2, 3, 4, 5, 6),
			exactly("paper", cost.Measure{}, twice, begun("one"), 2, 3, 4, 5),
		),
		Note: "This is right for even N, with equal delays and both copies handled in one step. For odd N, where two neighbours " +
			"announce, it is at best 2N+2: N+1 for each round, as the paper itself has it for the first. (If N counted the crashed " +
			"process, too, the figure would be right for an odd number of others and too high for an even one.)",
		Needs: needs,
	},
	{
		Name: "table1-two", Place: "Table 1, FPN = 2, and equation 1", Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-1",
		Text:    "Where two processes detect the crash at once it takes 2N+N/2 messages.",
		Evidence: slices.Concat(
			[]ledger.Evidence{ledger.Adds("FPN = 2, N = 40", 2*40+40/2, formula(40, 2)).Of("one-announcement")},
			exactly("one-announcement", cost.Measure{}, half, begun("1,2"), 4, 6),
			exactly("at-once", cost.Measure{}, half, begun("1,2"), 4, 6),
			exactly("paper", cost.Measure{}, half, begun("1,2"), 4),
		),
		Note: "It depends on the places of the two. For even N 2N+N/2 is right at best, and in half of the cases one too few: if an " +
			"odd number of steps lies between the two, the lower one's message travels the farther half both ways.",
		Needs: needs,
	},
	{
		Name: "table1-ten", Place: "Table 1, FPN = 10, and equation 1", Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Text:     "Where ten processes detect the crash, the formula gives 2N+(9/10)N.",
		Evidence: []ledger.Evidence{ledger.Adds("FPN = 10, N = 40", 2*40+9*40/10, formula(40, 10))},
		Note:     "This is the value of the formula, which is not right: by the rules it is 4N on average (see equation-1).",
	},
	{
		Name: "table1-all", Place: "Table 1, FPN = N, and equation 1", Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-1",
		Text:    "Where all N processes detect the crash at once it takes 3N-1 messages.",
		Evidence: slices.Concat(
			[]ledger.Evidence{ledger.Adds("FPN = N = 40", 3*40-1, formula(40, 40)).Of("one-announcement")},
			exactly("one-announcement", cost.Measure{}, thrice, begun("all"), 2, 3, 4, 5),
			exactly("at-once", cost.Measure{}, thrice, begun("all"), 2, 3, 4, 5),
			exactly("paper", cost.Measure{}, thrice, begun("all"), 2, 3, 4),
			[]ledger.Evidence{
				ledger.Takes(cost.BestCase, cost.Measure{}, ledger.AtMost, thrice(4), begun("all")(4)).Of("one-announcement").Beside("at best"),
			},
		),
		Note: "It takes more, in every arrangement from N = 3 on: each process begins with two messages, which makes 2N before any is " +
			"stopped, and the announcement takes N or N+1.",
		Needs: needs,
	},
}

// rings is the column Ring of Table 1.
func rings() (list []ledger.Claim) {
	for _, row := range []struct {
		fpn, printed, computed string
	}{{"1", "2N", ring(1)}, {"2", "4N", ring(2)}, {"10", "10N", ring(10)}, {"N", "N²", "2N²"}} {
		c := ledger.Claim{
			Name: "table1-ring-" + map[string]string{"1": "one", "2": "two", "10": "ten", "N": "all"}[row.fpn],
			Text: "With the Ring algorithm it is " + row.printed + ".", Place: "Table 1, FPN = " + row.fpn + ", column Ring", Kind: ledger.FigureClaim,
			Evidence: []ledger.Evidence{ledger.Adds("2N for each that finds the crash out", row.printed, row.computed)},
			Outcome:  ledger.Right,
		}
		if row.printed != row.computed {
			c.Outcome = ledger.Wrong
			if row.fpn != "10" {
				c.Finding = "table1-ring-ten"
			}
			c.Note = "The rows above have 2N messages for each process that detects the crash. This one has half of that."
		}
		list = append(list, c)
	}
	return list
}

// spread is about the deviations in Table 3.
var spread = ledger.Claim{
	Name: "deviation", Place: "Table 3, NPS = 40, column SD, and equation 13", Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
	Text:     "Where 3 of 40 processes detect the crash, the standard deviation of the average of 200 simulations is 0.022.",
	Evidence: []ledger.Evidence{ledger.Adds("at random places", "0.022", fmt.Sprintf("%.3f", deviation(39, 200)))},
	Note: "By the rules the message of the lowest of the three travels half the distance between the other two, which depends on " +
		"their places. So the deviation is some 15 times the printed one. (The other rows, 0.011 to 0.405, were not computed: " +
		"where more processes detect the crash, more of the distances vary, and over longer ways.)",
}

// ring is what the Ring algorithm needs where so many find the crash out.
func ring(fpn int) string { return fmt.Sprintf("%dN", 2*fpn) }

// measured are the claims of Tables 2 and 3.
func measured() (list []ledger.Claim) {
	for _, row := range []struct{ before, modified, ring int }{{50, 98, 50}, {187, 372, 186}, {1290, 2578, 1290}, {5890, 11778, 5890}} {
		up, finding := row.before-1, "table2-50"
		if row.before == 50 {
			finding = ""
		}
		list = append(list, ledger.Claim{
			Name: fmt.Sprintf("table2-%d", row.before), Place: fmt.Sprintf("Table 2, NPBCC = %d", row.before),
			Text: fmt.Sprintf("Of %d processes before the crash: Modified Ring takes %d messages, and Ring %d.", row.before, row.modified, row.ring),
			Kind: ledger.FigureClaim, Outcome: ledger.Wrong, Finding: finding,
			Evidence: []ledger.Evidence{
				ledger.Adds("Modified Ring", row.modified, evenly(up)), ledger.Adds("Ring", row.ring, twice(up)),
			},
			Note: "The headings of the two columns are exchanged: each number is the other column's. And the row compares half an " +
				"election of one algorithm, which informs of the crash, with a whole election of the other.",
		})
	}
	for _, row := range []struct{ n, fpn, printed int }{{40, 3, 112}, {115, 6, 392}, {320, 11, 1287}, {830, 20, 3820}} {
		average := onAverage(row.n-1, row.fpn)
		note := "It is what the rules give for those that are up, and far above the paper's own equation 1"
		if row.printed > thrice(row.n) {
			note += ", even above its value for any number of processes that detect the crash, 3N-1"
		}
		list = append(list, ledger.Claim{
			Name: fmt.Sprintf("table3-%d", row.n), Place: fmt.Sprintf("Table 3, NPS = %d", row.n),
			Text: fmt.Sprintf("Of %d processes %d detect the crash: %d messages on average of 200 simulations.", row.n, row.fpn, row.printed),
			Kind: ledger.FigureClaim, Outcome: ledger.Right,
			Evidence: []ledger.Evidence{
				ledger.Adds("less than 2 per cent off the average of the rules, "+average.FloatString(1), true, near(row.printed, average)),
				ledger.Adds("the paper's own equation 1", row.printed, fmt.Sprintf("%.1f", formula(float64(row.n), float64(row.fpn)))).
					Beside("the two contradict each other"),
			},
			Note: note + ": the equation is wrong, not the table.",
		})
	}
	return list
}
