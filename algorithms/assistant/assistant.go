// Package assistant is the election of a coordinator together with an
// assistant, who takes over when the coordinator fails.
//
// Source: M. Zargarnataj, New Election Algorithm based on Assistant in
// Distributed Systems, IEEE/ACS AICCSA, 2007, in the one sentence with which
// the paper on FCEABR (International Journal of Information Technology and
// Computer Science 5(1), 2013, section II) describes it: it "elects assistant
// for the coordinator as well, so if the coordinator failed, it won't be
// necessary to launch new election". The rules below are what follows from
// that; the original was not at hand.
//
// Assumes: every process can send to every other; reliable delivery within D;
// processes crash, and come back with the same id.
//
// Guarantees: no election while the assistant is up.
//
// Deviations: how the assistant finds an assistant of its own, and what
// happens where it is down as well, is ours: the latter is a Bully election by
// collected answers.
//
// Complexity: three times a round trip for a failure, and N messages of each
// kind at most.
package assistant

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Coordinator, Assistant model.ID
	Mode                   Mode
	Answers                model.Set // who has answered in this round

	Heard Heard // of the repair
}

// Mode is what a process is about.
type Mode uint8

const (
	// Idle processes take part in no election.
	Idle Mode = iota
	// Reported processes have told the assistant of the failure.
	Reported
	// TakesOver is the assistant that looks for an assistant of its own.
	TakesOver
	// Elects is a process that holds an election among all.
	Elects
)

// String returns the mode's name.
func (m Mode) String() string {
	return [...]string{"idle", "reported", "takes over", "elects", "inquires"}[m]
}

// M is a message.
type M struct {
	Type                   model.Kind
	Coordinator, Assistant model.ID // of Coordinator
	Busy                   bool     // of the repair: the sender is not idle
}

// The kinds of messages.
const (
	Crash       model.Kind = iota // to the assistant: the coordinator is down
	Query                         // of the assistant that takes over: who is there?
	Election                      // of an election: who is there?
	Answer                        // to both
	Coordinator                   // the new coordinator and its assistant
)

// The timers.
const (
	Collect  model.Timer = iota // bounds the wait for answers
	Patience                    // bounds the wait for the assistant
)

var (
	rules model.Rules

	reports       = rules.Add("the coordinator is down: tell the assistant")
	takesOver     = rules.Add("the assistant takes over: ask who is there")
	succeeds      = rules.Add("be coordinator, the highest that answered is assistant")
	elects        = rules.Add("hold an election: ask everybody")
	decides       = rules.Add("the two highest are coordinator and assistant")
	answers       = rules.Add("asked: answer")
	adopts        = rules.Add("COORDINATOR: follow it, note its assistant")
	returns       = rules.Add("comes up: hold an election")
	outOfPatience = rules.Add("the assistant has not taken over: hold an election")
)

// Protocol is the algorithm.
type Protocol struct{}

// Init: a process that comes up holds an election.
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		net.Rule(returns)
		a.Start(p, net)
	}
}

// Start holds an election: all are asked, and the two highest that answer are
// coordinator and assistant.
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	net.Rule(elects)
	a.ask(p, net, Elects, Election)
}

// Suspect: the assistant takes over; anybody else tells it of the failure.
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode != Idle || who != p.Coordinator {
		return
	}
	switch p.Assistant {
	case net.Self():
		a.takeOver(p, net)
	case model.None:
		a.Start(p, net)
	default:
		net.Rule(reports)
		p.Mode = Reported
		net.SendTo(p.Assistant, M{Type: Crash})
		net.SetTimer(Patience, 5*net.Bound())
	}
}

// takeOver makes the assistant coordinator, as soon as it knows who is up to be
// assistant then.
func (a *Protocol) takeOver(p *P, net *model.Net[M]) {
	net.Rule(takesOver)
	a.ask(p, net, TakesOver, Query)
}

// ask asks all others who is there.
func (a *Protocol) ask(p *P, net *model.Net[M], m Mode, k model.Kind) {
	p.Mode, p.Answers = m, 0
	net.StopTimer(Patience)
	net.Broadcast(M{Type: k})
	net.SetTimer(Collect, 2*net.Bound())
}

// Receive handles the five kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Crash:
		if p.Assistant == net.Self() && p.Mode != TakesOver && p.Mode != Elects {
			a.takeOver(p, net)
		}
	case Query, Election:
		net.Rule(answers)
		net.Reply(M{Type: Answer})
	case Answer:
		if p.Mode == TakesOver || p.Mode == Elects {
			p.Answers = p.Answers.With(from.ID())
		}
	case Coordinator:
		net.Rule(adopts)
		p.Coordinator, p.Assistant, p.Mode, p.Answers = m.Coordinator, m.Assistant, Idle, 0
		net.StopTimer(Collect)
		net.StopTimer(Patience)
	}
}

// Timeout: the answers are in, or the assistant has not taken over.
func (a *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == Patience {
		net.Rule(outOfPatience)
		a.Start(p, net)
		return
	}
	switch p.Mode {
	case TakesOver:
		net.Rule(succeeds)
		a.announce(p, net, net.Self(), p.Answers.Max())
	case Elects:
		net.Rule(decides)
		all := p.Answers.With(net.Self())
		first := all.Max()
		a.announce(p, net, first, all.Without(first).Max())
	}
}

// announce tells everybody of coordinator and assistant.
func (a *Protocol) announce(p *P, net *model.Net[M], coordinator, assistant model.ID) {
	p.Coordinator, p.Assistant, p.Mode, p.Answers = coordinator, assistant, Idle, 0
	net.Broadcast(M{Type: Coordinator, Coordinator: coordinator, Assistant: assistant})
}
