package changroberts

import (
	"slices"

	"bullyproof/model"
)

// Numbered is the repair: elections have numbers, a process takes part in number k
// once it has learned of the outcome of those before, and an election message of an
// election that is over is taken out of the ring. So nobody becomes a participant of
// an election whose end was announced before, however old the message that arrives:
// who is in election k has yet to learn of its outcome, and the elected message of k
// comes by.
type Numbered struct{ *Protocol }

// over is its rule.
var over = home + 1

// Names has the rule of the repair.
func (c Numbered) Names() model.Names {
	return model.Names{
		Kinds: names.Kinds,
		Rules: append(slices.Clone(names.Rules), "the election is over: take its identifier out of the ring"),
	}
}

// Format returns m with its number.
func (c Numbered) Format(m M) string { return m.text(true) }

// Receive is as in Protocol, except for messages of an election other than the one
// that the process would take part in.
func (c Numbered) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election {
		if m.Number < p.Number {
			net.Rule(over)
			return
		}
		if m.Number > p.Number {
			// Its sender learned of an outcome that is still on its way here.
			p.Number, p.Participant = m.Number, false
		}
	}
	participant := p.Participant
	c.Protocol.Receive(p, net, from, m)
	switch {
	case m.Type == Elected && m.Number != p.Number:
		p.Participant = participant // told of the outcome of a later one, or engaged in it
	case m.Type == Elected || m.ID == net.Self():
		p.Number++
	}
}
