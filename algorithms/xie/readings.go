package xie

import "bullyproof/model"

// Protocol is the algorithm in one of its readings. Its zero value passes a
// message on when it arrives.
type Protocol struct {
	// AtOnce has a process handle what arrives from both sides at the same
	// moment in one step: it keeps a message for a tick before it passes it on.
	AtOnce bool

	// Repaired has an informer number its elections, so that no late message
	// begins one that is over, and has a process begin an election when one that
	// it takes part in does not end in the time that it takes at most, so that
	// none is lost with a process that crashes. Which of several elections is
	// the latest does not matter: each finds the greatest of those that are up,
	// or a process that has crashed, which is found out again.
	Repaired bool

	model.Passive[P, M]
}

// T is the timer: of the repair it bounds the time that an election takes; of
// AtOnce it is the tick for which messages are kept.
const T model.Timer = 0

// hold keeps a message for a tick, to see what comes from the other side.
func (x *Protocol) hold(p *P, net *model.Net[M], informer model.ID, seen Seen) {
	seen.Held = true
	net.SetTimer(T, 1)
	p.Seen.Set(informer, seen)
}

// Timeout is the end of T.
func (x *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if !x.AtOnce {
		x.retry(p, net)
		return
	}
	for id := range model.ID(net.N()) {
		if seen := p.Seen.At(id + 1); seen.Held {
			x.pass(p, net, id+1, seen)
		}
	}
}

// open begins one of the process's own elections, and returns its number.
func (x *Protocol) open(p *P, net *model.Net[M]) uint8 {
	x.watch(net)
	if !x.Repaired {
		return 0
	}
	return p.Seen.At(net.Self()).Round + 1
}

// late reports whether a message belongs to an election that is over.
func (x *Protocol) late(seen Seen, m M) bool {
	return x.Repaired && (m.Round < seen.Round || m.Round == seen.Round && m.Type == Election && seen.Phase == Announced)
}

// watch sets T: Election goes round the ring at most once, and so does
// Coordinator.
func (x *Protocol) watch(net *model.Net[M]) {
	if x.Repaired {
		net.SetTimer(T, 2*net.N()*net.Bound()+1)
	}
}

// relax stops T when no election is left that could be lost.
func (x *Protocol) relax(p *P, net *model.Net[M]) {
	if x.Repaired && !engaged(p) {
		net.StopTimer(T)
	}
}

// retry gives up the elections that do not end, and begins one.
func (x *Protocol) retry(p *P, net *model.Net[M]) {
	net.Rule(retries)
	for id := range model.ID(net.N()) {
		if seen := p.Seen.At(id + 1); seen.Phase == Electing {
			p.Seen.Set(id+1, Seen{Phase: Announced, Round: seen.Round})
		}
	}
	x.begin(p, net)
}
