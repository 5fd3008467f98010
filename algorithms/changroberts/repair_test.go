package changroberts

import (
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ *Protocol }

// Receive numbers elections. A process takes part in number k when it has learned the outcome of
// all before, and takes election messages of older ones out of the ring.
func (y yours) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Number < p.Number {
		return
	}
	if m.Type == Election && m.Number > p.Number { // its sender has learned of an end that is still on its way here
		p.Number, p.Participant = m.Number, false
	}
	was := p.Participant
	y.Protocol.Receive(p, net, from, m)
	switch {
	case m.Type == Elected && m.Number != p.Number:
		p.Participant = was
	case m.Type == Elected || m.ID == net.Self():
		p.Number++
	}
}

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{&Protocol{}}, "n=4 topology=ring initiators=all:lazy channels=unordered timing=patient",
		checker.AllowGaps("*"))
}
