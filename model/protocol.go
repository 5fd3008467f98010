package model

import (
	"fmt"

	"bullyproof/model/process"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// The terms of a protocol. Package protocol has them, with their methods.
type (
	// A Protocol is the code that every process of a system runs: handlers over P,
	// the state of one process, and M, the message. Both are flat value types:
	// fixed-size integers, bools, and arrays and structs of them (Set, ByID and the
	// lists of package list among them). The zero P is the state of a process that has
	// not started. A protocol may have methods beyond these: see Optional.
	// Its methods: go doc bullyproof/model/protocol Protocol.
	Protocol[P any, M Message] = protocol.Protocol[P, M]
	// Optional has the methods that a protocol may have beyond those of Protocol,
	// each of them or none.
	Optional[P any, M Message] = protocol.Optional[P, M]
	// Passive has handlers that do nothing, and believes nothing. Protocols embed it to leave out the
	// handlers that their source has no rule for; it lacks Names alone, which each protocol has.
	Passive[P any, M Message] = protocol.Passive[P, M]
	// Net is what a handler sees of the world, and the only way in which it acts
	// on it. It is good during the handler's call. Its methods: go doc
	// bullyproof/model/protocol Net.
	Net[M Message] = protocol.Net[M]
	// A Message says what it is: its Kind, and its text.
	Message = protocol.Message
	// A Kind is a kind of messages: an index into Names().Kinds.
	Kind = protocol.Kind
	// Boot is why a process comes up: Cold, Join or Restart.
	Boot = protocol.Boot
	// Belief is what a process makes of the election.
	Belief = protocol.Belief

	// Names is the vocabulary of a protocol, in the words of its source.
	Names = protocol.Names
	// A Timer names one of a process's timers: an index into Names().Timers.
	Timer = protocol.Timer
	// A TimerName describes a timer.
	TimerName = protocol.TimerName
	// A Rule names a rule of the source: an index into Names().Rules.
	Rule = protocol.Rule
	// Rules are rules of a source in its words, each declared once.
	Rules = protocol.Rules
	// A Request names what a process is asked for: an index into Names().Requests.
	Request = protocol.Request
	// A Choice names a choice that handlers make: an index into Names().Choices.
	Choice = protocol.Choice
	// A ChoiceName describes a choice, and its outcomes.
	ChoiceName = protocol.ChoiceName
	// Odds are the probability of an outcome of chance.
	Odds = protocol.Odds

	// An ID identifies a process: 1 to N, the higher the more eligible unless the
	// protocol says otherwise.
	ID = process.ID
	// A Set is a set of processes, one bit each: bit id-1 for process id.
	Set = process.Set
	// ByID holds one T for each process. Only the first N count in a state: they
	// are what is encoded.
	ByID[T any] = protocol.ByID[T]
	// A Port is an end of a channel at a process: a peer, by its id, on a complete
	// graph, and Next or Prev on a ring.
	Port = protocol.Port

	// Shown is a protocol whose states stand for something, and are shown as that.
	Shown[P any] = protocol.Shown[P]
	// Remarked is a protocol that says in reports how it ran.
	Remarked = protocol.Remarked
	// Methods are all methods that anything asks of a protocol beyond those of Protocol.
	Methods[P any, M Message] = protocol.Methods[P, M]
	// An OptionalMethod is one of the methods of Optional, and says whether a protocol has the
	// method.
	OptionalMethod = protocol.OptionalMethod
	// A Field is a field of a protocol's state.
	Field = protocol.Field

	// A Node is one process of a protocol outside of any search (NewNode).
	Node[P any, M Message] = protocol.Node[P, M]
	// A Machine is a Node for a driver that knows the types neither of states nor of
	// messages (System.Machine).
	Machine = protocol.Machine
	// A Letter is a message outside of any search.
	Letter = protocol.Letter
	// An Obligation is what a process takes upon itself in one state, and fulfils in a
	// later one (System.Owing).
	Obligation = protocol.Obligation
)

// Certain are the odds of what happens whatever chance brings.
var Certain = protocol.Certain

const (
	// Cold is the start of the whole system.
	Cold = protocol.Cold
	// Join is the first start of a process that was not there before.
	Join = protocol.Join
	// Restart is the return of a process after a crash, with its id.
	Restart = protocol.Restart

	// None is the id of no process (the sources write ⊥).
	None = process.None
	// Me stands for the process itself in the Belief of a process that knows
	// no id of its own, as on anonymous rings.
	Me = process.Me
	// MaxID is the highest id that a process can have.
	MaxID = process.MaxID

	// Next is the port to the successor on a ring, in the direction in which
	// unidirectional rings send (the sources: clockwise).
	Next = protocol.Next
	// Prev is the port to the predecessor on a ring.
	Prev = protocol.Prev
)

// SetOf returns the set of the given ids, each from 1 to MaxID.
func SetOf(ids ...ID) Set { return process.SetOf(ids...) }

// Upto returns the set of the processes 1 to n; n from 0 to MaxID.
func Upto(n ID) Set { return process.Upto(n) }

// Peer returns the port to process id on a complete graph.
func Peer(id ID) Port { return protocol.Peer(id) }

// As returns p as a T, or else the first of what p wraps that is a T: a value
// behind an interface that p embeds, at any depth. Wrapping a protocol
//
//	struct{ model.Protocol[P, M] }
//
// thus keeps the optional methods of what is wrapped.
func As[T any](p any) (T, bool) { return protocol.As[T](p) }

// Optional returns the methods of Optional, always in the same order, and which
// of them the system's protocol has.
func (s *System) Optional() []OptionalMethod { return s.impl.has.List }

// Role returns what process id is, of those with ids from 1 to N ("store"); "" if the
// protocol does not say (Optional.Role).
func (s *System) Role(id ID) string {
	if s.impl.has.Caster == nil {
		return ""
	}
	return s.impl.has.Caster.Role(id, s.impl.N)
}

// NewNode returns process self of a protocol in setting s, whose number of
// processes, topology and timing it runs under; nothing has come up yet (Init).
// It fails where New fails except for what concerns encodings, and if self is
// not one of the processes.
func NewNode[P any, M Message](p Protocol[P, M], s setting.Setting, self ID) (*Node[P, M], error) {
	w, err := newWorld(protocol.CodeOf(p), s)
	if err != nil {
		return nil, err
	}
	return protocol.NewNode[P, M](w.protocol, w.newCall(), self)
}

// Machine returns process self of the system; nothing has come up yet (Init).
// Choose decides what Net.Choose returns (Node.Choose); nil always chooses 0.
// It fails if self is not one of the processes.
func (s *System) Machine(self ID, choose func(k int) int) (Machine, error) {
	return protocol.NewMachine(s.impl.protocol, s.impl.newCall(), self, choose)
}

// Owing returns the system with one bit of history in the state of each process:
// whether it owes (View.Owes). The bit follows from the states that the process has
// been in at the end of each step, and a crash clears it, with or without stable
// storage. So it is part of the process's own state: a reduction also knows of the
// bit what it knows of handlers. The actions are those of the system, in the same
// order. Monitors are not taken along.
func (s *System) Owing(o Obligation) (*System, error) {
	if o.Begins == nil || o.Ends == nil {
		return nil, fmt.Errorf("obligation %+v: Begins and Ends have to be there", o)
	}
	return newSystem(protocol.Owing(s.impl.protocol, o, !s.setting.Initiators.Lazy), s.setting)
}
