package model

import (
	"slices"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
)

// ActionKind is what kind of thing happens in a step.
type ActionKind uint8

const (
	// Boots: a process of an interleaved cold start comes up.
	Boots ActionKind = iota
	// Starts: a lazy initiator begins an election.
	Starts
	// Delivers: a message arrives.
	Delivers
	// Drops: a message is lost at delivery, since its receiver is down or
	// behind a cut.
	Drops
	// Expires: a timer expires.
	Expires
	// Suspects: the failure detector reports a process that is down, or that it
	// does not reach (DetectorReach).
	Suspects
	// Ticks: one unit of time passes (synchronous timing).
	Ticks
	// Crashes: a process crashes.
	Crashes
	// Restarts: a process that crashed comes back with its id.
	Restarts
	// Joins: a process that was not there comes up.
	Joins
	// Loses: the network loses a message.
	Loses
	// Duplicates: the network doubles a message.
	Duplicates
	// CutsOff: the network divides in two, or a link is cut.
	CutsOff
	// Heals: the network is whole again, or a link is.
	Heals
	// Misreports: the failure detector reports a process that is up.
	Misreports
	// Pauses: a process does nothing for a while.
	Pauses
	// Resumes: a process that pauses goes on.
	Resumes
	// Forgets: a process crashes, and its disk loses the last write.
	Forgets
	// Wipes: a process crashes, and its disk is lost.
	Wipes
	// SetsClock: the clock of a process steps.
	SetsClock
	// Requests: somebody asks a process for something, in the midst of a run.
	Requests

	actionKinds = iota
)

// Parts are what the actions of a kind have, as a set.
type Parts uint16

const (
	// AtProcess: a Process at which it happens.
	AtProcess Parts = 1 << iota
	// OfMessage: a Port, a Message and its Due.
	OfMessage
	// OfTimer: a Timer, which may be Premature.
	OfTimer
	// AboutAnother: about the process in Action.Who.
	AboutAnother
	// OfSide: a Side, or else a Link.
	OfSide
	// MayHaveLink: a Link, where links are cut one by one.
	MayHaveLink
	// OfClock: an Ahead.
	OfClock
	// WithHandler: a handler runs, which chooses, and may crash in the middle.
	WithHandler
	// OfRequest: a Request.
	OfRequest
)

// A kind is what is to be known of a kind of actions. All that shows actions (files,
// pages, diagrams, reports) begins with this table, so that a new kind is a line here.
type kind struct {
	name   string
	letter byte
	verb   string // "P1 crashes"; empty of what happens at no process, or to a message
	parts  Parts
	budget int // that pays for it, or -1
}

var kinds = [actionKinds]kind{
	Boots:      {"boot", 'b', "boots", AtProcess | WithHandler, -1},
	Starts:     {"start", 's', "starts an election", AtProcess | WithHandler, -1},
	Delivers:   {"deliver", 'd', "", AtProcess | OfMessage | WithHandler, -1},
	Drops:      {"drop", 'x', "", AtProcess | OfMessage, -1},
	Expires:    {"timeout", 't', "times out", AtProcess | OfTimer | WithHandler, -1},
	Suspects:   {"suspect", 'f', "suspects", AtProcess | AboutAnother | WithHandler, -1},
	Ticks:      {"tick", 'k', "", 0, -1},
	Crashes:    {"crash", 'c', "crashes", AtProcess, layout.BudgetCrashes},
	Restarts:   {"restart", 'r', "restarts", AtProcess | WithHandler, layout.BudgetRestarts},
	Joins:      {"join", 'j', "joins", AtProcess | WithHandler, layout.BudgetJoins},
	Loses:      {"lose", 'l', "", AtProcess | OfMessage, layout.BudgetLosses},
	Duplicates: {"duplicate", 'u', "", AtProcess | OfMessage, layout.BudgetDuplications},
	CutsOff:    {"cut", 'v', "", OfSide | MayHaveLink, layout.BudgetCuts},
	Heals:      {"heal", 'h', "", MayHaveLink, layout.BudgetHeals},
	Misreports: {"misreport", 'w', "wrongly suspects", AtProcess | AboutAnother | WithHandler, layout.BudgetSuspicions},
	Pauses:     {"pause", 'p', "pauses", AtProcess, layout.BudgetPauses},
	Resumes:    {"resume", 'g', "goes on", AtProcess, -1},
	Forgets:    {"forget", 'o', "crashes, and its last write is lost", AtProcess, layout.BudgetLostWrites},
	Wipes:      {"wipe", 'z', "crashes, and its disk is lost", AtProcess, layout.BudgetLostDisks},
	SetsClock:  {"clock", 'y', "has its clock set", AtProcess | OfClock, layout.BudgetClockSteps},
	Requests:   {"request", 'a', "is asked by an operator", AtProcess | OfRequest | WithHandler, layout.BudgetRequests},
}

