package kalternatives

import "bullyproof/model"

// lowestFirst is Protocol with an election that the lowest wins.
type lowestFirst struct{ *Protocol }

// Timeout takes the lowest that answered.
func (l lowestFirst) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	p.List = List{p.Answers.With(net.Self()).Min()}
	p.Elects, p.Answers = false, 0
	net.Broadcast(M{Type: Alternatives, List: p.List})
}

// neverDecides is Protocol with an election that waits for ever.
type neverDecides struct{ *Protocol }

// Timeout does nothing.
func (neverDecides) Timeout(*P, *model.Net[M], model.Timer) {}

// decidesAlone is Protocol with an election of which the others do not hear.
type decidesAlone struct{ *Protocol }

// Timeout takes the list and keeps it to itself.
func (d decidesAlone) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	p.List = List{net.Self()}
	p.Elects, p.Answers = false, 0
}

// strikesTwice is Protocol with processes that strike off two for one failure.
type strikesTwice struct{ *Protocol }

// Receive takes the list that is told, less its first.
func (s strikesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	s.Protocol.Receive(p, net, from, m)
	if m.Type == Next && p.List == m.List && p.List[1] != model.None {
		p.List = p.List.next()
	}
}
