package swim

import (
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	completeness = checker.EventuallyAlways("strong-completeness",
		"From some time on every live member takes each process that is down for faulty.",
		func(v *model.View) bool {
			for id := model.ID(1); id <= v.N; id++ {
				if !v.Up.Has(id) && takenFor(v, id, Faulty) != members(v) {
					return false
				}
			}
			return true
		},
	).Explained(func(*model.View) string {
		return "again and again a live member does not take a process for faulty that is down"
	}).
		Given("a process that is down", func(v *model.View) bool { return v.Up.Len() < int(v.N) })

	accuracy = checker.Always("accuracy",
		"No live member takes a live process for faulty.",
		accurate,
	)

	eventualAccuracy = checker.EventuallyAlways("eventual-accuracy",
		"From some time on no live member takes a live process for faulty.",
		accurate,
	).Explained(func(*model.View) string { return "again and again a live member takes a live process for faulty" })

	unsuspected = checker.AlwaysEventually("unsuspected-again",
		"Again and again no live member suspects a live process.",
		func(v *model.View) bool { return !suspected(v) },
	).Explained(func(*model.View) string { return "from some time on a live process is suspected" })

	inTime = checker.Always("detected-in-time",
		"A member does not take a process for alive any more that is down for 2n-1 of its periods and the one in which it crashed, n being how many other members there are.",
		func(v *model.View) bool { return noticed(v, 2*int(v.N-1)) },
	).Given("a process that is down for so long", func(v *model.View) bool {
		for id := range v.Up.All() {
			if since := downtime.Of(v); int(since.Periods.At(id)) >= 2*int(v.N-1) {
				return true
			}
		}
		return false
	}).Remembering(downtime)

	ownNumber = checker.Always("own-incarnation",
		"No list has a higher incarnation of a live member than its own.",
		func(v *model.View) bool {
			for of := range members(v).All() {
				own := model.State[P](v, of).List.At(of).Inc
				for id := range members(v).All() {
					if list := model.State[P](v, id).List; list.At(of).Inc > own {
						return false
					}
				}
			}
			return true
		},
	)

	sameList = checker.Always("same-list",
		"All live members take the same processes for faulty.",
		alike,
	)

	sameAgain = checker.AlwaysEventually("same-list-again",
		"Again and again all live members take the same processes for faulty.",
		alike,
	).Explained(func(*model.View) string { return "from some time on the lists of live members differ" })

	onePerList = checker.Always("one-leader-where-lists-agree",
		"While all live members take the same processes for faulty, one of them leads at most.",
		func(v *model.View) bool { return v.Leaders.Len() <= 1 || !alike(v) },
	)
)

// members are the live processes that are in the group.
func members(v *model.View) (s model.Set) {
	for id := range v.Up.All() {
		if !model.State[P](v, id).Out {
			s = s.With(id)
		}
	}
	return s
}

// takenFor are the live members that take a process for something.
func takenFor(v *model.View, id model.ID, what Status) (s model.Set) {
	if id == model.None {
		return 0
	}
	for other := range members(v).Without(id).All() {
		if list := model.State[P](v, other).List; list.At(id).Status == what {
			s = s.With(other)
		}
	}
	return s
}

// accurate reports whether no live process is faulty in a live member's list.
func accurate(v *model.View) bool {
	for id := range v.Up.All() {
		if takenFor(v, id, Faulty) != 0 {
			return false
		}
	}
	return true
}

// suspected reports whether a live process is suspect in a live member's list.
func suspected(v *model.View) bool {
	for id := range v.Up.All() {
		if takenFor(v, id, Suspect) != 0 {
			return true
		}
	}
	return false
}

// alike reports whether all live members take the same processes for faulty.
func alike(v *model.View) bool {
	in := members(v)
	for id := model.ID(1); id <= v.N; id++ {
		if by := takenFor(v, id, Faulty); by != 0 && (in.Has(id) || by != in) {
			return false
		}
	}
	return true
}

// noticed reports whether no member takes the process for alive that crashed, once so many periods of
// that member have ended since.
func noticed(v *model.View, periods int) bool {
	since := downtime.Of(v)
	for id := range takenFor(v, since.Who, Alive).All() {
		if int(since.Periods.At(id)) >= periods {
			return false
		}
	}
	return true
}

// down is what downtime remembers: the process that crashed first, and how many periods of each
// member have ended since.
type down struct {
	Who     model.ID
	Periods model.ByID[uint8]
}

var downtime = model.NewMonitor("downtime", down{}, func(d *down, e *model.Event) {
	switch {
	case e.Kind.IsCrash() && d.Who == model.None:
		d.Who = e.Process
	case e.Kind == model.Expires && e.Timer == period && d.Who != model.None:
		d.Periods.Set(e.Process, min(d.Periods.At(e.Process)+1, 2*most))
	case e.Kind == model.Restarts && e.Process == d.Who:
		*d = down{}
	}
})

// detected reports whether a live member takes a process for faulty that is down.
func detected(v *model.View) bool {
	for id := model.ID(1); id <= v.N; id++ {
		if !v.Up.Has(id) && !takenFor(v, id, Faulty).Empty() {
			return true
		}
	}
	return false
}

// hasRefuted reports whether a live process has refuted something: it is in a higher incarnation than its
// first.
func hasRefuted(v *model.View) bool {
	for id := range v.Up.All() {
		if list := model.State[P](v, id).List; list.At(id).Inc > 0 {
			return true
		}
	}
	return false
}

// cleared reports whether that is so, and no live member takes a live process for faulty.
func cleared(v *model.View) bool { return hasRefuted(v) && accurate(v) }
