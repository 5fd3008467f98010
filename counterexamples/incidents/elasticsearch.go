package incidents

import "bullyproof/ledger"

// ofElasticsearch are incidents of Elasticsearch from version 7 on.
var ofElasticsearch = []Incident{
	{
		Name: "helm-charts-1268", System: "Elasticsearch, chart elastic/helm-charts", Report: "github.com/elastic/helm-charts/issues/1268",
		Products: []string{"Elasticsearch", "Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2021,
		Broke: "groups of master nodes that are to be one cluster did not work as one",
		Text: "cluster.initial_master_nodes has the nodes of the own group alone. So each group has a quorum of its own, and can form a cluster while it does " +
			"not reach the others. Both clusters have a master for good. (The report says that it does not work correctly; the two clusters are ours.)",
		Fix:       "all nodes list the same nodes, as the manual demands (the report asks for an option that sets the list)",
		Origin:    ledger.AdvisedFix,
		Algorithm: "elasticsearch", Faulty: "own-lists", Property: "no-split-brain", Fixed: "fixed",
		Setting: "n=2 initiators=none detector=off timing=lockstep cuts=1 heals=owed",
	},
	{
		Name: "charts-1509", System: "Elasticsearch, chart bitnami/charts", Report: "github.com/bitnami/charts/issues/1509",
		Products: []string{"Elasticsearch", "Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2019,
		Broke: "after a restart the masters had formed another cluster, which the other nodes could not join",
		Text: "The masters have their data in a volume that ends with its pod. All of them restart, and cluster.initial_master_nodes is still set. So they " +
			"form a new cluster, which knows nothing of the old one.",
		Fix:       "masters keep their disks (by default in version 18.0.4 of the chart; we do not know since when)",
		Origin:    ledger.MergedFix,
		Algorithm: "elasticsearch", Faulty: "no-disk", Property: "committed-in-order", Fixed: "fixed",
		Setting: "n=2 initiators=none detector=off timing=lockstep crashes=2 restarts=2",
	},
}
