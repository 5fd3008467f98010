package leaderlatch

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// incidents are what programs got wrong. The package of that name tells of each.
var incidents = []ledger.Mutant{
	{
		Name: "any-owner", Of: "any-delays", Caught: settles.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client leads by the node of a session that is over.",
		New: of(anyOwner{&Latch{}}),
	},
	{
		Name: "resets", Of: "any-delays", Caught: checker.LeaderAgain.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client that is connected again, or finds nothing to watch, deletes its node and creates another.",
		New: of(resetsGone{resets{&Latch{NodeNames: 2}}}),
	},
	{
		Name: "keeps-leading", Of: "any-delays", Caught: settles.Name, Setting: setting.Must(world + "suspicions=2 timing=async"),
		Doc: "A client that is connected again deletes its node in a thread of its own, and one that is not the first leads on.",
		New: of(keepsLeading{resets{&Latch{}}}),
	},
	{
		Name: "rides-out", Of: "curator", Caught: checker.Uniqueness.Name, Setting: oneCut,
		Doc: "A client that is suspended leads on, for as long as its session may last.",
		New: of(ridesOut{&Latch{Pings: true}}),
	},
	{
		Name: "falls-through", Of: "pulsar", Caught: checker.LeaderAgain.Name, Setting: setting.Must(world + "suspicions=1 timing=async"),
		Doc: "A client that finds its own node goes on to follow.",
		New: of(fallsThrough{&Latch{Single: true}}),
	},
}

// anyOwner is a fault: a client leads by a node of whichever session of its own.
type anyOwner struct{ *Latch }

func (l anyOwner) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	first := m.Type == Listed && m.Session == p.Session && p.State == Connected && slices.Index(m.List.all(), p.Path) == 0
	if !first {
		l.Latch.Receive(p, net, from, m)
		return
	}
	l.heard(p, net)
	net.Rule(lead)
	p.Leads = true
}

// resets is a fault: a client that is connected again deletes its node and creates another, in a
// thread of its own.
type resets struct{ *Latch }

func (l resets) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	opened := m.Type == Opened && p.State < Connected && p.State != Starting
	again := opened || m.Type == Reconnected && p.State == Suspended
	if !again || m.Session != p.Session {
		l.Latch.Receive(p, net, from, m)
		return
	}
	l.resume(p, net)
	net.Rule(reconnect)
	p.Leads = false
	net.SetTimer(threadTimer, 1)
}

func (l resets) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == threadTimer {
		l.renew(p, net)
		return
	}
	l.Latch.Timeout(p, net, t)
}

// resetsGone is a fault: a client does so if the node is gone that it would watch.
type resetsGone struct{ resets }

func (l resetsGone) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != NoNode || m.Session != p.Session || p.State != Connected {
		l.resets.Receive(p, net, from, m)
		return
	}
	l.heard(p, net)
	net.Rule(gone)
	l.reset(p, net)
}

// keepsLeading is a fault: a client that is not the first one leads on.
type keepsLeading struct{ resets }

func (l keepsLeading) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	leads := p.Leads
	l.resets.Receive(p, net, from, m)
	if m.Type == Listed && slices.Index(m.List.all(), p.Path) > 0 {
		p.Leads = leads
	}
}

// ridesOut is a fault: a client that is suspended leads on until its session is lost.
type ridesOut struct{ *Latch }

func (l ridesOut) Suspect(p *P, net *model.Net[M], who model.ID) {
	before := *p
	l.Latch.Suspect(p, net, who)
	leadOn(p, &before)
}

func (l ridesOut) Timeout(p *P, net *model.Net[M], t model.Timer) {
	before := *p
	l.Latch.Timeout(p, net, t)
	leadOn(p, &before)
}

func leadOn(p, before *P) {
	if p.State == Suspended && before.State == Connected {
		p.Leads = before.Leads
	}
}

// fallsThrough is a fault: a client of a Single node that finds its own becomes a follower. It
// looks for one when it has been away for so long that it took its session for lost.
type fallsThrough struct{ *Latch }

func (l fallsThrough) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Session == p.Session && m.Type == Reconnected && p.State == Suspended && !p.Lost {
		net.Rule(reconnect)
		net.StopTimer(lostTimer)
		p.State = Connected
		return
	}
	l.Latch.Receive(p, net, from, m)
	if n := m.List[0]; m.Session == p.Session && m.Type == Listed && n.Owner == net.Self() && n.Session == p.Session {
		p.Leads = false
	}
}
