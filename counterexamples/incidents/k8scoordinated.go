package incidents

import "bullyproof/ledger"

// ofK8sCoordinated are incidents of coordinated leader election.
var ofK8sCoordinated = []Incident{
	{
		Name: "kubernetes-138066", System: "Kubernetes, leader election controller", Report: "github.com/kubernetes/kubernetes/pull/138066",
		Products: []string{"Kubernetes"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "nobody led, since the one that was preferred was gone",
		Text: "P1 holds the lease, and P2 is the PreferredHolder. P2 crashes, and its LeaseCandidate expires. P1 is the only candidate and is elected, but the controller finds that P1 " +
			"is the holder already, and writes nothing. A holder renews no lease that has a PreferredHolder. (The report is a pull request, which is closed, as far as known without a merge. It " +
			"says that the controller finds no available candidates, and that this lasts until its informers tell of something. Here it lasts although they do.)",
		Fix:       "the controller clears a PreferredHolder whose LeaseCandidate is deleted or has expired",
		Origin:    ledger.ProposedFix,
		Algorithm: "k8scoordinated", Faulty: "renewals", Property: "leads-again", Fixed: "cleared",
		Setting: "n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost timing=lockstep crashes=1 crashers=1,2",
	},
}
