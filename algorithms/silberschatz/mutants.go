package silberschatz

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "forgets-itself", Of: "packet", Caught: "extreme", Setting: usual, New: of(forgetsItself{&Protocol{}}),
		Doc: "A process passes an Election packet on and does not add its own number.",
	},
	{
		Name: "tells-nobody", Of: "packet", Caught: "agreement", Setting: oneAsks, New: of(tellsNobody{&Protocol{}}),
		Doc: "An informer elects the coordinator and makes no Coordinator packet.",
	},
	{
		Name: "asks-nobody", Of: "packet", Caught: "agreement", Setting: oneAsks, New: of(asksNobody{&Protocol{}}),
		Doc: "A process that figures out the failure elects itself, and creates no packet.",
	},
	{
		Name: "keeps-quiet", Of: "packet", Caught: "agreement", Setting: oneAsks, New: of(keepsQuiet{&Protocol{}}),
		Doc: "A process that learns who is coordinator does not pass it on.",
	},
	{
		Name: "wrong-order", Of: "book", Caught: "uniqueness", Setting: inOrder, New: of(wrongOrder{&Book{}}),
		Doc: "A process forwards an elect message before it sends its own.",
	},
}

type forgetsItself struct{ *Protocol }

func (c forgetsItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer != net.Self() {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type tellsNobody struct{ *Protocol }

func (c tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer == net.Self() {
		p.Elected, p.Informer = m.List.Max(), false
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type asksNobody struct{ *Protocol }

func (c asksNobody) Start(p *P, net *model.Net[M]) { p.Elected = net.Self() }

func (c asksNobody) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Elected {
		p.Elected = net.Self()
	}
}

type keepsQuiet struct{ *Protocol }

func (c keepsQuiet) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator {
		p.Elected = m.Winner
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type wrongOrder struct{ *Book }

func (c wrongOrder) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if i := net.Self(); i != m.Informer && p.List.Empty() {
		p.List = model.SetOf(i, m.Informer)
		net.Send(model.Next, m)
		net.Send(model.Next, M{Informer: i})
		return
	}
	c.Book.Receive(p, net, from, m)
}
