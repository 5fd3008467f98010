package surrogatering

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "stands-alone", Of: "stands-in", Caught: "served", Setting: usual,
		Doc: "A process that notices does not let the surrogate stand in.",
		New: ledger.SystemOf[P, M](standsAlone{&Protocol{}}),
	},
	{
		Name: "forgets-itself", Of: "stands-in", Caught: "extreme", Setting: usual,
		Doc: "A process passes an Election packet on and does not add its own number.",
		New: ledger.SystemOf[P, M](forgetsItself{&Protocol{}}),
	},
	{
		Name: "tells-nobody", Of: "stands-in", Caught: "agreement", Setting: cold,
		Doc: "A process ignores Coordinator packets.",
		New: ledger.SystemOf[P, M](tellsNobody{&Protocol{}}),
	},
	{
		Name: "keeps-to-itself", Of: "takes-over", Caught: "e2", Setting: oneAsks,
		Doc: "A surrogate that learns of the failure does nothing.",
		New: ledger.SystemOf[P, M](keepsToItself{TakesOver{&Protocol{}}}),
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
