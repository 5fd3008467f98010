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
		Name: "Ingram", Source: relatedWork + ", [18]",
		Quote: "Ingram [18] proposed an algorithm for based on reliability attribute which nodes are reliable but communication links " +
			"aren’t. He models the entire system by finite state machine that nodes communicate through shared events which could be " +
			"links up/down, receipts of a message or sending a message.",
		Why: "The sentences say what events there are, and not how a leader follows from them. Half of the events can be modelled: links " +
			"are cut and mended (cut-by=link), and the failure detector reports a neighbour whom a cut hides. But nothing tells a process " +
			"that a link is up again, short of a message over it.",
	},
	{
		Name: "Frederickson and Lynch", Source: "Improved Algorithms for Leader Election in Distributed Systems, 2010, section 1, [12]",
		Quote: "Several leader election algorithms such as the Bully algorithm [11], Ring algorithm [12], Chang and Roberts' algorithm " +
			"[13], Peterson's algorithm [14], LeLann's algorithm [15], and Franklin's algorithm [16] have been proposed over the years.",
		Why: "It is named only: no rule of the election in a synchronous ring is given. (The others of the list have packages. The Ring " +
			"algorithm that the papers describe is silberschatz.)",
	},
	{
		Name: "three that are named only", Source: relatedWork + ", [19-21]",
		Quote: "Lots of other algorithms such as [19-21] are also proposed.",
		Why:   "Nothing is said of them.",
	},
}
