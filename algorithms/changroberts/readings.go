package changroberts

import "bullyproof/model"

// Once has a process that has learned of a coordinator discard smaller identifiers for
// good. The slides speak of elections, one after another: there such a process is a
// non-participant again, and an election message that the elected message overtook
// (which channels that are not FIFO allow) makes it begin one more election, which the
// same process wins.
type Once struct{ *Protocol }

// Receive is as in Protocol, except for a smaller identifier.
func (c Once) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() && p.Elected != model.None {
		net.Rule(discards)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}
