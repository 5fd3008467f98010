package redlock

import (
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again a client leads, while a live client reaches a majority of the instances.",
		leadsOrCannot,
	).Explained(func(*model.View) string { return "from some time on no client leads" })

	canLead = checker.CanAlwaysReach("can-lead",
		"It is always possible that a client leads, while a live client reaches a majority of the instances.",
		leadsOrCannot)

	turns = checker.CanAlwaysReach("first-can-lead",
		"It is always possible that P1 leads, while it is live and reaches a majority of the instances.",
		func(v *model.View) bool { return v.Leaders.Has(1) || !reaches(v, 1) })

	inTime = checker.Always("one-in-time",
		"Of the clients that have not paused since step 3, two never lead at one instant.",
		func(v *model.View) bool { return (v.Leaders &^ pauses.Of(v).Late).Len() <= 1 },
	).Remembering(pauses).Given("a live client that leads", led)

	// M. Kleppmann's expectation of a pause in step 2.
	pausedLeads = checker.AlwaysStep("paused-in-flight-leads",
		"A client that pauses while answers are in flight, until the other leads, leads when it has the answers of a majority.",
		func(e *model.Event) bool {
			for client := range pauses.Of(e.From).Overtaken.All() {
				if e.To.Up.Has(client) && phaseOf(e.From, client) == Checks && phaseOf(e.To, client) == Idle {
					return e.To.Leaders.Empty()
				}
			}
			return true
		},
	).Remembering(pauses).Given("a client that pauses in step 2 until the other leads", func(v *model.View) bool {
		return !pauses.Of(v).Overtaken.Empty()
	})

	keysLive = checker.Always("keys-live",
		"While a client leads that has not paused since step 3, its key is in a majority of the instances.",
		func(v *model.View) bool {
			for leader := range (v.Leaders &^ pauses.Of(v).Late).All() {
				if !holds(v, leader) {
					return false
				}
			}
			return true
		},
	).Remembering(pauses).Given("a live client that leads", led)

	rising = checker.AlwaysStep("tokens-rise",
		"A client that has not paused since step 3 begins to lead with a higher token than each before.",
		func(e *model.Event) bool {
			late, before := pauses.Of(e.To).Late, tokens.Of(e.From).Highest
			for leader := range (e.To.Leaders &^ e.From.Leaders &^ late).All() {
				if model.State[P](e.To, leader).Token <= before {
					return false
				}
			}
			return true
		},
	).Remembering(pauses).Remembering(tokens).Given("a client that has led", func(v *model.View) bool { return tokens.Of(v).Highest > 0 })
)

// paused is what pauses remembers: the clients that have paused since step 3, and those that
// have paused in step 2 while the other led.
type paused struct{ Late, Overtaken model.Set }

var pauses = model.NewMonitor("pauses", paused{}, func(s *paused, e *model.Event) {
	for client := range clients(e.To.N).All() {
		switch phase := phaseOf(e.To, client); {
		case phase == Idle || phase == Leads:
			s.Overtaken = s.Overtaken.Without(client)
		case phase == Asks && e.To.Paused.Has(client) && led(e.To):
			s.Overtaken = s.Overtaken.With(client)
		}
		switch {
		case phaseOf(e.To, client) < Checks:
			s.Late = s.Late.Without(client)
		case e.To.Paused.Has(client):
			s.Late = s.Late.With(client)
		}
	}
})

// phaseOf returns what a client does, Idle where it is down.
func phaseOf(v *model.View, client model.ID) Phase {
	if !v.Up.Has(client) {
		return Idle
	}
	return model.State[P](v, client).Phase
}

// highest is what tokens remembers: the highest token with which a client has begun to lead.
type highest struct{ Highest uint8 }

var tokens = model.NewMonitor("tokens", highest{}, func(s *highest, e *model.Event) {
	for leader := range (e.To.Leaders &^ e.From.Leaders).All() {
		s.Highest = max(s.Highest, model.State[P](e.To, leader).Token)
	}
})

func led(v *model.View) bool { return !v.Leaders.Empty() }

// holds reports whether a majority of the instances has the key of a client's attempt.
func holds(v *model.View, client model.ID) bool {
	n, value := 0, Value{client, model.State[P](v, client).Attempt}
	for i := range (v.Up &^ clients(v.N)).All() {
		if model.State[P](v, i).Key == value {
			n++
		}
	}
	return n > (int(v.N)-clients(v.N).Len())/2
}

// reaches reports whether a client is live and reaches a majority of the instances, which are live
// as well.
func reaches(v *model.View, client model.ID) bool {
	all := clients(v.N)
	return v.Up.Has(client) && v.Reached(client, v.Up&^all).Len() > (int(v.N)-all.Len())/2
}

func leadsOrCannot(v *model.View) bool {
	return led(v) || !reaches(v, 1) && !reaches(v, 2)
}
