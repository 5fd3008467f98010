package fredericksonlynch

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "one-speed", Of: "variable-speeds", Caught: tokens.Name, Setting: usual, New: of(oneSpeed{&Protocol{}}),
		Doc: "All tokens travel at one speed, one link a round.",
	},
	{
		Name: "passes-all", Of: "variable-speeds", Caught: "uniqueness", Setting: usual, New: of(passesAll{&Protocol{}}),
		Doc: "A process passes larger tokens on at once.",
	},
	{
		Name: "larger", Of: "variable-speeds", Caught: "extreme", Setting: usual, New: of(larger{&Protocol{}}),
		Doc: "A process discards tokens that are smaller than its identifier, not larger ones.",
	},
	{
		Name: "tells-nobody", Of: "variable-speeds", Caught: "e2", Setting: usual, New: of(tellsNobody{&Protocol{}}),
		Doc: "The elected process does not announce itself.",
	},
	{
		Name: "in-spite", Of: "wake-up", Caught: "e2", Setting: lazy, New: of(inSpite{&Protocol{WakeUp: true}}),
		Doc: "A relay counts its own identifier as seen.",
	},
	{
		Name: "keeps", Of: "variable-speeds", Caught: "e2", Setting: usual, New: of(keeps{&Protocol{}}),
		Doc: "A token never leaves the process that initiates it.",
	},
	{
		Name: "goes-on", Of: "wake-up", Caught: "termination", Setting: lazy, New: of(goesOn{&Protocol{WakeUp: true}}),
		Doc: "A token that is back goes round once more.",
	},
}

type oneSpeed struct{ *Protocol }

func (f oneSpeed) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	f.Protocol.Receive(p, net, from, m)
	if p.Token != model.None {
		net.SetTimer(wait, 1)
	}
}

func (f oneSpeed) Start(p *P, net *model.Net[M]) {
	f.Protocol.Start(p, net)
	net.SetTimer(wait, 1)
}

type passesAll struct{ *Protocol }

func (f passesAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Token && m.ID == net.Self():
		p.Leader = m.ID
	case m.Type == Token && m.ID > p.Least:
		net.Send(model.Next, m)
	default:
		f.Protocol.Receive(p, net, from, m)
	}
}

type larger struct{ *Protocol }

func (f larger) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Leader || m.ID == net.Self() {
		f.Protocol.Receive(p, net, from, m)
		return
	}
	if m.ID > p.Least {
		f.stop(p, net)
		p.Least = m.ID
		f.hold(p, net, m.ID)
	}
}

type tellsNobody struct{ *Protocol }

func (f tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Leader && m.ID == net.Self() {
		p.Leader = m.ID
		return
	}
	f.Protocol.Receive(p, net, from, m)
}

type inSpite struct{ *Protocol }

func (f inSpite) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Role == Asleep {
		p.Role, p.Least = Relays, net.Self()
	}
	f.Protocol.Receive(p, net, from, m)
}

type keeps struct{ *Protocol }

func (keeps) Timeout(p *P, _ *model.Net[M], _ model.Timer) { p.Token = model.None }

type goesOn struct{ *Protocol }

func (f goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	f.Protocol.Receive(p, net, from, m)
	if m.Type != Leader && m.ID == net.Self() {
		net.Send(model.Next, m)
	}
}
