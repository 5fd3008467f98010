package omega

import "bullyproof/model"

// keeps is the book's algorithm with a fault: who was suspected once is suspected without end.
type keeps struct{ *Monarch }

func (k keeps) Timeout(p *P, net *model.Net[M], t model.Timer) {
	p.Alive &^= p.Suspected
	k.Monarch.Timeout(p, net, t)
}

// loyal is the book's algorithm with a fault: a process does not suspect the one that it trusts.
type loyal struct{ *Monarch }

func (l loyal) Timeout(p *P, net *model.Net[M], t model.Timer) {
	p.Alive = p.Alive.With(p.Leader)
	l.Monarch.Timeout(p, net, t)
}

// forgets is Elect Lower Epoch with a fault: the epoch is not stored.
type forgets struct{ *Epochs }

func (forgets) Stable(p *P) { *p = P{} }

// behind is the algorithm of rounds with a fault: an OK of a higher round is not looked at.
type behind struct{ *Rounds }

func (b behind) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != OK || m.Number <= p.Round {
		b.Rounds.Receive(p, net, from, m)
	}
}

// waits is the algorithm of rounds with a fault: a process whose wait is over waits again in the same round.
type waits struct{ *Rounds }

func (w waits) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == late {
		w.wait(net)
		return
	}
	w.Rounds.Timeout(p, net, t)
}

// stubborn is the algorithm of candidates with a fault: a process that trusts itself goes back to nobody.
type stubborn struct{ *Candidates }

func (s stubborn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Leader != net.Self() {
		s.Candidates.Receive(p, net, from, m)
	}
}
