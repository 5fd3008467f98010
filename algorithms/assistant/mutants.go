package assistant

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "does-not-answer", Of: "described", Caught: "agreement", Setting: twoCrashes, New: of(doesNotAnswer{&Protocol{}}),
		Doc: "A process does not answer when it is asked who is there.",
	},
	{
		Name: "waits-for-ever", Of: "described", Caught: "e2", Setting: twoCrashes, New: of(waitsForEver{&Protocol{}}),
		Doc: "A process that has told the assistant waits without end.",
	},
	{
		Name: "not-the-highest", Of: "described", Caught: "extreme", Setting: twoCrashes, New: of(appointsItself{&Protocol{}}),
		Doc: "A process that holds an election appoints itself.",
	},
	{
		Name: "appoints-no-assistant", Of: "described", Caught: "assisted", Setting: usual, New: of(alone{&Protocol{}}),
		Doc: "The assistant that takes over has no assistant.",
	},
}

type doesNotAnswer struct{ *Protocol }

func (d doesNotAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Query && m.Type != Election {
		d.Protocol.Receive(p, net, from, m)
	}
}

type waitsForEver struct{ *Protocol }

func (w waitsForEver) Suspect(p *P, net *model.Net[M], who model.ID) {
	w.Protocol.Suspect(p, net, who)
	if p.Mode == Reported {
		net.StopTimer(Patience)
	}
}

type appointsItself struct{ *Protocol }

func (a appointsItself) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == Collect && p.Mode == Elects {
		a.announce(p, net, net.Self(), p.Answers.Max())
		return
	}
	a.Protocol.Timeout(p, net, t)
}

type alone struct{ *Protocol }

func (a alone) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == TakesOver {
		p.Answers = 0
	}
	a.Protocol.Timeout(p, net, t)
}
