package k8scoordinated

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/clock"
)

// back has a candidate crash and come back.
var back = in("timing=lockstep crashes=1 restarts=1 crashers=1,2")

// mutants are the first variant, or that of a rollback, with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "seizes", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: back, New: of(seizes{shipped}),
		Doc: "The controller takes each lease for one that has expired.",
	},
	{
		Name: "asks-nobody", Of: "shipped", Caught: ackedFirst.Name, Setting: in("timing=lockstep crashes=1 crashers=1,2"), New: of(asksNobody{shipped}),
		Doc: "The controller takes each candidate for one that has just renewed its LeaseCandidate.",
	},
	{
		Name: "hasty", Of: "shipped", Caught: ackedFirst.Name, Setting: in("timing=lockstep"), New: of(hasty{shipped}),
		Doc: "The controller elects when the first has answered.",
	},
	{
		Name: "newest", Of: "shipped", Caught: bestLeads.Name, Setting: in("timing=lockstep"), New: of(newest{shipped}),
		Doc: "The controller takes an older version for a newer one.",
	},
	{
		Name: "renews-anyway", Of: "shipped", Caught: noRenewal.Name, Setting: back, New: of(renewsAnyway{shipped}),
		Doc: "A holder renews a lease that is marked as end of term.",
	},
	{
		Name: "never-stops", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: back, New: of(ignores{shipped, deadline}),
		Doc: "A leader that could not renew goes on.",
	},
	{
		Name: "no-requeue", Of: "rollback", Caught: leadsAgain.Name, Setting: in("timing=lockstep crashes=1 crashers=1,2"), New: of(ignores{rollback, requeue}),
		Doc: "The controller looks at a lease only when its informers tell of a change.",
	},
}

type seizes struct{ *Election }

func (e seizes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Candidate || m.Type == Ack {
		p.Until = clock.Instant{}
	}
	e.Election.Receive(p, net, from, m)
}

type asksNobody struct{ *Election }

func (e asksNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	defer p.trust(from.ID())()
	e.Election.Receive(p, net, from, m)
}

func (e asksNobody) Timeout(p *P, net *model.Net[M], t model.Timer) {
	defer p.trust(model.None)()
	e.Election.Timeout(p, net, t)
}

// trust has all LeaseCandidates look new, until what it returns is called, but that of one.
func (p *P) trust(but model.ID) (undo func()) {
	was := p.Candidates
	for id := range p.all().All() {
		p.Candidates[id-1].Renewed, p.Candidates[id-1].Asked = p.Clock.Now(), false
	}
	return func() {
		for id := range p.all().Without(but).All() {
			p.Candidates[id-1] = was[id-1]
		}
	}
}

type hasty struct{ *Election }

func (e hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was := p.Candidates
	for id := range p.all().All() {
		p.Candidates[id-1].Pinged = clock.Instant{}
	}
	e.Election.Receive(p, net, from, m)
	for id := range p.all().Without(from.ID()).All() {
		if was[id-1].Asked {
			p.Candidates[id-1] = was[id-1]
		}
	}
}

type newest struct{ *Election }

func (e newest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	p.flip()
	m.Version = m.Version.flipped()
	e.Election.Receive(p, net, from, m)
	p.flip()
}

func (e newest) Timeout(p *P, net *model.Net[M], t model.Timer) {
	p.flip()
	e.Election.Timeout(p, net, t)
	p.flip()
}

func (p *P) flip() {
	for id := range p.all().All() {
		p.Candidates[id-1].Version = p.Candidates[id-1].Version.flipped()
	}
}

// flipped is the older, the newer the version is.
func (v Version) flipped() Version { return Version{9 - v.Emulation, 9 - v.Binary} }

type renewsAnyway struct{ *Election }

func (e renewsAnyway) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Preferred = model.None
	e.Election.Receive(p, net, from, m)
}

// ignores is the program in which nothing happens when a timer expires.
type ignores struct {
	*Election
	timer model.Timer
}

func (e ignores) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != e.timer {
		e.Election.Timeout(p, net, t)
	}
}
