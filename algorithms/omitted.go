package algorithms

import "bullyproof/ledger"

// relatedWork is the paper whose section on related work describes most of the
// systems below.
const relatedWork = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, 2013, section II"

// Omitted are the systems that a source describes and that have no package here.
var Omitted = []ledger.Omission{
	{
		Name: "Highman", Source: relatedWork + ", [11]",
		Quote: "The algorithm of Highman [11] is useful in networks that processes have no number and the numbers of network’s processes " +
			"is specified at start up time also.",
		Why: "The sentence says what the algorithm supposes, and not by what rules it elects. Nothing could be checked but an algorithm of " +
			"our own. (itairodeh is an election of processes that have no numbers and know how many they are.)",
	},
	{
		Name: "Burns", Source: relatedWork + ", [12]",
		Quote: "Burns [12] and Fich [13] algorithms are based on networks with central demon as scheduler, like Highman [11] processes " +
			"don’t have any numbers and the number of processes is determined at the start up time.",
		Why: "There are no rules to reconstruct it from. And a central demon lets one process at a time read the states of its neighbours " +
			"and change its own: here processes know of each other by messages alone.",
	},
	{
		Name: "Fich", Source: relatedWork + ", [13]",
		Quote: "Burns [12] and Fich [13] algorithms are based on networks with central demon as scheduler, like Highman [11] processes " +
			"don’t have any numbers and the number of processes is determined at the start up time.",
		Why: "As for Burns: no rules are given, and the demon schedules shared states, not messages.",
	},
	{
		Name: "three that are named only", Source: relatedWork + ", [19-21]",
		Quote: "Lots of other algorithms such as [19-21] are also proposed.",
		Why:   "Nothing is said of them.",
	},
	{
		Name: "the generic leader of Erlang, first release",
		Source: "T. Arts, K. Claessen, H. Svensson, Semi-formal Development of a Fault-Tolerant Leader Election Protocol in Erlang, FATES " +
			"2004, abstract; H. Svensson, T. Arts, A New Leader Election Implementation, Erlang Workshop 2005, abstract",
		Quote: "We have applied our method to a commonly used open-source fault-tolerant leader election algorithm, and discovered two serious " +
			"bugs. [...] The first open source release of the generic leader contains a few errors. The new implementation is based on a " +
			"different algorithm.",
		Why: "Neither the rules of the first release nor its errors stand in the texts at hand, which are the abstracts. So no run can show " +
			"them. The errors are of the first release: of the new one, after Stoller's algorithm, the authors say that it \"passed all tests " +
			"successfully\".",
	},
	{
		Name:   "the modified Bully algorithm of Stoller",
		Source: "S. D. Stoller, Leader Election in Distributed Systems with Crash Failures, Indiana University, 1997, abstract",
		Quote: "First, we re-write the Bully Algorithm to use a failure detector, instead of explicit time-outs [...]. Second, we show that " +
			"minor modifications to that algorithm yield a simple and efficient solution to leader election in asynchronous systems with " +
			"crash failures.",
		Why: "The rules are not at hand. What the abstract says of Garcia-Molina's algorithm is judged with that (garciamolina).",
	},
}
