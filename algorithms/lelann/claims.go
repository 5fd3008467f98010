package lelann

import (
	_ "embed"
	"fmt"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// anySome is a ring of n in every arrangement, where any set of processes are
// initiators, each unless a token reaches it first.
func anySome(n int) string {
	return fmt.Sprintf("n=%d topology=ring initiators=any:lazy channels=fifo timing=patient", n)
}

// first is a ring of n in every arrangement where the processes 1 to k begin.
func first(n, k int, more string) string {
	who := ""
	for i := range k {
		who += fmt.Sprintf(",%d", i+1)
	}
	return fmt.Sprintf("n=%d topology=ring initiators=%s %s", n, who[1:], more)
}

// greatest is election in the textbook's sense: one leader, known to those
// that take part.
var greatest = checker.Always("greatest-initiator",
	"Once settled, the initiator with the greatest id is leader, and every initiator names it.",
	func(v *model.View) bool {
		if !v.Settled {
			return true
		}
		var initiators model.Set
		for id := range v.Up.All() {
			if model.State[P](v, id).Initiator {
				initiators = initiators.With(id)
			}
		}
		for id := range initiators.All() {
			if v.Elected(id) != initiators.Max() {
				return false
			}
		}
		return initiators.Empty() || v.Leaders == model.SetOf(initiators.Max())
	})

// remains is what Effatparvar et al. say of elected and non-elected states.
var remains = checker.AlwaysStep("remains",
	"A process that names a leader names the same one ever after.",
	func(e *model.Event) bool {
		from, to := e.From, e.To
		for id := range to.Up.All() {
			if e := from.Elected(id); e != model.None && to.Elected(id) != e {
				return false
			}
		}
		return true
	})

const (
	section  = "section 7.2.1"
	sayFIFO  = "channels that do not keep the order"
	sayEager = "where all begin at once"
)

var tokens = []string{"message token"}

// claims are what the textbook says of the algorithm, and Effatparvar et al. of
// this one by name and of others.
var claims = append(properties, costs...)

var properties = []ledger.Claim{
	{
		Name: "one-leader", Source: tel, Place: section + "; also " + effatparvar + ", section 1",
		Text: "One initiator becomes leader, the extreme one among the initiators, and every other initiator knows that it has " +
			"lost.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps(greatest.Name, anySome(3)), ledger.Keeps(greatest.Name, anySome(4)),
			ledger.Keeps(greatest.Name, "n=5 topology=ring initiators=any channels=fifo timing=patient"),
			ledger.Keeps("uniqueness", anySome(3)), ledger.Keeps("uniqueness", anySome(4)),
			ledger.Keeps(greatest.Name, anySome(5)).InDeep().Beside("one process more"),
			ledger.Keeps(greatest.Name, "n=4 topology=ring initiators=any:lazy timing=patient").Of("collects"),
			ledger.Keeps("uniqueness", "n=4 topology=ring initiators=any:lazy timing=patient").Of("collects"),
			ledger.Keeps(greatest.Name, anySome(4)).Of("repaired"),
		},
	},
	{
		Name: "needs-fifo", Source: tel, Place: section,
		Text: "Channels are assumed to keep the order of messages.", Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Breaks("uniqueness", "n=2 topology=ring timing=patient"),
			ledger.Breaks("uniqueness", "n=3 topology=ring timing=sync:1"),
			ledger.Keeps("uniqueness", "n=4 topology=ring timing=patient").Of("collects"),
		},
		Note:  "The assumption is needed. Longer tokens make it unnecessary: tokens that collect ids themselves (variant collects).",
		Needs: []string{"message token", "two participants at once"},
	},
	{
		Name: "begins-first", Source: tel, Place: section,
		Text: "An initiator must send its token before it receives that of another initiator.", Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Supposes: "that an initiator may send its token later, since the claim is about the consequence",
		Evidence: []ledger.Evidence{
			ledger.Breaks("uniqueness", anySome(2)).Of("starts-late"), ledger.Breaks(greatest.Name, anySome(3)).Of("starts-late"),
		},
		Note:  "This assumption is needed, too: without it there are two leaders.",
		Needs: []string{"message token", "two participants at once"},
	},
	{
		Name: "all-return", Source: tel, Place: section + "; also " + effatparvar + ", section 1",
		Text: "Every initiator has its token back, and enters the elected or a non-elected state.", Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("e2", anySome(3)), ledger.Keeps("e2", anySome(4)), ledger.Keeps("termination", anySome(4)),
			ledger.Keeps("e2", "n=4 topology=ring timing=patient").Beside(sayFIFO),
			ledger.Keeps("e2", "n=4 topology=ring initiators=any:lazy timing=patient").Of("collects"),
		},
	},
	{
		Name: "remains-elected", Source: effatparvar, Place: "section 1",
		Text: "\"Such states are partitioned into elected states and non-elected states. When a node enters either state, it always remain in " +
			"that state.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps(remains.Name, anySome(3)), ledger.Keeps(remains.Name, anySome(4)),
			ledger.Keeps(remains.Name, "n=4 topology=ring timing=patient").Beside(sayFIFO),
			ledger.Keeps(remains.Name, "n=4 topology=ring initiators=any:lazy timing=patient").Of("collects"),
			ledger.Keeps(remains.Name, anySome(4)).Of("repaired"),
		},
	},
	{
		Name: "acknowledged", Source: effatparvar, Place: "section 1",
		Text: "\"Once a decision is made, a node is elected as the leader and all the other nodes will acknowledge the role of that node as " +
			"the leader.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: []ledger.Evidence{
			ledger.Keeps("agreement", "n=2 topology=ring initiators=one channels=fifo timing=patient"),
			ledger.Keeps("agreement", anySome(3)), ledger.Keeps("agreement", "n=4 topology=ring channels=fifo timing=patient").Beside(sayEager),
			ledger.Keeps("agreement", anySome(3)).Of("repaired"), ledger.Keeps("agreement", anySome(4)).Of("repaired"),
			ledger.Keeps("stable-leadership", anySome(4)).Of("repaired"),
		},
		Note: "The source says this of several algorithms, among them LeLann's, for which it is not true: a process that is no " +
			"initiator passes tokens on for ever and is never told. The textbook says so, and how to tell it. Where all are " +
			"initiators the claim is true.",
		Story:  "lelann-never-told",
		Repair: "repaired: the leader sends one more message round the ring, as the textbook proposes. N messages.",
		Needs:  tokens,
	},
}

