package fceabr

import (
	"fmt"
	"strings"

	"bullyproof/model"
)

// Protocol is the algorithm in one of its readings. Its zero value takes the
// paper at its word, and where it is silent means what it must mean to work: a
// process that two copies meet at counts itself, and the coordinator is not its
// own surrogate.
type Protocol struct {
	// AtOnce has a process handle what arrives from both sides at the same
	// moment in one step: it keeps a message for a tick before it passes it on.
	// The paper's example with an even number of processes needs that.
	// Otherwise a message is passed on when it arrives.
	AtOnce bool

	// InformerCounts has the informer put its own number into the surrogate
	// section of an SElection. The paper says zero.
	InformerCounts bool

	// OwnSurrogate has the new coordinator, too, compare its number with the
	// surrogate section of an SElection: "each process in the network" does.
	OwnSurrogate bool

	// MakerLeftOut has the process that two copies meet at compare nothing but
	// the two: the paper's steps of V.2 do not mention its own number.
	MakerLeftOut bool

	// StopsSecond has a process stop any second announcement of an election: "if a
	// process receives two Coordinator or Surrogate coordinator message, it'll
	// stop one of them" (IV). Otherwise one of a higher initiator goes on, and
	// only that of the lower one is stopped (V.4).
	StopsSecond bool

	// CoordinatorCounts has a process take whoever stands in the coordinator
	// section of an SElection or SCoordinator message for the coordinator. To the
	// letter the one has it "replace the surrogate coordinator to coordinator" (V.3),
	// and the other is "to inform other processes about new surrogate coordinator"
	// (V.4): otherwise a process gives its coordinator up for nobody but its own
	// surrogate, or by a Coordinator message.
	CoordinatorCounts bool

	// Remembers has a process remember for good the initiators that it has seen,
	// since the paper does not say when to forget them.
	Remembers bool

	// WatchesSurrogate has a process that finds the surrogate crashed forget it.
	// The paper says what an election costs then (VI, equations 7 to 10), not who
	// notices.
	WatchesSurrogate bool

	// Rounds is a part of the repair. Elections are numbered: one that begins has
	// a number higher than all that its informer has heard of, and a process
	// stops what belongs to an earlier election than the last that it has heard
	// of, or to one of the same number and a lower informer. An announcement goes
	// by the informer of its election and not by who makes it. So the latest
	// result is the one that stays, and no old message begins anything.
	Rounds bool

	// Retries is the other part: a process that has heard of an election and not
	// of its end in the time that this takes at most begins another one. So no
	// election is lost with a process that crashes while a message is with it.
	Retries bool

	model.Passive[P, M]
}

// T, of the repair, bounds the time in which an election that a process has
// heard of comes to its end.
const T model.Timer = 0

// The rules of the paper, and those of the repair.
const (
	begins model.Rule = iota
	passes
	meets
	follows
	lower
	second
	home
	replaces
	told
	meetsAgain
	forgets  // WatchesSurrogate
	outdated // Rounds
	retries  // Retries
)

var rules = []string{
	begins:     "V.1: no coordinator: create an Election message",
	passes:     "IV: compare one's own number, pass the message on in the same direction",
	meets:      "V.2: one Election from both sides: create a Coordinator message",
	follows:    "V.2: a Coordinator or SCoordinator message: learn who is elected, pass it on",
	lower:      "V.4: a message of a lower initiator than one with the same label: stop it",
	second:     "IV: a second Coordinator or SCoordinator message: stop one of them",
	home:       "V: one's own message has gone all around: do not pass it on",
	replaces:   "V.3: the coordinator has crashed: replace it by the surrogate, create an SElection message",
	told:       "V.3: an SElection message: replace the coordinator by the surrogate",
	meetsAgain: "V.4: one SElection from both sides: create an SCoordinator message",
	forgets:    "VI: the surrogate has crashed: forget it",
	outdated:   "repair: a message of an earlier election: stop it",
	retries:    "repair: the election does not end: begin another",
}

var labels = []string{Election: "Election", SElection: "SElection", Coordinator: "Coordinator", SCoordinator: "SCoordinator"}

// hold keeps a message for a tick, to see what comes from the other side.
func (a *Protocol) hold(p *P, net *model.Net[M], label Label) {
	p.Seen[label].Held = true
	net.SetTimer(model.Timer(label), 1)
}

