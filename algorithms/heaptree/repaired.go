package heaptree

import "bullyproof/model"

// Tenured has a node that joins stay below the root, however great it is: the leader
// remains the leader while it is up.
type Tenured struct{ *Protocol }

// Timeout is as in Protocol, but below the root.
func (h Tenured) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Father != model.None && p.Father == p.Leader {
		net.Rule(stays)
		return
	}
	h.Protocol.Timeout(p, net, t)
}

// Repaired has a node through which an election has passed, and that does not
// hear of its outcome in time, asks all others who is up. Those that answer make
// a new tree, whose root is the leader; the node that asked hands it out.
//
// It works since every wait ends. An election message that a crashed parent or
// sibling swallows leaves waiting whoever sent it, and that node asks. A round
// trip later it knows all that are up, so that the greatest of them is the root
// of the tree that it hands out, and everybody is in it. Two that ask one after
// the other hand out trees that differ by nodes which have crashed in between;
// who is left with a tree whose root has crashed notices, and another election
// or another wait follows, as often as something crashes.
//
// It costs what the tree was to save: each node has to know all others. With what
// a node knows in the paper there is no repair: below a parent that has crashed
// nobody knows anybody outside.
type Repaired struct{ *Protocol }

// The messages of the repair.
const (
	Ask  = Gone + 1 + iota // who is up?
	Here                   // the sender is
	Tree                   // the tree of those in Live
)

// Wait bounds the wait for the outcome of an election, and for those that are up.
const Wait = Told + 1

// Names has what the repair adds.
func (h Repaired) Names() model.Names { return names }

// Suspect is as in Protocol, and begins a wait.
func (h Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := p.Passed
	h.Protocol.Suspect(p, net, who)
	wait(p, net, was)
}

// Receive is as in Protocol, and handles the messages of the repair.
func (h Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Ask:
		net.Reply(M{Type: Here})
	case Here:
		if p.Asking {
			p.Live = p.Live.With(from.ID())
		}
	case Tree:
		h.plant(p, net.Self(), m.Live)
		net.StopTimer(Wait)
	default:
		was := p.Passed
		h.Protocol.Receive(p, net, from, m)
		wait(p, net, was)
	}
}

// wait begins the wait of a node that an election has just passed, and ends that of
// one that has heard of the outcome.
func wait(p *P, net *model.Net[M], was model.ID) {
	switch {
	case p.Passed == was:
	case p.Passed != model.None:
		net.SetTimer(Wait, patience(net))
	default:
		p.Asking, p.Live = false, 0
		net.StopTimer(Wait)
	}
}

// patience is longer than an election takes: up the tree, across, and down.
func patience(net *model.Net[M]) int { return 2 * net.N() * net.Bound() }

// Timeout is as in Protocol, and ends a wait: for the outcome of an election, or for
// those that are up.
func (h Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t != Wait:
		was := p.Passed
		h.Protocol.Timeout(p, net, t)
		wait(p, net, was)
	case !p.Asking:
		net.Rule(asks)
		p.Asking, p.Live = true, model.SetOf(net.Self())
		net.Broadcast(M{Type: Ask})
		net.SetTimer(Wait, 2*net.Bound())
	default:
		net.Rule(hands)
		live := p.Live
		h.plant(p, net.Self(), live)
		net.SendAll(live.Without(net.Self()), M{Type: Tree, Live: live})
	}
}
