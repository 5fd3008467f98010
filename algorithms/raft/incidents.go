package raft

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/setting"
)

// incidents are the faults of Faults, each with the variant that its fix makes of it. The
// package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "no-catch-up", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=2 restarts=1 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and nobody learns a term from one.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{OwnTerm: true, NoCatchUp: true}}),
	},
	{
		Name: "deaf", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=3 restarts=2 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and a server does not answer one of a lower term.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{OwnTerm: true, Deaf: true}}),
	},
	{
		Name: "keeps-leader", Of: "prevote-checkquorum", Caught: availability.Name,
		Setting: setting.Must("n=3 start=settled crashes=1 detector=off timing=lockstep"),
		Doc:     "A server that asks for pre-votes refuses those of others, since it still has a leader.",
		New:     ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, CheckQuorum: true, Faulty: Faults{KeepsLeader: true}}),
	},
	{
		Name: "deaf-rollout", Of: "rollout", Caught: availability.Name,
		Setting: setting.Must("n=3 crashes=3 restarts=2 mid-send=yes " + lockstep),
		Doc:     "A server does not answer a pre-vote of a lower term.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 3, Rollout: true,
			Faulty: Faults{Deaf: true}}),
	},
	{
		Name: "refused-for-ever", Of: "all", Caught: availability.Name, Setting: setting.Must("n=3 crashes=1 cuts=1 heals=1 " + lockstep),
		Doc: "A server learns no term from a pre-vote that is refused.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Sticky: true, CheckQuorum: true, Logs: true,
			Faulty: Faults{NoCatchUp: true}}),
	},
	{
		Name: "leads-on", Of: "sticky", Caught: availability.Name, Setting: setting.Must("n=3 start=settled detector=off timing=lockstep"),
		Doc: "A leader that somebody asks to begin an election does so, and goes on sending heartbeats of its old term.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Sticky: true, Faulty: Faults{LeadsOn: true}}),
	},
	{
		Name: "silent", Of: "prevote", Caught: checker.E2.Name,
		Setting: setting.Must("n=3 start=settled cuts=1 heals=owed losses=1 detector=off timing=lockstep"),
		Doc:     "A server does not answer a heartbeat of an old term.",
		New:     ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{Silent: true}}),
	},
}

// rearms is what was reported and the model does not show, and so is no mutant.
var rearms = ledger.Variant{
	Name: "rearms", Source: "github.com/redpanda-data/redpanda/pull/11726", Adds: "pre-votes that begin the election timeout anew",
	Doc:     "As prevote, but a server that grants a pre-vote begins its election timeout anew.",
	Assumes: withOneTick, Setting: rounds,
	New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{Rearms: true}}),
}

const lockstep = "initiators=none detector=off timing=lockstep"
