package setting

import "bullyproof/model/process"

// A Setting says what the world may do to a protocol, and what the protocol is
// promised of it. The zero value of each field but N is its default.
type Setting struct {
	// N is the number of processes, 2 to 16 (to 64 for random walks).
	N int
	Needs
	World
}

// Needs are what an algorithm takes for granted: how its processes are connected
// and numbered, in which order messages arrive and how long they take, what its
// failure detector knows, and what it begins from. They are its author's to say,
// and an algorithm put where they do not hold is outside its assumptions.
//
// The line to World: a need is a promise, in force all the time; what the world
// does, happens (or does not), and is counted or falls on somebody.
type Needs struct {
	// Topology is how channels connect the processes.
	Topology Topology
	// Arrangement lists the ids in the order in which a ring's messages travel
	// by Next. Empty: every arrangement, each an initial state (a ring has
	// (N-1)! of them), or 1 to N on a complete graph, where it means nothing.
	Arrangement []process.ID
	// Repaired rings have a send skip processes that are down; otherwise a
	// message to a neighbour that is down is mail to a process that is down.
	Repaired bool
	// Anonymous rings have no ids: a protocol that asks for its own is wrong.
	Anonymous bool

	// Start is the kind of initial states.
	Start Start
	// Initiators are asked to begin an election at a cold start.
	Initiators Initiators

	// FIFO channels deliver each link's messages in the order of their
	// sending; others in any order.
	FIFO bool
	// Capacity is how many messages a link holds; 0 is without limit. A state
	// that would need more is left out, and verdicts are those within this bound.
	Capacity int

	// Timing is the discipline of delays and timers.
	Timing Timing

	// Detector is what the failure detector knows.
	Detector Detector
	// ReportsAlways has it report to whoever is up. Otherwise it reports to
	// whoever takes part in no election: somebody who elects already is not told
	// that one is called for, and what a protocol does on a report in the middle
	// of an election is not seen.
	ReportsAlways bool
}

// World is what the world does: the faults that happen, how often at most, to
// whom, and what becomes of mail that a fault has overtaken. Several algorithms
// are put the same question by putting them in the same World, each with its
// own Needs (Setting.Under). The zero value is a world without faults.
type World struct {
	// Losses, Duplications, Cuts and Heals are budgets. A message across a cut is
	// lost if it is delivered before a heal, and at once if there can be none.
	Losses, Duplications, Cuts, Heals int
	// Lossy are the links of which messages may be lost; empty: all.
	Lossy Links
	// CutBy is what a cut takes apart: the processes, into two sides, or one link.
	CutBy CutBy
	// CutLinks are the links that cuts may take, one by one; empty: all.
	CutLinks Links
	// HealsOwed has every cut heal sooner or later, without a budget: an
	// execution in which one stays for good is not fair, and a state with one is
	// not settled.
	HealsOwed bool
	// MailDownLost has mail to a process that is down dropped at once, and with
	// the crash what is in flight. Otherwise it stays in flight: dropped if it is
	// delivered while the process is down, received by the next incarnation
	// later. (Mail to a process that can never be up again is dropped at once
	// nevertheless.)
	MailDownLost bool
	// MailOldLost has what a process sent before it crashed, and is still in
	// flight, dropped when it restarts.
	MailOldLost bool

	Clocks
	// Pauses is the budget of pauses: a process that is up does nothing for a
	// while, and nobody is told. Its messages wait, its timers run down and wait,
	// and time does not wait for it. That it goes on is owed.
	Pauses int
	// Pausers are the processes that may pause; empty: all.
	Pausers process.Set

	// Crashes, Restarts and Joins are budgets. Joins is also the number of
	// processes that are absent at the start: each choice of them (among
	// Joiners, if that is not empty) is an initial state.
	Crashes, Restarts, Joins int
	// RestartsOwed has everybody who crashes come back sooner or later: an execution in which a
	// process stays down for good is not fair, and a state with one is not settled. Restarts is
	// then as many as there can be processes that are down (Normal).
	RestartsOwed bool
	// Joiners are the processes that may be absent at the start; empty: all.
	Joiners process.Set
	// Crashers are the processes that may crash; empty: all. (CoordinatorDown has
	// the coordinator down nevertheless.)
	Crashers process.Set
	// MidSend lets a process crash between the sends of a handler: of a
	// sequence of sends any prefix is out, of a broadcast any subset.
	MidSend bool
	Disks

	// Detectors are the processes to which the failure detector reports; empty:
	// all.
	Detectors process.Set
	// Suspicions is the budget of wrong reports (of a process that is up).
	Suspicions int
	// Requests is the budget of requests: somebody asks a process that is up to begin an
	// election, or for what else the protocol lets it be asked for (model.Optional, Request), at
	// any moment and after any start. Nobody has to.
	Requests int
}

