package kabashi

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	"fmt"
)

// alone is an election of n processes, the coordinator among them, of which p
// alone notices that it has failed.
func alone(n, p int) string { return fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, p) }

// anybody is such an election where any may notice.
func anybody(n int) string { return fmt.Sprintf("n=%d start=coordinator-down", n) }

// both returns evidence on a cost under both delay bounds.
func both(c cost.Case, m cost.Measure, r ledger.Relation, figure int, setting string) []ledger.Evidence {
	return []ledger.Evidence{
		ledger.Takes(c, m, r, figure, setting+" timing=sync:1"), ledger.Takes(c, m, r, figure, setting+" timing=sync:2"),
	}
}

// equation2 is what the paper says that an election takes at worst, where b is
// the number of messages that a broadcast is.
func equation2(b, n int) int { return 2*b + n - 1 }

var costs = []ledger.Claim{
	{
		Name: "best-count", Place: "abstract, section VI",
		Text:     "\"In the best case only one message is required.\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bestCount(),
		Note: "One broadcast, counted as one message. It is one to each of the N-1 others, as many as the Bully algorithm takes at " +
			"best, which the paper counts one by one.",
		Needs: []string{"rule 1a", "rule 6", "message COORDINATOR", "suspect"},
	},
	{
		Name: "worst-count", Place: "section VI, equation 2",
		Text: "\"Worst case: 2b+(n-1), where b is the number of broadcast messages, n is the total number of processes.\" Table I has " +
			"b = 1.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Refuted,
		Evidence: worstCount(),
		Note: "n-1 processes cannot answer: the coordinator has failed, the electioneer does not answer itself, and the one with the " +
			"second minimum ID announces itself instead. Where one process notices, the worst case is n-1 messages, and n if no " +
			"process has the second minimum ID (sparse). It is n+1 only if a process that is told of the coordinator goes on with its " +
			"election (goes-on), and that reading leads to two coordinators. Where several notice it may be more, 6 for four " +
			"processes.",
		Needs: []string{"rule 1b", "rule 3a", "rule 3b", "message OK", "suspect"},
	},
	{
		Name: "join-best", Place: "section VI",
		Text:     "\"In the case when a new process joins the system: Best case: 1.\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: joinCount(cost.BestCase, 1, "", ""),
		Note: "This is one broadcast. In the pseudocode the process with the minimum ID queries first, and then at least 2 are " +
			"sent.",
		Needs: []string{"rule 5a", "rule 6", "join"},
	},
	{
		Name: "join-worst", Place: "section VI",
		Text:     "\"In the case when a new process joins the system: Worst case: 3.\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Supposes: "that no process has the minimum ID, so that one which joins has to ask",
		Evidence: joinCount(cost.WorstCase, 3, "sparse", "pseudocode"),
		Note: "The three are QUERY, CID and COORDINATOR; the first and the last are broadcasts. One process joins a system that has " +
			"its coordinator. In the scope no process has the minimum ID, so that a process may take over that has to ask. If another " +
			"joins meanwhile, or an election goes on, more are sent.",
		Needs: []string{"rule 5b", "rule 6", "join"},
	},
}

func bestCount() (list []ledger.Evidence) {
	for n := 2; n <= 5; n++ {
		list = append(list, both(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(n, 2))...)
		list = append(list, ledger.Takes(cost.BestCase, messages, ledger.Exactly, n-1, alone(n, 2)).
			Beside("a broadcast counted as its messages"))
	}
	return append(list,
		ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, anybody(4)),
		ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(4, 2)).Of("goes-on"),
		ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(4, 2)).Of("knows-all"),
		ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(4, 2)).Of("pseudocode"),
		ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(4, 2)).Of("repaired"))
}

func worstCount() (list []ledger.Evidence) {
	for n := 3; n <= 5; n++ {
		list = append(list, both(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, n), alone(n, n))...)
	}
	for n := 6; n <= 8; n++ {
		list = append(list, ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, n), alone(n, n)).InDeep(),
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, n-1, alone(n, n)).Beside("what is sent").InDeep())
	}
	for n := 3; n <= 4; n++ {
		list = append(list, both(cost.WorstCase, broadcasts, ledger.AtMost, equation2(1, n), anybody(n))...)
	}
	for n := 4; n <= 5; n++ {
		list = append(list,
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, n), alone(n, n)).Of("goes-on"),
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, n), alone(n, n)).Of("pseudocode"),
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, n), alone(n, n)).Of("sparse"),
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, n-1, alone(n, n)).Beside("what is sent"))
	}
	return append(list,
		ledger.Takes(cost.WorstCase, broadcasts, ledger.AtMost, equation2(1, 4), alone(4, 4)+" crashes=1").
			Beside("where another process fails"),
		ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, equation2(1, 5), alone(5, 5)+" timing=last-resort").
			Beside("under last resort"))
}

