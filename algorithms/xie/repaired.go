package xie

import "bullyproof/model"

// repaired has an informer number its elections, so that no late message begins one that
// is over, and has a process begin an election when one that it takes part in does not
// end in the time that it takes at most, so that none is lost with a process that
// crashes. Which of several elections is the latest does not matter: each finds the
// greatest of those that are up, or a process that has crashed, which is found out again.
type repaired struct{ oneByOne }

// T bounds the time that an election takes.
const T model.Timer = 0

// Names has the rules and the timer of the repair.
func (x repaired) Names() model.Names {
	return model.Names{Kinds: kinds, Rules: rules, Timers: []model.TimerName{{Name: "T"}}}
}

// Start begins an election.
func (x repaired) Start(p *P, net *model.Net[M]) { x.begin(p, net) }

// Suspect is as in Protocol.
func (x repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Coordinator {
		x.begin(p, net)
	}
}

// begin begins an election with a number of its own.
func (x repaired) begin(p *P, net *model.Net[M]) {
	watch(net)
	p.Seen.Set(net.Self(), Seen{Round: p.Seen.At(net.Self()).Round + 1})
	x.oneByOne.begin(p, net)
}

// Receive is as in Protocol, except for a message of an election that is over, and for
// one that begins a later one.
func (x repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	seen := p.Seen.At(m.Informer)
	if m.Round < seen.Round || m.Round == seen.Round && m.Type == Election && seen.Phase == Announced {
		net.Rule(outdated)
		return
	}
	if m.Round > seen.Round {
		seen = Seen{}
		p.Seen.Set(m.Informer, seen)
	}
	if m.Type == Election && seen.Phase == Unknown {
		watch(net)
	}
	x.oneByOne.Receive(p, net, from, m)
	if !engaged(p) {
		net.StopTimer(T) // no election is left that could be lost
	}
}

// watch sets T: Election goes round the ring at most once, and so does Coordinator.
func watch(net *model.Net[M]) { net.SetTimer(T, 2*net.N()*net.Bound()+1) }

// Timeout gives up the elections that do not end, and begins one.
func (x repaired) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(retries)
	for id := range model.ID(net.N()) {
		if seen := p.Seen.At(id + 1); seen.Phase == Electing {
			p.Seen.Set(id+1, Seen{Phase: Announced, Round: seen.Round})
		}
	}
	x.begin(p, net)
}
