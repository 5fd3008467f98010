package kabashi

import (
	"slices"

	"bullyproof/model"
)

// Repaired is the algorithm with four small changes, without which it does not
// keep its promises where processes join or come back. It is made of a Protocol
// that keeps smaller IDs: of two announcements that are in flight at once the
// smaller ID counts, whichever is last. A process forgets the coordinator when it
// notices its failure.
//
// Whoever announces itself takes office a round trip later: within D all that are
// up have been told, any of them with a smaller ID objects by rule 6, and the
// objection is there within another D. So nobody takes office while somebody else
// is in it.
//
// Who has been chosen by another (rule 4) announces itself, as if it had been told
// of a higher ID: whoever chose it may have crashed before all were told.
//
// A process that joins listens for a whole round trip, and goes by the smallest ID
// that it has been told of by then, in CID or in COORDINATOR: the first to answer
// may be a coordinator that has a successor already, whose announcement came while
// the process was not there yet.
type Repaired struct{ *Protocol }

// Names returns the vocabulary of the paper, and of the changes.
func (r *Repaired) Names() model.Names {
	names := r.Protocol.Names()
	names.Rules = slices.Clone(ruleNames)
	return names
}

// Init is as in Protocol.
func (r *Repaired) Init(p *P, net *model.Net[M], why model.Boot) {
	was := *p
	r.Protocol.Init(p, net, why)
	r.beforeOffice(p, net, was)
}

// Start is as in Protocol.
func (r *Repaired) Start(p *P, net *model.Net[M]) {
	was := *p
	r.Protocol.Start(p, net)
	r.beforeOffice(p, net, was)
}

// Suspect is as in Protocol.
func (r *Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := *p
	r.Protocol.Suspect(p, net, who)
	r.beforeOffice(p, net, was)
}

// Receive is as in Protocol but for announcements of the process itself, for what
// a process hears that waits for CID, and for QUERY to one that waits for office.
func (r *Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was, self := *p, net.Self()
	switch {
	case m == M{COORDINATOR, self} && (p.Mode == Office || p.Coordinator == self):
		net.Rule(ignores)
	case m == M{COORDINATOR, self}:
		net.Rule(rule6a)
		r.announceItself(p, net)
	case p.Mode == Answer && (m.Type == CID || m.Type == COORDINATOR && m.ID < self):
		net.Rule(listens)
		if p.Coordinator == model.None || m.ID < p.Coordinator {
			p.Coordinator = m.ID
		}
	case p.Mode == Office && m.Type == QUERY:
		net.Rule(rule5c)
		net.Reply(M{CID, self})
	default:
		r.Protocol.Receive(p, net, from, m)
	}
	r.beforeOffice(p, net, was)
}

// Timeout is as in Protocol, but for the wait for office, and where a process that
// waits for CID has been told of a coordinator.
func (r *Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	was := *p
	switch {
	case p.Mode == Office:
		net.Rule(office)
		*p = P{Coordinator: net.Self()}
		return
	case p.Mode == Answer && p.Coordinator != model.None:
		r.cid(p, net, p.Coordinator)
	default:
		r.Protocol.Timeout(p, net, t)
	}
	r.beforeOffice(p, net, was)
}

// beforeOffice has a process wait for a round trip that has just announced itself.
func (r *Repaired) beforeOffice(p *P, net *model.Net[M], was P) {
	if p.Coordinator == net.Self() && was.Coordinator != net.Self() {
		*p = P{Mode: Office}
		net.SetTimer(T, 2*net.Bound())
	}
}
