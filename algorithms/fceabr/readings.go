package fceabr

import "bullyproof/model"

// A reading takes steps of the paper in another way. Each type below says which
// sentence it reads otherwise, and has the steps in which it differs.
type reading interface {
	steps
	base() *Protocol
}

func (a *Protocol) base() *Protocol { return a }

// read has the algorithm that a reading embeds take the reading's steps.
func read[R reading](r R) R {
	r.base().other = r
	return r
}

// one is a new oneByOne, for others to embed.
func one() oneByOne { return oneByOne{&Protocol{}} }

// oneByOne handles messages one by one, whenever they arrive: also under equal
// delays, a process passes the first of two copies on before it sees the other.
// The repairs embed it.
type oneByOne struct{ *Protocol }

func (a oneByOne) pass(p *P, net *model.Net[M], label Label) { a.passOn(p, net, label) }

// Names leaves the timers out.
func (a oneByOne) Names() model.Names { return model.Names{Kinds: labels, Rules: rules[:forgets]} }

// oneAnnouncement has a process stop any second announcement of an election, as IV
// literally says: "if a process receives two Coordinator or Surrogate coordinator
// message, it'll stop one of them".
type oneAnnouncement struct{ *Protocol }

func (a oneAnnouncement) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if seen := p.Seen[m.Label].Informer; m.Label >= Coordinator && seen != model.None && m.Informer > seen {
		a.stop(p, net, m.Label)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// oneGoesOn has a process at which two announcements of an election arrive at the same moment
// stop one of them and pass the other on, as IV literally says. Messages of an election that
// is under way are kept for a tick, as in Protocol.
type oneGoesOn struct{ *Protocol }

func (a oneGoesOn) pass(p *P, net *model.Net[M], label Label) {
	if label >= Coordinator {
		a.passOn(p, net, label)
		return
	}
	a.Protocol.pass(p, net, label)
}

// informerCounts has the informer put its own number into the surrogate section of
// an SElection. The paper says zero.
type informerCounts struct{ oneByOne }

func (a informerCounts) seek(p *P, net *model.Net[M]) {
	m := M{Label: SElection, Informer: net.Self(), Coordinator: p.Coordinator}
	if p.Coordinator != net.Self() {
		m.Surrogate = net.Self()
	}
	a.send(p, net, m)
}

// ownSurrogate has the new coordinator also compare its number with the surrogate
// section of an SElection: "each process in the network" does.
type ownSurrogate struct{ *Protocol }

func (a ownSurrogate) compare(label Label, c, s, self model.ID) (model.ID, model.ID) {
	if label == SElection {
		return c, max(s, self)
	}
	return better(label, c, s, self)
}

// makerLeftOut has the process that two copies meet at compare nothing but the two:
// the paper's steps of V.2 do not mention its own number.
type makerLeftOut struct{ *Protocol }

func (makerLeftOut) combine(m M, seen Seen, _ model.ID) (model.ID, model.ID) { return merge(m, seen) }

// coordinatorCounts has a process take whoever stands in the coordinator section of
// any message for the coordinator.
type coordinatorCounts struct{ *Protocol }

func (coordinatorCounts) believes(*P, M) bool { return true }

// remembers has a process remember for good the initiators that it has seen, since
// the paper does not say when to forget them.
type remembers struct{ *Protocol }

func (a remembers) end(p *P, net *model.Net[M], label Label) {
	a.keep(p, net, label)
	p.Seen[label].From = 0
}

// Belief has an election end with its announcement.
func (a remembers) Belief(p *P) model.Belief {
	b := a.Protocol.Belief(p)
	b.Participant = b.Participant && p.Seen[Coordinator].Informer == model.None
	return b
}

// watchesSurrogate has a process that finds the surrogate crashed forget it. The
// paper says what an election costs then (VI, equations 7 to 10), not who notices.
type watchesSurrogate struct{ *Protocol }

// Names has its rule.
func (a watchesSurrogate) Names() model.Names {
	n := a.Protocol.Names()
	n.Rules = rules[:outdated]
	return n
}

// Watches: also the surrogate.
func (a watchesSurrogate) Watches(p *P, self model.ID) model.Set {
	set := a.Protocol.Watches(p, self)
	if p.Surrogate != model.None {
		set = set.With(p.Surrogate)
	}
	return set
}

// Suspect forgets a surrogate.
func (a watchesSurrogate) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Surrogate && who != p.Coordinator {
		net.Rule(forgets)
		p.Surrogate = model.None
		return
	}
	a.Protocol.Suspect(p, net, who)
}

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{
		read(one()), &Protocol{}, read(oneAnnouncement{&Protocol{}}), read(oneGoesOn{&Protocol{}}), read(informerCounts{one()}), read(ownSurrogate{&Protocol{}}),
		read(makerLeftOut{&Protocol{}}), read(coordinatorCounts{&Protocol{}}), read(remembers{&Protocol{}}), read(watchesSurrogate{&Protocol{}}),
		read(repaired{informerCounts{one()}}),
	}
}
