package incidents

import "bullyproof/ledger"

// ofGenLeader are incidents of programs that elect by Erlang's gen_leader.
var ofGenLeader = []Incident{
	{
		Name: "riak-repl-21", System: "Riak, riak_repl", Report: "github.com/basho/riak_repl/pull/21",
		Products: []string{"Riak"}, Damage: ledger.TwoLeaders, Year: 2011,
		Broke: "after a netsplit there were two leaders",
		Text: "A connection breaks, and each end learns that the other one is down. Each side has a leader then. When the connection is there again, " +
			"nothing that a leader sends has another leader stop.",
		Fix:       "a leader sends \"checklead\" to those that were down, and one that disagrees has all do an election (#21)",
		Origin:    ledger.MergedFix,
		Algorithm: "genleader", Faulty: "revival", Property: "one-leader-again", Fixed: "riak",
		Setting: "n=2 suspicions=1 " + monitors,
	},
	{
		Name: "riak-repl-19", System: "Riak, riak_repl", Report: "github.com/basho/riak_repl/pull/19",
		Products: []string{"Riak"}, Damage: ledger.TwoLeaders, Year: 2011,
		Broke: "after a netsplit there were two leaders, \"i.e. no re-election took place\"",
		Text: "The first version of the fix sends \"checklead\" only to nodes that are not connected, and a process that has just become the leader sends none. " +
			"Other programs connect the nodes as soon as that is possible. So P1 takes P2 for down and Erlang takes it for up, and P2 does not ask. (In the " +
			"report one node of four is cut off. That it ran the first version is how we read the dates.)",
		Fix:       "each new leader sends \"checklead\", to all that are down, whether or not they are connected (673a5c7)",
		Origin:    ledger.MergedFix,
		Algorithm: "genleader", Faulty: "split-check", Property: "one-leader-again", Fixed: "riak",
		Setting: "n=2 suspicions=1 " + monitors,
	},
	{
		Name: "gproc-71", System: "gproc", Report: "github.com/uwiger/gproc/issues/71",
		Products: []string{"gproc"}, Damage: ledger.LeftOut, Year: 2014,
		Broke: "a new node waited for an election without end",
		Text: "The candidates of a process are the nodes that are connected when it starts. So the first one has no other candidate, and leads. The second " +
			"one waits until the first one is down, or asks. The first one does not know of it, and asks nobody.",
		Fix:       "a process that starts sends \"join\" to the other candidates (pull request 2 of garret-smith/gen_leader_revival)",
		Origin:    ledger.MergedFix,
		Algorithm: "genleader", Faulty: "gproc", Property: "e2", Fixed: "announces",
		Setting: "n=2 joins=1 joiners=2 channels=fifo mail-down=lost reports=always timing=patient",
	},
}

// monitors have the failure detector be the monitors of Erlang, which also tell of connections that break.
const monitors = "start=settled channels=fifo mail-down=lost reports=always timing=patient"
