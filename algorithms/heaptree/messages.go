package heaptree

import "bullyproof/model"

// old reports whether a message tells of a leader that the node knows, or knows
// to be past: one who took the place of a leader that has crashed is news to
// those who name that one, one who joined to those who name a lesser one.
func old(p *P, m M) bool {
	switch {
	case m.Dead != model.None:
		return p.Leader != m.Dead
	case m.Type == Leader:
		return p.Leader >= m.ID
	}
	return false
}

// send sends to a node if there is one. (Where several join at once, about which
// the paper says nothing, a node may come to be its own neighbour.)
func send(net *model.Net[M], to model.ID, m M) {
	if to != model.None && to != net.Self() {
		net.SendTo(to, m)
	}
}
