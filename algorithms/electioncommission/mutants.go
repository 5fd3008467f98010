package electioncommission

import "bullyproof/model"

// silent is Protocol with processes that come up and ask nobody.
type silent struct{ *Protocol }

// Init does nothing.
func (silent) Init(*P, *model.Net[M], model.Boot) {}

// reporterWins is Protocol with a commission that makes the reporter coordinator.
type reporterWins struct{ *Protocol }

// Receive announces who reports.
func (r reporterWins) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Report {
		r.conclude(p, net, from.ID())
		return
	}
	r.Protocol.Receive(p, net, from, m)
}

// whispers is Protocol with a commission that tells the winner alone.
type whispers struct{ *Protocol }

// Receive ends an election with a message to the winner.
func (w whispers) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Alive && from.ID() == p.Asked && p.Asked != p.Elected {
		net.StopTimer(T)
		p.Elected, p.Asked, p.Back = p.Asked, model.None, 0
		net.Send(from, M{Type: Coordinator, ID: p.Elected})
		return
	}
	w.Protocol.Receive(p, net, from, m)
}

// believes is Protocol with a commission that takes every report for true.
type believes struct{ *Protocol }

// Receive holds an election although the coordinator is up.
func (b believes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Alive && p.Asked == p.Elected {
		b.Timeout(p, net, T)
		return
	}
	b.Protocol.Receive(p, net, from, m)
}
