package k8slease

import "bullyproof/model"

// noSwap is the election with a fault: the store does not compare.
type noSwap struct{ *Lease }

func (l noSwap) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == store(net) {
		p.Seen = p.Seen.With(from.ID())
	}
	l.Lease.Receive(p, net, from, m)
}

// noDisk is the election with a fault: a store that crashes forgets the record.
type noDisk struct{ *Lease }

func (noDisk) Stable(p *P) { *p = P{} }
