package incidents

import "bullyproof/ledger"

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
	},
}
