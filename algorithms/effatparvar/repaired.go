package effatparvar

import "bullyproof/model"

// repaired is toOne with two changes.
//
// A node that nobody responds to also verifies before it announces itself, as if
// it had selected itself: the response that was lost may have been the only one.
// A node that announces a leader has then asked twice those above it, or
// selected somebody above it who asked, and one lost message does not spoil
// both.
//
// Nobody takes the chosen node for the leader, and it does not either, before it
// has verified and announced the leader. Of two that two nodes choose at once the
// lower then never becomes leader, since the verification finds the other. And who
// has not been told still names the crashed leader, and so will notice and ask.
type repaired struct{ toOne }

// Names has the rules of the repairs.
func (repaired) Names() model.Names { return names }

// Receive is as in Protocol, but the selected node is not the leader yet.
func (e repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type != Selected || m.ID != net.Self():
		e.Protocol.Receive(p, net, from, m)
	case p.Mode != Verifying:
		net.Rule(verifies)
		e.ask(p, net, Verifying)
	}
}

// Timeout ends the wait for responses.
func (e repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch best := p.Best; {
	case p.Mode == Noticed && best == model.None:
		net.Rule(again)
		e.ask(p, net, Verifying)
	case p.Mode == Noticed:
		e.choose(p, net, best, p.Elected)
	default:
		e.toOne.Timeout(p, net, t)
	}
}

// objecting is repaired, and a node that learns of a leader with a smaller ID than
// its own begins an election. Then it does not matter how many of its responses were
// lost: it hears of the outcome, or goes on noticing the crash.
type objecting struct{ repaired }

// Receive is as in repaired, except for the objection.
func (e objecting) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	e.repaired.Receive(p, net, from, m)
	if m.Type == Coordinator && m.ID < net.Self() {
		net.Rule(objects)
		e.ask(p, net, Noticed)
	}
}

// The readings of variants and mutants.
var (
	toAll           = &Protocol{}
	repair          = repaired{toOne{toAll}}
	repairedObjects = objecting{repair}
)
