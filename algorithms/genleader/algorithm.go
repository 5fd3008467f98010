package genleader

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

// splitEnds is what the question of riak_repl is for.
var splitEnds = checker.LeadsTo("split-ends",
	"Whenever two live nodes lead, eventually at most one does.",
	func(v *model.View) bool { return v.Leaders.Len() > 1 },
	func(v *model.View) bool { return v.Leaders.Len() <= 1 },
)

// leaderStays is what the answer hasLeader is for.
var leaderStays = checker.AlwaysStep("leader-stays",
	"A node that leads goes on to lead as long as it is up.",
	func(e *model.Event) bool { return e.From.Leaders&e.To.Up&^e.To.Leaders == 0 },
)

// Algorithm is gen_leader for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "genleader",
	Title:  "Erlang's gen_leader",
	Source: "H. Svensson, T. Arts and U. Wiger, gen_leader.erl, version 1.2, 2005",
	Doc: "The candidates stand in an order, and monitor each other. One leads that has halted all those behind it, and all before it are down. " +
		"A leader stays when a node before it comes back.",
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.Reliable, ledger.Connected, ledger.NoNewcomers),
	Variants: []ledger.Variant{
		{
			Name:    "original",
			Doc:     "Version 1.2 of 2005. A leader asks those that are down each TAU whether they have come back.",
			Assumes: monitors, Setting: in("crashes=1 restarts=1"), New: of(&GenLeader{}),
		},
		{
			Name: "riak", Source: basho, Literal: []string{basho},
			Doc: "That of riak_repl from 2011-08-03 on. A node that waits for others sends them heartbeats. On a heartbeat, a leader asks the nodes " +
				"that are down. A leader also asks them who leads, and has all begin an election if that is another node.",
			Assumes: monitors, Setting: in("crashes=1 restarts=1"), New: of(riak(func(*GenLeader) {})),
		},
		{
			Name: "riak-first", Source: basho, Adds: "heartbeats",
			Doc:     "That of riak_repl from 2010-09-25 on: no leader asks who leads.",
			Assumes: monitors, Setting: in("crashes=1 restarts=1"), New: of(riak(func(g *GenLeader) { g.Checks, g.Answers = false, false })),
		},
		{
			Name: "riak-omits", Source: basho, Adds: "a question to those that are not connected",
			Doc:     "That of riak_repl from 2011-07-25 on: a leader asks only nodes with which it is not connected, and begins when one is down.",
			Assumes: monitors, Setting: in("crashes=1 restarts=1"), New: of(riak(func(g *GenLeader) { g.Omits, g.Answers = true, false })),
		},
		{
			Name: "riak-waits", Source: basho, Adds: "a question that a starting node does not answer",
			Doc:     "That of riak_repl from 2011-08-01 on: a node in stage 1 does not answer the question.",
			Assumes: monitors, Setting: in("crashes=2 restarts=2"), New: of(riak(func(g *GenLeader) { g.Answers = false })),
		},
		{
			Name: "riak-short", Source: basho, Adds: "a message ldr that nobody understands",
			Doc:     "That of riak_repl as it was imported on 2010-07-22: a new leader sends ldr with one part too few.",
			Assumes: monitors, Setting: in(""), New: of(riak(func(g *GenLeader) { g.Short, g.Checks, g.Answers = true, false, false })),
		},
		{
			Name: "asks-all", Adds: "a question to all",
			Doc:     "As original, but a leader asks all nodes each TAU whether they have a leader. No version of the program does that.",
			Assumes: monitors, Setting: in("crashes=1 restarts=1"), New: of(&GenLeader{AsksAll: true}),
		},
		{
			Name: "original-split", Adds: "a divided network that has healed",
			Doc:     "As original, but it begins where a divided network has healed. P1 leads alone, and P2 the others.",
			Assumes: monitors, Setting: in(""), New: of(&GenLeader{Split: true}),
		},
		{
			Name: "riak-split", Source: basho, Adds: "a divided network that has healed",
			Doc:     "As riak, but it begins where a divided network has healed.",
			Assumes: monitors, Setting: in(""), New: of(riak(func(g *GenLeader) { g.Split = true })),
		},
		{
			Name: "riak-omits-split", Source: basho, Adds: "a divided network that has healed",
			Doc:     "As riak-omits, but it begins where a divided network has healed.",
			Assumes: monitors, Setting: in(""), New: of(riak(func(g *GenLeader) { g.Split, g.Omits, g.Answers = true, true, false })),
		},
	},
	Mutants: []ledger.Mutant{
		{
			Name: "unwatched", Of: "asks-all", Caught: checker.OneLeaderAgain.Name, Setting: in("crashes=1"),
			Doc: "A node does not monitor the node that it halts.",
			New: of(&GenLeader{AsksAll: true, Faulty: Faults{Unwatched: true}}),
		},
		{
			Name: "hasty", Of: "asks-all", Caught: checker.Uniqueness.Name, Setting: in("crashes=1"),
			Doc: "A node does not wait until all nodes before it are down: one is enough.",
			New: of(&GenLeader{AsksAll: true, Faulty: Faults{Hasty: true}}),
		},
		{
			Name: "yields", Of: "asks-all", Caught: checker.Uniqueness.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A node that has a leader answers a halt as if it had none.",
			New: of(&GenLeader{AsksAll: true, Faulty: Faults{Yields: true}}),
		},
		{
			Name: "deaf", Of: "asks-all", Caught: checker.E2.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A node in stage 1 does not answer the question of the leader.",
			New: of(&GenLeader{AsksAll: true, Faulty: Faults{Deaf: true}}),
		},
		{
			Name: "quiet", Of: "riak", Caught: splitEnds.Name, Setting: pair,
			Doc: "A leader does nothing when it learns of another one.",
			New: of(riak(func(g *GenLeader) { g.Faulty.Quiet = true })),
		},
		{
			Name: "abdicates", Of: "original", Caught: leaderStays.Name, Setting: in("crashes=1 restarts=1"),
			Doc: "A leader that is halted waits.",
			New: of(&GenLeader{Faulty: Faults{Abdicates: true}}),
		},
	},
	Properties: []*checker.Property{splitEnds, leaderStays},
	Asked: []*checker.Property{
		checker.Uniqueness, checker.Agreement, checker.E2, checker.StableLeadership, checker.OneLeaderAgain, splitEnds, leaderStays,
	},
	Written: claims,
	Record:  record,
	Code:    code,
}

const basho = "Basho, riak_repl, src/gen_leader.erl, 2010 to 2011"

const monitors = "Monitors that report a node when it has ended, and never before; connections in order, which end with their node."

// riak returns the program of riak_repl, as changed.
func riak(change func(g *GenLeader)) *GenLeader {
	g := &GenLeader{Heartbeats: true, Checks: true, Answers: true}
	change(g)
	return g
}

func of(g *GenLeader) func(setting.Setting) (*model.System, error) { return ledger.SystemOf[P, M](g) }

// pair is a setting of two nodes whose network divides and heals.
var pair = setting.Must("n=2 " + connections + " timing=lockstep cuts=1 heals=owed")

const connections = "initiators=none channels=fifo mail-down=lost mail-old=lost reports=always"

// in returns a setting of nodes that monitor each other, by connections that end with a node.
func in(words string) setting.Setting {
	s, err := setting.Must("n=3 " + connections + " timing=lockstep").With(words)
	if err != nil {
		panic(err)
	}
	return s
}
