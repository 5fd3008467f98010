package kalternatives

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "lowest-first", Of: "told", Caught: "extreme", Setting: usual, New: of(lowestFirst{&Protocol{K: 2, Tells: true}}),
		Doc: "The election takes the lowest process that answered.",
	},
	{
		Name: "never-decides", Of: "told", Caught: "e2", Setting: usual, New: of(neverDecides{&Protocol{K: 2, Tells: true}}),
		Doc: "A process that holds an election waits without end.",
	},
	{
		Name: "decides-alone", Of: "told", Caught: "agreement", Setting: usual, New: of(decidesAlone{&Protocol{K: 2, Tells: true}}),
		Doc: "A process that holds an election does not announce its outcome.",
	},
	{
		Name: "strikes-twice", Of: "told", Caught: "same-list", Setting: usual, New: of(strikesTwice{&Protocol{K: 2, Tells: true}}),
		Doc: "A process that is told that the coordinator is down removes one more from its list.",
	},
}

type lowestFirst struct{ *Protocol }

func (l lowestFirst) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	p.List = List{p.Answers.With(net.Self()).Min()}
	p.Elects, p.Answers = false, 0
	net.Broadcast(M{Type: Alternatives, List: p.List})
}

type neverDecides struct{ *Protocol }

func (neverDecides) Timeout(*P, *model.Net[M], model.Timer) {}

type decidesAlone struct{ *Protocol }

func (d decidesAlone) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	p.List = List{net.Self()}
	p.Elects, p.Answers = false, 0
}

type strikesTwice struct{ *Protocol }

func (s strikesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	s.Protocol.Receive(p, net, from, m)
	if m.Type == Next && p.List == m.List && p.List[1] != model.None {
		p.List = p.List.next()
	}
}
