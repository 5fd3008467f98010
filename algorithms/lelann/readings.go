package lelann

import "bullyproof/model"

// LateStart lets a process that passes its first token on begin nevertheless, after
// it. Its list does not include that token.
type LateStart struct{ *Protocol }

// Receive is as in Protocol, except for the first token that a process passes on.
func (l LateStart) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	first := !p.Initiator && !p.Reached
	l.Protocol.Receive(p, net, from, m)
	if first && net.Choose(2) == 1 {
		l.begin(p, net)
	}
}
