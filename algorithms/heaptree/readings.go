package heaptree

import "bullyproof/model"

// recorded has the children of the deleted root compare the IDs that they have
// recorded: each knows its sibling, so that the greater need not ask.
type recorded struct{ *Protocol }

// Recorded is that reading.
func Recorded() model.Protocol[P, M] {
	h := recorded{&Protocol{}}
	h.other = h
	return h
}

func (h recorded) across(p *P, net *model.Net[M], dead model.ID) {
	if net.Self() > p.Sibling {
		net.Rule(wins)
		h.win(p, net, dead)
		return
	}
	h.Protocol.across(p, net, dead)
}
