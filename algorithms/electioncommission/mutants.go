package electioncommission

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "asks-nobody", Of: "told", Caught: "commission-agreement", Setting: usual, New: of(silent{&Protocol{}}),
		Doc: "A process that comes up does not ask.",
	},
	{
		Name: "reporter-wins", Of: "told", Caught: "commission-extreme", Setting: usual, New: of(reporterWins{&Protocol{}}),
		Doc: "The commission announces the process that reported.",
	},
	{
		Name: "whispers", Of: "told", Caught: "commission-e2", Setting: usual, New: of(whispers{&Protocol{}}),
		Doc: "The commission tells only the winner.",
	},
	{
		Name: "believes", Of: "told", Caught: "commission-extreme", Setting: setting.Must("n=3 start=settled channels=fifo suspicions=1"),
		Doc: "The commission believes every report, even if the coordinator answers.", New: of(believes{&Protocol{}}),
	},
}

type silent struct{ *Protocol }

func (silent) Init(*P, *model.Net[M], model.Boot) {}

type reporterWins struct{ *Protocol }

func (r reporterWins) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Report {
		r.conclude(p, net, from.ID())
		return
	}
	r.Protocol.Receive(p, net, from, m)
}

type whispers struct{ *Protocol }

func (w whispers) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Alive && from.ID() == p.Asked && p.Asked != p.Elected {
		net.StopTimer(T)
		p.Elected, p.Asked, p.Back = p.Asked, model.None, 0
		net.Send(from, M{Type: Coordinator, ID: p.Elected})
		return
	}
	w.Protocol.Receive(p, net, from, m)
}

type believes struct{ *Protocol }

func (b believes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Alive && p.Asked == p.Elected {
		b.Timeout(p, net, T)
		return
	}
	b.Protocol.Receive(p, net, from, m)
}
