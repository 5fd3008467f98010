package viewstamped

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// The bases of views, section 8. A DoViewChange is a promise: who has sent one is not active in
// an earlier view again. While it is in flight it can still count, so that the property needs
// no memory of those that have crashed.
var (
	promise = checker.Always("promise-kept",
		"A replica whose status is normal has no DoViewChange of a later view in flight.",
		kept,
	).Given("a DoViewChange in flight", promised)

	oneByOne = checker.Always("promise-kept-by-f",
		"Where no more than f replicas were ever down or recovering at once, a replica whose status is normal has no DoViewChange of a later view in flight.",
		func(v *model.View) bool { return failures.Of(v).Many || kept(v) },
	).Given("a DoViewChange in flight", promised).Remembering(failures)

	oneActive = checker.Always("one-active-view",
		"Where f+1 live replicas have the status normal in one view, no later view has started.",
		func(v *model.View) bool {
			for leader := range v.Leaders.All() {
				if earlier(v, model.State[P](v, leader).View) > (int(v.N)-1)/2 {
					return false
				}
			}
			return true
		},
	).Given("a view that has started after the first", func(v *model.View) bool {
		for leader := range v.Leaders.All() {
			if model.State[P](v, leader).View > 1 {
				return true
			}
		}
		return false
	})

	survives = checker.Always("survives",
		"The log of a live primary has each operation that a live replica knows to be committed in an earlier view, at its place.",
		func(v *model.View) bool {
			for leader := range v.Leaders.All() {
				for id := range v.Up.All() {
					if !has(model.State[P](v, leader), model.State[P](v, id)) {
						return false
					}
				}
			}
			return true
		},
	).Given("a committed operation, and a later view", func(v *model.View) bool {
		for leader := range v.Leaders.All() {
			for id := range v.Up.All() {
				p := model.State[P](v, id)
				if p.Commit > 0 && p.Normal < model.State[P](v, leader).View {
					return true
				}
			}
		}
		return false
	})
)

// failures knows whether more than f replicas have failed at once. "A replica is considered
// failed until it has recovered its state."
var failures = model.NewMonitor("failures", failed{}, func(f *failed, e *model.Event) {
	left := 0
	for id := range e.To.Up.All() {
		if model.State[P](e.To, id).Status != Recovering {
			left++
		}
	}
	f.Many = f.Many || left <= int(e.To.N)/2
})

// failed is what failures remembers.
type failed struct{ Many bool }

// kept reports whether no live replica has left a view that it promised to be in.
func kept(v *model.View) bool {
	for link, m := range model.Mail[M](v) {
		if m.Type == DoViewChange && v.Up.Has(link.From) && isNormal(v, link.From) && m.View > model.State[P](v, link.From).View {
			return false
		}
	}
	return true
}

func promised(v *model.View) bool {
	for _, m := range model.Mail[M](v) {
		if m.Type == DoViewChange {
			return true
		}
	}
	return false
}

func isNormal(v *model.View, id model.ID) bool { return model.State[P](v, id).Status == Normal }

// earlier returns how many replicas at most are active in one view before another one.
func earlier(v *model.View, view uint8) (n int) {
	var in [most + 1]int
	for id := range v.Up.All() {
		if p := model.State[P](v, id); p.Status == Normal && p.View < view {
			in[p.View]++
			n = max(n, in[p.View])
		}
	}
	return n
}

// has reports whether the log of a primary has what another replica has committed, if that is
// of an earlier view.
func has(leader, other *P) bool {
	if other.Normal >= leader.View {
		return true
	}
	for i := range int(other.Commit) {
		if i >= leader.Log.Len() || leader.Log.At(i) != other.Log.At(i) {
			return false
		}
	}
	return true
}
