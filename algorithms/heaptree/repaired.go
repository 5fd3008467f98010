package heaptree

import "bullyproof/model"

// The repair: a node through which an election has passed, and that does not
// hear of its outcome in time, asks all others who is up. Those that answer make
// a new tree, whose root is the leader; the node that asked hands it out.
//
// It works since every wait ends. An election message that a crashed father or
// sibling swallows leaves waiting whoever sent it, and that node asks. A round
// trip later it knows all that are up, so that the greatest of them is the root
// of the tree that it hands out, and everybody is in it. Two that ask one after
// the other hand out trees that differ by nodes which have crashed in between;
// who is left with a tree whose root has crashed notices, and another election
// or another wait follows, as often as something crashes.
//
// It costs what the tree was to save: each node has to know all others.

// patience is longer than an election takes: up the tree, across, and down.
func (h *Protocol) patience(net *model.Net[M]) int { return 2 * net.N() * net.Bound() }

// await begins the wait for the outcome of an election.
func (h *Protocol) await(net *model.Net[M]) {
	if h.Repaired {
		net.SetTimer(Wait, h.patience(net))
	}
}

// heard ends it.
func (h *Protocol) heard(p *P, net *model.Net[M]) {
	if h.Repaired {
		p.Asking, p.Live = false, 0
		net.StopTimer(Wait)
	}
}

// giveUp ends a wait: for the outcome of an election, or for those that are up.
func (h *Protocol) giveUp(p *P, net *model.Net[M]) {
	if !p.Asking {
		net.Rule(asks)
		p.Asking, p.Live = true, model.SetOf(net.Self())
		net.Broadcast(M{Type: Ask})
		net.SetTimer(Wait, 2*net.Bound())
		return
	}
	net.Rule(hands)
	live := p.Live
	h.plant(p, net.Self(), live)
	net.SendAll(live.Without(net.Self()), M{Type: Tree, Live: live})
}

// repair handles the messages of the repair.
func (h *Protocol) repair(p *P, net *model.Net[M], from model.ID, m M) {
	switch m.Type {
	case Ask:
		net.Reply(M{Type: Here})
	case Here:
		if p.Asking {
			p.Live = p.Live.With(from)
		}
	case Tree:
		h.plant(p, net.Self(), m.Live)
		net.StopTimer(Wait)
	}
}
