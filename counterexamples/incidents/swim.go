package incidents

import "bullyproof/ledger"

// ofSWIM are incidents of programs on hashicorp/memberlist, which is an implementation of SWIM.
var ofSWIM = []Incident{
	{
		Name: "metallb-589", System: "MetalLB", Report: "github.com/metallb/metallb/issues/589",
		Products: []string{"MetalLB", "Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2020,
		Broke: "two nodes that had been disconnected announced the same addresses for good",
		Text: "The network between two nodes fails for longer than a suspicion lasts. Each takes the other for dead and announces the addresses. " +
			"The network is whole again, and neither pings a member that is dead.",
		Fix:       "nodes join again, as long as one is missing (#662)",
		Origin:    ledger.MergedFix,
		Algorithm: "swim", Faulty: "memberlist", Property: "one-leader-again", Fixed: "rejoins",
		Setting: "n=2 initiators=none detector=off timing=lockstep cuts=1 heals=owed",
	},
}
