package setting

import "slices"

// A Word describes a word of a setting's text, key=value.
type Word struct {
	// Key is what stands before the sign: "timing".
	Key string
	// Values says in brief what may stand behind it: "fifo|unordered". K is a
	// number, IDS are processes.
	Values string
	// Doc says in a few words what it is about.
	Doc string
	// Examples have at least one, and one for each value that has a name.
	Examples []WordExample
}

// A WordExample is a word as it may stand in a setting, and what that means.
type WordExample struct{ Text, Means string }

// Words describes the words of a setting, the commonest first.
func Words() []Word { return slices.Clone(glossary) }

var glossary = []Word{
	{"n", "N", "number of processes, 2 to 16", []WordExample{
		{"n=3", "Three processes: 1, 2 and 3."},
	}},
	{"crashes", "K", "budget of crashes", []WordExample{
		{"crashes=1", "Any one process may crash at any moment, or none does."},
	}},
	{"restarts", "owed|K", "restarts of processes that crashed: eventually of each, or a budget", []WordExample{
		{"restarts=1", "One process that has crashed may come back, with its id and without its memory."},
		{"restarts=owed", "Each process that has crashed comes back sooner or later."},
	}},
	{"joins", "K", "processes that are absent at the start and may join", []WordExample{
		{"joins=1", "Any one process is absent at first and may come up at any moment."},
	}},
	{
		"timing", "sync:D|lockstep|async|async:K|patient|last-resort",
		"delay bound in ticks; or none, and timers that expire at any moment, K times too early, or when no message is left",
		[]WordExample{
			{"timing=sync:2", "Synchronous: a message arrives after two ticks at the latest, and timers run for exactly as long as they are set."},
			{"timing=lockstep", "Equal delays: every message takes one whole tick, neither less nor more."},
			{"timing=async", "Asynchronous: a message may take any time, so every timer may expire too early."},
			{"timing=async:1", "Asynchronous, with at most one timer that expires while a message is still on its way."},
			{"timing=patient", "A timer expires only when no message is on its way. No timeout is ever too early."},
			{"timing=last-resort", "As patient, but the shorter timer expires before the longer one."},
		},
	},
	{"channels", "fifo|unordered", "order of the messages of a link", []WordExample{
		{"channels=fifo", "Two messages from 1 to 2 arrive in the order in which 1 sent them."},
		{"channels=unordered", "The second message from 1 to 2 may arrive before the first."},
	}},
	{"start", "cold|cold:interleaved|settled|coordinator-down", "initial states", []WordExample{
		{"start=cold", "All processes are up, and none knows a coordinator."},
		{"start=cold:interleaved", "Processes come up one after the other, in any order."},
		{"start=settled", "An election is over: all processes follow the same coordinator."},
		{"start=coordinator-down", "All processes follow the same coordinator, and it has just crashed."},
	}},
	{"initiators", "WHO", "of a cold start: all, one, any, none or ids like 1,3; with :lazy at their leisure", []WordExample{
		{"initiators=one", "Any one process begins the first election."},
		{"initiators=any", "Any set of processes begins; each set is a case."},
		{"initiators=all:lazy", "Every process begins, each at any moment, unless a message reaches it first."},
		{"initiators=none", "No process begins by itself."},
		{"initiators=1,3", "1 and 3 begin."},
	}},
	{"topology", "complete|ring|biring", "with :repaired or :anonymous for rings", []WordExample{
		{"topology=complete", "Every process can send to every other."},
		{"topology=ring", "Each process can send only to its successor."},
		{"topology=biring", "Each process can send to its successor and to its predecessor."},
		{"topology=ring:repaired", "A message to a neighbour that is down goes to the next one that is up."},
		{"topology=ring:anonymous", "A ring whose processes have no ids: they draw lots."},
	}},
	{"arrangement", "all|IDS", "of a ring: ids in the direction of messages, like 3-2-1", []WordExample{
		{"arrangement=3-2-1", "P3 sends to P2, P2 to P1, and P1 to P3."},
		{"arrangement=all", "Every order of the ids on the ring is a case."},
	}},
	{"capacity", "K", "messages that a link holds; 0 is no limit", []WordExample{
		{"capacity=2", "At most two messages are on their way from one process to another."},
	}},
	{"losses", "K", "budget of lost messages", []WordExample{
		{"losses=1", "Any one message may be lost, and no process is told."},
	}},
	{"duplications", "K", "budget of duplicated messages", []WordExample{
		{"duplications=1", "One message may arrive twice."},
	}},
	{"cuts", "K", "budget of cuts of the network", []WordExample{
		{"cuts=1", "The network may fall apart once, into any two sides that do not reach one another."},
	}},
	{"cut-by", "side|link|one-way", "what a cut takes: one side from the other, a link, or a link in one direction", []WordExample{
		{"cut-by=side", "A cut divides the processes into two sides."},
		{"cut-by=link", "A cut takes the link between two processes, and all others stay."},
		{"cut-by=one-way", "A cut takes one direction of a link: 1 does not reach 2, and 2 reaches 1."},
	}},
	{"cut-links", "LINKS", "links that cuts may take (with cut-by=link or cut-by=one-way)", []WordExample{
		{"cut-links=2-3", "The link between 2 and 3 may be cut, and no other."},
		{"cut-links=1->2,1->3", "With cut-by=one-way: messages from 1 to 2, or from 1 to 3, may stop to arrive."},
	}},
	{"lossy", "LINKS", "links of which messages may be lost", []WordExample{
		{"lossy=1->2", "A message from 1 to 2 may be lost, and no other."},
	}},
	{"heals", "owed|K", "ends of cuts: eventually for each, or a budget", []WordExample{
		{"heals=1", "One cut may be mended, or it stays."},
		{"heals=owed", "Every cut is eventually mended."},
	}},
	{"mail-down", "waits|lost", "messages to a process that is down", []WordExample{
		{"mail-down=waits", "P2 is down. A message to it may arrive when it is back."},
		{"mail-down=lost", "P2 is down. A message to it is lost at once."},
	}},
	{"mail-old", "stays|lost", "messages from before a restart", []WordExample{
		{"mail-old=stays", "P2 sends a message, crashes and restarts. The message may still arrive."},
		{"mail-old=lost", "P2 sends a message, crashes and restarts. The message is gone."},
	}},
	{"drift", "K", "percent by which clocks run too fast or too slow, 0 to 50", []WordExample{
		{"drift=50", "A timer that is set to two ticks expires after one, two, three or four."},
	}},
	{"skew", "K", "ticks by which the clocks that processes read differ, 0 to 60", []WordExample{
		{"skew=2", "P1's clock may be two ticks ahead of P2's."},
	}},
	{"clocks", "any|TICKS", "by how many ticks each clock is ahead at the start, within the skew", []WordExample{
		{"clocks=0,2,1", "P2's clock is two ticks ahead of P1's, and one ahead of P3's."},
		{"clocks=any", "Each way in which clocks can differ within the skew is a case."},
	}},
	{"clock-steps", "K", "budget of steps of a clock, within the skew", []WordExample{
		{"clock-steps=1", "One clock may be set forward or back, once."},
	}},
	{"pauses", "K", "budget of pauses of a process; each pause has to end", []WordExample{
		{"pauses=1", "One process may do nothing for a while, as if it were down, and then continue as before."},
	}},
	{"mid-send", "yes|no", "processes may crash between two sends", []WordExample{
		{"mid-send=yes", "A process that announces itself to 1 and 2 may crash when only 1 has been told."},
		{"mid-send=no", "The messages that a process sends in one step reach all receivers or none."},
	}},
	{"lost-writes", "K", "budget of writes to a disk that are lost in a crash", []WordExample{
		{"lost-writes=1", "One process that crashes may come back with what its disk held before its last write."},
	}},
	{"lost-disks", "K", "budget of disks that are unreadable after a crash", []WordExample{
		{"lost-disks=1", "One process that crashes may come back with an empty disk: a record was torn, or the disk broke."},
	}},
	{"detector", "perfect|reach|off", "failure detector: knows which processes are down, or which are out of reach as well (the " +
		"default with cuts)", []WordExample{
		{"detector=perfect", "Every process that is down is eventually reported, and no other is."},
		{"detector=reach", "A process that does not answer is reported: it is down, behind a cut, or pauses."},
		{"detector=off", "No process is reported. The algorithm has to find crashes itself."},
	}},
	{"detectors", "all|IDS", "processes that it reports to, like 1,3", []WordExample{
		{"detectors=1", "Only 1 is told that the coordinator is down."},
	}},
	{"reports", "idle|always", "to processes that are in no election, or to all that are up", []WordExample{
		{"reports=idle", "A process that is in an election is told nothing."},
		{"reports=always", "A process that is in an election may be told that another is down."},
	}},
	{"suspicions", "K", "budget of its wrong reports", []WordExample{
		{"suspicions=1", "One process may be reported once though it is up."},
	}},
	{"requests", "K", "budget of requests of an operator to a running process", []WordExample{
		{"requests=1", "Any one process may be asked once, at any moment, to begin an election, or for what else the algorithm can be asked."},
	}},
	{"crashers", "all|IDS", "processes that may crash, like 1,3", []WordExample{
		{"crashers=3", "Only process 3 may crash."},
	}},
	{"pausers", "all|IDS", "processes that may pause", []WordExample{
		{"pausers=2", "Only process 2 may pause."},
	}},
	{"joiners", "all|IDS", "processes that may be absent at the start", []WordExample{
		{"joiners=1", "Process 1 may be absent at first, and may join."},
	}},
}