// ActionKinds returns all kinds of actions, in order: what has to be said of each is
// tested for each.
func ActionKinds() []ActionKind {
	all := make([]ActionKind, actionKinds)
	for i := range all {
		all[i] = ActionKind(i)
	}
	return all
}

// IsCrash reports whether a process crashes by actions of the kind, whatever becomes of its disk.
func (k ActionKind) IsCrash() bool { return k == Crashes || k == Forgets || k == Wipes }

// CrashKinds returns the kinds that are a crash (IsCrash), in order.
func CrashKinds() []ActionKind {
	return slices.DeleteFunc(ActionKinds(), func(k ActionKind) bool { return !k.IsCrash() })
}

// String returns the kind's name, as in JSON.
func (k ActionKind) String() string { return kinds[k].name }

// Letter returns a letter for the kind, where there is no room for its name.
func (k ActionKind) Letter() byte { return kinds[k].letter }

// Verb returns what a process does by an action of the kind: "crashes". It is empty
// where it is a message or the network to which something happens.
func (k ActionKind) Verb() string { return kinds[k].verb }

// Parts returns what actions of the kind have. The rest of an Action is zero.
func (k ActionKind) Parts() Parts { return kinds[k].parts }

// Has reports whether actions of the kind have any of some parts.
func (k ActionKind) Has(any Parts) bool { return kinds[k].parts&any != 0 }

// Budget returns the word of the budget that pays for the kind (setting.Budgets), empty
// where nobody pays.
func (k ActionKind) Budget() string {
	if b := kinds[k].budget; b >= 0 {
		return setting.Budgets()[b].Key
	}
	return ""
}

// Owed reports whether actions of the kind happen sooner or later where they
// stay enabled, in every setting. Faults, requests, joins, cuts, losses, duplications and wrong suspicions
// are never owed, and heals and restarts if the setting says so (OwedIn).
func (k ActionKind) Owed() bool { return k <= Ticks || k == Resumes }

// OwedIn reports whether actions of the kind are Owed, or owed by a setting: heals (heals=owed),
// restarts (restarts=owed).
func (k ActionKind) OwedIn(s *setting.Setting) bool {
	return k.Owed() || k == Heals && s.HealsOwed || k == Restarts && s.RestartsOwed
}

// An Action is what happens in one step, in terms that mean the same in every
// state. Two different actions enabled in one state differ.
type Action struct {
	// Kind is what kind of thing happens.
	Kind ActionKind
	// Process is the process at which it happens: the receiver of a message,
	// the owner of a timer, the process that suspects, crashes or comes up;
	// None for Ticks, CutsOff and Heals.
	Process ID
	// Port is where the message comes in (Delivers, Drops, Loses, Duplicates).
	Port Port
	// Message is the text of that message.
	Message string
	// Due is how many ticks that message has left, under synchronous timing.
	Due int
	// Timer is the name of the timer that expires.
	Timer string
	// Who is the process that is reported to be down, rightly or not.
	Who ID
	// Side is the part of the processes that CutsOff separates from the rest:
	// the part without the process at position 1.
	Side Set
	// Link is the link that CutsOff takes and Heals mends, where links are cut one
	// by one.
	Link setting.CutLink
	// Ahead is by how many ticks the clock of a process is ahead from now on (SetsClock).
	Ahead int
	// Request is what the process is asked for (Requests): "begin an election", or one of the
	// Requests of Names.
	Request string
	// Choices are the outcomes of Net.Choose and Net.Pick, in order.
	Choices []int
	// Outcomes are what the Choices are called, a text for each: "timeout=long",
	// or the number where the choice has no name; nil if none has one. It
	// follows from Choices.
	Outcomes []string
	// Crash says that the process crashes in the middle of its sends, and Out
	// which of them, numbered from 0, are out nevertheless.
	Crash bool
	Out   []int
	// Premature says that a timer expires while a message is deliverable: under
	// asynchronous timing, at the cost of a budget where there is one.
	Premature bool
}

