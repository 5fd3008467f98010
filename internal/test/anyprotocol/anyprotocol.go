// Package anyprotocol draws protocols, for tests: what their handlers do is in
// random tables.
package anyprotocol

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A State is that of a process.
type State struct {
	Elected model.ID
	Mode    uint8 // 0 to modes-1: with Seen, it selects the row of the table
	Seen    uint8 // what faces have marked
	Told    uint8 // how many reports have come, up to 2, where the table counts them
	Term    uint8 // the number of its election, up to maxTerm, where the table has terms
	Got     uint8 // how many messages have come, where the table counts them (Most)

	// Of symmetric tables alone.
	Heard model.Set         // from whom it has had a message
	Texts model.ByID[uint8] // the last one of each, plus 1
}

// maxTerm is the last term, and the bound of a table that is bounded lies before it.
const maxTerm = 2

// A Message is one of four, and tells how many more it may lead to.
type Message struct {
	Text uint8 // 0 to 3
	Hops uint8
	Term uint8    // of its sender, where the table has terms
	Of   model.ID // whom its sender names, where the table is symmetric
}

// Kind returns 0 or 1.
func (m Message) Kind() model.Kind { return model.Kind(m.Text / 2) }

// String returns "A(0)" to "B(1)", with the hops and the term behind it if there are any.
func (m Message) String() string {
	text := fmt.Sprintf("%c(%d)", 'A'+m.Text/2, m.Text%2)
	if m.Hops > 0 {
		text += fmt.Sprintf("+%d", m.Hops)
	}
	if m.Term > 0 {
		text += fmt.Sprintf("@%d", m.Term)
	}
	if m.Of != model.None {
		text += " of " + m.Of.Name()
	}
	return text
}

// A Table says what handlers do. Protocol makes a protocol of it.
type Table struct {
	// Faces are what handlers do. The last one for a class, a trigger and a row
	// counts; where there is none the handler does nothing.
	Faces []Face
	// Classes is how many kinds of processes there are; process id is of kind
	// id % Classes.
	Classes int
	// Hops is how many messages may follow one another, each sent on the receipt of
	// the one before; 0 is without bound.
	Hops uint8
	// Part has the modes in which a process is in an election.
	Part uint8
	// Periodic has the timers that are periodic.
	Periodic uint8
	// FirstTimer is the number of its first timer, where it is a part of a protocol.
	FirstTimer model.Timer
	// Timerless processes have no timers.
	Timerless bool
	// Most is the bound of a process: one that has had so many messages is not explored.
	// 0 is without bound.
	Most uint8
	// Methods says which methods beyond those of every protocol there are, 0 for none.
	Methods int
	// Topology is that of the setting it is for.
	Topology setting.Topology
	// Anonymous processes do not ask for their ids.
	Anonymous bool
	// Symmetric processes know others by what they have heard alone: they write to whom
	// they name, or have heard of, and ids decide nothing.
	Symmetric bool
	// Stubborn processes go on naming a process that is reported to be down, so that
	// it is reported again.
	Stubborn bool
	// Counts says that processes count reports: those after the first have faces of
	// their own.
	Counts bool
	// Looks says that processes ask how much of a timer is left, where they would ask whether it
	// is set: it is set anew in its last tick.
	Looks bool
	// Terms says that elections have numbers: messages carry them, an older one is
	// ignored, and a newer one is taken over. Bounded tables are not explored in the
	// last term.
	Terms, Bounded bool

	faces map[place]*Face
}

// A place is one of the table.
type place struct{ class, trigger, row int }

// Triggers of faces. The cases of Receive for each message, and of Timeout
// for each timer, follow one another.
const (
	Cold    = iota // Init
	Comes          // Init of whoever joins or restarts
	Start          //
	Suspect        //
	Receive        // and three more
	Timeout = Receive + messages
	Again   = Timeout + timers // Suspect, where reports are counted and this is not the first
)

const (
	modes    = 3
	rows     = modes + 1 // the last is for whoever has seen all there is to mark
	messages = 4
	timers   = 2
	marks    = 2
)

// A Face is what a handler does in one class of processes, on one trigger and in
// one row.
type Face struct {
	Class, Trigger, Row int

	Mode  int   // the next mode, or -1 to keep it
	Elect Elect // whom to name
	Mark  uint8 // what to mark as seen
	Sends []Send
	Timer int // what to do to a timer, see there
	Ticks int
	Flip  Flip // what of this is chosen to happen or not
	Next  bool // to go on to the next term, where there are terms
}

// Flip says what a face leaves to a choice with two outcomes: it happens in the first.
type Flip uint8

// The choices of Flip.
const (
	FlipNothing Flip = iota
	FlipMode
	FlipSends
	FlipTimer
	FlipAll // except for what is marked
	flips
)

