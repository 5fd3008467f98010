package fceabr

import (
	"fmt"
	"strings"

	"bullyproof/checker"
	"bullyproof/model"
)

// Properties are what the paper promises beyond the standard properties.
var Properties = []*checker.Property{Surrogate, OneResult, NoWaiting, Undisturbed, NewcomerWaits}

// Surrogate: everybody knows who takes over when the coordinator crashes.
var Surrogate = checker.Always("surrogate",
	"Once settled, all live processes know the same surrogate, another process than the coordinator (unless one is left).",
	func(v *model.View) bool {
		if !v.Settled || v.Up.Len() < 2 {
			return true
		}
		first := v.Up.Min()
		for id := range v.Up.All() {
			if surrogate(v, id) != surrogate(v, first) {
				return false
			}
		}
		return surrogate(v, first) != model.None && surrogate(v, first) != v.Elected(first)
	},
).Reading(model.ReadsSettled).Explained(func(v *model.View) string {
	var parts []string
	for id := range v.Up.All() {
		s := "no surrogate"
		if surrogate(v, id) != model.None {
			s = "surrogate " + surrogate(v, id).Name()
		}
		parts = append(parts, fmt.Sprintf("%s knows coordinator %s and %s", id.Name(), v.Elected(id).Name(), s))
	}
	return strings.Join(parts, "; ")
})

// surrogate returns whom a live process takes for the surrogate.
func surrogate(v *model.View, id model.ID) model.ID { return model.State[P](v, id).Surrogate }

// OneResult: all announcements of an election say the same.
var OneResult = checker.Always("one-result",
	"No two live processes ever name different coordinators or know different surrogates.",
	func(v *model.View) bool {
		var coordinators, surrogates model.Set
		for id := range v.Up.All() {
			if v.Elected(id) != model.None {
				coordinators = coordinators.With(v.Elected(id))
			}
			if surrogate(v, id) != model.None {
				surrogates = surrogates.With(surrogate(v, id))
			}
		}
		return coordinators.Len() <= 1 && surrogates.Len() <= 1
	})

// NoWaiting: nobody is without a coordinator to turn to.
var NoWaiting = checker.Always("no-waiting",
	"Every live process always has a coordinator to turn to, even if that one has crashed unnoticed.",
	func(v *model.View) bool { return waiting(v).Empty() },
).Reading(model.ReadsElected).Explained(func(v *model.View) string {
	return "without a coordinator to turn to: " + strings.Join(waiting(v).Names(), ", ")
})

// waiting returns the live processes that name nobody.
func waiting(v *model.View) (set model.Set) {
	for id := range v.Up.All() {
		if v.Elected(id) == model.None {
			set = set.With(id)
		}
	}
	return set
}

// Undisturbed: who joins changes nothing.
var Undisturbed = checker.AlwaysStep("undisturbed",
	"As long as nobody crashes no process changes its coordinator or its surrogate, whoever joins.",
	func(e *model.Event) bool {
		from, to := e.From, e.To
		if to.Present != to.Up {
			return true
		}
		for id := range from.Up.All() {
			if from.Elected(id) != to.Elected(id) || surrogate(from, id) != surrogate(to, id) {
				return false
			}
		}
		return true
	})

// NewcomerWaits: who joins is not next.
var NewcomerWaits = checker.Always("newcomer-waits",
	"When the highest process joins, nobody follows it until a second process has crashed.",
	func(v *model.View) bool {
		for id := range v.Up.All() {
			if v.Elected(id) == v.N && (v.Present&^v.Up).Len() < 2 {
				return false
			}
		}
		return true
	}).Reading(model.ReadsElected)
