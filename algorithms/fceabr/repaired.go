package fceabr

import "bullyproof/model"

// repaired is the algorithm with what it takes to survive a second crash.
//
// Elections are numbered: one that begins has a number higher than all that its
// informer has heard of, and a process stops what belongs to an earlier election
// than the last that it has heard of, or to one of the same number and a lower
// informer. An announcement goes by the informer of its election and not by who
// makes it. So the latest result is the one that stays, and no old message begins
// anything: under the paper's rule that the lower initiator is stopped an old
// message of a high initiator beats a new one, and an announcement of one election
// one of another.
//
// A process that has heard of an election and not of its end in T begins another
// one. So no election is lost with a process that crashes while a message is with
// it. T is as long as a message's way round the ring and an announcement's, so that
// it never cuts an election short.
//
// And with the informer counted there is a surrogate whenever two processes are up.
type repaired struct{ informerCounts }

// T bounds the time in which an election that a process has heard of comes to its
// end: Election goes round the ring at most once, and so does Coordinator.
const T model.Timer = 0

func limit(net *model.Net[M]) int { return 2*net.N()*net.Bound() + 1 }

// Names has the rules of the repair and T.
func (r repaired) Names() model.Names {
	return model.Names{Kinds: labels, Rules: rules, Timers: []model.TimerName{{Name: "T"}}}
}

// open gives an election that begins its number.
func (r repaired) open(p *P, net *model.Net[M], _ Label) { enter(p, net, p.Round+1, net.Self()) }

// enter has a process turn to a later election.
func enter(p *P, net *model.Net[M], round uint8, informer model.ID) {
	p.Round, p.Informer, p.Over = round, uint8(informer), false
	p.Seen = Known{}
	net.SetTimer(T, limit(net))
}

// current reports whether a message belongs to the last election that the
// process has heard of, or to a later one.
func current(p *P, net *model.Net[M], m M) bool {
	switch {
	case m.Round > p.Round || m.Round == p.Round && uint8(m.Informer) > p.Informer:
		enter(p, net, m.Round, m.Informer)
		return true
	case m.Round < p.Round || uint8(m.Informer) < p.Informer:
		return false
	}
	return !p.Over || m.Label >= Coordinator
}

// Receive stops what belongs to an earlier election. An announcement with the
// process's own number is another's, of the election that the process began.
func (r repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case !current(p, net, m):
		net.Rule(outdated)
	case m.Label >= Coordinator && m.Informer == net.Self() && m.Informer > p.Seen[m.Label].Informer:
		r.adopt(p, net, from, m)
	default:
		r.Protocol.Receive(p, net, from, m)
	}
}

// maker: all announcements of an election are one.
func (r repaired) maker(m M, _ model.ID) model.ID { return m.Informer }

// end notes that the election is over.
func (r repaired) end(p *P, net *model.Net[M], label Label) {
	r.Protocol.end(p, net, label)
	p.Over = true
	net.StopTimer(T)
}

// Timeout is the end of T.
func (r repaired) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(retries)
	if p.Seen[SElection].Informer != model.None {
		p.Seen[SElection] = Seen{}
		r.seek(p, net)
		return
	}
	r.begin(p, net)
}
