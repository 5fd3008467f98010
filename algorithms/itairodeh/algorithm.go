package itairodeh

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is the election on an anonymous ring for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:  "itairodeh",
	Title: "Anonymous ring election of Itai and Rodeh",
	Source: "A. Itai, M. Rodeh, Symmetry breaking in distributive networks, FOCS 1981, and Symmetry breaking in distributed " +
		"networks, Information and Computation 88(1), 1990 (rules as the literature tells them)",
	Doc: "Processes have no ids. Each chooses an identity at random and sends it round the ring; a process that sees a greater " +
		"identity becomes passive. A process that gets its message back is the leader, unless the message met an equal identity " +
		"on its way: then all that have this identity choose again. In the end there is one leader, with probability 1.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),

	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: ring}, []ledger.Variant{
		{
			Name: "itai-rodeh", New: of(&Protocol{}),
			Doc: "With round numbers, kept modulo 4. Where channels are FIFO, the numbers that meet differ by at most one, which is " +
				"checked as well. Identities are 1 to 3.",
		},
		{
			Name: "counted", New: of(&Protocol{Rounds: Counted}),
			Doc:         "With plain round numbers, which grow without bound: there are infinitely many states.",
			Assumes:     "a unidirectional ring, asynchronous; reliable delivery, in any order; no failures; no ids; all processes know N",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
		},
		{
			Name: "fokkink-pang", New: of(&Protocol{Rounds: Without}),
			Doc:     "Without round numbers: FIFO channels make them unnecessary.",
			Literal: []string{fokkinkPang},
			Source:  fokkinkPang + ", algorithm A (rules as the literature tells them)",
		},
		{
			Name: "fokkink-pang-b", New: of(&Protocol{Rounds: Without, NoBit: true}),
			Doc: "Without round numbers, and without the bit that notes a clash: a process that meets its own identity in " +
				"another's message chooses a new one at once.",
			Source: fokkinkPang + ", algorithm B (rules as the literature tells them)",
		},
		{
			Name: "bakhshi", New: ledger.SystemOf[Member, Letter](&Bidirectional{}),
			Doc: "Franklin's algorithm with identities at random, a hop counter and the number of the round modulo 2, on a " +
				"bidirectional ring. Identities are 1 and 2.",
			Literal: []string{bakhshiEtAl, fceabr},
			Source: "R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol, Leader election in anonymous rings: Franklin goes " +
				"probabilistic, IFIP TCS 2008 (rules as the literature tells them)",
			Assumes:     "a bidirectional ring, asynchronous; reliable delivery, in any order; no failures; no ids; all processes know N",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers),
			Setting:     biring,
		},
		{
			Name: "synchronous", New: ledger.SystemOf[Ticket, Number](&Synchronous{}),
			Doc:         "In rounds: each process chooses one of three numbers and hears those of all others, and the greatest that only one process has leads.",
			Literal:     []string{prismSynchronous},
			Source:      prismSynchronous,
			Assumes:     "a unidirectional ring, synchronous; no failures; no ids; all processes know N",
			Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder, ledger.BoundedDelays, ledger.Connected, ledger.NoFailures, ledger.NoNewcomers, ledger.NoPauses),
			Setting:     synchronous,
		},
		{
			Name: "coins", New: ledger.SystemOf[Gambler, Coin](&Coins{}),
			Doc:     "Each active process tosses a coin, and is inactive if it shows 0 and that of the active one before it 1. A counter says whether a process is the last.",
			Literal: []string{prismAsynchronous},
			Source:  prismAsynchronous,
		},
		{
			Name: "one-identity", New: of(&Protocol{K: 1}),
			Doc: "As itai-rodeh, with a single identity to choose from: there is no chance, and no process differs from another.",
		},
		{
			Name: "wrong-size", New: of(&Protocol{Size: 2}),
			Doc:     "As itai-rodeh, on a ring that processes take to have two members, whatever its size.",
			Assumes: "as itai-rodeh, but the size of the ring is not known", Setting: taken,
		},
	}),

	Written:    claims,
	Properties: []*checker.Property{oneLeader, leaderReachable},
	Asked:      []*checker.Property{checker.Uniqueness, oneLeader, leaderReachable},
	Files:      files,
	Mutants:    mutants,
}

var of = ledger.SystemOf[P, M]

const (
	assumes = "a unidirectional ring, asynchronous; reliable FIFO channels; no failures; no ids; all processes know N"

	fokkinkPang = "W. Fokkink, J. Pang, Variations on Itai-Rodeh leader election for anonymous rings and their analysis in PRISM, " +
		"Journal of Universal Computer Science 12(8), 2006"
	prismSynchronous  = "G. Norman, D. Parker, Synchronous Leader Election Protocol (Itai & Rodeh), case study of PRISM, 2001"
	prismAsynchronous = "G. Norman, D. Parker, Asynchronous Leader Election Protocol (Itai & Rodeh), case study of PRISM, 2001"
)

// synchronous is a ring of three in which each message takes a tick.
var synchronous = setting.Must("n=3 topology=ring:anonymous channels=fifo timing=lockstep")

// ring has all processes begin before anything is delivered.
var ring = setting.Must("n=3 topology=ring:anonymous channels=fifo timing=patient")

// taken is a ring of four.
var taken = setting.Must("n=4 topology=ring:anonymous channels=fifo timing=patient")

// biring is a ring of three both ways round, in any order.
var biring = setting.Must("n=3 topology=biring:anonymous timing=patient")

// oneLeader is what is asked of the end of a run: whom others name is no
// question where nobody has a name.
var oneLeader = checker.Always("one-leader",
	"Once settled, exactly one live process is the leader.",
	func(v *model.View) bool { return !v.Settled || v.Leaders.Len() == 1 },
).Reading(model.ReadsSettled).Blind()

// leaderReachable is "with probability 1": a run that can always still come to a
// leader comes to one, unless coins always fall against it. (There are finitely
// many states. Each process reads one channel, so that the order in which things
// happen makes no difference.)
var leaderReachable = checker.CanAlwaysReach("leader-reachable",
	"Wherever a run has come to, it can still come to an end with exactly one leader.",
	func(v *model.View) bool { return v.Settled && v.Leaders.Len() == 1 },
).Explained(func(*model.View) string { return "from here on no run ends with one leader" })
