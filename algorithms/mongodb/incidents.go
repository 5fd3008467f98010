package mongodb

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// incidents are what the program got wrong, each with the variant that its fix makes of it. The
// package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "any-steps-down", Of: "pv0", Caught: laterStays.Name, Setting: settled("cuts=1 heals=1"),
		Doc: "Heartbeats of version 0 do not say when their primary was elected, and a primary that sees another one steps down (SERVER-9765).",
		New: of(noElectionTime{pv0}),
	},
	{
		Name: "arbiter-votes", Of: "arbiter", Caught: primaryStays.Name, Setting: settled("cuts=1 cut-by=link"),
		Doc: "An arbiter votes although it sees a healthy primary (SERVER-27125).",
		New: of(arbiterVotes{arbiter}),
	},
	{
		Name: "volatile-vote", Of: "handoff", Caught: checker.OneLeaderPerEpoch.Name, Setting: voterCrashes,
		Doc: "A member answers before its vote is durable (SERVER-27154).",
		New: of(volatile{handoff}),
	},
	{
		Name: "overwrites-vote", Of: "handoff", Caught: voteStored.Name, Setting: in("timing=async:1"),
		Doc: "A member records a vote after it has recorded one of a later term (SERVER-27157).",
		New: of(overwrites{handoff}),
	},
	{
		Name: "same-config", Of: "catchup-takeover-reconfig", Caught: writesAgain.Name, Setting: settled("cuts=1 heals=1"),
		Doc: "A member votes for no candidate with a newer configuration (SERVER-57262).",
		New: of(sameConfig{reconfigs}),
	},
}
