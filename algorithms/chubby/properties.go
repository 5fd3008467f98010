package chubby

import (
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
)

var (
	// leadsAgain is 2.6: of all that attempt to acquire the lock, "one succeeds and becomes the primary".
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again a live client leads, while the cell is up.",
		func(v *model.View) bool {
			return !v.Leaders.Empty() || v.Up.Without(v.N).Empty() || !v.Up.Has(v.N)
		},
	).Explained(func(*model.View) string { return "from some time on no live client leads" })

	// leaseOutlasts is what the local lease is for: the one of the master is longer.
	leaseOutlasts = checker.Always("lease-outlasts",
		"While a client's local lease runs, its session is in the database.",
		func(v *model.View) bool { return astray(v) == model.None },
	).Explained(func(v *model.View) string {
		return fmt.Sprintf("the local lease of %s runs, and its session is over", astray(v).Name())
	}).Given("a client with a session", func(v *model.View) bool {
		for id := model.ID(1); id < v.N; id++ {
			if p := model.State[P](v, id); p != nil && p.Phase == Safe {
				return true
			}
		}
		return false
	})

	doubtEnds = checker.EachLeadsTo("doubt-ends",
		"A session in jeopardy is safe again or expires.",
		inJeopardy,
		func(v *model.View, id model.ID) bool { return !inJeopardy(v, id) },
	).ExplainedEach(func(_ *model.View, id model.ID) string {
		return fmt.Sprintf("the session of %s is in jeopardy for good", id.Name())
	})

	// ridesOut is what the grace period is for.
	ridesOut = checker.AlwaysStep("rides-out",
		"No client gives up its session, if the cell was down for a tick more than a lease at most.",
		func(e *model.Event) bool {
			return outage.Of(e.From) > leaseTicks+1 || !some(e, func(from, to *P) bool { return from.Odd != to.Odd })
		},
	).Remembering(outage)

	// quick is an election of a new master that clients do not notice.
	quick = checker.AlwaysStep("no-jeopardy",
		"No session is in jeopardy, if the cell was down for two ticks at most.",
		func(e *model.Event) bool {
			return outage.Of(e.From) > 2 || !some(e, func(_, to *P) bool { return to.Phase == Jeopardy })
		},
	).Remembering(outage)

	// kept is the lock-delay.
	kept = checker.AlwaysStep("lock-delay",
		"Nobody acquires a lock within the lock-delay after its holder has failed.",
		func(e *model.Event) bool {
			was := freed.Of(e.From)
			return !acquired(e) || !was.Failed || was.Ticks >= lockDelay
		},
	).Remembering(freed)

	atOnce = checker.AlwaysStep("at-once",
		"A client that tries to acquire a lock that was released gets it, unless a fail-over is under way.",
		func(e *model.Event) bool {
			m, ok := model.Received[M](e)
			if !ok || e.Process != e.From.N || m.Type != TryAcquire {
				return true
			}
			p, client := model.State[P](e.From, e.From.N), e.Port.ID()
			if !p.Sessions[client-1].Open || p.Sessions[client-1].Odd != m.Odd || m.Epoch != p.Epoch || news(p) || !freed.Of(e.From).Released {
				return true
			}
			return p.Holder != model.None || model.State[P](e.To, e.To.N).Holder == client
		},
	).Remembering(freed)

	rising = checker.AlwaysStep("generation-rises",
		"The lock generation rises whenever the lock goes from free to held.",
		func(e *model.Event) bool {
			return !acquired(e) || model.State[P](e.To, e.To.N).Generation > model.State[P](e.From, e.From.N).Generation
		},
	)

	fenced = checker.AlwaysStep("fenced",
		"A server never serves a request with an older sequencer than it has served before.",
		func(e *model.Event) bool {
			from, to := model.State[P](e.From, e.From.N), model.State[P](e.To, e.To.N)
			return from == nil || to == nil || to.Observed >= from.Observed
		},
	)

	// oldCalls is what the epoch is for.
	oldCalls = checker.AlwaysStep("no-old-calls",
		"A master answers no call to a master before it, and rejects it.",
		func(e *model.Event) bool {
			m, ok := model.Received[M](e)
			if !ok || e.Process != e.From.N || m.Type == Request || m.Epoch == model.State[P](e.From, e.From.N).Epoch {
				return true
			}
			for _, answer := range model.Sends[M](e) {
				if answer.Type != WrongEpoch {
					return false
				}
			}
			return true
		},
	)

	acknowledged = checker.AlwaysStep("acknowledged",
		"Nobody acquires the lock before all open sessions have acknowledged the last fail-over.",
		func(e *model.Event) bool { return !acquired(e) || !news(model.State[P](e.From, e.From.N)) },
	)
)

// acquired reports whether a step gives the lock to a client.
func acquired(e *model.Event) bool {
	from, to := model.State[P](e.From, e.From.N), model.State[P](e.To, e.To.N)
	return from != nil && to != nil && from.Holder == model.None && to.Holder != model.None
}

// some reports whether a step is of a client that was up and is, and does what is asked.
func some(e *model.Event, does func(from, to *P) bool) bool {
	for id := model.ID(1); id < e.From.N; id++ {
		from, to := model.State[P](e.From, id), model.State[P](e.To, id)
		if from != nil && to != nil && does(from, to) {
			return true
		}
	}
	return false
}

// news reports whether a session has yet to acknowledge a fail-over.
func news(p *P) bool {
	for _, s := range p.Sessions {
		if s.News != Known {
			return true
		}
	}
	return false
}

// astray is a client whose local lease runs and whose session is over.
func astray(v *model.View) model.ID {
	db := model.State[P](v, v.N)
	for id := model.ID(1); id < v.N; id++ {
		p := model.State[P](v, id)
		if db != nil && p != nil && p.Phase == Safe && (!db.Sessions[id-1].Open || db.Sessions[id-1].Odd != p.Odd) {
			return id
		}
	}
	return model.None
}

func inJeopardy(v *model.View, id model.ID) bool {
	p := model.State[P](v, id)
	return p != nil && p.Phase == Jeopardy
}

// lock is what freed remembers of the lock: who holds it or whether the last holder failed or released
// it, and how many ticks ago it failed, up to the lock-delay.
type lock struct {
	Holder           model.ID
	Failed, Released bool
	Ticks            uint8
}

var freed = model.NewMonitor("freed", lock{}, func(l *lock, e *model.Event) {
	p := model.State[P](e.To, e.To.N)
	switch {
	case e.Kind == model.Ticks && l.Failed:
		l.Ticks = min(l.Ticks+1, lockDelay)
	case p != nil && p.Holder != model.None:
		*l = lock{Holder: p.Holder}
	case p != nil && l.Holder != model.None:
		m, ok := model.Received[M](e)
		l.Released = ok && m.Type == Release
		*l = lock{Failed: !l.Released, Released: l.Released}
	}
	if l.Ticks == lockDelay {
		*l = lock{}
	}
})

// outage is for how many ticks the cell was down, up to two more than a lease.
var outage = model.NewMonitor("outage", uint8(0), func(ticks *uint8, e *model.Event) {
	if e.Kind == model.Ticks && !e.From.Up.Has(e.From.N) {
		*ticks = min(*ticks+1, leaseTicks+2)
	}
})
