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
	{
		Name: "busy", Of: "all", Caught: electsSoon.Name, Setting: setting.Must("n=3 crashes=1 losses=1 mid-send=yes " + lockstep),
		Doc: "A candidate begins the next term without asking, and does not answer pre-votes that are not of a higher term than the next one.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Sticky: true, CheckQuorum: true, Logs: true, Terms: 6,
			Faulty: Faults{Busy: true}}),
	},
	{
		Name: "holds-vote", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 start=settled crashes=1 detector=off timing=lockstep"),
		Doc: "A server refuses a pre-vote if it has voted for another one in its term.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{HoldsVote: true}}),
	},
	{
		Name: "resets-vote", Of: "prevote-any-delays", Caught: checker.OneLeaderPerEpoch.Name, Setting: setting.Must("n=3 initiators=none detector=off timing=async:2"),
		Doc: "A server that asks for pre-votes forgets the vote that it gave in its term.",
		New: ledger.SystemOf[P, M](&Raft{PreVote: true, Terms: 1, Faulty: Faults{HoldsVote: true, ResetsVote: true}}),
	},
	{
		Name: "obliging", Of: "prevote", Caught: undisturbed.Name, Setting: setting.Must("n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep"),
		Doc: "A server grants a pre-vote although it hears of a leader.",
		New: ledger.SystemOf[P, M](&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{Obliging: true}}),
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
