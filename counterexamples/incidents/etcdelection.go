package incidents

import "bullyproof/ledger"

// ofEtcdElection are incidents of programs that elect by etcd's clients.
var ofEtcdElection = []Incident{
	{
		Name: "charts-326", System: "an agent of PostgreSQL, with etcd", Report: "github.com/cagriekin/charts/issues/326",
		Products: []string{"etcd", "PostgreSQL"}, Damage: ledger.TwoLeaders, Year: 2026,
		Broke: "a candidate took itself for the leader without a session, and a data directory was lost",
		Text: "Campaign does not end with the session. A candidate whose session ends while it waits has no key any more, and waits on. When the " +
			"older key is deleted, Campaign returns as if the candidate led. Another client has a key by then.",
		Fix:       "the program ends Campaign when the session is done (#327)",
		Origin:    ledger.MergedFix,
		Algorithm: "etcdelection", Faulty: "unguarded", Property: "uniqueness", Fixed: "shipped",
		Setting: "n=3 initiators=none detector=off channels=fifo timing=lockstep cuts=1 cut-by=link heals=owed",
	},
}
