package shipped

import (
	"iter"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Machine drives code as it ships. S is what one process is, its code and its disk:
// often a struct of pointers to the types of the code. M is a message. Both may be of any
// type. The zero S is a process that has not started.
//
// A handler gets an S of its own, which it may change. It acts on the world by net,
// and keeps no reference to it. The methods are those of model.Protocol, which says when they run; a
// machine may also have Stable, Settle, Wake, Watches, Wanted, Beyond, Role and Fits, as
// model.Optional has them with S for P. Stable clears all that a crash takes, so that Init
// finds in s what the process has stored. It also may have Show. The other methods of
// model.Methods mean nothing to it: Text writes messages, and of a value that stands for a state
// the world sees neither ids (Symmetric) nor instants (Oldest).
type Machine[S, M any] interface {
	// Init makes the process in s. On Restart s is what Stable has left of it,
	// otherwise zero.
	Init(s *S, net *Net[M], why model.Boot)
	// Start runs when somebody asks the process to begin an election.
	Start(s *S, net *Net[M])
	// Suspect runs when the failure detector reports that process who is down.
	Suspect(s *S, net *Net[M], who model.ID)
	// Receive runs when message m arrives by a port. The machine may keep m.
	Receive(s *S, net *Net[M], from model.Port, m M)
	// Timeout runs when timer t has expired; t is no longer set then.
	Timeout(s *S, net *Net[M], t model.Timer)

	// Belief says what a process believes of the coordinator. It changes nothing.
	Belief(s *S) model.Belief
	// Names gives the vocabulary.
	Names() model.Names
	// Kind returns the kind of a message, and Text the message as people read it.
	// Different messages have different texts.
	Kind(m M) model.Kind
	Text(m M) string
}

// Passive has handlers that do nothing, and believes nothing. Machines embed it to leave out what
// does not happen to their code.
type Passive[S, M any] struct{}

// Init does nothing.
func (Passive[S, M]) Init(*S, *Net[M], model.Boot) {}

// Start does nothing.
func (Passive[S, M]) Start(*S, *Net[M]) {}

// Suspect does nothing.
func (Passive[S, M]) Suspect(*S, *Net[M], model.ID) {}

// Receive does nothing.
func (Passive[S, M]) Receive(*S, *Net[M], model.Port, M) {}

// Timeout does nothing.
func (Passive[S, M]) Timeout(*S, *Net[M], model.Timer) {}

// Belief is none: the process knows of no coordinator, and is in no election.
func (Passive[S, M]) Belief(*S) model.Belief { return model.Belief{} }

// The methods that a machine may have.
type (
	hasStable[S any] interface{ Stable(s *S) }
	hasSettle[S any] interface {
		Settle(s *S, self, coordinator model.ID, live model.Set)
	}
	hasWake[S, M any] interface{ Wake(s *S, net *Net[M]) }
	hasWatches[S any] interface {
		Watches(s *S, self model.ID) model.Set
	}
	hasWanted        interface{ Wanted(live model.Set) model.ID }
	hasBeyond[S any] interface{ Beyond(s *S) string }
	hasRole          interface {
		Role(id model.ID, n int) string
	}
	hasFits        interface{ Fits(s setting.Setting) error }
	hasShow[S any] interface{ Show(s *S) []model.Field }
	worldNet       interface {
		Self() model.ID
		N() int
		Bound() int
		Peers() model.Set
		SetTimer(t model.Timer, ticks int)
		StopTimer(t model.Timer)
		IsSet(t model.Timer) bool
		Choose(k int) int
		Pick(c model.Choice) int
		Rule(r model.Rule)
		Send(to model.Port, m Letter)
		Broadcast(m Letter)
		Reply(m Letter)
	}
)

// A Net is what a handler sees of the world, and the only way in which it acts on it. Its
// methods do what those of model.Net do.
type Net[M any] struct {
	world  worldNet
	letter func(m M) Letter
	did    []act
	seen   []int // what the world answered
}

// An act is what a handler did to the world.
type act struct {
	what   string
	number int // a port, a timer, a rule
	ticks  int
	letter Letter
}

func (n *Net[M]) note(a act) { n.did = append(n.did, a) }

func (n *Net[M]) saw(answer int) int {
	n.seen = append(n.seen, answer)
	return answer
}

// Self returns the id of the process.
func (n *Net[M]) Self() model.ID { return model.ID(n.saw(int(n.world.Self()))) }

// N returns the number of processes.
func (n *Net[M]) N() int { return n.saw(n.world.N()) }

// Bound returns the delay bound in ticks.
func (n *Net[M]) Bound() int { return n.saw(n.world.Bound()) }

// Peers returns all processes but this one.
func (n *Net[M]) Peers() model.Set { return model.Upto(model.ID(n.N())).Without(n.Self()) }

// Send sends m by a port. The machine may change m afterwards.
func (n *Net[M]) Send(to model.Port, m M) {
	l := n.letter(m)
	n.note(act{what: "send", number: int(to), letter: l})
	n.world.Send(to, l)
}

// SendTo sends m to a process, on a complete graph.
func (n *Net[M]) SendTo(id model.ID, m M) { n.Send(model.Peer(id), m) }

// Broadcast sends m to all other processes in one operation.
func (n *Net[M]) Broadcast(m M) {
	l := n.letter(m)
	n.note(act{what: "broadcast", letter: l})
	n.world.Broadcast(l)
}

// Reply sends m to where the message came from that is being received.
func (n *Net[M]) Reply(m M) {
	l := n.letter(m)
	n.note(act{what: "reply", letter: l})
	n.world.Reply(l)
}

// SetTimer sets timer t to expire in ticks from now.
func (n *Net[M]) SetTimer(t model.Timer, ticks int) {
	n.note(act{what: "set", number: int(t), ticks: ticks})
	n.world.SetTimer(t, ticks)
}

// StopTimer makes timer t no longer set.
func (n *Net[M]) StopTimer(t model.Timer) {
	n.note(act{what: "stop", number: int(t)})
	n.world.StopTimer(t)
}

// IsSet reports whether timer t is set now.
func (n *Net[M]) IsSet(t model.Timer) bool {
	answer := 0
	if n.world.IsSet(t) {
		answer = 1
	}
	return n.saw(answer) == 1
}

// Choose returns a number from 0 to k-1: all are explored.
func (n *Net[M]) Choose(k int) int { return n.saw(n.world.Choose(k)) }

// Pick returns the number of an outcome of choice c: all are explored.
func (n *Net[M]) Pick(c model.Choice) int { return n.saw(n.world.Pick(c)) }

// Rule notes that the handler applies rule r.
func (n *Net[M]) Rule(r model.Rule) {
	n.note(act{what: "rule", number: int(r)})
	n.world.Rule(r)
}

// A repeated is the world of a handler that runs again: it gives the answers that it
// gave, and nothing comes of what the handler does.
type repeated struct {
	worldNet
	answers string
	asked   int
}

func (r *repeated) next() int {
	if r.asked == len(r.answers) {
		r.asked++ // one more than there are: the handler does something else
		return 0
	}
	r.asked++
	return int(r.answers[r.asked-1])
}

func (r *repeated) Self() model.ID            { return model.ID(r.next()) }
func (r *repeated) N() int                    { return r.next() }
func (r *repeated) Bound() int                { return r.next() }
func (r *repeated) IsSet(model.Timer) bool    { return r.next() == 1 }
func (r *repeated) Choose(int) int            { return r.next() }
func (r *repeated) Pick(model.Choice) int     { return r.next() }
func (r *repeated) Send(model.Port, Letter)   {}
func (r *repeated) Broadcast(Letter)          {}
func (r *repeated) Reply(Letter)              {}
func (r *repeated) SetTimer(model.Timer, int) {}
func (r *repeated) StopTimer(model.Timer)     {}
func (r *repeated) Rule(model.Rule)           {}

// Mail yields the messages in flight with their ways, as model.Mail does.
func (p *Protocol[S, M]) Mail(v *model.View) iter.Seq2[model.Link, M] {
	return func(yield func(model.Link, M) bool) {
		for link, l := range model.Mail[Letter](v) {
			if !yield(link, p.Message(l)) {
				return
			}
		}
	}
}

// Sends yields the messages that a step sends, with their ways, as model.Sends does.
func (p *Protocol[S, M]) Sends(e *model.Event) iter.Seq2[model.Link, M] {
	return func(yield func(model.Link, M) bool) {
		for link, l := range model.Sends[Letter](e) {
			if !yield(link, p.Message(l)) {
				return
			}
		}
	}
}
