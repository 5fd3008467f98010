package model

// A Protocol is the code that every process of a system runs: handlers over P,
// the state of one process, and M, the message. Both are flat value types:
// fixed-size integers, bools, and arrays and structs of them (Set and ByID
// among them). The zero P is the state of a process that has not started.
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

// Passive has handlers that do nothing. Protocols embed it to leave out the
// ones that their source has no rule for.
type Passive[P any, M Message] struct{}

// Init does nothing.
func (Passive[P, M]) Init(*P, *Net[M], Boot) {}

// Start does nothing.
func (Passive[P, M]) Start(*P, *Net[M]) {}

// Suspect does nothing.
func (Passive[P, M]) Suspect(*P, *Net[M], ID) {}

// Timeout does nothing.
func (Passive[P, M]) Timeout(*P, *Net[M], Timer) {}

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
	// Participant says that it takes part in an election that it does not
	// know to be over.
	Participant bool
	// Epoch is the number of the election in which it is, where the protocol
	// numbers them (a term, a ballot, a view); 0 where it has none.
	Epoch uint64
}

// A Timer names one of a process's timers: an index into Names().Timers.
type Timer uint8

// A Rule names a rule of the source: an index into Names().Rules.
type Rule uint8

// Names is the vocabulary of a protocol, in the words of its source.
type Names struct {
	// Kinds are the kinds of messages: "ELECTION".
	Kinds []string
	// Timers are the timers of a process. At most 8.
	Timers []TimerName
	// Rules are the rules of the source that the handlers mark by Net.Rule:
	// "4: answer and begin an election". At most 64.
	Rules []string
	// Choices are those that handlers make by Net.Pick. At most 255.
	Choices []ChoiceName
}

// A TimerName describes a timer.
type TimerName struct {
	Name string
	// Periodic timers belong to a task that never ends (a heartbeat): a state
	// in which nothing but periodic timers is left to happen is settled.
	Periodic bool
}
