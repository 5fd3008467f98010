package protocol

import (
	"slices"
	"strconv"

	"bullyproof/model/process"
)

// A Protocol is the code that every process of a system runs: handlers over P,
// the state of one process, and M, the message. Both are flat value types:
// fixed-size integers, bools, and arrays and structs of them (Set, ByID and the
// lists of package list among them). The zero P is the state of a process that has
// not started.
//
// Handlers are deterministic and total: what they do follows from their
// arguments, and they act on the world through net alone. Each runs as one
// step; nothing happens between its first line and its last but, where the
// Setting allows it, a crash between two of its sends.
//
// A protocol may have methods beyond these: see Optional.
type Protocol[P any, M Message] interface {
	// Init runs when a process comes up. On Restart p holds what Stable kept
	// (see Stable), otherwise it is zero.
	Init(p *P, net *Net[M], why Boot)
	// Start runs when somebody asks the process to begin an election.
	Start(p *P, net *Net[M])
	// Suspect runs when the failure detector reports that process who is down:
	// unless the Setting says otherwise, while p takes part in no election.
	Suspect(p *P, net *Net[M], who ID)
	// Receive runs when message m arrives by a port.
	Receive(p *P, net *Net[M], from Port, m M)
	// Timeout runs when timer t has expired; t is no longer set then.
	Timeout(p *P, net *Net[M], t Timer)

	// Belief says what a process in state p believes of the coordinator. It is
	// a pure function of p.
	Belief(p *P) Belief

	// Names gives the vocabulary of the source.
	Names() Names
}

// A Message says what it is.
type Message interface {
	// Kind returns its kind.
	Kind() Kind
	// String returns it as its source writes it: "COORDINATOR(3)". Different
	// messages have different texts.
	String() string
}

// A Kind is a kind of messages: an index into Names().Kinds.
type Kind uint8

// Passive has handlers that do nothing, and believes nothing. Protocols embed it to leave out the
// handlers that their source has no rule for; it lacks Names alone, which each protocol has.
type Passive[P any, M Message] struct{}

// Init does nothing.
func (Passive[P, M]) Init(*P, *Net[M], Boot) {}

// Start does nothing.
func (Passive[P, M]) Start(*P, *Net[M]) {}

// Suspect does nothing.
func (Passive[P, M]) Suspect(*P, *Net[M], ID) {}

// Receive does nothing.
func (Passive[P, M]) Receive(*P, *Net[M], Port, M) {}

// Timeout does nothing.
func (Passive[P, M]) Timeout(*P, *Net[M], Timer) {}

// Belief is none: the process knows of no coordinator, and is in no election.
func (Passive[P, M]) Belief(*P) Belief { return Belief{} }

// Boot is why a process comes up.
type Boot uint8

const (
	// Cold is the start of the whole system.
	Cold Boot = iota
	// Join is the first start of a process that was not there before.
	Join
	// Restart is the return of a process after a crash, with its id.
	Restart
)

// String returns "cold", "join" or "restart".
func (b Boot) String() string { return [...]string{"cold", "join", "restart"}[b] }

// Belief is what a process makes of the election.
type Belief struct {
	// Elected is the process that it takes for the coordinator, None where it
	// knows of none, and its own id (or Me) where it believes itself
	// coordinator.
	Elected ID
	// Participant says that it is in an election and does not know that this is
	// over.
	Participant bool
	// Epoch is the number of the election in which it is, where the protocol
	// numbers them (a term, a ballot, a view); 0 where it has none.
	Epoch uint64
}

// A Timer names one of a process's timers: an index into Names().Timers.
type Timer uint8

// A Rule names a rule of the source: an index into Names().Rules.
type Rule uint8

// Rules are rules of a source in its words, for Names.Rules. A package declares each once,
// in one list:
//
//	var (
//		rules   model.Rules
//		claims  = rules.Add("1: claim")
//		follows = rules.Add("2: follow a higher claim")
//	)
//
// The list is complete when all of it is declared: Names in a variable stand below it.
type Rules []string

// Add adds the next rule, and returns its number. The list has no spare capacity, so that
// variants can append to it.
func (r *Rules) Add(text string) Rule {
	*r = slices.Clip(append(*r, text))
	return Rule(len(*r) - 1)
}

