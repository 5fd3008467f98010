package surrogatering

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "stands-alone", Of: "stands-in", Caught: "served", Setting: usual, New: of(standsAlone{&Protocol{}}),
		Doc: "A process that notices does not let the surrogate stand in.",
	},
	{
		Name: "forgets-itself", Of: "stands-in", Caught: "extreme", Setting: usual, New: of(forgetsItself{&Protocol{}}),
		Doc: "A process passes an Election packet on and does not add its own number.",
	},
	{
		Name: "tells-nobody", Of: "stands-in", Caught: "agreement", Setting: cold, New: of(tellsNobody{&Protocol{}}),
		Doc: "A process ignores Coordinator packets.",
	},
	{
		Name: "keeps-to-itself", Of: "takes-over", Caught: "e2", Setting: oneAsks, New: of(keepsToItself{TakesOver{&Protocol{}}}),
		Doc: "A surrogate that learns of the failure does nothing.",
	},
}

type standsAlone struct{ *Protocol }

func (x standsAlone) Suspect(p *P, net *model.Net[M], who model.ID) {
	p.Surrogate = model.None
	x.Protocol.Suspect(p, net, who)
}

type forgetsItself struct{ *Protocol }

func (x forgetsItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer != net.Self() {
		net.Send(model.Next, m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

type tellsNobody struct{ *Protocol }

func (x tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Coordinator {
		x.Protocol.Receive(p, net, from, m)
	}
}

type keepsToItself struct{ TakesOver }

func (x keepsToItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Crash || m.Surrogate != net.Self() {
		x.TakesOver.Receive(p, net, from, m)
	}
}
