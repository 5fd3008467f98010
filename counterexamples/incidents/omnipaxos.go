package incidents

import (
	"bullyproof/ledger"
	"bullyproof/trace"
)

// ofOmniPaxos are incidents of Ballot Leader Election.
var ofOmniPaxos = []Incident{
	{
		Name: "omnipaxos-1", System: "Omni-Paxos", Report: "github.com/haraldng/omnipaxos/issues/1",
		Products: []string{"Omni-Paxos"}, Damage: ledger.LeaderChanges, Year: 2021,
		Broke: "leaders replaced each other without end while one link was down",
		Text: "One link is down, between the leader and a follower, and a third server reaches both. The follower misses the leader and raises its own ballot. " +
			"The third server passes the number on with its requests for heartbeats, and so the leader, which does not hear the follower, raises its ballot too, and so on.",
		Fix:       "requests for heartbeats have no ballot, so that nobody passes on what others have said (#9)",
		Origin:    ledger.MergedFix,
		Algorithm: "omnipaxos", Faulty: "gossips", Property: "steady", Fixed: "connectivity",
		Setting: "n=3 initiators=none detector=off timing=lockstep cuts=1 cut-by=link",
		Chapters: []trace.Chapter{
			{First: 0, Title: "The first round", Text: "All servers ask each other for heartbeats. The ballot of P3 is the highest."},
			{First: 6, Title: "A link is down", Text: "P2 and P3 no longer hear each other. P1 hears both, and follows P3."},
			{First: 28, Title: "P2 raises its ballot", Text: "P2 has heard of the ballot of P3, by P1, and does not hear P3. It raises its own, and P1 follows it."},
			{First: 57, Title: "P3 raises its ballot", Text: "P1 passes the ballot of P2 on to P3, which does not hear P2. P3 raises its own past that, and P1 follows P3 again."},
			{First: 72, Title: "Without end", Text: "P2 and P3 go past each other in turns, by way of P1. No leader stays."},
		},
	},
}
