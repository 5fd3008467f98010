package bully

import "bullyproof/model"

// The rules of the repairs.
const (
	refuses = retries + 1 + iota
	leads
)

// Refuses has a process that learns of a coordinator with a lower id than its own
// begin an election rather than follow it. All are silent; taken literally they accept
// (W5: "it treats the sender as the coordinator"), and under C nobody is told by a
// process with a lower id.
type Refuses struct{ *Protocol }

// Names has the rule.
func (b Refuses) Names() model.Names { return wikipediaWords }

// Receive is as in Protocol, except for a coordinator message.
func (b Refuses) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && from.ID() < net.Self() {
		net.Rule(refuses)
		b.Start(p, net)
		return
	}
	b.Protocol.Receive(p, net, from, m)
}

// Repaired is the smallest change that we know which makes the claims of C true where
// processes are replaced: a process that announces itself leads only 2D later, and then
// announces itself again. After D the first announcement has arrived, so that whoever
// led or was about to has given up; after another D whatever those had sent before has
// arrived as well, and the second announcement is the last that anybody receives. There
// are never two coordinators, and in the end all name the one there is.
type Repaired struct{ *Protocol }

// Announced processes have sent Coordinator and do not lead yet.
const Announced = WaitCoordinator + 1

// Lead is 2D, between announcing oneself and leading.
const Lead = TPrime + 1

// Names has the rules and the timer of the repair.
func (b Repaired) Names() model.Names { return repairedWords }

// Init is as in Protocol.
func (b Repaired) Init(p *P, net *model.Net[M], why model.Boot) {
	was := resign(p, net)
	b.Protocol.Init(p, net, why)
	beforeOffice(p, net, was)
}

// Start is as in Protocol.
func (b Repaired) Start(p *P, net *model.Net[M]) {
	was := resign(p, net)
	b.Protocol.Start(p, net)
	beforeOffice(p, net, was)
}

// Suspect is as in Protocol.
func (b Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := resign(p, net)
	b.Protocol.Suspect(p, net, who)
	beforeOffice(p, net, was)
}

// Receive is as in Protocol.
func (b Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was := resign(p, net)
	b.Protocol.Receive(p, net, from, m)
	beforeOffice(p, net, was)
}

// Timeout is as in Protocol, except for the end of the wait.
func (b Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == Lead {
		net.Rule(leads)
		*p = P{Elected: net.Self()}
		b.announce(net)
		return
	}
	was := resign(p, net)
	b.Protocol.Timeout(p, net, t)
	beforeOffice(p, net, was)
}

// resign has a coordinator resign, so that it is seen whether it announces itself
// again, and returns what it was.
func resign(p *P, net *model.Net[M]) (was P) {
	was = *p
	if p.Elected == net.Self() {
		p.Elected = model.None
	}
	return was
}

// beforeOffice has a process wait that has just announced itself. A coordinator that
// has done nothing remains one; who follows another waits no more.
func beforeOffice(p *P, net *model.Net[M], was P) {
	switch self := net.Self(); {
	case p.Elected == self:
		*p = P{Mode: Announced}
		net.SetTimer(Lead, 2*net.Bound())
	case was.Elected == self && *p == (P{}):
		*p = was
	case was.Mode == Announced && p.Mode != Announced:
		net.StopTimer(Lead)
	}
}
