package raft

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Faults are what programs got wrong, each of them a switch. Package incidents tells of
// each.
type Faults struct {
	// OwnTerm has a pre-vote carry the term of the server that grants it, and dropped
	// by one of a higher term.
	OwnTerm bool
	// Deaf has a server not answer a pre-vote of a lower term.
	Deaf bool
	// NoCatchUp has a server learn no term from a pre-vote that is refused.
	NoCatchUp bool
	// KeepsLeader has a server that asks for pre-votes still be one that hears of a
	// leader.
	KeepsLeader bool
	// Rearms has a server that grants a pre-vote begin its election timeout anew.
	Rearms bool
	// Silent has a server not answer a heartbeat of an old term.
	Silent bool
	// LeadsOn has a leader that somebody asks, once, to begin an election do so, and send
	// the heartbeats of its old term as before.
	LeadsOn bool
	// Busy has a candidate not answer a pre-vote for the term after its own, or an older
	// one (ra, handle_candidate).
	Busy bool
	// VoteBinds has a server that has voted refuse the pre-votes of others, though these
	// are for a later term (canonical/raft, electionVote).
	VoteBinds bool
	// DropsVote has a server that asks for pre-votes forget its vote (canonical/raft,
	// electionStart).
	DropsVote bool
	// SameTerm has a server grant a pre-vote for the term that it is in (canonical/raft,
	// recvRequestVote).
	SameTerm bool
	// Unmarked has the answer to a pre-vote look like one to a request for a vote: a
	// candidate counts it as a vote (canonical/raft, recvRequestVoteResult).
	Unmarked bool
	// LogAlone has a server that hears of a leader grant a pre-vote (Redpanda, do_vote).
	LogAlone bool
	// Unheard has a follower whose log is behind not begin its election timeout anew when
	// it hears its leader (Redpanda, do_append_entries).
	Unheard bool
	// GoesBack has a server that voted in a new term follow the leader that it had, and go
	// back to its term (NebulaGraph, verifyLeader).
	GoesBack bool
}

