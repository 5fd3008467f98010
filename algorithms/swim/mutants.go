package swim

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are variants with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "no-ping-req", Of: "basic", Caught: accuracy.Name, Setting: in("losses=1"),
		Doc: "Nobody is asked for an indirect ping.",
		New: of(noPingReq{basic}),
	},
	{
		Name: "same-incarnation", Of: "memberlist", Caught: accuracy.Name, Setting: in("losses=2"),
		Doc: "A member that is suspected does not raise its incarnation.",
		New: of(sameIncarnation{revives}),
	},
	{
		Name: "no-timer", Of: "memberlist", Caught: completeness.Name, Setting: in("crashes=2"),
		Doc: "A member that hears of a suspicion from another one sets no timer for it.",
		New: of(noTimer{revives}),
	},
	{
		Name: "stale-clears", Of: "memberlist", Caught: completeness.Name, Setting: in("crashes=2"),
		Doc: "Old news that a member is alive ends the timer of its suspicion, and not the suspicion. (Commit b63166c of memberlist corrects that.)",
		New: of(staleClears{revives}),
	},
	{
		Name: "faulty-always", Of: "memberlist", Caught: eventualAccuracy.Name, Setting: in("crashes=1 restarts=1"),
		Doc: "News that a member is faulty overrides news of a higher incarnation, but the member does not drop out.",
		New: of(faultyAlways{revives}),
	},
	{
		Name: "hasty", Of: "memberlist", Caught: accuracy.Name, Setting: in("losses=2"),
		Doc: "A suspicion ends after a tick.",
		New: of(hasty{revives}),
	},
	{
		Name: "suspects-do-not-lead", Of: "memberlist", Caught: checker.Uniqueness.Name, Setting: in("losses=2"),
		Doc: "The oldest member leads that is not suspected.",
		New: of(suspectsDoNotLead{revives}),
	},
	{
		Name: "any-target", Of: "shuffled", Caught: inTime.Name, Setting: in("crashes=1"),
		Doc: "A member pings any other one in each period.",
		New: of(anyTarget{shuffled}),
	},
	{
		Name: "raises", Of: "suspicion", Caught: ownNumber.Name, Setting: in("losses=2"),
		Doc: "A member that suspects another one raises its incarnation.",
		New: of(raises{suspecting}),
	},
	{
		Name: "no-end", Of: "memberlist", Caught: completeness.Name, Setting: in("crashes=1"),
		Doc: "A suspicion has no end.",
		New: of(noEnd{revives}),
	},
	{
		Name: "unheard", Of: "memberlist", Caught: unsuspected.Name, Setting: in("losses=2"),
		Doc: "A member that is suspected does not raise its incarnation, and a suspicion has no end.",
		New: of(unheard{revives}),
	},
	{
		Name: "unnoticed", Of: "bully", Caught: checker.ReElection.Name, Setting: settled("crashes=1"),
		Doc: "A member does not look whether the member that is faulty was its leader.",
		New: of(unnoticed{bully}),
	},
	{
		Name: "silent", Of: "bully", Caught: checker.OneLeaderAgain.Name, Setting: settled("n=2 cuts=1 heals=owed"),
		Doc: "A leader that sees a higher member again begins no election.",
		New: of(silent{bully}),
	},
}

type noPingReq struct{ *Swim }

func (s noPingReq) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != timeout {
		s.Swim.Timeout(p, net, t)
	}
}

type sameIncarnation struct{ *Swim }

func (s sameIncarnation) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	s.Swim.Receive(p, net, from, unaccused(p, net, m))
}

// unaccused is a message without the news that its receiver is suspected.
func unaccused(p *P, net *model.Net[M], m M) M {
	if own := p.List.At(net.Self()); m.List.At(net.Self()).Inc == own.Inc {
		m.List.Set(net.Self(), own)
	}
	return m
}

type noTimer struct{ *Swim }

func (s noTimer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.List
	s.Swim.Receive(p, net, from, m)
	for id := range marked(p, net, &before).All() {
		net.StopTimer(suspicionOf(id))
	}
}

