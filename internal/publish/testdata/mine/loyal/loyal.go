// Package loyal is a protocol of a module that is not bullyproof's.
package loyal

import (
	"bullyproof/algorithms/bully"
	"bullyproof/model"
)

// A Protocol is the textbook Bully with one rule of its own: a process that
// follows somebody does not turn to a coordinator with a lower id.
type Protocol struct{ *bully.Protocol }

// Receive refuses lower coordinators.
func (l Protocol) Receive(p *bully.P, net *model.Net[bully.M], from model.Port, m bully.M) {
	if m.Type == bully.Coordinator && from.ID() < p.Elected {
		return
	}
	l.Protocol.Receive(p, net, from, m)
}
