package omega

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is Omega for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "omega",
	Title:  "Omega, the eventual leader detector",
	Source: "C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed Programming, 2nd edition, 2011, section 2.6",
	Doc: "Each process trusts one process, and from some time on all live ones trust the same live one. Who does not hear of the trusted process in time " +
		"trusts another. Where nobody knows how long messages take, timeouts grow until they are long enough.",
	Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.NoReturns, ledger.NoNewcomers, ledger.Reliable, ledger.Connected),
	Variants: ledger.Usually(ledger.Variant{Assumes: unknown, Setting: in("crashes=1")}, []ledger.Variant{
		{
			Name: "increasing-timeout", New: of(&Monarch{base: upTo(8)}),
			Doc: "Algorithms 2.7 and 2.8 of the book. A process asks all others whether they live, and suspects those that do not reply in time. " +
				"It trusts the first that it does not suspect. If it suspected a live process, it waits longer from then on.",
			Setting: in("timing=lockstep crashes=1"),
		},
		{
			Name: "lower-epoch", New: of(&Epochs{base: upTo(8)}),
			Doc: "Algorithm 2.9 of the book. All send heartbeats to all, with the number of times that they have come up. A process trusts the one with the " +
				"lowest number among those from which it heard lately. If that is another one than before, it waits longer from then on.",
			Assumes:     unknown + " Processes come back with their numbers.",
			Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.NoNewcomers, ledger.Connected, ledger.SyncedWrites),
			Setting:     in("timing=lockstep crashes=1 restarts=1"),
		},
		{
			Name: "heartbeats", Source: malkhi, Literal: []string{malkhi}, New: of(&Heartbeats{}),
			Doc:     "All send to all, again and again. A process trusts the lowest one that it heard from in its last period of sending.",
			Assumes: known,
		},
		{
			Name: "heartbeats-longer", Source: malkhi, New: of(&Heartbeats{Longer: true}),
			Doc:     "As heartbeats, but a process looks back for the longest delay more than a period.",
			Assumes: known,
		},
		{
			Name: "fixed-timeout", Adds: "a timeout that is too short and does not grow", New: of(&Monarch{Fixed: true}),
			Doc:     "As increasing-timeout, but the timeout stays one tick. This is what increasing timeouts are for.",
			Setting: in("n=2"),
		},
		{
			Name: "candidates", Source: larrea, Literal: []string{larrea}, New: of(&Candidates{base: upTo(8)}),
			Reconstruction: "The paper is not at hand, only its abstract. The rules are those that the literature tells.",
			Doc: "Only a process that trusts itself sends, to all higher ones. A process trusts the lowest one, and the next if that is late. It goes back if it hears " +
				"from a lower one, and gives that one more time from then on.",
			Setting: in("timing=sync:2 crashes=1"),
		},
		{
			Name: "rounds", Source: aguilera, Literal: []string{aguilera, program}, New: of(&Rounds{base: upTo(8)}),
			Doc: "The leader of round k is process k mod n. It sends OK to all. A process that misses it starts the next round, and tells the leader of that. Whoever hears of a " +
				"higher round starts that one. The program calls it LeaderElector.",
			Assumes: reliable, Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.Reliable, ledger.Connected),
		},
		{
			Name: "stops", Source: program, Adds: "a message to the leader that is given up, and two OK messages",
			Doc: "As rounds, but a process that starts the next round tells the leader of the old one, which starts the next round also. The leader is trusted by those that have " +
				"two of its OK messages. The program calls it StableLeaderElector.",
			Assumes: reliable, Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.Reliable, ledger.Connected),
			New: of(&Rounds{base: upTo(8), Stops: true}),
		},
		{
			Name: "stable", Source: program, Adds: "rounds that all are told, and two OK messages", New: of(&Rounds{base: upTo(8), Lossy: true}),
			Doc: "As rounds, but a process tells all others which round it starts, and whoever sends a message of a lower round. The leader is trusted by those that have two of " +
				"its OK messages. The program calls it OnStableLeaderElector.",
			Assumes: "A complete graph with links that may lose messages, and a bound on delays that all processes know.", Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses),
			Setting: in("crashes=1 losses=1"),
		},
	}),
	Mutants: []ledger.Mutant{
		{
			Name: "keeps", Of: "increasing-timeout", Caught: agreement.Name, Setting: in("n=2"), New: of(keeps{&Monarch{base: upTo(8)}}),
			Doc: "Who was suspected once is suspected without end.",
		},
		{
			Name: "loyal", Of: "increasing-timeout", Caught: accuracy.Name, Setting: in("timing=lockstep crashes=1"),
			Doc: "A process does not suspect the one that it trusts.",
			New: of(loyal{&Monarch{base: upTo(8)}}),
		},
		{
			Name: "forgets", Of: "lower-epoch", Caught: fewest.Name, Setting: in("timing=lockstep crashes=1 restarts=1"),
			Doc: "The epoch is not stored.",
			New: of(forgets{&Epochs{base: upTo(8)}}),
		},
		{
			Name: "no-growth", Of: "candidates", Caught: checker.StableLeadership.Name, Setting: in(""), New: of(&Candidates{Fixed: true}),
			Doc: "The timeout of a process does not grow when it was trusted too late.",
		},
		{
			Name: "stubborn", Of: "candidates", Caught: agreement.Name, Setting: in(""), New: of(stubborn{&Candidates{base: upTo(8)}}),
			Doc: "A process that trusts itself does not go back to a lower one.",
		},
		{
			Name: "behind", Of: "rounds", Caught: checker.StableLeadership.Name, Setting: in("joins=1"), New: of(behind{&Rounds{base: upTo(8)}}),
			Doc: "A process does not start the round of an OK message that is higher than its own.",
		},
		{
			Name: "waits", Of: "rounds", Caught: checker.ReElection.Name, Setting: in("crashes=1"), New: of(waits{&Rounds{base: upTo(8)}}),
			Doc: "A process that misses the OK messages of a round does not start the next one.",
		},
		{
			Name: "one-ok", Of: "stable", Caught: stays.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "One OK message is enough.",
			New: of(&Rounds{base: upTo(8), Lossy: true, First: true}),
		},
	},
	Properties: []*checker.Property{accuracy, agreement, onlyLeader, stays, leaderStays, fewest},
	Asked:      []*checker.Property{checker.Validity, accuracy, agreement, checker.StableLeadership, checker.ReElection, checker.LeaderAgain},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

// The sources beside the book, as claims name them.
const (
	malkhi   = "D. Malkhi, F. Oprea and L. Zhou, Omega Meets Paxos: Leader Election and Stability Without Eventual Timely Links, 2005"
	larrea   = "M. Larrea, A. Fernández and S. Arévalo, Optimal Implementation of the Weakest Failure Detector for Solving Consensus, 2000"
	aguilera = "M. Aguilera, C. Delporte-Gallet, H. Fauconnier and S. Toueg, Stable Leader Election, 2001"
	program  = "The program ecejjar/Lamport, LeaderElection.py, 2014"
)

const (
	unknown = "A complete graph, and a bound on delays that no process knows."
	known   = "A complete graph, and a bound on delays that all processes know."

	reliable = "A complete graph with reliable links, and a bound on delays that all processes know."
)

func upTo(most uint8) base { return base{Most: most} }

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off").MustWith
