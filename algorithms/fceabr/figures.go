package fceabr

import (
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
)

// formula is equation 1, MN = 2N + N(FPN-1)/FPN. It is not legible where it is
// printed; the rows of Table 1 are its values.
func formula(n, fpn float64) float64 { return 2*n + n*(fpn-1)/fpn }

// selections counts what it takes to tell of a crash.
var selections = checker.Measure{Kind: labels[SElection]}

// oneDetects is a ring of so many processes that are up, one of which finds out
// that the coordinator has crashed.
func oneDetects(up int) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=coordinator-down detectors=1 channels=fifo timing=lockstep", up+1)
}

// sorted is a ring in the order of numbers, in which everybody begins.
func sorted(n int) string {
	order := "1"
	for id := 2; id <= n; id++ {
		order += fmt.Sprintf("-%d", id)
	}
	return fresh(n, "all") + equal + " arrangement=" + order
}

// exactly asks for one and the same figure on rings of several sizes.
func exactly(variant string, m checker.Measure, figure func(n int) int, setting func(n int) string, sizes ...int) (list []checker.Evidence) {
	for _, n := range sizes {
		list = append(list, checker.Takes(checker.WorstCase, m, checker.Exactly, figure(n), setting(n)).Of(variant))
	}
	return list
}

// most asks for one and the same upper bound on rings of several sizes.
func most(variant string, m checker.Measure, figure func(n int) int, setting func(n int) string, sizes ...int) (list []checker.Evidence) {
	for _, n := range sizes {
		list = append(list, checker.Takes(checker.WorstCase, m, checker.AtMost, figure(n), setting(n)).Of(variant))
	}
	return list
}

// begun is a ring in which some begin, with equal delays.
func begun(initiators string) func(n int) string {
	return func(n int) string { return fresh(n, initiators) + equal }
}

func twice(n int) int  { return 2 * n }
func thrice(n int) int { return 3*n - 1 }
func half(n int) int   { return 2*n + n/2 } // for even n
func same(n int) int   { return n }

// evenly is n for an even number of processes and n+1 for an odd one.
func evenly(n int) int { return n + n%2 }

// fewer is less than the Ring algorithm needs.
func fewer(n int) int { return 2*n - 1 }

// costClaims are about messages and time.
var costClaims = []checker.Claim{
	{
		Name: "informing-count", Place: "section V and Fig. 10",
		Text: "Where n processes are up, the messages that figure out the crash and turn all to the new coordinator are n+1 if n " +
			"is odd, and n if it is even.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: all(
			exactly("at-once", selections, evenly, oneDetects, 2, 3, 4, 5, 6),
			exactly("paper", selections, evenly, oneDetects, 2, 3, 4, 5),
		),
		Note: "With equal delays, one process that finds the crash out, and both copies handled in one step where they meet. " +
			"Otherwise the process in the middle passes on the copy that comes first: n+1 messages with an even number, too.",
		Needs: []string{"message SElection", "rule V.3: the coordinator", "rule V.4: one SElection"},
	},
	{
		Name: "fewer-than-ring", Place: "section V", Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Text: "The messages to inform processes about the crash are fewer than the 2n of the basic Ring algorithm.",
		Evidence: all(
			most("", selections, fewer, oneDetects, 2, 3, 4, 5, 6),
			most("at-once", selections, fewer, oneDetects, 2, 3, 4, 5, 6),
		),
		Note: "It compares half an election with a whole one: the Ring algorithm's 2n elect and announce, and here the search for a " +
			"new surrogate goes on with SCoordinator, and comes to 2n and more.",
		Needs: []string{"message SElection", "rule V.3: the coordinator", "rule V.4: one SElection"},
	},
	{
		Name: "fewer-elections", Place: "abstract; VII, Fig. 11 and 12", Kind: checker.CountClaim, Outcome: checker.Refuted,
		Text: "\"Far fewer messages are passing due to election\" than with the Ring algorithm, which needs 2N where one process " +
			"finds the crash out.",
		Evidence: all(
			most("one-announcement", checker.Measure{}, fewer, begun("one"), 2, 3, 4, 5, 6),
			most("at-once", checker.Measure{}, fewer, begun("one"), 2, 3, 4, 5, 6),
			most("paper", checker.Measure{}, fewer, begun("one"), 2, 3, 4, 5),
		),
		Note: "As many with an even number of processes, and more with an odd one; by the paper's own Table 1 as many. It is " +
			"fewer only where several find the crash out: the Ring algorithm has an election for each of them.",
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "linear-messages", Place: "section VI.1", Kind: checker.CountClaim, Outcome: checker.Refuted,
		Text: "The number of messages is O(N) however many processes find the crash out: at most 3N-1.",
		Evidence: all(
			most("", checker.Measure{}, thrice, sorted, 3, 4, 5, 6),
			most("one-announcement", checker.Measure{}, thrice, sorted, 3, 4, 5, 6),
			[]checker.Evidence{
				checker.Takes(checker.WorstCase, checker.Measure{}, checker.AtMost, thrice(7), sorted(7)).Of("one-announcement").InDeep(),
			},
		),
		Note: "Where all find it out and the ring is in the order of numbers, the message of k travels down, past lower initiators " +
			"all, until the greatest one's comes to meet it half-way: k/2 messages for each k, some N²/4 in all.",
		Needs: []string{"message Election", "message Coordinator", "rule V.4: a message of a lower initiator"},
	},
	{
		Name: "twice-as-fast", Place: "abstract", Kind: checker.TimeClaim, Outcome: checker.Confirmed,
		Text: "The algorithm \"is twice as fast as Ring algorithm\", which takes the time of 2N messages, one after another.",
		Evidence: all(
			most("at-once", checker.Measure{Unit: checker.Ticks}, twice, begun("one"), 2, 3, 4, 5, 6),
			exactly("paper", checker.Measure{Unit: checker.Ticks}, same, begun("one"), 2, 3, 4, 5),
		),
		Note: "Both halves of the ring are gone through at the same time. In the reading at-once a message takes a tick, and its " +
			"handling another: 2N ticks stand for N messages. Where a message is passed on at once, the last one that is " +
			"under way, which says nothing new, adds one or two to N.",
		Needs: []string{"message Election", "message Coordinator"},
	},
	{
		Name: "linear-time", Place: "section VI.2", Kind: checker.TimeClaim, Outcome: checker.Confirmed,
		Text: "Time complexity is O(N), however many processes find the crash out.",
		Evidence: all(
			most("", checker.Measure{Unit: checker.Ticks}, func(n int) int { return n + 2 }, begun("any"), 2, 3, 4, 5),
			most("at-once", checker.Measure{Unit: checker.Ticks}, twice, begun("any"), 2, 3, 4, 5),
		),
		Note: "N+2 at most, as far as it was checked, if all begin at once. Equations 2 to 10 are not legible in the text that was " +
			"read; what is said of them is this.",
		Needs: []string{"message Election", "message Coordinator", "rule V.4: a message of a lower initiator"},
	},
	{
		Name: "convergence", Place: "section VIII, equations 11 to 13", Kind: checker.FigureClaim, Outcome: checker.Beyond,
		Text: "The average number of messages converges: its standard deviation is small.",
		Note: "A simulation whose numbers of processes, draws and seeds are not given. Equation 13 divides by the root of n: it is " +
			"the standard error of the mean and no measure of how much elections differ.",
	},
}

