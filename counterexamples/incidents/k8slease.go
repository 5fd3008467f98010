package incidents

import "bullyproof/ledger"

// ofK8sLease are incidents of clients of Kubernetes that elect by a lease.
var ofK8sLease = []Incident{
	{
		Name: "kubernetes-44887", System: "Kubernetes, client-go", Report: "github.com/kubernetes/kubernetes/issues/44887",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2017,
		Broke: "two controllers led for up to a minute",
		Text: "A renewal hangs, since the API server answers after a minute at the earliest. The leader looks at its deadline between requests, not " +
			"during one. Meanwhile its lease is over, and another client takes it.",
		Fix:       "a leader stops at its deadline, whatever its request does: the request runs in a goroutine of its own (#65094)",
		Origin:    ledger.MergedFix,
		Algorithm: "k8slease", Faulty: "blocks", Property: "uniqueness", Fixed: "no-timeout",
		Setting: "n=3 losses=1 " + connections,
	},
	{
		Name: "kubernetes-23731", System: "Kubernetes, client-go", Report: "github.com/kubernetes/kubernetes/issues/23731",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2016,
		Broke: "a client that had lost its lease led on beside the new holder",
		Text: "A leader's updates fail for a while, and another client takes the lease. The first one sees that, since it goes on to ask for the lease, " +
			"but its program is never told to stop (OnStoppedLeading). So two lead without end. (The report has the log of a version of 2016. That the " +
			"loop of renewals did not end is how we read it.)",
		Fix:       "the renewals end at RenewDeadline, and the program is told to stop (so in 9869cc1 of client-go and later; we do not know the change)",
		Origin:    ledger.MergedFix,
		Algorithm: "k8slease", Faulty: "never-stops", Property: "one-leader-again", Fixed: "defaults",
		Setting: "n=3 cuts=1 cut-by=link heals=owed " + connections,
	},
	{
		Name: "kubernetes-67651", System: "Kubernetes, client-go", Report: "github.com/kubernetes/kubernetes/issues/67651",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2018,
		Broke: "a test of ten thousand candidates in one program had two leaders at a time",
		Text: "The test runs all candidates at the same time, has updates fail on purpose, and compares when each began and ended to lead. It gives " +
			"no cause.",
		Fix:       "none",
		Algorithm: "k8slease", Faulty: "get-first", Property: "uniqueness",
		Setting: "n=3 losses=1 " + connections,
		Absent: "Two clients are searched, of which one request or one answer is lost. What does show two leaders is a client that pauses for longer " +
			"than its lease, as one of ten thousand in a program may: that is the claim no-fencing, of which the documentation warns.",
	},
	{
		Name: "kubernetes-47671", System: "Kubernetes, client-go", Report: "github.com/kubernetes/kubernetes/issues/47671",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2017,
		Broke: "a client with a shorter lease took one that its holder was renewing",
		Text: "Two clients of one lease are configured with different durations, as during an upgrade. Each judges the record by its own, and so the " +
			"one with the shorter duration takes the lease between two renewals. The report was closed without a change; pull request 114872 made " +
			"one five years later, in version 1.27.",
		Fix:       "a client goes by the duration in the record (#114872), which its holder has written",
		Origin:    ledger.MergedFix,
		Algorithm: "k8slease", Faulty: "own-duration", Property: "uniqueness", Fixed: "two-durations",
		Setting: "n=3 " + connections,
	},
	{
		Name: "fabric8-7160", System: "fabric8 kubernetes-client, for Java", Report: "github.com/fabric8io/kubernetes-client/issues/7160",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2025,
		Broke: "an application lost its lease early to another one",
		Text: "As kubernetes-47671, in another language: a client reads the duration from its own configuration, although the record has the one of " +
			"the holder. (That library also compares the renewTime in the record with its own clock. Here, as in client-go, no clocks are compared, " +
			"so that the duration alone is to blame.)",
		Fix:       "a client reads the duration from the record (7.5.0)",
		Origin:    ledger.MergedFix,
		Algorithm: "k8slease", Faulty: "own-duration", Property: "uniqueness", Fixed: "two-durations",
		Setting: "n=3 " + connections,
	},
	{
		Name: "kubernetes-139991", System: "Kubernetes, client-go", Report: "github.com/kubernetes/kubernetes/pull/139991",
		Products: []string{"Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2026,
		Broke: "a leader still worked when it had given its lease up",
		Text: "A leader that failed to renew until its deadline empties the record, and only then tells its program to stop. Before that has an answer, " +
			"another client takes the lease. (The documentation asks that the work has ended before anybody cancels the context. Where renewals fail nobody " +
			"does, and client-go does not wait for the work. If the release has no answer, the program goes on until the request is given up.)",
		Fix:       "the program's work ends before the lease is released (as #139991 proposes)",
		Origin:    ledger.ProposedFix,
		Algorithm: "k8slease", Faulty: "releases", Property: "uniqueness", Fixed: "stops-first",
		Setting: "n=3 cuts=1 cut-by=link heals=owed " + connections,
	},
	{
		Name: "cilium-42920", System: "Cilium's operator", Report: "github.com/cilium/cilium/pull/42920",
		Products: []string{"Cilium", "Kubernetes"}, Damage: ledger.TwoLeaders, Year: 2025,
		Broke: "two operators gave out the same addresses",
		Text: "An operator that cannot renew its lease is told to stop. It shuts its parts down one after another, and one of them blocks. The others " +
			"still act as a leader when the lease is over, and another operator has begun.",
		Fix:       "the program ends at once when it has lost the lead (#42920)",
		Origin:    ledger.MergedFix,
		Algorithm: "k8slease", Faulty: "slow-shutdown", Property: "uniqueness", Fixed: "defaults",
		Setting: "n=3 cuts=1 cut-by=link heals=owed " + connections,
	},
	{
		Name: "kuberhealthy-1533", System: "Kuberhealthy", Report: "github.com/kuberhealthy/kuberhealthy/issues/1533",
		Products: []string{"Kuberhealthy", "Kubernetes"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "after a short outage nobody led until somebody restarted the pods",
		Text: "client-go's elector returns once the lease is lost, and the program that called it goes on without calling it again. So each program leads " +
			"at most once. One of them is enough to show it.",
		Fix:       "a program whose elector returns calls it again, or ends (as the report proposes, which is open)",
		Origin:    ledger.ProposedFix,
		Algorithm: "k8slease", Faulty: "one-shot", Property: "leader-again", Fixed: "defaults",
		Setting: "n=2 cuts=1 cut-by=link heals=owed " + connections,
	},
}

// connections are requests that take one tick at most, and end with their process.
const connections = "initiators=none detector=off channels=fifo mail-down=lost mail-old=lost timing=sync:1"