// The effect of a face on a timer, plus the timer.
const (
	keepTimer = 0
	SetTimer  = 2
	stopTimer = 4
	setUnless = 6 // it is set
)

// Elect says whom a face has a process name.
type Elect uint8

// The choices of Elect.
const (
	Keep Elect = iota
	Nobody
	Itself
	Sender
	First // and so on, by id
)

// A Send is the sending of a message.
type Send struct {
	To   To
	Text uint8
}

// To says where a message goes.
type To uint8

// The choices of To. On a ring all are one of the two neighbours.
const (
	Successor To = iota // the next id
	Back                // to where the message came from, or to the id before
	Highers
	Lowers
	Everybody
	destinations
)

// The bits of Table.Methods: which methods there are beside those of every protocol.
const (
	KeepsElected = iota + 1 // on disk
	KeepsTerm               // and the mode, on disk
	WatchesAll              // the detector reports everybody, not only whom a process names
	WantsLow                // the lowest ought to win, and what is marked is kept on disk
)

// Protocol returns the table as a protocol with the methods that it has.
func (t *Table) Protocol() Protocol {
	t.spread()
	var p Protocol = t
	switch t.Methods {
	case KeepsElected:
		p = stable{t}
	case KeepsTerm:
		p = voter{t}
	case WatchesAll:
		p = watchful{t}
	case WantsLow:
		p = low{t}
	}
	if t.Terms && t.Bounded || t.Most > 0 {
		p = bounded{p, t}
	}
	if t.Symmetric {
		p = symmetric{p}
	}
	return p
}

// spread puts the faces in their places.
func (t *Table) spread() {
	t.faces = map[place]*Face{}
	for i := range t.Faces {
		f := &t.Faces[i]
		t.faces[place{f.Class, f.Trigger, f.Row}] = f
	}
}

type (
	stable   struct{ *Table }
	voter    struct{ *Table }
	watchful struct{ *Table }
	low      struct{ *Table }
	bounded  struct {
		Protocol
		by *Table
	}

	symmetric struct{ Protocol }
)

func (symmetric) Symmetric(setting.Setting) bool { return true }

func (stable) Stable(p *State) { *p = State{Elected: p.Elected} }

func (voter) Stable(p *State) { *p = State{Term: p.Term, Mode: p.Mode} }

func (b bounded) Beyond(p *State) string {
	if b.by.Most > 0 && p.Got == b.by.Most {
		return fmt.Sprintf("message %d", p.Got)
	}
	if b.by.Bounded && p.Term == maxTerm {
		return fmt.Sprintf("term %d", maxTerm)
	}
	return ""
}

func (watchful) Watches(*State, model.ID) model.Set { return model.Upto(model.MaxID) }

func (low) Stable(p *State) { *p = State{Seen: p.Seen} }

func (low) Wanted(live model.Set) model.ID { return live.Min() }

// Init does what the face of Cold or Comes says.
func (t *Table) Init(p *State, net *model.Net[Message], why model.Boot) {
	if why == model.Cold {
		t.run(Cold, p, net, 0, nil)
	} else {
		t.run(Comes, p, net, 0, nil)
	}
}

// Start does what the face of Start says.
func (t *Table) Start(p *State, net *model.Net[Message]) { t.run(Start, p, net, 0, nil) }

// Suspect does what the face of Suspect says, or that of Again. A process that is not
// stubborn names nobody that is down.
func (t *Table) Suspect(p *State, net *model.Net[Message], who model.ID) {
	if p.Elected == who && !t.Stubborn {
		p.Elected = model.None
	}
	trigger := Suspect
	if t.Counts && p.Told > 0 {
		trigger = Again
	}
	if t.Counts {
		p.Told = min(p.Told+1, 2)
	}
	t.run(trigger, p, net, 0, nil)
}

// Receive does what the face of Receive and the message says, if it is not of an
// earlier term.
func (t *Table) Receive(p *State, net *model.Net[Message], from model.Port, m Message) {
	if m.Term < p.Term {
		return
	}
	p.Term = m.Term
	if t.Most > 0 {
		p.Got = min(p.Got+1, t.Most)
	}
	if t.Symmetric {
		p.Heard = p.Heard.With(from.ID())
		p.Texts.Set(from.ID(), m.Text+1)
	}
	t.run(Receive+int(m.Text), p, net, from, &m)
}

// Timeout does what the face of Timeout and the timer says.
func (t *Table) Timeout(p *State, net *model.Net[Message], timer model.Timer) {
	t.run(Timeout+int(timer-t.FirstTimer), p, net, 0, nil)
}

