package chubby

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are the first variant with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "whole-lease", Of: "shipped", Caught: leaseOutlasts.Name, Setting: in("cuts=1 cut-by=link heals=owed"),
		Doc: "The local lease of a client is not shorter than the one of the master.",
		New: of(with(func(c *Chubby) { c.Margin = 0 })),
	},
	{
		Name: "no-wait", Of: "shipped", Caught: leaseOutlasts.Name, Setting: in("crashes=1 restarts=1 crashers=3"),
		Doc: "A new master does not wait for the leases of before.",
		New: of(noWait{shipped}),
	},
	{
		Name: "forgets-sessions", Of: "shipped", Caught: leaseOutlasts.Name, Setting: in("crashes=1 restarts=1 crashers=3"),
		Doc: "Sessions and who holds the lock are not in the database.",
		New: of(forgetsSessions{shipped}),
	},
	{
		Name: "any-epoch", Of: "shipped", Caught: oldCalls.Name, Setting: in("crashes=1 restarts=1 crashers=3"),
		Doc: "A master answers calls of older epochs.",
		New: of(anyEpoch{shipped}),
	},
	{
		Name: "early", Of: "shipped", Caught: acknowledged.Name, Setting: in("crashes=1 restarts=1"),
		Doc: "A new master lets clients acquire locks at once.",
		New: of(early{shipped}),
	},
	{
		Name: "gives-up", Of: "shipped", Caught: ridesOut.Name, Setting: in("crashes=1 restarts=1 crashers=3"),
		Doc: "A client does not look for a new master in the grace period.",
		New: of(givesUp{shipped}),
	},
	{
		Name: "endless-grace", Of: "shipped", Caught: doubtEnds.Name, Setting: in("crashes=1 crashers=3"),
		Doc: "The grace period does not end.",
		New: of(endlessGrace{shipped}),
	},
	{
		Name: "never-ends", Of: "shipped", Caught: leadsAgain.Name, Setting: in("crashes=1 crashers=1,2"),
		Doc: "The lease of a session never ends.",
		New: of(neverEnds{shipped}),
	},
	{
		Name: "same-generation", Of: "shipped", Caught: rising.Name, Setting: in("crashes=1 crashers=1,2"),
		Doc: "The lock generation stays.",
		New: of(sameGeneration{shipped}),
	},
	{
		Name: "brief-delay", Of: "shipped", Caught: kept.Name, Setting: in("crashes=1 crashers=1,2"),
		Doc: "The lock-delay begins with the last extension of the lease, and not with its end.",
		New: of(with(func(c *Chubby) { c.Delay = lockDelay - leaseTicks })),
	},
	{
		Name: "delays-all", Of: "releases", Caught: atOnce.Name, Setting: in(""),
		Doc: "The lock-delay runs also when a client releases the lock.",
		New: of(delaysAll{with(func(c *Chubby) { c.Releases = true })}),
	},
	{
		Name: "steals", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in(""),
		Doc: "The master gives the lock to whoever tries to acquire it.",
		New: of(steals{shipped}),
	},
	{
		Name: "unchecked", Of: "sequencers", Caught: fenced.Name, Setting: in("pauses=1 pausers=1,2"),
		Doc: "The server does not check sequencers.",
		New: of(with(func(c *Chubby) { c.Requests, c.Unchecked = true, true })),
	},
}

type noWait struct{ *Chubby }

func (c noWait) Init(p *P, net *model.Net[M], why model.Boot) {
	c.Chubby.Init(p, net, why)
	for i, s := range p.Sessions {
		if s.Open && net.Self() == cell(net) && why == model.Restart {
			net.SetTimer(lease+model.Timer(i), 1)
		}
	}
}

type forgetsSessions struct{ *Chubby }

func (c forgetsSessions) Stable(p *P) {
	c.Chubby.Stable(p)
	p.Sessions, p.Holder = [most]Session{}, model.None
}

type anyEpoch struct{ *Chubby }

func (c anyEpoch) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == cell(net) {
		m.Epoch = p.Epoch
	}
	c.Chubby.Receive(p, net, from, m)
}

type early struct{ *Chubby }

func (c early) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == cell(net) && m.Type != Request && m.Type != KeepAlive && m.Epoch == p.Epoch {
		c.operate(p, net, from.ID(), m)
		return
	}
	c.Chubby.Receive(p, net, from, m)
}

type givesUp struct{ *Chubby }

func (c givesUp) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != retry || p.Phase != Jeopardy {
		c.Chubby.Timeout(p, net, t)
	}
}

func (c givesUp) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == WrongEpoch && p.Phase == Jeopardy {
		if m.Epoch != p.Seen {
			net.Rule(learns)
			p.Seen = m.Epoch
		}
		return
	}
	c.Chubby.Receive(p, net, from, m)
}

type endlessGrace struct{ *Chubby }

func (c endlessGrace) Timeout(p *P, net *model.Net[M], t model.Timer) {
	c.Chubby.Timeout(p, net, t)
	if t == local && p.Phase == Jeopardy {
		net.StopTimer(local)
	}
}

type neverEnds struct{ *Chubby }

func (c neverEnds) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t >= lease {
		if s := p.Sessions[t-lease]; s.Due && !s.Blocked {
			return
		}
	}
	c.Chubby.Timeout(p, net, t)
}

type sameGeneration struct{ *Chubby }

func (c sameGeneration) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != TryAcquire || p.Holder != model.None || p.Generation == 0 {
		c.Chubby.Receive(p, net, from, m)
		return
	}
	p.Generation--
	c.Chubby.Receive(p, net, from, m)
	if p.Holder == model.None {
		p.Generation++
	}
}

type delaysAll struct{ *Chubby }

func (c delaysAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	held := p.Holder != model.None
	c.Chubby.Receive(p, net, from, m)
	if m.Type == Release && held && p.Holder == model.None {
		c.delay(p, net)
	}
}

type steals struct{ *Chubby }

func (c steals) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != TryAcquire || p.Holder == from.ID() {
		c.Chubby.Receive(p, net, from, m)
		return
	}
	holder, delayed := p.Holder, p.Delayed
	p.Holder, p.Delayed = model.None, false
	c.Chubby.Receive(p, net, from, m)
	if p.Delayed = delayed; p.Holder == model.None {
		p.Holder = holder
	}
}
