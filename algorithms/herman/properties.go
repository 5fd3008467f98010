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

// tokens returns how many there are between two steps.
func tokens(v *model.View) (n int) {
	for link, m := range model.Mail[M](v) {
		if isToken(v, link, m) {
			n++
		}
	}
	return n
}

// isToken reports whether the receiver of a bit has it as well.
func isToken(v *model.View, link model.Link, m M) bool {
	return v.Up.Has(link.To) && m.Bit == model.State[P](v, link.To).Bit
}

// oneToken reports whether one token is left.
func oneToken(v *model.View) bool { return between(v) && tokens(v) == 1 }

// A history is whether one token was left before.
type history struct{ One bool }

var past = model.NewMonitor("past", history{}, func(h *history, e *model.Event) { h.One = h.One || oneToken(e.From) })

var (
	oneRemains = checker.Always("one-remains",
		"After one token there is never another number of them.",
		func(v *model.View) bool { return !past.Of(v).One || !between(v) || tokens(v) == 1 }).Remembering(past)

	stabilises = checker.EventuallyAlways("stabilises",
		"From some time on there is one token.",
		func(v *model.View) bool { return !between(v) || tokens(v) == 1 }).Named("stabilises")

	canStabilise = checker.CanAlwaysReach("can-stabilise",
		"Wherever a run has come to, it can still come to one token.",
		oneToken).Explained(func(*model.View) string { return "from here on no run comes to one token" })

	goesRound = checker.CanAlwaysReach("goes-round",
		"Wherever a run has come to, P1 can still have the only token.",
		func(v *model.View) bool { return oneToken(v) && tokenOf(v) == 1 },
	).Explained(func(*model.View) string { return "from here on no run gives P1 the only token" })
)

// tokenOf returns the first process that has a token between two steps.
func tokenOf(v *model.View) model.ID {
	for link, m := range model.Mail[M](v) {
		if isToken(v, link, m) {
			return link.To
		}
	}
	return model.None
}
