package genleader

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
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
	Variants: []ledger.Variant{
		{
			Name:    "svensson-arts",
			Doc:     "The program of 2005. A leader asks those that are down again and again whether they wait for an election.",
			Assumes: erlang, Setting: in("crashes=1 restarts=1"), New: of(&Protocol{Asks: true}),
		},
		{
			Name: "revival", Adds: "a leader asks once, and when it is woken",
			Doc: "gen_leader_revival. Whoever begins to monitor another one wakes it, and so does a candidate that finds another one " +
				"not connected.",
			Assumes: erlang, Setting: in("crashes=1 restarts=1"), New: of(&Protocol{}),
		},
		{
			Name: "split-check", Adds: "a leader compares itself with those that were down",
			Doc:     "riak_repl as of commit d766f06: after a DOWN a leader sends \"checklead\" to those that are not connected. Other programs connect them.",
			Assumes: erlang, Setting: in("crashes=1 restarts=1"), New: of(&Protocol{Checks: SomeChecks, Meshed: true}),
		},
		{
			Name: "riak", Adds: "a leader compares itself with those that were down, and a candidate may answer",
			Doc:     "riak_repl as of commit 6700452: each leader sends \"checklead\" to all that are down.",
			Assumes: erlang, Setting: in("crashes=1 restarts=1"), New: of(&Protocol{Checks: AllChecks, Meshed: true}),
		},
		{
			Name: "gproc", Adds: "a process knows of those alone that were there before it",
			Doc:     "garret-smith/gen_leader_revival as gproc uses it: the candidates are the nodes that are connected when the process starts.",
			Assumes: erlang, Setting: in("n=2 joins=1 joiners=2"), New: of(&Protocol{Checks: AllChecks, Grows: true}),
		},
		{
			Name: "announces", Adds: "a process that starts asks for the leader",
			Doc:     "As gproc, after pull request 2: a process that starts sends \"join\" to the other candidates.",
			Assumes: erlang, Setting: in("n=2 joins=1 joiners=2"), New: of(&Protocol{Checks: AllChecks, Grows: true, Announces: true}),
		},
		{
			Name: "repaired", Adds: "of two leaders one ends, and nobody is left waiting",
			Doc: "As riak. Of two leaders the one behind ends and is restarted; a leader asks back whoever wakes it; a late acknowledgement " +
				"is answered; and nobody follows a leader from before its restart.",
			Assumes: erlang, Setting: in("crashes=1 restarts=1"), New: of(&Protocol{Checks: AllChecks, Meshed: true, Repaired: true}),
		},
	},
	Mutants: []ledger.Mutant{
		{
			Name: "hasty", Of: "svensson-arts", Caught: checker.Uniqueness.Name, Setting: in("crashes=1"),
			Doc: "A candidate enters stage 2 when one of those before it is down.",
			New: of(&Protocol{Asks: true, Faulty: Faults{Hasty: true}}),
		},
		{
			Name: "agrees", Of: "svensson-arts", Caught: checker.Uniqueness.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A process that has a leader acknowledges a halt, and keeps its leader.",
			New: of(&Protocol{Asks: true, Faulty: Faults{Agrees: true}}),
		},
		{
			Name: "silent", Of: "svensson-arts", Caught: checker.E2.Name, Setting: in("start=settled suspicions=1"),
			Doc: "A leader does not ask those that are down.",
			New: of(&Protocol{Asks: true, Faulty: Faults{Silent: true}}),
		},
	},
	Asked:   []*checker.Property{checker.Uniqueness, checker.OneLeaderAgain, checker.StableLeadership, checker.E2},
	Written: claims,
	Record:  record,
	Code:    code,
}

const erlang = "Erlang's monitors and connections: messages of a connection arrive in order, and if it breaks (a wrong report, and no cut) each end learns that; at most " +
	"one process restarts"

func of(p model.Protocol[P, M]) func(setting.Setting) (*model.System, error) {
	return ledger.SystemOf[P, M](p)
}

// in returns a setting in which every process is told what its monitors say, also in an election.
func in(words string) setting.Setting {
	s, err := setting.Must("n=3 channels=fifo mail-down=lost reports=always timing=patient").With(words)
	if err != nil {
		panic(err)
	}
	return s
}