// incidents are the faults of Faults, each with the variant that its fix makes of it. The
// package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "no-catch-up", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=2 restarts=1 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and nobody learns a term from one.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{OwnTerm: true, NoCatchUp: true}}),
	},
	{
		Name: "deaf", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=3 restarts=2 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and a server does not answer one of a lower term.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{OwnTerm: true, Deaf: true}}),
	},
	{
		Name: "keeps-leader", Of: "prevote-checkquorum", Caught: availability.Name,
		Setting: setting.Must("n=3 start=settled crashes=1 detector=off timing=lockstep"),
		Doc:     "A server that asks for pre-votes refuses those of others, since it still has a leader.",
		New:     of(&Raft{Heartbeats: true, PreVote: true, CheckQuorum: true, Faulty: Faults{KeepsLeader: true}}),
	},
	{
		Name: "deaf-rollout", Of: "rollout", Caught: availability.Name,
		Setting: setting.Must("n=3 crashes=3 restarts=2 mid-send=yes " + lockstep),
		Doc:     "A server does not answer a pre-vote of a lower term.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 3, Rollout: true,
			Faulty: Faults{Deaf: true}}),
	},
	{
		Name: "refused-for-ever", Of: "all", Caught: availability.Name, Setting: setting.Must("n=3 crashes=1 cuts=1 heals=1 " + lockstep),
		Doc: "A server learns no term from a pre-vote that is refused.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Sticky: true, CheckQuorum: true, Logs: true,
			Faulty: Faults{NoCatchUp: true}}),
	},
	{
		Name: "leads-on", Of: "sticky", Caught: availability.Name, Setting: setting.Must("n=3 start=settled detector=off timing=lockstep"),
		Doc: "A leader that somebody asks to begin an election does so, and goes on sending heartbeats of its old term.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Sticky: true, Faulty: Faults{LeadsOn: true}}),
	},
	{
		Name: "silent", Of: "prevote", Caught: checker.E2.Name, New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{Silent: true}}),
		Setting: setting.Must("n=3 start=settled cuts=1 heals=owed losses=1 detector=off timing=lockstep"),
		Doc:     "A server does not answer a heartbeat of an old term.",
	},
	{
		Name: "busy", Of: "ra", Caught: fewElections.Name, Setting: setting.Must("n=3 losses=2 crashes=1 mid-send=yes " + lockstep),
		Doc: "A candidate does not answer a pre-vote for the term after its own.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Logs: true, Presses: true, Terms: 9, Faulty: Faults{Busy: true}}),
	},
	{
		Name: "vote-binds", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=1 " + lockstep),
		Doc: "A server that has voted refuses pre-votes for later terms.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{VoteBinds: true}}),
	},
	{
		Name: "drops-vote", Of: "prevote", Caught: checker.OneLeaderPerEpoch.Name, Setting: setting.Must("n=3 losses=2 cuts=1 " + lockstep),
		Doc: "A server that asks for pre-votes forgets its vote. Before that it refuses pre-votes for later terms.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{NoCatchUp: true, SameTerm: true, VoteBinds: true, DropsVote: true}}),
	},
	{
		Name: "unmarked", Of: "prevote", Caught: checker.OneLeaderPerEpoch.Name, Setting: setting.Must(world + "n=3 timing=sync:1"),
		Doc: "The answer to a pre-vote has the term of the server that grants it, and a candidate counts it as a vote.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{OwnTerm: true, NoCatchUp: true, SameTerm: true, Unmarked: true}}),
	},
	{
		Name: "log-alone", Of: "prevote", Caught: undisturbed.Name, New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{LogAlone: true}}),
		Setting: setting.Must("n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep"),
		Doc:     "A server that hears of a leader grants pre-votes.",
	},
	{
		Name: "unheard", Of: "lagging", Caught: checker.StableLeadership.Name, Setting: setting.Must("n=3 " + lockstep),
		Doc: "A follower whose log is behind does not begin its election timeout anew when it hears its leader.",
		New: of(&Raft{Heartbeats: true, PreVote: true, Logs: true, Lags: true, Faulty: Faults{Unheard: true}}),
	},
	{
		Name: "goes-back", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name, New: of(&Raft{Terms: 2, Faulty: Faults{GoesBack: true}}),
		Setting: setting.Must(world + "n=3 timing=async:2"),
		Doc:     "A server that voted in a new term follows the leader that it had, and goes back to its term.",
	},
}

// The behaviours of programs that are no faults, or in which faults show.
var (
	// ra has no end of terms where nobody is elected. Its timeouts are drawn, so that a
	// follower asks between two attempts of a candidate sooner or later. Here a candidate
	// waits three times as long for that.
	ra = ledger.Variant{
		Name: "ra", Source: "RabbitMQ's ra, src/ra_server.erl, with #442", Adds: "pre-votes before the first attempt alone, and logs",
		Doc:     "As prevote, with logs, but a candidate that is not elected in time begins the next term without asking first. Its timeout is then three times as long, where ra draws all timeouts. Nine terms are explored.",
		Assumes: withOneTick, Setting: rounds,
		New: of(&Raft{Heartbeats: true, PreVote: true, Logs: true, Presses: true, Terms: 9}),
	}

	lagging = ledger.Variant{
		Name: "lagging", Source: dissertation + ", section 9.6", Adds: "pre-votes, and a log that stays behind",
		Doc:     "As prevote, with logs, but the log of the last server stays behind that of its leader: its recovery takes longer than runs do.",
		Assumes: withOneTick, Setting: rounds,
		New: of(&Raft{Heartbeats: true, PreVote: true, Logs: true, Lags: true}),
	}
)

// rearms is what was reported and the model does not show, and so is no mutant.
var rearms = ledger.Variant{
	Name: "rearms", Source: "github.com/redpanda-data/redpanda/pull/11726", Adds: "pre-votes that begin the election timeout anew",
	Doc:     "As prevote, but a server that grants a pre-vote begins its election timeout anew.",
	Assumes: withOneTick, Setting: rounds,
	New: of(&Raft{Heartbeats: true, PreVote: true, Faulty: Faults{Rearms: true}}),
}

const lockstep = "initiators=none detector=off timing=lockstep"