// tableClaims are the tables, row by row: arithmetic, and what the rules give.
var tableClaims = tables()

func tables() []checker.Claim {
	needs := []string{"message Election", "message Coordinator"}
	list := []checker.Claim{
		{
			Name: "table1-one", Place: "Table 1, FPN = 1, and equation 1", Kind: checker.CountClaim, Outcome: checker.Refuted,
			Text: "Where one process finds the crash out an election takes 2N messages.",
			Evidence: all(
				exactly("one-announcement", checker.Measure{}, twice, begun("one"), 2, 3, 4, 5, 6),
				exactly("at-once", checker.Measure{}, twice, begun("one"), 2, 3, 4, 5, 6),
				exactly("paper", checker.Measure{}, twice, begun("one"), 2, 3, 4, 5),
			),
			Note: "Right for even N, with equal delays and both copies handled in one step. For odd N, where two neighbours announce, " +
				"it is 2N+2 at best: N+1 for each round, as the paper itself has it for the first. (If N counted the crashed " +
				"process, too, the figure would be right for an odd number of others and too high for an even one.)",
			Needs: needs,
		},
		{
			Name: "table1-two", Place: "Table 1, FPN = 2, and equation 1", Kind: checker.CountClaim, Outcome: checker.Refuted,
			Text: "Where two processes find the crash out at once it takes 2N+N/2 messages.",
			Evidence: all(
				[]checker.Evidence{checker.Adds("FPN = 2, N = 40", 2*40+40/2, formula(40, 2)).Of("one-announcement")},
				exactly("one-announcement", checker.Measure{}, half, begun("1,2"), 4, 6),
				exactly("at-once", checker.Measure{}, half, begun("1,2"), 4, 6),
				exactly("paper", checker.Measure{}, half, begun("1,2"), 4),
			),
			Note: "It depends on where the two are. 2N+N/2 is right at best for even N; where the lower one's message travels farther " +
				"before it meets the higher one's it is more.",
			Needs: needs,
		},
		{
			Name: "table1-ten", Place: "Table 1, FPN = 10, and equation 1", Kind: checker.FigureClaim, Outcome: checker.Confirmed,
			Text:     "Where ten processes find the crash out, the formula gives 2N+(9/10)N.",
			Evidence: []checker.Evidence{checker.Adds("FPN = 10, N = 40", 2*40+9*40/10, formula(40, 10))},
			Note:     "As a value of the formula. Ten at once were not run; the formula is not right for fewer.",
		},
		{
			Name: "table1-all", Place: "Table 1, FPN = N, and equation 1", Kind: checker.CountClaim, Outcome: checker.Refuted,
			Text: "Where all N processes find the crash out at once it takes 3N-1 messages.",
			Evidence: all(
				[]checker.Evidence{checker.Adds("FPN = N = 40", 3*40-1, formula(40, 40)).Of("one-announcement")},
				exactly("one-announcement", checker.Measure{}, thrice, begun("all"), 2, 3, 4, 5),
				exactly("at-once", checker.Measure{}, thrice, begun("all"), 2, 3, 4, 5),
				exactly("paper", checker.Measure{}, thrice, begun("all"), 2, 3, 4),
				[]checker.Evidence{
					checker.Takes(checker.BestCase, checker.Measure{}, checker.AtMost, thrice(4), begun("all")(4)).Of("one-announcement").Beside("at best"),
				},
			),
			Note: "It is more, in every arrangement from N = 3 on: each begins with two messages, which makes 2N before anything is " +
				"stopped, and the announcement takes N or N+1.",
			Needs: needs,
		},
	}
	for _, row := range []struct {
		fpn, printed, computed string
	}{{"1", "2N", ring(1)}, {"2", "4N", ring(2)}, {"10", "10N", ring(10)}, {"N", "N²", "2N²"}} {
		c := checker.Claim{
			Name: "table1-ring-" + map[string]string{"1": "one", "2": "two", "10": "ten", "N": "all"}[row.fpn],
			Text: "With the Ring algorithm it is " + row.printed + ".", Place: "Table 1, FPN = " + row.fpn + ", column Ring", Kind: checker.FigureClaim,
			Evidence: []checker.Evidence{checker.Adds("2N for each that finds the crash out", row.printed, row.computed)},
			Outcome:  checker.Confirmed,
		}
		if row.printed != row.computed {
			c.Outcome = checker.Refuted
			c.Note = "The rows above have 2N messages for each process that finds the crash out. This one has half of that."
		}
		list = append(list, c)
	}
	return append(list, measured()...)
}

