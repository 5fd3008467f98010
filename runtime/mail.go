package runtime

import (
	"slices"
	"time"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// take carries out a notice of the network.
func (p *Process) take(x notice) error {
	if x.packet == nil {
		other := p.peers[x.peer-1]
		if x.lost {
			other.unlink()
		} else {
			p.greet(other)
		}
		return nil
	}
	in := x.packet
	other := p.peers[in.from-1]
	f, linked := other.accept(in, p.session, time.Now())
	x.by.judge(in.from, f == fresh || f == strange)
	if linked {
		p.flush(other)
	}
	switch f {
	case stale:
		p.count.stale.Add(1)
	case repeated:
		p.count.repeated.Add(1)
	case strange:
		if in.kind == message {
			p.count.stale.Add(1)
		}
		p.greet(other)
	case fresh:
		if in.kind == message {
			return p.receive(in)
		}
	}
	if f != fresh {
		p.config.Log.Debug("packet dropped", "from", int(in.from), "why", f.String(), "number", in.number)
	}
	return nil
}

// receive has the protocol receive a message, if it is one of the protocol.
func (p *Process) receive(in *packet) error {
	from, ok := p.port(in)
	letter, err := p.machine.Read(in.message)
	if !ok || err != nil {
		p.count.malformed.Add(1)
		p.config.Log.Debug("message dropped", "from", int(in.from), "port", in.by.String(), "error", err)
		return nil
	}
	p.record.meet(in.clock)
	event := &eventlog.Event{
		Kind: eventlog.Receive, From: from, Message: letter.Text, ID: mailID(in.from, in.session, in.order),
	}
	return p.handle(event, func() error { return p.machine.Receive(from, in.message) })
}

// port returns the port by which a packet's message comes in. It reports false
// where the sender has no such port to this process.
func (p *Process) port(in *packet) (model.Port, bool) {
	if p.setting.Topology == setting.Complete {
		return model.Peer(in.from), in.by == 0
	}
	if in.by < model.Next || in.by == model.Prev && p.setting.Topology == setting.Ring {
		return 0, false
	}
	return in.by.Opposite(), p.neighbour(in.from, in.by) == p.config.Self
}

// neighbour returns who is at the other end of a port of a process on a ring.
func (p *Process) neighbour(of model.ID, by model.Port) model.ID {
	step := 1
	if by == model.Prev {
		step = len(p.order) - 1
	}
	return p.order[(slices.Index(p.order, of)+step)%len(p.order)]
}

// post sends a message, or has it wait until the receiver is there.
func (p *Process) post(to model.Port, letter model.Letter) {
	p.posted++
	m := mail{clock: p.record.clock, order: p.posted, message: letter.Bytes}
	id := to.ID()
	if to >= model.Next {
		id, m.by = p.neighbour(p.config.Self, to), to
	}
	other := p.peers[id-1]
	if !other.linked {
		if !other.wait(m) {
			p.count.lost.Add(1)
		}
		return
	}
	p.mail(other, m)
}

func (p *Process) mail(to *peer, m mail) {
	out := to.next(message, p.config.Self, p.session)
	out.mail = m
	p.send(out)
}

// flush sends what has waited for a peer.
func (p *Process) flush(to *peer) {
	p.greet(to) // it may not know yet that it is known
	for _, m := range to.outbox {
		p.mail(to, m)
	}
	to.outbox = nil
}

func (p *Process) greet(to *peer) { p.send(to.next(greeting, p.config.Self, p.session)) }

func (p *Process) send(out *packet) {
	if p.net.send(out.to, p.seal.seal(out)) {
		p.count.sent.Add(1)
	} else {
		p.count.lost.Add(1)
	}
}

// watching reports whether the failure detector reports to this process.
func (p *Process) watching() bool {
	s := &p.setting
	return s.Detector != setting.DetectorOff && (s.Detectors == 0 || s.Detectors.Has(p.config.Self))
}

// heartbeat greets whoever waits for a sign of life, or for a first word, and has
// the failure detector report who gave none.
func (p *Process) heartbeat(now time.Time) error {
	late := now.Sub(p.beat)
	p.beat = now.Add(p.config.Heartbeat)
	for _, other := range p.peers {
		if other == nil {
			continue
		}
		// A process that was paused has not listened, and says nothing of the others.
		if late > p.config.Heartbeat {
			other.heard = other.heard.Add(late)
		}
		if !other.linked || p.setting.Detector != setting.DetectorOff {
			p.greet(other)
		}
	}
	if !p.watching() {
		return nil
	}
	for who := range p.machine.Watched().All() {
		if now.Sub(p.peers[who-1].heard) < p.config.Silence {
			continue
		}
		if p.machine.Belief().Participant && !p.setting.ReportsAlways {
			break // whoever elects already is not told that it is called for
		}
		if err := p.suspect(who); err != nil {
			return err
		}
	}
	return nil
}

// suspect reports a process to be down. A report that changes nothing is none,
// as in the model: it is repeated as long as there is reason to it.
func (p *Process) suspect(who model.ID) error {
	event := &eventlog.Event{Kind: eventlog.Suspect, Who: who}
	return p.handle(event, func() error { return p.machine.Suspect(who) })
}