// Settle has everybody name the coordinator.
func (t *Table) Settle(p *State, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief tells Elected, the term, and whether the mode is one that takes part.
func (t *Table) Belief(p *State) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: t.Part>>p.Mode&1 != 0, Epoch: uint64(p.Term)}
}

// Names names them all.
func (t *Table) Names() model.Names {
	names := model.Names{Kinds: []string{"A", "B"}}
	if !t.Timerless {
		names.Timers = []model.TimerName{{Name: "t0", Periodic: t.Periodic&1 != 0}, {Name: "t1", Periodic: t.Periodic&2 != 0}}
	}
	return names
}

func (t *Table) run(trigger int, p *State, net *model.Net[Message], from model.Port, cause *Message) {
	class, row := 0, int(p.Mode)
	if !t.Anonymous && !t.Symmetric {
		class = int(net.Self()) % t.Classes
	}
	if p.Seen == 1<<marks-1 || t.Symmetric && p.Heard.Len() > net.N()/2 {
		row = modes
	}
	f := t.faces[place{class, trigger, row}]
	if f == nil {
		return
	}
	not := FlipNothing
	if f.Flip != FlipNothing && net.Toss(2) == 1 {
		not = f.Flip
	}
	p.Seen |= f.Mark
	if not == FlipAll {
		return
	}
	if f.Mode >= 0 && not != FlipMode {
		p.Mode = uint8(f.Mode)
	}
	if f.Next && t.Terms && p.Term < maxTerm {
		p.Term++
	}
	t.elect(f.Elect, p, net, from, cause)
	for _, s := range f.Sends {
		if not != FlipSends {
			t.send(s, p, net, from, cause)
		}
	}
	if not != FlipTimer && !t.Timerless {
		f.time(net, t.FirstTimer, t.Looks)
	}
}

func (t *Table) elect(whom Elect, p *State, net *model.Net[Message], from model.Port, cause *Message) {
	switch {
	case whom == Keep:
	case whom == Nobody:
		p.Elected = model.None
	case whom == Itself:
		p.Elected = model.Me
	case whom == Sender:
		p.Elected = from.ID()
	case t.Symmetric:
		if cause != nil {
			p.Elected = cause.Of
		}
	default:
		p.Elected = model.ID(int(whom-First)%net.N() + 1)
	}
}

func (t *Table) send(s Send, p *State, net *model.Net[Message], from model.Port, cause *Message) {
	m := Message{Text: s.Text, Hops: t.Hops, Term: p.Term}
	if t.Hops > 0 && cause != nil {
		if cause.Hops == 0 {
			return
		}
		m.Hops = cause.Hops - 1
	}
	if t.Symmetric {
		t.sendBlindly(s.To, m, p, net, from, cause)
		return
	}
	self, n := 0, net.N()
	if t.Topology == setting.Complete {
		self = int(net.Self())
	}
	switch {
	case t.Topology == setting.BiRing && s.To == Back:
		net.Send(model.Prev, m)
	case t.Topology != setting.Complete:
		net.Send(model.Next, m)
	case s.To == Back && from != 0:
		net.Reply(m)
	case s.To == Back:
		net.SendTo(model.ID((self+n-2)%n+1), m)
	case s.To == Highers:
		net.SendAll(net.Higher(), m)
	case s.To == Lowers:
		net.SendAll(net.Lower(), m)
	case s.To == Everybody:
		net.Broadcast(m)
	default:
		net.SendTo(model.ID(self%n+1), m)
	}
}

// sendBlindly sends where what has been heard says to.
func (t *Table) sendBlindly(to To, m Message, p *State, net *model.Net[Message], from model.Port, cause *Message) {
	m.Of = p.Elected
	if m.Of == model.Me {
		m.Of = net.Self()
	}
	whom := net.Peers()
	switch {
	case to == Back && from != 0:
		whom = model.SetOf(from.ID())
	case to == Highers:
		whom &= p.Heard
	case to == Lowers && cause != nil && cause.Of != model.None:
		whom &= model.SetOf(cause.Of)
	case to == Successor && m.Of != model.None:
		whom &= model.SetOf(m.Of)
	}
	if !whom.Empty() {
		net.SendAll(whom, m)
	}
}

func (f *Face) time(net *model.Net[Message], first model.Timer, looks bool) {
	timer := first + model.Timer(f.Timer%timers)
	switch f.Timer - f.Timer%timers {
	case SetTimer:
		net.SetTimer(timer, f.Ticks)
	case stopTimer:
		net.StopTimer(timer)
	case setUnless:
		set := false
		if looks {
			left, _ := net.Left(timer)
			set = left > 1
		} else {
			set = net.IsSet(timer)
		}
		if !set {
			net.SetTimer(timer, f.Ticks)
		}
	}
}