// ring is what the Ring algorithm needs where so many find the crash out.
func ring(fpn int) string { return fmt.Sprintf("%dN", 2*fpn) }

// measured are the claims of Tables 2 and 3.
func measured() (list []checker.Claim) {
	for _, row := range []struct{ before, modified, ring int }{{50, 98, 50}, {187, 372, 186}, {1290, 2578, 1290}, {5890, 11778, 5890}} {
		up := row.before - 1
		list = append(list, checker.Claim{
			Name: fmt.Sprintf("table2-%d", row.before), Place: fmt.Sprintf("Table 2, NPBCC = %d", row.before),
			Text: fmt.Sprintf("Of %d processes before the crash: Modified Ring takes %d messages, and Ring %d.", row.before, row.modified, row.ring),
			Kind: checker.FigureClaim, Outcome: checker.Refuted,
			Evidence: []checker.Evidence{
				checker.Adds("Modified Ring", row.modified, evenly(up)), checker.Adds("Ring", row.ring, twice(up)),
			},
			Note: "The heads of the columns are swapped: each number is the other column's. And what is compared is half an election " +
				"of the one, which informs of the crash, with a whole one of the other.",
		})
	}
	for _, row := range []struct{ n, fpn, printed int }{{40, 3, 112}, {115, 6, 392}, {320, 11, 1287}, {830, 20, 3820}} {
		list = append(list, checker.Claim{
			Name: fmt.Sprintf("table3-%d", row.n), Place: fmt.Sprintf("Table 3, NPS = %d, against equation 1", row.n),
			Text: fmt.Sprintf("Of %d processes %d find the crash out: %d messages on average of 200 simulations.", row.n, row.fpn, row.printed),
			Kind: checker.FigureClaim, Outcome: checker.Refuted,
			Evidence: []checker.Evidence{
				checker.Adds("equation 1", row.printed, fmt.Sprintf("%.1f", formula(float64(row.n), float64(row.fpn)))),
			},
			Note: "The average that was measured is above the paper's own formula" +
				map[bool]string{true: ", and above its value for any number that find the crash out, 3N-1", false: ""}[row.printed > thrice(row.n)] + ".",
		})
	}
	return list
}

// figures are what the paper says that an election costs.
var figures = []checker.Figure{
	{
		Name: "one process finds the crash out", Formula: "2N", Case: checker.WorstCase, Source: "Table 1, row 1",
		Value: func(n int, p model.ID) (int, bool) { return 2 * n, p != model.None }, Note: live,
	},
	{
		Name: "all find it out", Formula: "3N-1", Case: checker.WorstCase, Source: "Table 1, last row",
		Value: func(n int, p model.ID) (int, bool) { return 3*n - 1, p == model.None }, Note: live,
	},
	{
		Name: "turnaround", Formula: "N, half of what Ring takes", Case: checker.WorstCase, Source: "abstract",
		Measure: checker.Measure{Unit: checker.Ticks},
		Value:   func(n int, p model.ID) (int, bool) { return n, p != model.None }, Note: live,
	},
}

const live = "N counts the processes that are up, one less than before the crash. Both copies of a message have to be handled in " +
	"one step where they meet, and the number has to be even, for the figure to be right: see the claims."
