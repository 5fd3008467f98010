package genleader

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is gen_leader for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "genleader",
	Title:  "Erlang's gen_leader",
	Source: "gen_leader.erl of H. Svensson and T. Arts (2005), of gen_leader_revival and riak_repl (2011), and of garret-smith/gen_leader_revival (2014)",
	Doc: "Each candidate monitors those before it in a list. When all of them are down it halts those behind it, one after the other, and " +
		"leads. Whoever has a leader answers a halt with that leader. (A broken connection between two nodes is a wrong report here.)",
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.InOrder),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: erlang, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "svensson-arts", New: of(&Protocol{Asks: true}),
			Doc: "The program of 2005. A leader asks those that are down again and again whether they wait for an election.",
		},
		{
			Name: "revival", Adds: "a leader asks once, and when it is woken", New: of(&Protocol{}),
			Doc: "gen_leader_revival. Whoever begins to monitor another one wakes it, and so does a candidate that finds another one " +
				"not connected.",
		},
		{
			Name: "split-check", Adds: "a leader compares itself with those that were down", New: of(&Protocol{Checks: SomeChecks, Meshed: true}),
			Doc: "riak_repl as of commit d766f06: after a DOWN a leader sends \"checklead\" to those that are not connected. Other programs connect them.",
		},
		{
			Name: "riak", Adds: "a leader compares itself with those that were down, and a candidate may answer",
			Doc: "riak_repl as of commit 6700452: each leader sends \"checklead\" to all that are down.",
			New: of(&Protocol{Checks: AllChecks, Meshed: true}),
		},
		{
			Name: "gproc", Adds: "a process knows of those alone that were there before it", New: of(&Protocol{Checks: AllChecks, Grows: true}),
			Doc:     "garret-smith/gen_leader_revival as gproc uses it: the candidates are the nodes that are connected when the process starts.",
			Setting: in("n=2 joins=1 joiners=2"),
		},
		{
			Name: "announces", Adds: "a process that starts asks for the leader", New: of(&Protocol{Checks: AllChecks, Grows: true, Announces: true}),
			Doc:     "As gproc, after pull request 2: a process that starts sends \"join\" to the other candidates.",
			Setting: in("n=2 joins=1 joiners=2"),
		},
		{
			Name: "repaired", Adds: "of two leaders one ends, and nobody is left waiting",
			Doc: "As riak. Of two leaders the one behind ends and is restarted; a leader asks back whoever wakes it; a late acknowledgement " +
				"is answered; and nobody follows a leader from before its restart.",
			New: of(&Protocol{Checks: AllChecks, Meshed: true, Repaired: true}),
		},
	}),
	Mutants: []ledger.Mutant{
		{
			Name: "hasty", Of: "svensson-arts", Caught: checker.Uniqueness.Name, Setting: in("crashes=1"),
			Doc: "A candidate enters stage 2 when one of those before it is down.",
			New: of(hasty{&Protocol{Asks: true}}),
		},
		{
			Name: "agrees", Of: "svensson-arts", Caught: checker.Uniqueness.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A process that has a leader acknowledges a halt, and keeps its leader.",
			New: of(agrees{&Protocol{Asks: true}}),
		},
		{
			Name: "silent", Of: "svensson-arts", Caught: checker.E2.Name, Setting: in("start=settled suspicions=1"),
			Doc: "A leader does not ask those that are down.",
			New: of(silent{&Protocol{Asks: true}}),
		},
	},
	Asked:   []*checker.Property{checker.Uniqueness, checker.OneLeaderAgain, checker.StableLeadership, checker.E2},
	Written: claimfile.In(files, nil),
	Files:   files,
}

//go:embed *.go claims.*
var files embed.FS

const erlang = "Erlang's monitors and connections: messages of a connection arrive in order, and if it breaks (a wrong report, and no cut) each end learns that; at most " +
	"one process restarts"

var of = ledger.SystemOf[P, M]

// in returns a setting in which every process is told what its monitors say, also in an election.
var in = setting.Must("n=3 channels=fifo mail-down=lost reports=always timing=patient").MustWith
