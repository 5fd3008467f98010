package dijkstra

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Algorithm is Dijkstra's rings for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "dijkstra",
	Title:  "Self-stabilising rings of Dijkstra",
	Source: "E. W. Dijkstra, Self-stabilizing Systems in Spite of Distributed Control, Communications of the ACM 17(11), 1974 (rules as the literature tells them)",
	Doc: "Each machine is in any state at first. It has a privilege if its state and those of its neighbours are as a rule says, and then it may move. Whoever has " +
		"a privilege leads. After finitely many moves there is one privilege, and it goes round without end.",
	Assumptions: slices.Concat(
		ledger.Said("the central daemon", ledger.BoundedDelays),
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.NoPauses, ledger.NoFailures, ledger.NoNewcomers),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: ring("")}, []ledger.Variant{
		{
			Name: "k-state", New: of(KState{}),
			Doc: "K states, as many as machines, in a ring where each reads its left neighbour. P1 moves if the two states are equal, and adds 1. Others " +
				"move if they differ, and take the neighbour's.",
		},
		{
			Name: "one-fewer", New: of(KState{More: -1}),
			Doc: "As k-state, with a state fewer than machines.",
		},
		{
			Name: "two-fewer", New: of(KState{More: -2}),
			Doc:     "As k-state, with two states fewer than machines.",
			Setting: ring("n=4"),
		},
		{
			Name: "alike", New: of(KState{Fault: NoBottom}),
			Doc: "As k-state, but P1 moves as the others do: no machine is special.",
		},
		{
			Name: "four-state", Source: ewd392, Literal: []string{ewd392}, New: of(FourState{}),
			Doc:     "Four states, in an array where each machine reads both neighbours. The machines at the ends have two states.",
			Assumes: "an array, otherwise as k-state", Setting: both(""),
		},
		{
			Name: "three-state", Source: ewd396, Literal: []string{ewd396, belated}, New: of(ThreeState{}),
			Doc:     "Three states, in a ring where each machine reads both neighbours, except P1, which reads the right one.",
			Assumes: "a ring of three machines or more, otherwise as k-state", Setting: both(""),
		},
		{
			Name: "messages", Adds: "messages that take time, and are sent again and again",
			Doc: "As k-state, but a machine sends its state again when a message has had time to arrive, and keeps a copy of its neighbour's. Copies and mail " +
				"are arbitrary at first. A machine that comes back after a crash is in any state.",
			Assumes:     "a ring; a state that is sent again and again arrives",
			Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.NoNewcomers),
			Setting:     ring("timing=sync:1"), New: ledger.SystemOf[P, M](&Ring{Machine: KState{}, Messages: true}),
		},
	}),
	Mutants: mutants,
	Properties: []*checker.Property{
		stabilises, stabilisesFairly, somePrivilege, remains, eachAgain, eachAgainFairly, equalFrequency, inMoves, inFewer,
	},
	Asked:   []*checker.Property{checker.Uniqueness, stabilisesFairly, eachAgainFairly, checker.LeaderAgain},
	Written: claimfile.In(files, nil),
	Files:   files,
}

//go:embed *.go claims.*
var files embed.FS

// The sources beside the paper, as claims name them.
const (
	ewd392  = "E. W. Dijkstra, Self-stabilization with four-state machines, EWD 392, 1973"
	ewd396  = "E. W. Dijkstra, Self-stabilization with three-state machines, EWD 396, 1973"
	belated = "E. W. Dijkstra, A Belated Proof of Self-stabilization, Distributed Computing 1, 1986"
)

const assumes = "a ring; each machine reads its neighbour's state; a central daemon, which has one machine move at a time."

func of(m Machine) func(setting.Setting) (*model.System, error) {
	return ledger.SystemOf[P, M](&Ring{Machine: m})
}

// ring returns a setting of a ring in any arrangement, and both one that is read both ways, from P1 to PN.
func ring(words string) setting.Setting { return world("topology=ring " + words) }
func both(words string) setting.Setting { return world("topology=biring arrangement=1-2-3 " + words) }

// bothOf5 is of five.
var bothOf5 = world("topology=biring n=5 arrangement=1-2-3-4-5")

var world = setting.Must("n=3 topology=ring initiators=none detector=off timing=patient").MustWith

var mutants = []ledger.Mutant{
	{
		Name: "adds-two", Of: "k-state", Caught: stabilises.Name, Setting: ring("n=4"), New: of(KState{Fault: AddsTwo}),
		Doc: "P1 adds 2.",
	},
	{
		Name: "blind", Of: "k-state", Caught: remains.Name, Setting: ring(""), New: of(KState{Fault: Blind}),
		Doc: "P1 adds 1 whenever it has its turn.",
	},
	{
		Name: "all-special", Of: "k-state", Caught: somePrivilege.Name, Setting: ring(""), New: of(KState{Fault: AllBottom}),
		Doc: "Each machine moves as P1 does.",
	},
	{
		Name: "ignores-up", Of: "four-state", Caught: remains.Name, Setting: both(""), New: of(FourState{Fault: IgnoresUp}),
		Doc: "A machine does not look whether its right neighbour is up.",
	},
	{
		Name: "ignores-bottom", Of: "three-state", Caught: remains.Name, Setting: both(""), New: of(ThreeState{Fault: IgnoresBottom}),
		Doc: "The top machine does not look at the bottom one.",
	},
	{
		Name: "forward", Of: "three-state", Caught: stabilises.Name, Setting: bothOf5, New: of(ThreeState{Fault: Forward}),
		Doc: "The bottom machine adds 1 and does not subtract it.",
	},
	{
		Name: "sends-once", Of: "messages", Caught: eachAgainFairly.Name, Setting: ring("timing=sync:1"),
		Doc: "A machine sends its state after a move alone.",
		New: ledger.SystemOf[P, M](&Ring{Machine: KState{}, Messages: true, Once: true}),
	},
	{
		Name: "hasty", Of: "messages", Caught: stabilisesFairly.Name, Setting: ring("timing=sync:2"),
		Doc: "A machine sends its state in each tick, although a message takes up to two.",
		New: ledger.SystemOf[P, M](&Ring{Machine: KState{}, Messages: true, Hasty: true}),
	},
	{
		Name: "fewer-states", Of: "messages", Caught: stabilisesFairly.Name, Setting: ring("timing=sync:1"),
		Doc: "There is a state fewer than machines.",
		New: ledger.SystemOf[P, M](&Ring{Machine: KState{More: -1}, Messages: true}),
	},
}
