// Package electioncommission is the Bully algorithm with an election
// commission, an agent that alone decides who is coordinator.
//
// Source: M. Rahman, A. Nahar, Modified Bully Algorithm using Election
// Commission, MASAUM Journal of Computing 1(3), 2009, which the minimum-ID paper
// (Kabashi, Zeqiri, Zabeli, section I) names. The rules are as the literature
// tells them; the original was not at hand.
//
// Assumes: every process can send to the commission and it to every process;
// reliable delivery within D, in order; processes crash and come back; the
// commission never fails. Here it is process 1, which is never elected.
//
// Guarantees: one election for a failure, however many notice it; the
// commission has everybody follow the highest that is up.
//
// Deviations: the commission has no failure detector beyond its questions.
//
// Complexity: a report, a question, two messages for the winner and one for
// each that is down above it, and N-1 announcements.
package electioncommission

import "bullyproof/model"

// Commission is the process that is the election commission.
const Commission model.ID = 1

// P is the state of a process.
type P struct {
	Elected model.ID // whom it follows; of the commission: whom it has announced
	Waits   bool     // for what the commission announces
	// Of the commission.
	Asked  model.ID  // who is asked whether it is up, None if nobody is
	Failed model.ID  // the coordinator that did not answer
	Back   model.Set // who has come up since it began to ask
	Fell   bool      // it has crashed, against the assumption

	// Of the repair.
	Number uint8    // of the commission: of its last announcement; otherwise of the one that it follows
	Told   model.ID // of the commission: the winner, which is told last
}

// M is a message.
type M struct {
	Type model.Kind
	ID   model.ID // of Report: who is down; of Coordinator: who leads

	Number uint8 // of Coordinator, in the repair: of the announcement
}

// The kinds of messages.
const (
	Report      model.Kind = iota // to the commission: that process is down
	Verify                        // of the commission: are you up?
	Alive                         // to the commission
	Recovered                     // to the commission: the sender has come up
	Coordinator                   // of the commission: that process leads
)

// The timers.
const (
	T model.Timer = iota // bounds the wait of the commission for Alive
)

var (
	rules model.Rules

	reports  = rules.Add("1: the coordinator is down: report it to the commission")
	verifies = rules.Add("2: a report: ask the coordinator")
	stands   = rules.Add("2: the coordinator is up: say so")
	searches = rules.Add("3: no answer: ask the next, from the highest down")
	finds    = rules.Add("4: an answer: announce the winner to all")
	repeats  = rules.Add("5: a report during an election: nothing")
	recovers = rules.Add("6: comes up: ask the commission")
	promotes = rules.Add("6: a higher one comes up: announce it to all")
	tells    = rules.Add("5 and 6: say who leads")
	follows  = rules.Add("COORDINATOR: follow it")
)

// Protocol is the algorithm.
type Protocol struct {
	model.Passive[P, M]

	other steps // those of another reading; nil: the methods below
}

// steps are those that the repair takes in another way.
type steps interface {
	announce(p *P, net *model.Net[M])
	tell(p *P, net *model.Net[M], who model.ID)
}

// steps returns those of the reading.
func (c *Protocol) steps() steps {
	if c.other != nil {
		return c.other
	}
	return c
}

// Init: rule 6. A process that comes up asks the commission.
func (c *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if net.Self() == Commission {
		p.Fell = why == model.Restart
		return
	}
	if why != model.Cold {
		net.Rule(recovers)
		p.Waits = true
		net.SendTo(Commission, M{Type: Recovered})
	}
}

// Suspect: rule 1. A process that finds the coordinator down reports that.
func (c *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if !p.Waits {
		net.Rule(reports)
		p.Waits = true
		net.SendTo(Commission, M{Type: Report, ID: who})
	}
}

// Receive handles the five kinds of messages.
func (c *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Report:
		c.report(p, net, from.ID(), m.ID)
	case Recovered:
		c.recovered(p, net, from.ID())
	case Verify:
		net.Reply(M{Type: Alive})
	case Alive:
		if from.ID() == p.Asked {
			c.found(p, net)
		}
	case Coordinator:
		net.Rule(follows)
		p.Elected, p.Waits = m.ID, false
	}
}

// report: rules 2 and 5. The commission verifies a report about the coordinator;
// one about another is old, and it says who leads by now.
func (c *Protocol) report(p *P, net *model.Net[M], by, down model.ID) {
	switch {
	case p.Asked != model.None:
		net.Rule(repeats) // the announcement to all will tell
	case down != p.Elected:
		c.steps().tell(p, net, by)
	default:
		net.Rule(verifies)
		c.ask(p, net, down)
	}
}

// tell tells one process who leads.
func (c *Protocol) tell(p *P, net *model.Net[M], who model.ID) {
	net.Rule(tells)
	net.SendTo(who, M{Type: Coordinator, ID: p.Elected})
}

// ask asks a process whether it is up.
func (c *Protocol) ask(p *P, net *model.Net[M], who model.ID) {
	p.Asked = who
	net.SendTo(who, M{Type: Verify})
	net.SetTimer(T, 2*net.Bound())
}

// Timeout: rule 3. A process that does not answer is down: the next is asked,
// from the highest id downward.
func (c *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(searches)
	next := p.Asked - 1
	if p.Asked == p.Elected {
		p.Failed, next = p.Elected, model.ID(net.N())
	}
	if next == p.Failed {
		next--
	}
	if next > Commission {
		p.Elected = model.None
		c.ask(p, net, next)
		return
	}
	c.conclude(p, net, model.None) // nobody is up
}

// found: rules 2 and 4. The process that was asked is up.
func (c *Protocol) found(p *P, net *model.Net[M]) {
	if p.Asked == p.Elected {
		net.Rule(stands) // a false report
	} else {
		net.Rule(finds)
	}
	c.conclude(p, net, p.Asked)
}

// conclude announces the winner, or who has come up in the meantime and is
// higher.
func (c *Protocol) conclude(p *P, net *model.Net[M], winner model.ID) {
	net.StopTimer(T)
	winner = max(winner, p.Back.Max())
	p.Asked, p.Failed, p.Back, p.Elected = model.None, model.None, 0, winner
	if winner != model.None {
		c.steps().announce(p, net)
	}
}

// announce: rule 4. The commission announces the winner to all.
func (c *Protocol) announce(p *P, net *model.Net[M]) {
	net.Broadcast(M{Type: Coordinator, ID: p.Elected})
}

// recovered: rule 6. A process that is higher than the coordinator takes its place.
func (c *Protocol) recovered(p *P, net *model.Net[M], who model.ID) {
	switch {
	case p.Asked != model.None:
		p.Back = p.Back.With(who)
	case who >= p.Elected:
		net.Rule(promotes)
		c.conclude(p, net, who)
	default:
		c.steps().tell(p, net, who)
	}
}
