package dijkstra

import (
	"bullyproof/checker"
	"bullyproof/model"
)

func privileges(v *model.View) (n int) {
	for id := range v.Up.All() {
		n += int(model.State[P](v, id).Privileges)
	}
	return n
}

func whole(v *model.View) bool { return v.Up.Len() == int(v.N) }

// quiet is the state between two moves of the central daemon: all copies are right.
func quiet(v *model.View) bool { return v.InFlight() == 0 && whole(v) }

// legitimate reports whether there is one privilege, or it is on its way.
func legitimate(v *model.View) bool {
	n := privileges(v)
	return n == 1 || n == 0 && v.InFlight() > 0 || !whole(v)
}

func has(v *model.View, id model.ID) bool { return v.Leaders.Has(id) || !whole(v) }

// most is how many processes a history tells apart.
const most = 8

// A history is what has happened to the central daemon's ring.
type history struct {
	Legitimate bool        // it was, between two moves
	Moves      uint8       // made before that
	Circles    uint8       // how often P1 has moved after that, up to 2
	Made       [most]uint8 // the rules by which each machine has moved since the last such move
	Unequal    bool        // one was applied twice or not at all, after the first circle
}

var past = model.NewMonitor("past", history{}, func(h *history, e *model.Event) {
	if quiet(e.From) && privileges(e.From) == 1 && !h.Legitimate {
		*h = history{Legitimate: true}
	}
	for rule := range model.Rule(4) {
		switch bit := uint8(1) << rule; {
		case !e.Ran(moves + rule):
		case !h.Legitimate:
			h.Moves = min(h.Moves+1, 200)
		default:
			late := h.Circles > 1
			if e.Process == 1 {
				h.Unequal = h.Unequal || late && !even(h.Made[:e.From.N])
				h.Made, h.Circles = [most]uint8{}, min(h.Circles+1, 2)
			} else {
				h.Unequal = h.Unequal || late && h.Made[e.Process-1]&bit != 0
				h.Made[e.Process-1] |= bit
			}
		}
	}
})

// even reports whether each normal machine has moved by the same rules, and the top machine at all.
func even(made []uint8) bool {
	for _, rules := range made[1 : len(made)-1] {
		if rules == 0 || rules != made[1] {
			return false
		}
	}
	return made[len(made)-1] != 0
}

// bound is 3N(N-1)/2-N-1, and less in small rings.
func bound(n int) int {
	switch {
	case n < 3:
		return 0
	case n == 3:
		return 3
	}
	return 3*n*(n-1)/2 - n - 1
}

// countsMoves is a property of the number of moves until the state is legitimate.
func countsMoves(name, doc string, spare int) *checker.Property {
	return checker.Always(name, doc, func(v *model.View) bool { return int(past.Of(v).Moves)+spare <= bound(int(v.N)) }).Remembering(past)
}

var (
	stabilises = checker.EventuallyAlways("stabilises",
		"From some time on there is one privilege, or it is passed on, whichever privilege is selected each time.",
		legitimate).Under(checker.NoFairness).Named("stabilises")

	stabilisesFairly = checker.EventuallyAlways("stabilises-fairly",
		"From some time on there is one privilege, or it is passed on, if each machine has its turn again and again.",
		legitimate).Named("stabilises-fairly")

	somePrivilege = checker.Always("some-privilege",
		"Between two moves there is a privilege.",
		func(v *model.View) bool { return !quiet(v) || !v.Leaders.Empty() })

	remains = checker.Always("remains-legitimate",
		"After a state with one privilege there are never two.",
		func(v *model.View) bool { return !past.Of(v).Legitimate || privileges(v) <= 1 }).Remembering(past)

	eachAgain = checker.EachAlwaysEventually("each-again",
		"Each machine has a privilege again and again, whichever is selected each time.",
		has).Under(checker.NoFairness).Named("each-again")

	eachAgainFairly = checker.EachAlwaysEventually("each-again-fairly",
		"Each machine has a privilege again and again, if each has its turn again and again.",
		has).Named("each-again-fairly")

	equalFrequency = checker.Always("equal-frequency",
		"In the long run, each other privilege is there once between two moves of P1.",
		func(v *model.View) bool { return !past.Of(v).Unequal }).Remembering(past)

	inMoves = countsMoves("moves-at-most", "At most 3N(N-1)/2-N-1 moves are made until a state is legitimate; 3 if N is 3, and 0 if it is 2.", 0)
	inFewer = countsMoves("moves-fewer", "Fewer moves are made.", 1)
)