// Names is the vocabulary of a protocol, in the words of its source.
type Names struct {
	// Kinds are the kinds of messages: "ELECTION".
	Kinds []string
	// Timers are the timers of a process. At most 16.
	Timers []TimerName
	// Rules are the rules of the source that the handlers mark by Net.Rule:
	// "4: answer and begin an election". At most 64.
	Rules []string
	// Choices are those that handlers make by Net.Pick. At most 255.
	Choices []ChoiceName
}

// WithTimer returns the names with one more timer, and its number: that of a variant
// which embeds the protocol. The names that it is called on stay as they are.
func (n Names) WithTimer(t TimerName) (Names, Timer) {
	n.Timers = append(slices.Clip(n.Timers), t)
	return n, Timer(len(n.Timers) - 1)
}

// WithKind returns the names with one more kind of messages, and its number, as WithTimer does. The
// String of the messages has to know it.
func (n Names) WithKind(kind string) (Names, Kind) {
	n.Kinds = append(slices.Clip(n.Kinds), kind)
	return n, Kind(len(n.Kinds) - 1)
}

// WithRule returns the names with one more rule, and its number, as WithTimer does.
func (n Names) WithRule(rule string) (Names, Rule) {
	n.Rules = append(slices.Clip(n.Rules), rule)
	return n, Rule(len(n.Rules) - 1)
}

// A TimerName describes a timer.
type TimerName struct {
	Name string
	// Periodic timers belong to a task that never ends (a heartbeat): a state
	// in which nothing but periodic timers is left to happen is settled. A timer
	// whose expiry begins an election, or changes whom a process follows, is not
	// periodic, however often it is set again: an election timeout is none. If it
	// is called periodic, the pause before it expires counts as the end: agreement
	// may break there although the next step would mend it, and nothing is asked
	// of settled states about what the timer brings.
	Periodic bool
}

// An ID identifies a process: 1 to N, the higher the more eligible unless the
// protocol says otherwise.
type ID = process.ID

const (
	// None is the id of no process (the sources write ⊥).
	None = process.None
	// Me stands for the process itself in the Belief of a process that knows
	// no id of its own, as on anonymous rings.
	Me = process.Me
	// MaxID is the highest id that a process can have.
	MaxID = process.MaxID
)

// A Set is a set of processes, one bit each: bit id-1 for process id.
type Set = process.Set

// SetOf returns the set of the given ids, each from 1 to MaxID.
func SetOf(ids ...ID) Set { return process.SetOf(ids...) }

// Upto returns the set of the processes 1 to n; n from 0 to MaxID.
func Upto(n ID) Set { return process.Upto(n) }

// ByID holds one T for each process. Only the first N count in a state: they
// are what is encoded.
type ByID[T any] struct {
	of [64]T
}

// At returns the value of process id, which is from 1 to MaxID.
func (a *ByID[T]) At(id ID) T { return a.of[id-1] }

// Set makes v the value of process id, which is from 1 to MaxID.
func (a *ByID[T]) Set(id ID, v T) { a.of[id-1] = v }

// A Port is an end of a channel at a process. On a complete graph each peer is
// a port, named by its id; on a ring there are Next and Prev, which stay two
// ports even where both lead to the same process (a ring of two).
type Port uint8

const (
	// Next is the port to the successor on a ring, in the direction in which
	// unidirectional rings send (the sources: clockwise).
	Next Port = 254
	// Prev is the port to the predecessor on a ring.
	Prev Port = 255
)

// Peer returns the port to process id on a complete graph.
func Peer(id ID) Port { return Port(id) }

// ID returns the process behind a port of a complete graph, None for Next and
// Prev.
func (p Port) ID() ID {
	if p >= Next {
		return None
	}
	return ID(p)
}

// Opposite returns Prev for Next and Next for Prev: where a message that came
// in by p leaves a process that passes it on. Other ports are their own.
func (p Port) Opposite() Port {
	if p >= Next {
		return p ^ 1
	}
	return p
}

// Name returns what people call the port: "next", "prev" or the name of the peer.
func (p Port) Name() string {
	if p >= Next {
		return p.String()
	}
	return p.ID().Name()
}

// String returns "next", "prev" or the number of the peer.
func (p Port) String() string {
	switch p {
	case Next:
		return "next"
	case Prev:
		return "prev"
	}
	return strconv.Itoa(int(p))
}
