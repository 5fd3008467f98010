package incidents

import "bullyproof/ledger"

// ofConsul are incidents of programs that elect by a session of Consul.
var ofConsul = []Incident{
	{
		Name: "consul-18271", System: "Consul, package api", Report: "github.com/hashicorp/consul/issues/18271",
		Products: []string{"Consul"}, Damage: ledger.TwoLeaders, Year: 2023,
		Broke: "a client that was cut off took itself for the holder of the lock for minutes, beside the next one",
		Text: "The leader is cut off, and no packet says so. Its renewals fail, and it only logs that. What would tell it is a query that waits for a change of the key, and that waits for " +
			"minutes. Its session expires, the lock-delay is over, and another client acquires the key.",
		Fix:       "a client takes the lock to be lost when no renewal has succeeded for as long as the TTL, as the report expects, which is open",
		Origin:    ledger.ProposedFix,
		Algorithm: "consul", Faulty: "unlimited", Property: "uniqueness", Fixed: "lock-delay",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep cuts=1 heals=owed",
	},
}