// A Transition is one action enabled in a state, with all that it does.
type Transition struct {
	Action Action
	// Code is the label by which searches know the action in this state.
	Code explore.Code
	// Class is the fairness class that owes it (Label.Class), empty if none.
	Class string
	// Rules are the rules of the source that ran, by name.
	Rules []string
	// Odds are those that chance has this outcome of its action; Certain where nothing is tossed.
	Odds   Odds
	freely bool // something else was chosen, of more than one outcome
	// Sent are the messages that the step sent, in order.
	Sent []Envelope
	// Dropped are the messages that were in flight and that the step took out
	// of the network other than by delivering them: mail that can no longer
	// arrive. The message of a Drops or Loses action is not among them.
	Dropped []Envelope
	// Next is the state that it leads to, encoded. Nil if Misuse is set.
	Next []byte
	// Misuse says what a handler did that no world can carry out: it panicked
	// or sent to nobody. Empty as a rule.
	Misuse string
}

// An Envelope is a message in flight, or one that a step sends.
type Envelope struct {
	From, To ID
	// Port is where it comes in at To.
	Port Port
	// Kind is its kind, and Text the whole message as its source writes it.
	Kind, Text string
	// Later is its text a tick later, where it holds instants (package clock); empty where that
	// is Text.
	Later string
	// Due is how many ticks it has left, under synchronous timing.
	Due int
	// Broadcast numbers the broadcasts of the step that sends it from 1; 0 is a
	// message that is sent alone, or was sent before.
	Broadcast int
	// Lost says that the network drops it as it is sent: its receiver is down for
	// good or behind a cut for good. It counts as sent.
	Lost bool
}

// A Snapshot is a state in terms that people read.
type Snapshot struct {
	// Processes are the processes by position: by id on a complete graph, in
	// ring order on a ring.
	Processes []ProcessSnapshot
	// InFlight are the messages in flight, in the order of the encoding, which
	// for FIFO channels is the order of delivery on each link.
	InFlight []Envelope
	// Side is the part that a cut separates from the rest; empty without one.
	Side Set
	// Links are those that are cut, where links are cut one by one.
	Links []setting.CutLink
	// Budgets are the faults that may still come, by their names in a setting.
	Budgets []Count
	// Settled says that no owed action is enabled and no live process is in an
	// election.
	Settled bool
}

// Cut reports whether one of two processes cannot send to the other.
func (s *Snapshot) Cut(one, other ID) bool {
	if s.Side.Has(one) != s.Side.Has(other) {
		return true
	}
	return slices.ContainsFunc(s.Links, func(c setting.CutLink) bool {
		return c.From == one && c.To == other || c.From == other && c.To == one
	})
}

// A ProcessSnapshot is the state of one process.
type ProcessSnapshot struct {
	ID     ID
	Status Status
	// Paused processes are up and do nothing for a while.
	Paused bool
	// Ahead is how many ticks its clock is ahead of the right time (package clock).
	Ahead  int
	Belief Belief
	// Fields are the fields of the protocol's state, in order.
	Fields []Field
	// Timers are the timers that are set.
	Timers []TimerSnapshot
}

// A TimerSnapshot is a timer that is set.
type TimerSnapshot struct {
	Name string
	// Ticks is what is left under synchronous timing, and what it was set to
	// under last resort; 0 under asynchronous and patient timing.
	Ticks int
	// Least is after how many ticks it can expire, where clocks drift; Ticks is
	// when it does at the latest.
	Least int
}

// Status says whether a process is there.
type Status uint8

const (
	// Down processes have crashed.
	Down Status = layout.Down
	// Up processes run.
	Up Status = layout.Up
	// Absent processes have yet to join.
	Absent Status = iota
	// Unbooted processes have yet to come up in a cold start.
	Unbooted
)

// String returns "down", "up", "absent" or "unbooted".
func (s Status) String() string { return [...]string{"down", "up", "absent", "unbooted"}[s] }