var costs = []ledger.Claim{
	{
		Name: "n-squared", Source: tel, Place: section,
		Text: "O(N²) messages: each of at most N tokens takes N steps.", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 6; n++ {
				setting := first(n, n, "channels=fifo timing=patient")
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, n*n, setting),
					ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, n*n, setting))
			}
			for n := 2; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, n*n, anySome(n)))
			}
			return append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 16, first(4, 4, "timing=patient")).Of("collects"))
		}(),
		Note: "It is exactly N² where all begin, in every arrangement and whatever the order of events.", Needs: tokens,
	},
	{
		Name: "each-takes-n", Source: tel, Place: section,
		Text: "kN messages with k initiators.", Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 5; n++ {
				for k := 1; k <= n; k++ {
					setting := first(n, k, "channels=fifo timing=patient")
					list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, k*n, setting),
						ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, k*n, setting))
				}
			}
			return list
		}(),
		Needs: tokens,
	},
	{
		Name: "time", Source: tel, Place: section,
		Text: "At most 2N-1 units of time: the last initiator begins N-1 after the first, and its token takes N.", Kind: ledger.TimeClaim,
		Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 4; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, 2*n-1,
					fmt.Sprintf("n=%d topology=ring initiators=all:lazy channels=fifo timing=lockstep", n)))
			}
			for n := 2; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, n,
					first(n, n, "channels=fifo timing=lockstep")).Beside(sayEager))
			}
			return list
		}(),
		Needs: tokens,
	},
}
