package omega

import "bullyproof/model"

// Epochs is Algorithm 2.9 of the book, "Elect Lower Epoch". A process that comes back is in a higher
// epoch than before, and who has come back less often is preferred. The bound on delays is not known.
type Epochs struct{ base }

// Stable keeps the epoch: "store(epoch)".
func (*Epochs) Stable(p *P) { *p = P{Epoch: p.Epoch} }

// Init is the recovery procedure, which "completes the initialization" also.
func (e *Epochs) Init(p *P, net *model.Net[M], _ model.Boot) {
	net.Rule(recovers)
	*p = P{Leader: 1, Delay: 1, Epoch: p.Epoch + 1}
	e.send(p, net)
}

// send is: "forall p ∈ Π do trigger ⟨fll, Send | p, [HEARTBEAT, epoch]⟩; candidates := ∅;
// starttimer(delay)".
func (e *Epochs) send(p *P, net *model.Net[M]) {
	net.Broadcast(M{Heartbeat, p.Epoch})
	p.Alive, p.Epochs = 0, model.ByID[uint8]{}
	net.SetTimer(beat, int(p.Delay))
}

// Timeout is: "newleader := select(candidates); if newleader ≠ leader then delay := delay + Δ; leader :=
// newleader".
func (e *Epochs) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if selected := e.pick(p, net); selected != p.Leader {
		net.Rule(selects)
		p.Delay++
		p.Leader = selected
	}
	e.send(p, net)
}

// pick returns the candidate with the lowest epoch, and of several the one with the highest rank.
func (e *Epochs) pick(p *P, net *model.Net[M]) model.ID {
	best, epoch := net.Self(), p.Epoch
	for id := range p.Alive.All() {
		if of := p.Epochs.At(id); of < epoch || of == epoch && id < best {
			best, epoch = id, of
		}
	}
	return best
}

// Receive takes a candidate, with the higher of two epochs.
func (e *Epochs) Receive(p *P, _ *model.Net[M], from model.Port, m M) {
	id := from.ID()
	p.Alive = p.Alive.With(id)
	p.Epochs.Set(id, max(p.Epochs.At(id), m.Number))
}