// Clocks is what clocks are off by: those of timers, and those that processes read (model/clock).
type Clocks struct {
	// Drift is by how many percent clocks may run too fast or too slow under
	// synchronous timing, 0 to 50: a timer of T ticks expires after T/(1+Drift/100)
	// of them, rounded down, at the least, and T/(1-Drift/100), rounded up, at the
	// most.
	Drift int
	// Skew is by how many ticks the clocks that two processes read differ at most, 0 to 60.
	Skew int
	// Ahead is how many ticks each process's clock is ahead at the start, by id; one of them
	// is 0. Empty: whatever Skew allows, each an initial state.
	Ahead []int
	// ClockSteps is the budget of steps: a clock is set to another time, within Skew.
	ClockSteps int
}

// Disks is what happens to disks: to what the protocol keeps (model.Optional, Stable).
type Disks struct {
	// LostWrites is the budget of writes that a crash undoes: the disk of the process
	// comes back with what it held before the last step that changed it. A process that
	// crashes in the middle of its sends keeps what it has written.
	LostWrites int
	// LostDisks is the budget of disks that a crash leaves unreadable: a record was torn,
	// which its checksum tells, or the disk broke. The process comes back with an empty one.
	LostDisks int
}

// Under returns s with what the world does replaced by w: the same algorithm
// with the same needs, asked about other faults. Whether they go together
// Validate says.
func (s Setting) Under(w World) Setting {
	s.World = w
	return s.Normal()
}

// Topology is how channels connect the processes.
type Topology uint8

const (
	// Complete connects every two processes.
	Complete Topology = iota
	// Ring connects each to its successor: messages leave by Next only.
	Ring
	// BiRing connects each to its successor and its predecessor.
	BiRing
)

// Start is the kind of the initial states.
type Start uint8

const (
	// ColdStart boots every process before anything else happens.
	ColdStart Start = iota
	// ColdInterleaved has every process boot at a moment of its own; mail to a
	// process that has not booted waits.
	ColdInterleaved
	// SettledStart begins as after an election: all agree on a coordinator.
	SettledStart
	// CoordinatorDown is SettledStart with the coordinator just crashed, which
	// costs nothing of the budget of crashes.
	CoordinatorDown
)

// Initiators says who is asked to begin the first election, and when. They
// count at a cold start only.
type Initiators struct {
	// Which is the choice of initiators.
	Which Which
	// Set holds the initiators if Which is These.
	Set process.Set
	// Lazy initiators begin at a moment of their own, unless a message reaches
	// them first; eager ones before any delivery.
	Lazy bool
}

// Which is a choice of initiators.
type Which uint8

const (
	// Everyone initiates.
	Everyone Which = iota
	// EachOne initiates alone: N initial states.
	EachOne
	// AnySome initiate: an initial state for each set but the empty one.
	AnySome
	// These initiate: the ones in Set. An empty set is allowed.
	These
)

// Timing is the discipline of delays and timers.
type Timing struct {
	Kind TimingKind
	// D is the delay bound in ticks under Synchronous, 1 to 16; 0 stands for 1.
	D int
	// Premature is the budget of premature expiries under Asynchronous; 0 is
	// without limit.
	Premature int
}

// Discrete reports whether time passes in ticks.
func (k TimingKind) Discrete() bool { return k == Synchronous || k == Lockstep }

// TimingKind is a discipline of delays and timers.
type TimingKind uint8

const (
	// Synchronous is discrete time. A message is delivered at most D ticks
	// after it was sent; time passes only when nothing is overdue; a timer of T
	// ticks expires exactly T later, after the messages that are due then.
	Synchronous TimingKind = iota
	// Asynchronous has no bound on delays: a timer that is set may expire at any
	// moment, before messages that were sent long ago as well. With a budget
	// (Premature), it does so while a message is deliverable that many times at
	// most.
	Asynchronous
	// LastResort lets a timer expire only when no message is deliverable:
	// shorter timers first, and those of one duration in the order in which
	// they were set.
	LastResort
	// Lockstep is Synchronous with D=1 where every message takes the whole
	// tick: the unit in which the literature counts turnaround.
	Lockstep
	// Patient has no bound on delays, and timers that outlast them: one expires
	// only when no message is deliverable, whichever it is and however long it
	// was set to. No network is kinder, so that what breaks in it breaks in all
	// of them, and what holds in it may hold nowhere else.
	Patient
)
