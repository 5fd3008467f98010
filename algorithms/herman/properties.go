package herman

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// between reports whether no process has made its step before another one: each has one bit to read.
func between(v *model.View) bool {
	var read model.Set
	for i := range v.InFlight() {
		read = read.With(v.Mailed(i).To)
	}
	return read.Len() == int(v.N)
}

// tokens returns who has one between two steps: whose bit the one before has as well.
func tokens(v *model.View) (who model.Set) {
	for link, m := range model.Mail[M](v) {
		if v.Up.Has(link.To) && m.Bit == model.State[P](v, link.To).Bit {
			who = who.With(link.To)
		}
	}
	return who
}

// oneToken reports whether one token is left.
func oneToken(v *model.View) bool { return between(v) && tokens(v).Len() == 1 }

// A history is whether one token was left before.
type history struct{ One bool }

var past = model.NewMonitor("past", history{}, func(h *history, e *model.Event) { h.One = h.One || oneToken(e.From) })

var (
	oneRemains = checker.Always("one-remains",
		"After one token there is never another number of them.",
		func(v *model.View) bool { return !past.Of(v).One || !between(v) || tokens(v).Len() == 1 }).Remembering(past)

	stabilises = checker.EventuallyAlways("stabilises",
		"From some time on there is one token.",
		func(v *model.View) bool { return !between(v) || tokens(v).Len() == 1 }).Named("stabilises")

	canStabilise = checker.CanAlwaysReach("can-stabilise",
		"Wherever a run has come to, it can still come to one token.",
		oneToken).Explained(func(*model.View) string { return "from here on no run comes to one token" })

	goesRound = checker.CanAlwaysReach("goes-round",
		"Wherever a run has come to, P1 can still have the only token.",
		func(v *model.View) bool { return oneToken(v) && tokens(v).Has(1) },
	).Explained(func(*model.View) string { return "from here on no run gives P1 the only token" })
)
