package incidents

import "bullyproof/ledger"

// ofJGroupsRaft are incidents of the election of jgroups-raft.
var ofJGroupsRaft = []Incident{
	{
		Name: "jgroups-306", System: "jgroups-raft", Report: "github.com/jgroups-extras/jgroups-raft/issues/306",
		Products: []string{"jgroups-raft"}, Damage: ledger.NoLeader, Year: 2024,
		Broke: "a majority had no leader, and nobody asked for votes any more",
		Text: "The coordinator says who leads, and is cut off. The next coordinator begins a later term and asks for votes. Then the news of the old term arrives: the next coordinator " +
			"takes no leader from it, and yet stops its voting thread. The leader of the old term learns of the later one, and steps down. (In the report two parts of a group " +
			"merge, and the old leader tells the new coordinator that it leads.)",
		Fix:       "the voting thread stops only where the leader and its term are taken, as the maintainer advises in the issue",
		Origin:    ledger.AdvisedFix,
		Algorithm: "jgroupsraft", Faulty: "stops-anyway", Property: "leads-again", Fixed: "flush",
		Setting: "n=4 initiators=none channels=fifo detector=off timing=lockstep",
	},
	{
		Name: "jgroups-259", System: "jgroups-raft", Report: "github.com/jgroups-extras/jgroups-raft/issues/259, and 280",
		Products: []string{"jgroups-raft"}, Damage: ledger.NoLeader, Year: 2024,
		Broke: "a member was elected that had left the group",
		Text: "The coordinator has decided who leads. Before it says so, that member is cut off. The view changes, and nobody minds, since nobody leads yet. Then the coordinator says who " +
			"leads, and all in the view follow a leader that is not there. No view changes any more.",
		Fix:       "the coordinator and the others look whether the leader is in the view; if not, the voting goes on (#263, #286)",
		Origin:    ledger.MergedFix,
		Algorithm: "jgroupsraft", Faulty: "elects-absent", Property: "leads-again", Fixed: "flush",
		Setting: "n=4 initiators=none channels=fifo detector=off timing=lockstep",
	},
}