// marked are the members that are suspected, and were not before or in another incarnation.
func marked(p *P, net *model.Net[M], before *List) (set model.Set) {
	for id := range net.Peers().All() {
		if now := p.List.At(id); now.Status == Suspect && now != before.At(id) {
			set = set.With(id)
		}
	}
	return set
}

type staleClears struct{ *Swim }

func (s staleClears) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	for id := range net.Peers().All() {
		if m.Type < Election && m.List.At(id).Status == Alive && p.List.At(id).Status == Suspect {
			net.StopTimer(suspicionOf(id))
		}
	}
	s.Swim.Receive(p, net, from, m)
}

type faultyAlways struct{ *Swim }

func (s faultyAlways) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	for id := range net.Peers().All() {
		if news := m.List.At(id); news.Status == Faulty && p.List.At(id).Status != Faulty {
			s.set(p, net, id, news)
		}
	}
	s.Swim.Receive(p, net, from, m)
}

type hasty struct{ *Swim }

func (s hasty) Timeout(p *P, net *model.Net[M], t model.Timer) {
	before := p.List
	s.Swim.Timeout(p, net, t)
	hurry(p, net, &before)
}

func (s hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.List
	s.Swim.Receive(p, net, from, m)
	hurry(p, net, &before)
}

func hurry(p *P, net *model.Net[M], before *List) {
	for id := range marked(p, net, before).All() {
		net.SetTimer(suspicionOf(id), 1)
	}
}

type suspectsDoNotLead struct{ *Swim }

func (s suspectsDoNotLead) Belief(p *P) model.Belief {
	q := *p
	for id := model.ID(1); id <= most; id++ {
		if e := q.List.At(id); e.Status == Suspect {
			q.List.Set(id, Member{Faulty, e.Inc})
		}
	}
	return s.Swim.Belief(&q)
}

type anyTarget struct{ *Swim }

func (s anyTarget) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == period {
		p.Todo = 0 // a round of its own
	}
	s.Swim.Timeout(p, net, t)
}

type raises struct{ *Swim }

func (s raises) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != period {
		s.Swim.Timeout(p, net, t)
		return
	}
	before := p.List
	s.end(p, net)
	for id := range marked(p, net, &before).All() {
		p.List.Set(id, Member{Suspect, p.List.At(id).Inc + 1})
	}
	s.probe(p, net)
}

type noEnd struct{ *Swim }

func (s noEnd) Timeout(p *P, net *model.Net[M], t model.Timer) {
	before := p.List
	s.Swim.Timeout(p, net, t)
	for id := range marked(p, net, &before).All() {
		net.StopTimer(suspicionOf(id))
	}
}

func (s noEnd) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	noTimer(s).Receive(p, net, from, m)
}

type unheard struct{ *Swim }

func (s unheard) Timeout(p *P, net *model.Net[M], t model.Timer) { noEnd(s).Timeout(p, net, t) }

func (s unheard) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	noEnd(s).Receive(p, net, from, unaccused(p, net, m))
}

// Neither of the next two knows its leader while it takes news. (A member that joins has none.)

type unnoticed struct{ *Swim }

func (s unnoticed) Timeout(p *P, net *model.Net[M], t model.Timer) {
	leader := p.Leader
	if t == answer || t == announcing || leader == model.None {
		s.Swim.Timeout(p, net, t)
		return
	}
	p.Leader = model.None
	s.Swim.Timeout(p, net, t)
	p.Leader = leader
}

func (s unnoticed) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	leader := p.Leader
	if m.Type >= Election || leader == model.None || leader == net.Self() {
		s.Swim.Receive(p, net, from, m)
		return
	}
	p.Leader = model.None
	s.Swim.Receive(p, net, from, m)
	p.Leader = leader
}

type silent struct{ *Swim }

func (s silent) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type >= Election || p.Leader != net.Self() {
		s.Swim.Receive(p, net, from, m)
		return
	}
	p.Leader = model.None
	s.Swim.Receive(p, net, from, m)
	p.Leader = net.Self()
}