// joinCount is evidence that a join takes so many messages in a variant, and
// whether it does in another one.
func joinCount(c cost.Case, figure int, variant, other string) (list []ledger.Evidence) {
	if other == "" {
		other = "pseudocode"
	}
	for n := 2; n <= 5; n++ {
		s := fmt.Sprintf("n=%d start=settled joins=1", n)
		for _, e := range both(c, broadcasts, ledger.Exactly, figure, s) {
			list = append(list, e.After(afterJoin, joined).Of(variant))
		}
	}
	s := "n=3 start=settled joins=1"
	return append(list, ledger.Takes(c, broadcasts, ledger.Exactly, figure, s).After(afterJoin, joined).Of(other),
		ledger.Takes(c, broadcasts, ledger.Exactly, figure, "n=3 start=coordinator-down joins=1").After(afterJoin, joined).Of(variant).
			Beside("where the coordinator is down"))
}

var tables = []ledger.Claim{
	{
		Name: "table1-5", Place: "Table I, 5 processes, the proposed algorithm",
		Text:    "6 messages in the worst case.",
		Kind:    ledger.CountClaim,
		Outcome: ledger.Refuted,
		Finding: "worst-count",
		Evidence: append(both(cost.WorstCase, broadcasts, ledger.Exactly, 6, alone(5, 5)),
			ledger.Adds("2b+(n-1) for n = 5, b = 1", 6, equation2(1, 5)),
			ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, 6, alone(5, 5)).Of("goes-on"),
			ledger.Takes(cost.WorstCase, messages, ledger.Exactly, 10, alone(5, 5)).Beside("a broadcast counted as its messages")),
		Note: "The figure follows from equation 2, and 4 are sent: see worst-count. The other columns count a broadcast as its " +
			"messages; counted like that it is 10.",
		Needs: []string{"rule 1b", "rule 3a", "rule 3b", "message OK", "suspect"},
	},
	rowOfFormula("table1-10", "Table I, 10 processes, the proposed algorithm", "11 messages in the worst case.", 11, 10),
	rowOfFormula("table1-20", "Table I, 20 processes, the proposed algorithm", "21 messages in the worst case.", 21, 20),
	{
		Name: "table2-5", Place: "Table II, 5 processes, the proposed algorithm",
		Text: "1 message in the best case.", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: both(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(5, 2)),
		Note:     "This is one broadcast, of 4 messages; the other columns count messages.",
		Needs:    []string{"rule 1a", "suspect"},
	},
	{
		Name: "table2-10", Place: "Table II, 10 processes, the proposed algorithm",
		Text: "1 message in the best case.", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: both(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(10, 2)),
		Note:     "This is one broadcast, of 9 messages; the other columns count messages.",
		Needs:    []string{"rule 1a", "suspect"},
	},
	{
		Name: "table2-20", Place: "Table II, 20 processes, the proposed algorithm",
		Text: "1 message in the best case.", Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.BestCase, broadcasts, ledger.Exactly, 1, alone(16, 2)).Beside("16 processes"),
		},
		Note: "A search of 20 processes is too large; with 16 the figure is right. It is one broadcast, of 19 messages; the other " +
			"columns count messages.",
	},
}

// rowOfFormula is a row of Table I that is too large to search.
func rowOfFormula(name, place, text string, printed, n int) ledger.Claim {
	return ledger.Claim{
		Name: name, Place: place, Text: text, Kind: ledger.FigureClaim, Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds(fmt.Sprintf("2b+(n-1) for n = %d, b = 1", n), printed, equation2(1, n)),
			ledger.Adds(fmt.Sprintf("ELECTION, n-3 OK and COORDINATOR for n = %d", n), printed, 1+(n-3)+1).Beside("what the rules send"),
		},
		Note: "This is the value of equation 2. The rules send n-1, for all n that were searched, 3 to 8: see worst-count.",
	}
}

