package bully

import (
	"bullyproof/checker/cost"
	"bullyproof/model"
)

// figures returns what publications say that an election costs, the messages
// named as in the source of a reading. N is the number of processes with the
// coordinator that has failed, and P the process that notices.
func figures(words model.Names) []cost.Figure {
	announcements := cost.Measure{Kind: words.Kinds[Coordinator]}
	return []cost.Figure{
		{
			Name: "P alone notices", Formula: "(N-P+1)(N-P)+N-1", Case: cost.WorstCase,
			Source: minID + ", equation 1; also " + heap + ", Table 1",
			Value: func(n int, p model.ID) (int, bool) {
				return formula(n, int(p)), p != model.None && int(p) < n
			},
			Note: deadAnswers,
		},
		{
			Name: "the lowest notices", Formula: "N²-1", Case: cost.WorstCase,
			Source: minID + ", Table I and section II.A",
			Value:  func(n int, p model.ID) (int, bool) { return n*n - 1, p <= 1 },
			Note: "It is equation 1 for P = 1. " + deadAnswers + " Where several may notice it is too little from N = 4 on: a late one asks processes " +
				"whose election is over, and they hold it again.",
		},
		{
			Name: "at best", Formula: "N-1", Case: cost.BestCase,
			Source: minID + ", section II.A; " + slidesName + ", summary", Value: secondHighest(func(n int) int { return n - 1 }),
			Note: "It takes one election message, to the coordinator that has failed, and N-2 announcements. A process that announces " +
				"itself to all others sends one more, to the failed coordinator; a process that knows that it has failed need not ask it.",
		},
		{
			Name: "the second highest announces itself", Formula: "N-2 coordinator messages", Case: cost.BestCase,
			Source: slidesName + ", performance", Measure: announcements, Value: secondHighest(func(n int) int { return n - 2 }),
			Note: "It leaves out the announcement to the coordinator that has failed, to which this reading sends one as well.",
		},
		{
			Name: "turnaround at best", Formula: "one message", Case: cost.BestCase, Measure: cost.Measure{Unit: cost.Ticks},
			Source: slidesName + ", performance", Value: secondHighest(func(int) int { return 1 }),
			Note: "This needs a process that does not ask the coordinator that it has just found dead (coulouris-knows). One that " +
				"asks it waits for T = 2 message times before it announces itself.",
		},
		{
			Name: "at best", Formula: "2N-2", Case: cost.BestCase, Source: heap + ", Table 1",
			Value: secondHighest(func(n int) int { return 2*n - 2 }),
			Note: "The paper's own formula, equation 1, has other values: N+1 where the second highest notices. One of those N+1 is " +
				"the failed coordinator's answer, which is never sent.",
		},
		{
			Name: "at worst", Formula: "N²", Case: cost.WorstCase, Source: heap + ", Table 1",
			Value: func(n int, p model.ID) (int, bool) { return n * n, p <= 1 },
			Note: "The paper's own formula, equation 1, has N²-1 at most. Where several may notice it is too little from N = 4 on: a " +
				"process that notices late makes the others go through their elections again.",
		},
	}
}

// formula is equation 1.
func formula(n, p int) int { return (n-p+1)*(n-p) + n - 1 }

// secondHighest is the value of a figure for the case that the second highest
// process notices the failure, which is the best where any may.
func secondHighest(f func(n int) int) func(n int, p model.ID) (int, bool) {
	return func(n int, p model.ID) (int, bool) { return f(n), p == model.None || int(p) == n-1 }
}

const (
	minID      = "Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully Algorithm"
	slidesName = "slides Co-ordinator Election Algorithms after Coulouris et al."
	heap       = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"

	deadAnswers = "In the formula the failed coordinator N answers the N-P processes that ask it: N-P messages that are never sent. " +
		"And of its N-1 announcements one goes to N: where only lower ids are told there are N-2. The rules send (N-P)²+N-1 " +
		"messages, or (N-P)²+N-2, or one less where P does not ask N. The formula is right for N processes that are all up, if " +
		"mail to others does not count and N wins. (A reading in which a process that was answered, or asked again, begins anew " +
		"sends more.)"
)
