package raft

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// incidents are what programs got wrong, each with the variant that its fix makes of it. The
// package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "no-catch-up", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=2 restarts=1 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and nobody learns a term from one.",
		New: of(ownTerm{noCatchUp{preVotes}}),
	},
	{
		Name: "deaf", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=3 restarts=2 " + lockstep),
		Doc: "A pre-vote carries the term of the server that grants it, and a server does not answer one of a lower term.",
		New: of(ownTerm{deaf{preVotes}}),
	},
	{
		Name: "keeps-leader", Of: "prevote-checkquorum", Caught: availability.Name,
		Setting: setting.Must("n=3 start=settled crashes=1 detector=off timing=lockstep"),
		Doc:     "A server that asks for pre-votes refuses those of others, since it still has a leader.",
		New:     of(keepsLeader{checkQuorum}),
	},
	{
		Name: "deaf-rollout", Of: "rollout", Caught: availability.Name,
		Setting: setting.Must("n=3 crashes=3 restarts=2 mid-send=yes " + lockstep),
		Doc:     "A server does not answer a pre-vote of a lower term.",
		New:     of(deaf{rollout}),
	},
	{
		Name: "refused-for-ever", Of: "all", Caught: availability.Name, Setting: setting.Must("n=3 crashes=1 cuts=1 heals=1 " + lockstep),
		Doc: "A server learns no term from a pre-vote that is refused.",
		New: of(noCatchUp{all}),
	},
	{
		Name: "leads-on", Of: "sticky", Caught: availability.Name, Setting: setting.Must("n=3 start=settled detector=off timing=lockstep"),
		Doc: "A leader that somebody asks to begin an election does so, and goes on sending heartbeats of its old term.",
		New: of(leadsOn{sticky}),
	},
	{
		Name: "silent", Of: "prevote", Caught: checker.E2.Name,
		Setting: setting.Must("n=3 start=settled cuts=1 heals=owed losses=1 detector=off timing=lockstep"),
		Doc:     "A server does not answer a heartbeat of an old term.",
		New:     of(silent{preVotes}),
	},
	{
		Name: "busy", Of: "ra", Caught: fewElections.Name, Setting: setting.Must("n=3 losses=2 crashes=1 mid-send=yes " + lockstep),
		Doc: "A candidate does not answer a pre-vote for the term after its own.",
		New: of(busy{presses}),
	},
	{
		Name: "vote-binds", Of: "prevote", Caught: availability.Name, Setting: setting.Must("n=3 crashes=1 " + lockstep),
		Doc: "A server that has voted refuses pre-votes for later terms.",
		New: of(voteBinds{preVotes}),
	},
	{
		Name: "drops-vote", Of: "prevote", Caught: checker.OneLeaderPerEpoch.Name, Setting: setting.Must("n=3 losses=2 cuts=1 " + lockstep),
		Doc: "A server that asks for pre-votes forgets its vote. Before that it refuses pre-votes for later terms.",
		New: of(dropsVote{voteBinds{sameTerm{noCatchUp{preVotes}}}}),
	},
	{
		Name: "unmarked", Of: "prevote", Caught: checker.OneLeaderPerEpoch.Name, Setting: setting.Must(world + "n=3 timing=sync:1"),
		Doc: "The answer to a pre-vote has the term of the server that grants it, and a candidate counts it as a vote.",
		New: of(unmarked{ownTerm{sameTerm{noCatchUp{preVotes}}}}),
	},
	{
		Name: "votes-anew", Of: "ccf", Caught: checker.OneLeaderPerEpoch.Name, Setting: late,
		Doc: "A server that asks for pre-votes and hears the leader of its own term forgets its vote.",
		New: of(votesAnew{anyDelaysFirst}),
	},
	{
		Name: "log-alone", Of: "prevote", Caught: undisturbed.Name,
		Setting: setting.Must("n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep"),
		Doc:     "A server that hears of a leader grants pre-votes.",
		New:     of(logAlone{preVotes}),
	},
	{
		Name: "unheard", Of: "lagging", Caught: checker.StableLeadership.Name, Setting: setting.Must("n=3 " + lockstep),
		Doc: "A follower whose log is behind does not begin its election timeout anew when it hears its leader.",
		New: of(unheard{lags}),
	},
	{
		Name: "any-log", Of: "lagging", Caught: couldWin.Name, Setting: setting.Must("n=3 pauses=1 pausers=1 capacity=2 " + lockstep),
		Doc: "A server that hears of no leader grants pre-votes whatever the log of the asker is.",
		New: of(anyLog{lags}),
	},
	{
		Name: "goes-back", Of: "any-delays", Caught: checker.OneLeaderPerEpoch.Name,
		Setting: setting.Must(world + "n=3 timing=async:2"),
		Doc:     "A server that voted in a new term follows the leader that it had, and goes back to its term.",
		New:     of(goesBack{anyDelays}),
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
		Assumes: withOneTick, Setting: rounds, New: of(presses),
	}

	lagging = ledger.Variant{
		Name: "lagging", Source: dissertation + ", section 9.6", Adds: "pre-votes, and a log that stays behind",
		Doc:     "As prevote, with logs, but the log of the last server stays behind that of its leader: its recovery takes longer than runs do.",
		Assumes: withOneTick, Setting: rounds, New: of(lags),
	}
)

// late is a setting in which messages take any time.
var late = setting.Must(world + "n=3 timing=async:2")

// ccf has any delays, as CCF expects them of a network.
var ccf = ledger.Variant{
	Name: "ccf", Source: "microsoft/CCF, src/consensus/aft/raft.h, with #8094", Adds: "pre-votes, and any delays",
	Doc:         "As any-delays, with pre-votes. One term is explored.",
	Assumes:     "A complete graph, disks that keep the term and the vote; any delays and any timeouts.",
	Assumptions: ledger.Said("section 6", ledger.NoNewcomers),
	Setting:     late, New: of(anyDelaysFirst),
}

// rearms is what was reported and the model does not show, and so is no mutant.
var rearms = ledger.Variant{
	Name: "rearms", Source: "github.com/redpanda-data/redpanda/pull/11726", Adds: "pre-votes that begin the election timeout anew",
	Doc:     "As prevote, but a server that grants a pre-vote begins its election timeout anew.",
	Assumes: withOneTick, Setting: rounds, New: of(rearming{preVotes}),
}

const lockstep = "initiators=none detector=off timing=lockstep"
