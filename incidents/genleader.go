package incidents

// ofGenLeader are incidents of Erlang's gen_leader, in the version of riak_repl.
var ofGenLeader = []Incident{
	{
		Name: "riak-repl-753", System: "Riak, gen_leader of riak_repl", Report: "github.com/basho/riak_repl/commit/298f41c",
		Broke: "nobody followed the leader",
		Text: "The message ldr says who leads. It has a new part, the workers, and a node that waits for it expects five parts. A new leader sends four. " +
			"Nobody understands it, and all that have answered the leader wait without end. The leader does not ask them, since it does not take them for down.",
		Fix:       "a new leader sends the workers, too (commit 298f41c, bug 753)",
		Algorithm: "genleader", Faulty: "riak-short", Property: "e2", Fixed: "riak-first",
		Setting: "n=3 timing=lockstep " + monitored,
	},
	{
		Name: "riak-repl-19", System: "Riak, gen_leader of riak_repl", Report: "github.com/basho/riak_repl/pull/19",
		Broke: "two nodes led after the network was whole again",
		Text: "The network divides, and on each side a node leads. It heals. \"Once the nodes reconnected there were two leaders, i.e. no re-election took place.\" " +
			"Each has the other one for down, and neither asks: a leader asks the nodes that are down only when one of them sends a heartbeat, and whoever has a leader sends none. " +
			"(A first fix, commit d766f06, had a leader ask the nodes with which it is not connected. After the network has healed it is connected with all, as the claim netsplit shows.)",
		Fix:       "a leader asks the nodes that it takes for down for their leader, and both begin an election (commits d766f06 and 673a5c7)",
		Algorithm: "genleader", Faulty: "riak-first", Property: "split-ends", Fixed: "riak",
		Setting: "n=2 timing=lockstep cuts=1 heals=owed " + monitored,
	},
}

// monitored is a setting of nodes that monitor each other.
const monitored = "initiators=none channels=fifo mail-down=lost mail-old=lost reports=always"
