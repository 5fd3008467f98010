package sentinel

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// forgets is the election with a fault: votes are not on disk.
type forgets struct{ *Sentinel }

func (f forgets) Stable(p *P) { *p = P{Config: p.Config, Owner: p.Owner} }

// added is the election where those after P3 have just been added: P2 and P3 do not know
// them yet.
type added struct{ *Sentinel }

// Fits: those that others were added to are three.
func (a added) Fits(in setting.Setting) error {
	if err := in.AtLeast(3, "the sentinels that were there before"); err != nil {
		return err
	}
	return a.Sentinel.Fits(in)
}

func (a added) known(net *model.Net[M]) model.Set {
	if self := net.Self(); self == 2 || self == 3 {
		return model.Upto(3)
	}
	return all(net)
}

func (a added) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch known := a.known(net); t {
	case down:
		a.startFailover(p, net, known)
		a.count(p, net, known)
	case again:
		a.askOthers(p, net, known)
	default:
		a.Sentinel.Timeout(p, net, t)
	}
}

func (a added) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.take(p, net, from, m)
	a.count(p, net, a.known(net))
}

// together is the election where all find the master down at the same time, and begin at
// once.
type together struct{ *Sentinel }

func (a together) Init(p *P, net *model.Net[M], why model.Boot) {
	a.Sentinel.Init(p, net, why)
	if p.Config == 0 {
		net.SetTimer(down, 2*net.Bound())
	}
}

// ofThoseWhoAnswer is the election with a fault: a majority is one of the sentinels that
// answer, not of those that are known.
type ofThoseWhoAnswer struct{ *Sentinel }

func (a ofThoseWhoAnswer) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != down {
		a.Sentinel.Timeout(p, net, t)
		return
	}
	a.startFailover(p, net, all(net))
	a.count(p, net, a.answer(p, net))
}

func (a ofThoseWhoAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.take(p, net, from, m)
	a.count(p, net, a.answer(p, net))
}

// answer are the sentinel itself and those whose votes count.
func (a ofThoseWhoAnswer) answer(p *P, net *model.Net[M]) model.Set {
	some := model.SetOf(net.Self())
	for id := range net.Peers().All() {
		if a.answered(p, id) {
			some = some.With(id)
		}
	}
	return some
}

// apart is the election where each was started with a master of its own, which is up, in a
// configuration of version 0. Nobody else finds that master down, so that no quorum ever
// does.
type apart struct{ *Sentinel }

func (apart) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Owner = net.Self()
	net.SetTimer(hello, period)
}