var comparison = []ledger.Claim{
	{
		Name: "fewer-at-worst", Place: "abstract, sections IV and VII, Table I",
		Text:     "The algorithm reduces the number of messages: fewer than the Bully algorithm in the worst case.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: fewerAtWorst(),
		Note: "Here a broadcast counts as its messages, as for the Bully algorithm. Where one process notices, the worst case is " +
			"2(N-1)+N-3 against (N-1)²+N-1. Where any may notice, it is 6 against 9 among three processes and 16 against 23 among " +
			"four.",
		Needs: []string{"rule 1b", "rule 3a", "rule 3b", "suspect"},
	},
	{
		Name: "fewer-at-best", Place: "section VI, Table II",
		Text:     "The algorithm reduces the number of messages: fewer than the Bully algorithm in the best case.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Refuted,
		Evidence: fewerAtBest(),
		Note: "Table II has 1 against N-1. But the 1 is a broadcast of N-1 messages, while the N-1 are messages. Counted alike, both " +
			"take N-1.",
		Needs: []string{"rule 1a", "suspect"},
	},
	{
		Name: "fewer-than-improved", Place: "sections IV and VI, Table I",
		Text:     "The algorithm takes fewer messages in the worst case than the improved Bully algorithm of Murshed and Allen.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Refuted,
		Evidence: fewerThanImproved(),
		Note: "Table I has 6 against 9 for five processes, but the 6 counts broadcasts and the 9 messages. Counted in messages it is " +
			"10 against 9 for five, 25 against 18 for ten, 55 against 38 for twenty, and 16 each for four of which any may notice. " +
			"Counted in broadcasts (an announcement to all as one) it is 4 against 6.",
		Needs: []string{"rule 1b", "rule 3a", "rule 3b", "suspect"},
	},
	{
		Name: "faster", Place: "section VII",
		Text:    "\"Fast: reduction of the number of messages speeds up the election procedure.\"",
		Kind:    ledger.TimeClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, bullyTicks-1, "n=4 start=coordinator-down timing=sync:1"),
			ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, 2*bullyTicks-1, "n=4 start=coordinator-down timing=sync:2"),
			ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, 3, "n=4 start=coordinator-down detectors=4"),
			ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, improvedTicks-1, "n=4 start=coordinator-down"),
			ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, bullyTicks-1, "n=4 start=coordinator-down").Of("sparse"),
		},
		Note: "Elections among four processes of which any may notice last up to 4D. Those of the Bully algorithm last up to 8D, and " +
			"those of the improved one 5D. The number of messages is not the reason; the reason is that a process that is asked does " +
			"not begin to ask others.",
		Needs: []string{"rule 1a", "rule 1b", "rule 3a", "suspect"},
	},
}

var ticks = cost.Measure{Unit: cost.Ticks}

// What other algorithms take, the coordinator having failed and all others being
// up; a test computes it. What is of the Bully algorithm is among four processes
// where nothing else is said.
const (
	bullyTicks    = 8  // at worst, D = 1, where any may notice
	bullyThree    = 9  // messages among three, where any may notice
	bullyFour     = 23 // messages among four, where any may notice
	improvedTicks = 5  // of the improved algorithm among four, D = 1, where any may notice
	improvedFive  = 9  // messages of the improved algorithm among five where one notices
	improvedFour  = 16 // and among four where any may notice
)

// bullySends is what the Bully algorithm sends in the paper's reading, where P
// alone notices that N has failed.
func bullySends(n, p int) int { return (n-p)*(n-p) + n - 1 }

func fewerAtWorst() (list []ledger.Evidence) {
	for n := 4; n <= 5; n++ {
		for p := 2; p <= n; p++ {
			list = append(list, ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullySends(n, 1)-1, alone(n, p)))
		}
	}
	return append(list,
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullySends(4, 1)-1, alone(4, 4)+" timing=sync:2"),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullySends(3, 1)-1, alone(3, 3)),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullyThree-1, anybody(3)),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullyFour-1, anybody(4)),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, bullyFour-1, anybody(4)).Of("goes-on"))
}

func fewerAtBest() (list []ledger.Evidence) {
	for n := 3; n <= 5; n++ {
		list = append(list, both(cost.BestCase, messages, ledger.AtMost, n-2, anybodyOrSecond(n))...)
	}
	return list
}

func anybodyOrSecond(n int) string {
	if n <= 4 {
		return anybody(n)
	}
	return alone(n, 2)
}

func fewerThanImproved() []ledger.Evidence {
	return append(both(cost.WorstCase, messages, ledger.AtMost, improvedFive-1, alone(5, 5)),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, improvedFour-1, anybody(4)),
		ledger.Adds("2(n-1)+n-3 messages for n = 10, the improved algorithm", 18, 2*9+7).Beside("Table I, 10 processes, in messages"),
		ledger.Adds("2(n-1)+n-3 messages for n = 20, the improved algorithm", 38, 2*19+17).Beside("Table I, 20 processes, in messages"),
		ledger.Takes(cost.WorstCase, broadcasts, ledger.AtMost, 5, alone(5, 5)).
			Beside("in broadcasts, of which the improved algorithm has one: 3 election, 2 OK, 1 coordinator"),
		ledger.Takes(cost.WorstCase, messages, ledger.AtMost, improvedFive-1, alone(5, 5)).Of("goes-on"))
}
