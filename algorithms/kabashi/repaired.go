package kabashi

import "bullyproof/model"

// Repaired is the algorithm with four small changes, without which it does not
// keep its promises where processes join or come back. It keeps smaller IDs: of two announcements that are in flight at once the
// smaller ID counts, whichever is last. A process forgets the coordinator when it
// notices its failure.
//
// A process that announces itself takes office a round trip later: within D all
// that are up have been told, any of them with a smaller ID objects by rule 6,
// and the objection is there within another D. So nobody takes office while
// somebody else is in it.
//
// A process that another has chosen (rule 4) announces itself, as if it had
// learned of a higher ID: the chooser may have crashed before all were told.
//
// A process that joins listens for a whole round trip, and goes by the smallest ID
// that it has learned of by then, in CID or in COORDINATOR: the first to answer
// may be a coordinator that has a successor already, whose announcement came while
// the process was not there yet.
type Repaired struct{ keepsSmaller }

// Office is the mode after COORDINATOR: wait until all have it.
const Office = Answer + 1

// Names returns the vocabulary of the paper, and of the changes.
func (r Repaired) Names() model.Names { return namesTo(office + 1) }

// Init is as in keepsSmaller.
func (r Repaired) Init(p *P, net *model.Net[M], why model.Boot) {
	was := *p
	r.keepsSmaller.Init(p, net, why)
	beforeOffice(p, net, was)
}

// Start is as in keepsSmaller.
func (r Repaired) Start(p *P, net *model.Net[M]) {
	was := *p
	r.keepsSmaller.Start(p, net)
	beforeOffice(p, net, was)
}

// Suspect is as in keepsSmaller.
func (r Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := *p
	r.keepsSmaller.Suspect(p, net, who)
	beforeOffice(p, net, was)
}

// Receive is as in keepsSmaller except for announcements of the process itself, for
// what a process hears that waits for CID, and for QUERY to one that waits for
// office.
func (r Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
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
		r.keepsSmaller.Receive(p, net, from, m)
	}
	beforeOffice(p, net, was)
}

// Timeout is as in keepsSmaller, except for the wait for office, and where a process
// that waits for CID has learned of a coordinator.
func (r Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	was := *p
	switch {
	case p.Mode == Office:
		net.Rule(office)
		*p = P{Coordinator: net.Self()}
		return
	case p.Mode == Answer && p.Coordinator != model.None:
		r.cid(p, net, p.Coordinator)
	default:
		r.keepsSmaller.Timeout(p, net, t)
	}
	beforeOffice(p, net, was)
}

// beforeOffice has a process wait for a round trip that has just announced itself.
func beforeOffice(p *P, net *model.Net[M], was P) {
	if p.Coordinator == net.Self() && was.Coordinator != net.Self() {
		*p = P{Mode: Office}
		net.SetTimer(T, 2*net.Bound())
	}
}
