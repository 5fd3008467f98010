package incidents

import "bullyproof/ledger"

// ofZen are incidents of Elasticsearch before version 7.
var ofZen = []Incident{
	{
		Name: "elasticsearch-2488", System: "Elasticsearch", Report: "github.com/elastic/elasticsearch/issues/2488",
		Products: []string{"Elasticsearch"}, Damage: ledger.TwoLeaders, Year: 2012,
		Broke: "two masters, although minimum_master_nodes was a majority",
		Text: "Two nodes do not reach each other, and a third one reaches both. It follows whichever master pinged it last, and answers both. So each " +
			"of the two counts it, and has a majority.",
		Fix: "a follower answers its own master only, and who is elected is master once enough follow it (#7493, in 1.4; there a node joins " +
			"a master explicitly)",
		Origin:    ledger.MergedFix,
		Algorithm: "zen", Faulty: "issue-2488", Property: "no-split-brain", Fixed: "repaired",
		Setting: "n=3 initiators=none detector=off timing=lockstep cuts=1 cut-by=link",
	},
	{
		Name: "elasticsearch-10935", System: "Elasticsearch", Report: "github.com/elastic/elasticsearch/issues/10935",
		Products: []string{"Elasticsearch"}, Damage: ledger.TwoLeaders, Year: 2015,
		Broke: "two nodes had two masters after the network was back",
		Text: "Among two nodes the default of minimum_master_nodes lets each be a master while the network is down. A master pings its members only, and " +
			"the other one is none any more. So they never hear of each other. (The report gives no cause: this is ours.)",
		Fix:       "minimum_master_nodes is a majority, here 2, as the answer to the report advises; masters still ping their members only",
		Origin:    ledger.AdvisedFix,
		Algorithm: "zen", Faulty: "issue-10935", Property: "no-split-brain", Fixed: "members",
		Setting: "n=2 initiators=none detector=off timing=lockstep cuts=1 heals=owed",
	},
	{
		Name: "elasticsearch-10935-pings", System: "Elasticsearch", Report: "github.com/elastic/elasticsearch/issues/10935",
		Products: []string{"Elasticsearch"}, Damage: ledger.TwoLeaders, Year: 2015,
		Broke: "two nodes had two masters after the network was back",
		Text: "As elasticsearch-10935: it takes both causes. While the network is down, minimum_master_nodes of 1 gives two masters in either case. " +
			"Once it is back, it is what masters ping that keeps them apart.",
		Fix:       "a master pings all nodes, also those that it lost (our repair); minimum_master_nodes is still 1",
		Origin:    ledger.OurFix,
		Algorithm: "zen", Faulty: "issue-10935", Property: "no-split-brain", Fixed: "default",
		Setting: "n=2 initiators=none detector=off timing=lockstep cuts=1 heals=owed",
	},
}
