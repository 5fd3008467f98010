package lelann

import (
	"slices"

	"bullyproof/model"
)

// Collects has a token collect the initiators that it comes to, and needs no order of
// messages for that: whom it passes is an initiator by then, and on the list, or never
// becomes one. So each token comes home with all of them. (This is the step to the ring
// with collected ids: see package silberschatz.)
type Collects struct{ *Protocol }

// Format returns m with the initiators that it has collected.
func (Collects) Format(m M) string { return m.text(true) }

// Start sends a token that has its own process on the list.
func (l Collects) Start(p *P, net *model.Net[M]) {
	if !p.Initiator && !p.Reached {
		net.Rule(begins)
		p.Initiator, p.List = true, model.SetOf(net.Self())
		net.Send(model.Next, M{Type: Token, ID: net.Self(), List: p.List})
	}
}

// Receive is as in Protocol, but the list is the token's.
func (l Collects) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.ID == net.Self():
		p.List = m.List
	case p.Initiator:
		net.Rule(notes)
		m.List = m.List.With(net.Self())
		net.Send(model.Next, m)
		return
	}
	l.Protocol.Receive(p, net, from, m)
}

// Announces has the leader send one more message round the ring, so that those who are
// no initiators are told as well.
type Announces struct{ *Protocol }

// Leader tells everybody of the leader.
const Leader = Token + 1

// told is the rule of that message.
var told = home + 1

var namesAnnounced = model.Names{
	Kinds: []string{Token: "token", Leader: "leader"},
	Rules: append(slices.Clone(names.Rules), "one learns who leads, and passes that on"),
}

// Names has the message and its rule.
func (Announces) Names() model.Names { return namesAnnounced }

// Receive is as in Protocol, and handles the announcement.
func (l Announces) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	if m.Type == Leader {
		if p.Elected = m.ID; m.ID != self {
			net.Rule(told)
			net.Send(model.Next, m)
		}
		return
	}
	l.Protocol.Receive(p, net, from, m)
	if m.ID == self && p.Elected == self {
		net.Send(model.Next, M{Type: Leader, ID: self})
	}
}
