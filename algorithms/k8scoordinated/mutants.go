package k8scoordinated

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/clock"
)

// mutants are the first variant, or that of a rollback, with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "seizes", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in("timing=sync:1"), New: of(seizes{shipped}),
		Doc: "The controller takes each lease for one that has expired.",
	},
	{
		Name: "asks-nobody", Of: "shipped", Caught: ackedFirst.Name, Setting: in("timing=lockstep crashes=1 crashers=1,2"), New: of(asksNobody{shipped}),
		Doc: "The controller takes each candidate for one that has just renewed its LeaseCandidate.",
	},
	{
		Name: "newest", Of: "shipped", Caught: bestLeads.Name, Setting: in("timing=lockstep"), New: of(newest{shipped}),
		Doc: "Candidates say versions that are the older, the newer they are.",
	},
	{
		Name: "renews-anyway", Of: "shipped", Caught: noRenewal.Name, Setting: in("timing=sync:1"), New: of(renewsAnyway{shipped}),
		Doc: "A holder renews a lease that is marked as end of term.",
	},
	{
		Name: "never-stops", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in("timing=sync:1"), New: of(neverStops{shipped}),
		Doc: "A leader that could not renew goes on.",
	},
	{
		Name: "no-requeue", Of: "rollback", Caught: leadsAgain.Name, Setting: in("timing=lockstep crashes=1 crashers=1,2"), New: of(noRequeue{rollback}),
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
	p.trust()
	e.Election.Receive(p, net, from, m)
}

func (e asksNobody) Timeout(p *P, net *model.Net[M], t model.Timer) {
	was := p.Candidates
	p.trust()
	e.Election.Timeout(p, net, t)
	p.Candidates = was
}

// trust has all be there.
func (p *P) trust() {
	for id := range p.all().All() {
		p.Candidates[id-1].Renewed, p.Candidates[id-1].Asked = p.Clock.Now(), false
	}
}

type newest struct{ *Election }

func (e newest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Version = Version{9 - m.Version.Emulation, 9 - m.Version.Binary}
	e.Election.Receive(p, net, from, m)
}

type renewsAnyway struct{ *Election }

func (e renewsAnyway) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	m.Preferred = model.None
	e.Election.Receive(p, net, from, m)
}

type neverStops struct{ *Election }

func (e neverStops) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != deadline {
		e.Election.Timeout(p, net, t)
	}
}

type noRequeue struct{ *Election }

func (e noRequeue) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != requeue {
		e.Election.Timeout(p, net, t)
	}
}
