package model

import (
	"fmt"
	"slices"

	"bullyproof/setting"
)

// A plainProtocol is a protocol as the plain world calls it. States of processes
// and messages are values of whatever type the protocol has, so that the
// plain world is compiled once and not for each protocol that a test has.
type plainProtocol interface {
	Names() Names
	zero() any
	// run has handlers act one after the other, and returns the state of the
	// process and what they asked for.
	run(p any, n net, handlers []plainHandler) (any, net, []Message)
	belief(p any) Belief
	// keep returns what a crash leaves of p.
	keep(p any) any
	beyond(p any) string
	// watches returns whom the detector watches, and whether the protocol says.
	watches(p any, self ID) (Set, bool)
	settle(p any, self, coordinator ID, live Set) any
	wanted(live Set) ID
	bounded() bool
	// system makes the system that the plain world is compared with.
	system(s setting.Setting) (*System, error)
	// pointer and letter are what a view hands out: pointers to p and to m.
	pointer(p any) any
	letter(m Message) any
	noLetter() any
	// viewText and eventText are all that a property can see.
	viewText(v *View) string
	eventText(e *Event) string
}

// A plainHandler is a call of one of a protocol's handlers.
type plainHandler struct {
	handler plainHandlerKind
	why     Boot
	who     ID
	port    Port
	m       Message
	timer   int
}

type plainHandlerKind int

const (
	plainInit plainHandlerKind = iota
	plainStart
	plainSuspect
	plainReceive
	plainTimeout
)

// plainOf is a protocol of some types as the plain world calls it.
type plainOf[P any, M Message] struct{ Protocol[P, M] }

func (y plainOf[P, M]) zero() any {
	var p P
	return p
}

func (y plainOf[P, M]) run(state any, n net, handlers []plainHandler) (any, net, []Message) {
	p, net := state.(P), &Net[M]{net: n}
	for _, h := range handlers {
		switch h.handler {
		case plainInit:
			y.Init(&p, net, h.why)
		case plainStart:
			y.Start(&p, net)
		case plainSuspect:
			y.Suspect(&p, net, h.who)
		case plainReceive:
			y.Receive(&p, net, h.port, h.m.(M))
		case plainTimeout:
			y.Timeout(&p, net, Timer(h.timer))
		}
	}
	var sent []Message
	for _, m := range net.messages {
		sent = append(sent, m)
	}
	return p, net.net, sent
}

func (y plainOf[P, M]) belief(p any) Belief { return y.Belief(y.pointer(p).(*P)) }

func (y plainOf[P, M]) keep(p any) any {
	s, ok := y.Protocol.(stable[P])
	if !ok {
		return y.zero()
	}
	kept := p.(P)
	s.Stable(&kept)
	return kept
}

func (y plainOf[P, M]) bounded() bool {
	_, ok := y.Protocol.(bounder[P])
	return ok
}

func (y plainOf[P, M]) beyond(p any) string {
	if b, ok := y.Protocol.(bounder[P]); ok {
		return b.Beyond(y.pointer(p).(*P))
	}
	return ""
}

func (y plainOf[P, M]) watches(p any, self ID) (Set, bool) {
	if w, ok := y.Protocol.(watcher[P]); ok {
		return w.Watches(y.pointer(p).(*P), self), true
	}
	return 0, false
}

func (y plainOf[P, M]) settle(p any, self, coordinator ID, live Set) any {
	settled := p.(P)
	y.Protocol.(settler[P]).Settle(&settled, self, coordinator, live)
	return settled
}

func (y plainOf[P, M]) wanted(live Set) ID {
	if c, ok := y.Protocol.(chooser); ok {
		return c.Wanted(live)
	}
	return live.Max()
}

func (y plainOf[P, M]) system(s setting.Setting) (*System, error) { return New(y.Protocol, s) }

func (y plainOf[P, M]) pointer(p any) any {
	state := p.(P)
	return &state
}

func (y plainOf[P, M]) letter(m Message) any {
	letter := m.(M)
	return &letter
}

func (y plainOf[P, M]) noLetter() any { return (*M)(nil) }

func (y plainOf[P, M]) viewText(v *View) string {
	text := fmt.Sprintf("n %v up %v paused %v present %v leaders %v participants %v wanted %v settled %v\n",
		v.N, v.Up, v.Paused, v.Present, v.Leaders, v.Participants, v.Wanted, v.Settled)
	for id := ID(1); id <= v.N; id++ {
		text += fmt.Sprintf("%v elects %v in %v: %+v, stored %+v\n", id, v.Elected(id), v.Epoch(id), State[P](v, id), Stored[P](v, id))
	}
	var mail []string
	for link, m := range Mail[M](v) {
		mail = append(mail, fmt.Sprintf("%v-%v %v", link.From, link.To, m))
	}
	slices.Sort(mail)
	return text + fmt.Sprintf("%d in flight: %v\n", v.InFlight(), mail)
}

func (y plainOf[P, M]) eventText(e *Event) string {
	received := ""
	if m, ok := Received[M](e); ok {
		received = m.String()
	}
	var sends []string
	for link, m := range Sends[M](e) {
		sends = append(sends, fmt.Sprintf("%v-%v %v", link.From, link.To, m))
	}
	a := e.Action()
	return fmt.Sprintf("%v at %v, crash %v, about %v, received %q by %v, sends %v, %+v", e.Kind, e.Process, e.Crash, e.Who, received, e.Port, sends, a)
}