// keep passes a message on no more.
func (a *Protocol) keep(p *P, net *model.Net[M], label Label) {
	if a.AtOnce {
		net.StopTimer(model.Timer(label))
		p.Seen[label].Held = false
	}
}

// forget has a process forget a message; one that it holds it passes on first.
func (a *Protocol) forget(p *P, net *model.Net[M], label Label) {
	if p.Seen[label].Held {
		net.StopTimer(model.Timer(label))
		a.release(p, net, label)
	}
	p.Seen[label] = Seen{}
}

// release passes on a message that a process has held.
func (a *Protocol) release(p *P, net *model.Net[M], label Label) {
	hasty := *a
	hasty.AtOnce = false
	p.Seen[label].Held = false
	hasty.pass(p, net, label)
}

// open gives an election that begins its number.
func (a *Protocol) open(p *P, net *model.Net[M], m *M) {
	if a.Rounds {
		m.Round = p.Round + 1
		a.enter(p, net, *m)
	} else {
		a.forget(p, net, m.Label+2)
	}
	if a.Retries {
		net.SetTimer(T, a.limit(net))
	}
}

// enter has a process turn to a later election.
func (a *Protocol) enter(p *P, net *model.Net[M], m M) {
	p.Round, p.Informer, p.Over = m.Round, uint8(m.Informer), false
	p.Seen = [4]Seen{}
	if a.Retries {
		net.SetTimer(T, a.limit(net))
	}
}

// current reports whether a message belongs to the last election that the
// process has heard of, or to a later one.
func (a *Protocol) current(p *P, net *model.Net[M], m M) bool {
	switch {
	case m.Round > p.Round || m.Round == p.Round && uint8(m.Informer) > p.Informer:
		a.enter(p, net, m)
		return true
	case m.Round < p.Round || uint8(m.Informer) < p.Informer:
		return false
	}
	return !p.Over || m.Label >= Coordinator
}

// limit is T: Election goes round the ring at most once, and so does Coordinator.
func (a *Protocol) limit(net *model.Net[M]) int { return 2*net.N()*net.Bound() + 1 }

// Timeout is the end of the tick for which a message is kept, or of T.
func (a *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if a.AtOnce {
		a.release(p, net, Label(t))
		return
	}
	net.Rule(retries)
	if p.Seen[SElection].Informer != model.None {
		p.Seen[SElection] = Seen{}
		a.seek(p, net)
		return
	}
	a.begin(p, net)
}

// Names returns the vocabulary of the paper, and what a reading adds.
func (a *Protocol) Names() model.Names {
	n := model.Names{Kinds: labels, Rules: rules[:forgets]}
	if a.WatchesSurrogate {
		n.Rules = rules[:outdated]
	}
	if a.Rounds || a.Retries {
		n.Rules = rules
	}
	switch {
	case a.AtOnce:
		for _, label := range labels {
			n.Timers = append(n.Timers, model.TimerName{Name: "pass " + label + " on"})
		}
	case a.Retries:
		n.Timers = []model.TimerName{{Name: "T"}}
	}
	return n
}

// Known is what a process remembers of the messages of each label.
type Known [4]Seen

// String returns them as the messages are written, with the side that they came
// from: "Election(3,5,2) from next".
func (k Known) String() string {
	var list []string
	for label, seen := range k {
		if seen == (Seen{}) {
			continue
		}
		text := fmt.Sprintf("%s(%d,%d,%d)", labels[label], seen.Informer, seen.Coordinator, seen.Surrogate)
		if seen.From != 0 {
			text += " from " + seen.From.String()
		}
		if seen.Held {
			text += ", held"
		}
		list = append(list, text)
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, "; ")
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return model.Kind(m.Label) }

// String returns m with its three sections, "Election(3,5,2)": informer,
// coordinator, surrogate; before them, with the repair, the number of the
// election.
func (m M) String() string {
	text := fmt.Sprintf("%s(%d,%d,%d)", labels[m.Label], m.Informer, m.Coordinator, m.Surrogate)
	if m.Round > 0 {
		text += fmt.Sprintf(" of %d", m.Round)
	}
	return text
}
