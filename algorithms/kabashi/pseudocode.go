package kabashi

import "bullyproof/model"

// pseudocode is the procedures of section V, where they differ from the prose. Like
// that they set no limit to the wait for CID.
type pseudocode struct{ *Protocol }

// Names leaves out the rule of a process with the minimum ID that joins.
func (pseudocode) Names() model.Names { return namesTo(rule5a) }

// Init: by the procedure joiningTheSystem a process with the minimum ID queries as any
// other does.
func (a pseudocode) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.asksForCoordinator(p, net)
	}
}

// Receive: by the procedure electionMessageReceived the process with the second minimum
// ID answers any ELECTION by COORDINATOR, and compares IDs later; the prose compares
// first. And a process that waits for responses looks at nothing but OK messages.
func (a pseudocode) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == ELECTION && a.secondMinimum(p, net):
		net.Rule(rule3a)
		a.announceItself(p, net)
	case toldMeanwhile(p, net, m):
	default:
		a.Protocol.Receive(p, net, from, m)
	}
}

// letter has OK carry the ID of the process that began the election, as the pseudocode
// prints: send(OK_i). The prose has OK_j.
type letter struct{ pseudocode }

// Receive is as in pseudocode, except for the ID of OK.
func (a letter) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == ELECTION && net.Self() < from.ID() && !a.secondMinimum(p, net) {
		net.Rule(rule3b)
		net.Reply(M{OK, from.ID()})
		return
	}
	a.pseudocode.Receive(p, net, from, m)
}
