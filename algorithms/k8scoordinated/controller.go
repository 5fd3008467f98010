package k8scoordinated

import (
	"slices"

	"bullyproof/model"
	"bullyproof/model/clock"
)

// serve is the API server: what the store does with a request, and then the controller if its informers tell
// of a change.
func (e *Election) serve(p *P, net *model.Net[M], from model.ID, m M) {
	switch m.Type {
	case Candidate, Ack:
		e.candidacy(p, net, from, m)
	case Get:
		if m.Lost {
			p.Seen = p.Seen.Without(from)
		}
		net.Reply(M{Type: Record, Changed: !p.Seen.Has(from), Holder: p.Holder, Preferred: p.Preferred, Lasts: p.Lasts})
		p.Seen = p.Seen.With(from)
		return
	case Update:
		if !p.Seen.Has(from) {
			net.Rule(conflicts)
			net.Reply(M{Type: Updated})
			return
		}
		net.Rule(swaps)
		p.write(from, model.None, leaseDuration, m.Now)
		net.Reply(M{Type: Updated, OK: true})
	}
	e.reconcile(p, net)
}

// candidacy creates a LeaseCandidate or renews it. A program that begins under another name has another one, and
// nobody has the name that it had.
func (e *Election) candidacy(p *P, net *model.Net[M], of model.ID, m M) {
	if m.Type == Candidate {
		p.remove(of)
		for _, name := range []*model.ID{&p.Holder, &p.Preferred} {
			if *name == of {
				*name = former
			}
		}
	}
	c := &p.Candidates[of-1]
	if !c.Exists {
		p.Order[slices.Index(p.Order[:], model.None)] = of
	}
	c.Exists, c.Version, c.Renewed = true, m.Version, m.Now
	if m.Now.Before(c.Pinged) {
		net.Rule(reminds)
		net.SendTo(of, M{Type: Ping})
		return
	}
	c.Pinged, c.Asked = clock.Instant{}, false
}

// remove takes a LeaseCandidate out of the store, if it is there.
func (p *P) remove(of model.ID) {
	p.Candidates[of-1] = LeaseCandidate{}
	if at := slices.Index(p.Order[:], of); at >= 0 {
		copy(p.Order[at:], p.Order[at+1:])
		p.Order[most-1] = model.None
	}
}

// write has the store write the Lease: its version is another one then.
func (p *P) write(holder, preferred model.ID, lasts uint8, renewed clock.Instant) {
	p.Holder, p.Preferred, p.Lasts, p.Until, p.Seen = holder, preferred, lasts, renewed.Plus(int(lasts)), 0
}

// reconcile is reconcileElectionStep: one step of an election, by what the store has.
func (e *Election) reconcile(p *P, net *model.Net[M]) {
	e.expire(p)
	if e.step(p, net) && !net.IsSet(requeue) {
		net.SetTimer(requeue, requeueInterval)
	}
}

// expire forgets when the Lease expired, if it has, and LeaseCandidates that have not been renewed for too long.
func (e *Election) expire(p *P) {
	if p.expired() {
		p.Until = clock.Instant{}
	}
	for i := range p.Candidates {
		if e.Renewals && p.Clock.Since(p.Candidates[i].Renewed) > validDuration {
			p.remove(model.ID(i + 1))
		}
	}
}

// step reports whether the controller looks again in a while, whatever its informers tell.
func (e *Election) step(p *P, net *model.Net[M]) bool {
	if !e.needed(p) {
		net.Rule(optimal)
		return true
	}
	if !e.answered(p, net) {
		return true
	}
	acked := p.acked()
	if acked.Empty() {
		net.Rule(nobody)
		return false
	}
	e.elect(p, net, p.best(acked))
	return true
}

// needed is electionNeeded.
func (e *Election) needed(p *P) bool {
	return p.expired() || p.best(p.all()) != p.Holder
}

// answered sets PingTime of those that have renewed nothing for a while, and reports whether there is nobody
// to wait for.
func (e *Election) answered(p *P, net *model.Net[M]) bool {
	over := true
	for id := range p.all().All() {
		switch c := &p.Candidates[id-1]; {
		case p.recent(c.Pinged):
			net.Rule(waits)
			over = false
		case !c.Asked && !p.recent(c.Renewed):
			net.Rule(pings)
			c.Pinged, c.Asked, over = p.Clock.Now(), true, false
			net.SendTo(id, M{Type: Ping})
		}
	}
	return over
}

// elect has the one elected hold the Lease, or be its PreferredHolder.
func (e *Election) elect(p *P, net *model.Net[M], who model.ID) {
	switch {
	case p.Holder == model.None:
		net.Rule(creates)
		p.write(who, model.None, electedFor, p.Clock.Now())
	case p.expired() && p.Holder != who:
		net.Rule(takes)
		p.write(who, model.None, electedFor, p.Clock.Now())
	case p.Holder != who:
		net.Rule(prefers)
		p.prefer(who)
	case e.RenewsAnew:
		net.Rule(renewsAnew)
		p.write(who, model.None, electedFor, p.Clock.Now())
	case e.Clears && !p.all().Has(p.Preferred):
		net.Rule(clears)
		p.prefer(model.None)
	default:
		net.Rule(unchanged)
	}
}

// prefer writes the PreferredHolder, if it is another one.
func (p *P) prefer(who model.ID) {
	if p.Preferred != who {
		p.Preferred, p.Seen = who, 0
	}
}

// expired is isLeaseExpired, and of a candidate hasExpired.
func (p *P) expired() bool { return p.Until.Before(p.Clock.Now()) }

// recent reports whether an instant was within the electionDuration.
func (p *P) recent(i clock.Instant) bool { return p.Clock.Since(i) < electionDuration }

// all are those with a LeaseCandidate, and acked those that have renewed it within the electionDuration.
func (p *P) all() (s model.Set) {
	for i, c := range p.Candidates {
		if c.Exists {
			s = s.With(model.ID(i + 1))
		}
	}
	return s
}

func (p *P) acked() (s model.Set) {
	for id := range p.all().All() {
		if p.recent(p.Candidates[id-1].Renewed) {
			s = s.With(id)
		}
	}
	return s
}

// best is pickBestLeaderOldestEmulationVersion.
func (p *P) best(of model.Set) (best model.ID) {
	for _, id := range p.Order { // the oldest first
		if of.Has(id) && (best == model.None || p.Candidates[id-1].Version.older(p.Candidates[best-1].Version)) {
			best = id
		}
	}
	return best
}

// older is compare.
func (v Version) older(w Version) bool {
	return v.Emulation < w.Emulation || v.Emulation == w.Emulation && v.Binary < w.Binary
}
