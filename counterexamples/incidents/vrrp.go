package incidents

import "bullyproof/ledger"

// ofVRRP are incidents of programs of VRRP.
var ofVRRP = []Incident{
	{
		Name: "keepalived-166", System: "keepalived", Report: "github.com/acassen/keepalived/issues/166",
		Products: []string{"keepalived"}, Damage: ledger.NoLeader, Year: 2015,
		Broke: "the virtual address could not be reached after two routers had been master for a while",
		Text: "The master is cut off for a while, the backup becomes master and announces the address as its own. When they hear each other again, the backup yields. " +
			"The master has been one all the time and announces nothing, so hosts go on to send to the backup.",
		Fix:       "a master advertises before it yields, and one that hears of a lower one announces the address again (options higher_prio_send_advert and garp_lower_prio_repeat, #551)",
		Origin:    ledger.MergedFix,
		Algorithm: "vrrp", Faulty: "announces-once", Property: "reaches-it", Fixed: "answers",
		Setting: "n=2 initiators=none channels=fifo detector=off timing=lockstep cuts=1 heals=owed",
	},
	{
		Name: "keepalived-277", System: "keepalived", Report: "github.com/acassen/keepalived/issues/277",
		Products: []string{"keepalived"}, Damage: ledger.NoLeader, Year: 2016,
		Broke: "hosts kept the address of a router that was master no more",
		Text: "Two routers are masters. One yields, and the other one announces the address once more. On a third host the announcement of the first router arrives " +
			"after it, and stays.",
		Fix:       "the master announces the address with each advertisement (option garp_master_refresh, as the reporter does; #280 announces it a second time after a delay)",
		Origin:    ledger.AdvisedFix,
		Algorithm: "vrrp", Faulty: "answers", Property: "reaches-it", Fixed: "refreshes",
		Setting: "n=3 initiators=none channels=fifo detector=off timing=sync:1 cuts=1 heals=owed cut-by=link cut-links=2-3",
	},
}
