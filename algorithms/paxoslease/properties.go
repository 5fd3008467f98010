package paxoslease

import (
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again a proposer leads, while one is live and reaches a majority.",
		leadsOrCannot,
	).Explained(func(*model.View) string { return "from some time on no proposer leads" })

	canLead = checker.CanAlwaysReach("can-lead",
		"It is always possible that a proposer leads, while one is live and reaches a majority.",
		leadsOrCannot)

	kept = checker.Always("no-majority-overwritten",
		"While a proposer leads, no majority has accepted another one's proposal since.",
		func(v *model.View) bool {
			for leader := range v.Leaders.All() {
				n := 0
				for id := range v.Up.All() {
					if by := model.State[P](v, id).Accepted.Proposer; by != model.None && by != leader {
						n++
					}
				}
				if n > int(v.N)/2 {
					return false
				}
			}
			return true
		},
	).Given("a proposer that leads", led)

	// The bases of the circle of run counters.
	window = checker.Always("one-half",
		"The run counters of promises, attempts and messages lie in one half of the circle.",
		func(v *model.View) bool {
			var runs [circle]bool
			note := func(b Ballot) { runs[b.Run] = runs[b.Run] || b.Proposer != model.None }
			for id := range v.Up.All() {
				p := model.State[P](v, id)
				note(p.Promised)
				note(p.Ballot)
			}
			for _, m := range model.Mail[M](v) {
				note(m.Ballot)
			}
			return inHalf(runs)
		})
)

// inHalf reports whether numbers of the circle lie in one half of it.
func inHalf(runs [circle]bool) bool {
	for first := range runs {
		out := false
		for i := circle / 2; i < circle; i++ {
			out = out || runs[(first+i)%circle]
		}
		if !out {
			return true
		}
	}
	return false
}

func led(v *model.View) bool { return !v.Leaders.Empty() }

// reaches reports whether a proposer is live and reaches a majority, whose nodes are live as well.
func reaches(v *model.View, proposer model.ID) bool {
	return v.Up.Has(proposer) && model.State[P](v, proposer).Wishes && v.Reached(proposer, v.Up).Len() > int(v.N)/2
}

func leadsOrCannot(v *model.View) bool {
	for id := range v.Up.All() {
		if reaches(v, id) {
			return led(v)
		}
	}
	return true
}

var (
	inTime = checker.Always("one-in-time",
		"Of the proposers that have not paused since their timers began, two never lead at one instant.",
		func(v *model.View) bool { return (v.Leaders &^ pauses.Of(v).Late).Len() <= 1 },
	).Remembering(pauses).Given("a proposer that leads", led)

	fresh = checker.AlwaysStep("ballots-differ",
		"No two attempts have one ballot number.",
		func(e *model.Event) bool {
			before := made.Of(e.From)
			return !begins(e, func(b Ballot) bool { return before.Used.At(b.Proposer)>>b.bit()&1 != 0 })
		},
	).Remembering(made)

	rising = checker.AlwaysStep("ballots-rise",
		"The ballot number of an attempt is higher than the one of the proposer's attempt before.",
		func(e *model.Event) bool {
			before := made.Of(e.From)
			return !begins(e, func(b Ballot) bool { return !before.Last.At(b.Proposer).less(b) })
		},
	).Remembering(made)

	steady = checker.AlwaysStep("steady",
		"A proposer that leads goes on to lead.",
		func(e *model.Event) bool { return e.From.Leaders&e.To.Up&^e.To.Leaders == 0 },
	).Given("a proposer that leads", led)
)

// paused is what pauses remembers: the proposers that have paused since their timers began.
type paused struct{ Late model.Set }

var pauses = model.NewMonitor("pauses", paused{}, func(s *paused, e *model.Event) {
	for id := range model.Upto(e.To.N).All() {
		switch {
		case !e.To.Up.Has(id) || !late(model.State[P](e.To, id)):
			s.Late = s.Late.Without(id)
		case e.To.Paused.Has(id):
			s.Late = s.Late.With(id)
		}
	}
})

// late reports whether a pause now makes a proposer late: its timer has started by any rule.
func late(p *P) bool { return p.Phase == Proposing || p.Held != Ballot{} }

// ballots is what made remembers: the last ballot number of each proposer, and all of them as bits.
type ballots struct {
	Last model.ByID[Ballot]
	Used model.ByID[uint16]
}

var made = model.NewMonitor("made", ballots{}, func(s *ballots, e *model.Event) {
	begins(e, func(b Ballot) bool {
		s.Last.Set(b.Proposer, b)
		s.Used.Set(b.Proposer, s.Used.At(b.Proposer)|1<<b.bit())
		return false
	})
})

// bit is the place of a ballot number among those of one proposer.
func (b Ballot) bit() uint8 { return (b.Restart%2)*circle + b.Run%circle }

// begins reports whether something holds of the ballot number of an attempt that a step begins.
func begins(e *model.Event, holds func(Ballot) bool) bool {
	for id := range e.To.Up.All() {
		b := model.State[P](e.To, id).Ballot
		if b == (Ballot{}) || e.From.Up.Has(id) && model.State[P](e.From, id).Ballot == b {
			continue
		}
		if holds(b) {
			return true
		}
	}
	return false
}
