// Package starter is an election in which nobody is asked: whoever wants to be
// coordinator says so to all others, and leads unless a process with a higher id
// also says so.
//
// It is a beginning: everything holds with three processes of which one crashes,
// and not with four, or where it comes back. Change the rules to your own, run
// "go test", and look at what breaks.
//
// Source: say whose algorithm this is, and where it is described.
//
// Assumes: a complete graph; every message arrives within D ticks; processes
// crash, and may come back.
package starter

import "bullyproof/model"

// A Protocol is the algorithm: its handlers below are its rules.
type Protocol struct {
	// Passive does nothing where a handler of its is not overridden.
	model.Passive[P, M]
}

// P is the state of a process. It is all that a handler may remember.
type P struct {
	Claiming bool     // it has claimed, and does not lead yet
	Elected  model.ID // the coordinator as far as it knows, None if it knows of none
}

// M is a message. Its sender comes with it.
type M struct{}

// claim is the one kind of message.
const claim model.Kind = 0

// Kind returns the kind of the message.
func (M) Kind() model.Kind { return claim }

// String describes the message in traces.
func (M) String() string { return "claim" }

// lead is the timer that a process waits for before it leads.
const lead model.Timer = 0

// The rules, as traces and reports call them.
var (
	rules model.Rules

	claims  = rules.Add("1: claim")
	outbids = rules.Add("2: claim in turn")
	follows = rules.Add("3: follow a higher claim")
	leads   = rules.Add("4: lead")
)

// Init is called when a process comes up. One that comes up in a running system
// claims (rule 1).
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.claim(p, net)
	}
}

// Start is called on a process that is asked to begin an election (rule 1).
func (a *Protocol) Start(p *P, net *model.Net[M]) { a.claim(p, net) }

// Suspect is called when the failure detector reports that a process is down
// (rule 1).
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Elected {
		a.claim(p, net)
	}
}

// Rule 1: "A process that needs a coordinator claims: it tells all others, and
// waits for 2D."
func (a *Protocol) claim(p *P, net *model.Net[M]) {
	if p.Claiming {
		return
	}
	net.Rule(claims)
	p.Claiming, p.Elected = true, model.None
	net.Broadcast(M{})
	net.SetTimer(lead, 2*net.Bound())
}

// Receive is called when a message arrives.
func (a *Protocol) Receive(p *P, net *model.Net[M], from model.Port, _ M) {
	if from.ID() < net.Self() {
		// Rule 2: "Whoever hears the claim of a lower process claims itself."
		net.Rule(outbids)
		a.claim(p, net)
		return
	}
	// Rule 3: "Whoever hears the claim of a higher process follows it."
	net.Rule(follows)
	net.StopTimer(lead)
	p.Claiming, p.Elected = false, from.ID()
}

// Timeout is called when a timer expires. Rule 4: "A process that has waited for
// 2D leads."
func (a *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(leads)
	p.Claiming, p.Elected = false, net.Self()
}

// Belief says what a process believes of the election: the properties are about
// that, and about nothing else of its state.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Claiming}
}

// Settle makes p the state of a process after an election, for settings that
// begin there (start=settled).
func (a *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Names gives the words of the source to messages, timers and rules.
func (a *Protocol) Names() model.Names {
	return model.Names{
		Kinds:  []string{"claim"},
		Timers: []model.TimerName{{Name: "lead"}},
		Rules:  rules,
	}
}
