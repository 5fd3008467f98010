package effatparvar

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-responds", Of: "to-all", Caught: "uniqueness", Setting: oneCrash, New: of(neverResponds{toAll}),
		Doc: "A node does not respond to an election message.",
	},
	{
		Name: "selects-first", Of: "unverified", Caught: "extreme", Setting: oneCrash, New: of(selectsFirst{unverified{toAll}}),
		Doc: "A node selects the first node that responded, not the highest.",
	},
	{
		Name: "hasty", Of: "to-all", Caught: "uniqueness", Setting: oneCrash, New: of(hasty{toAll}),
		Doc: "The wait for responses is one tick too short.",
	},
	{
		Name: "trusts", Of: "repaired", Caught: "extreme", Setting: threeOneLoss, New: of(trusts{repair}),
		Doc: "A node that is selected, or that gets no response, announces itself and does not verify.",
	},
	{
		Name: "keeps-it", Of: "repaired", Caught: "uniqueness", Setting: threeOneLoss, New: of(keepsIt{repair}),
		Doc: "A node that verifies does not announce the node that it found, and becomes the leader.",
	},
	{
		Name: "echoes", Of: "to-all", Caught: "termination", Setting: oneCrash, New: of(echoes{toAll}),
		Doc: "A node sends an announcement back to where it came from.",
	},
}

type neverResponds struct{ *Protocol }

func (e neverResponds) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election {
		e.Protocol.Receive(p, net, from, m)
	}
}

type selectsFirst struct{ unverified }

func (e selectsFirst) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != OK || p.Best == model.None {
		e.unverified.Receive(p, net, from, m)
	}
}

type hasty struct{ *Protocol }

func (e hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	e.Protocol.Suspect(p, net, who)
	if p.Mode == Noticed {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

type trusts struct{ repaired }

func (e trusts) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Selected {
		e.announce(p, net, net.Self())
		return
	}
	e.repaired.Receive(p, net, from, m)
}

func (e trusts) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Best == model.None {
		e.announce(p, net, net.Self())
		return
	}
	e.repaired.Timeout(p, net, t)
}

type keepsIt struct{ repaired }

func (e keepsIt) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Verifying && p.Best != model.None {
		e.settle(p, net, net.Self())
		return
	}
	e.repaired.Timeout(p, net, t)
}

type echoes struct{ *Protocol }

func (e echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	e.Protocol.Receive(p, net, from, m)
	if m.Type == Coordinator {
		net.Send(from, m)
	}
}
