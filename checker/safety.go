package checker

import (
	"fmt"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/trace"
)

// The standard properties of an election. A state is settled when no owed
// action is enabled in it and no live process is in an election.
var (
	// Uniqueness: no two coordinators at one instant.
	Uniqueness = Always("uniqueness",
		"There are never two live processes that both believe themselves coordinator.",
		func(v *model.View) bool { return v.Leaders.Len() <= 1 },
	).Explained(explainLeaders).Given("a live process that believes itself coordinator", someLeader).Reading(model.ReadsLeaders).Blind()

	// SettledUniqueness: no two coordinators once everything is over.
	SettledUniqueness = Always("settled-uniqueness",
		"Once settled, no two live processes each believe themselves coordinator.",
		func(v *model.View) bool { return !v.Settled || v.Leaders.Len() <= 1 },
	).Explained(explainLeaders).givenSettled("with a coordinator", someLeader).Reading(model.ReadsSettled).Blind()

	// Agreement: everybody knows, and knows the same.
	Agreement = Always("agreement",
		"Once settled, all live processes name the same coordinator, and name one.",
		func(v *model.View) bool { return !v.Settled || agreed(v) },
	).Explained(explainNames).givenSettled("with somebody up", someUp).Reading(model.ReadsSettled).Blind()

	// LiveCoordinator: nobody follows the dead.
	LiveCoordinator = Always("live-coordinator",
		"Once settled, every coordinator that a live process names is up.",
		func(v *model.View) bool { return !v.Settled || named(v)&^v.Up == 0 },
	).Explained(func(v *model.View) string {
		return explainEach(v, func(id model.ID) bool { return !v.Up.Has(id) }, "which is not up")
	}).givenSettled("in which somebody names a coordinator", someNames).Reading(model.ReadsSettled).Blind()

	// Validity: nobody follows a ghost.
	Validity = Always("validity",
		"Whoever names a coordinator names a process that exists and has come up before.",
		valid,
	).Explained(func(v *model.View) string {
		return explainEach(v, func(id model.ID) bool { return !v.Present.Has(id) }, "which is no process that is there")
	}).Given("a live process that names a coordinator", someNames).Reading(model.ReadsEachElected).Blind()

	// Extreme: the right one won.
	Extreme = Always("extreme",
		"Once settled, whoever names a coordinator names the best live process (the highest id, unless the algorithm looks for another).",
		func(v *model.View) bool { return !v.Settled || named(v).Without(v.Wanted) == 0 },
	).Explained(func(v *model.View) string {
		return explainEach(v, func(id model.ID) bool { return id != v.Wanted },
			fmt.Sprintf("although %s is up", v.Wanted.Name()))
	}).givenSettled("in which somebody names a coordinator", someNames).Reading(model.ReadsSettled)

	// Misuse is always checked, asked for or not, and reported if violated: no
	// handler panics or sends to nobody.
	Misuse = &Property{
		Name: trace.Misuse,
		Doc:  "No handler panics, sends to a process that does not exist, or asks the world for anything else that it cannot do.",
		kind: kindHandler,
	}
)

// E1 is Coulouris' safety condition. See package outcome.
var E1 = &Property{
	Name: "e1",
	Doc: "A process that names a coordinator during a run names the best live process of the next settled state, with which the " +
		"run ends.",
	kind:  kindOutcome,
	given: &occasion{what: "a settled state with somebody up", when: settledAnd(someUp)},
}

// The occasions of the standard properties.

func someLeader(v *model.View) bool { return !v.Leaders.Empty() }

func someUp(v *model.View) bool { return !v.Up.Empty() }

func someNames(v *model.View) bool {
	for t := v.Up; t != 0; t &= t - 1 {
		if v.Elected(t.Min()) != model.None {
			return true
		}
	}
	return false
}

func settledAnd(p func(v *model.View) bool) func(v *model.View) bool {
	return func(v *model.View) bool { return v.Settled && p(v) }
}

// named returns the processes that live processes name. Ids beyond the possible
// ones are left out: validity is about those.
func named(v *model.View) model.Set {
	var s model.Set
	for t := v.Up; t != 0; t &= t - 1 {
		if e := v.Elected(t.Min()); e != model.None {
			s = s.With(e)
		}
	}
	return s
}

func agreed(v *model.View) bool {
	if v.Up.Empty() {
		return true // nobody is left to disagree
	}
	first := v.Elected(v.Up.Min())
	for t := v.Up; t != 0; t &= t - 1 {
		if v.Elected(t.Min()) != first {
			return false
		}
	}
	return first != model.None
}

func valid(v *model.View) bool {
	for t := v.Up; t != 0; t &= t - 1 {
		if e := v.Elected(t.Min()); e != model.None && !v.Present.Has(e) {
			return false
		}
	}
	return true
}

// explainLeaders names those that believe themselves coordinator.
func explainLeaders(v *model.View) string { return explainSet(v.Leaders) }

func explainSet(leaders model.Set) string {
	if leaders.Len() == 2 {
		return list(leaders) + " both believe themselves coordinator"
	}
	return list(leaders) + " all believe themselves coordinator"
}

// explainNames says who names whom: "P1 follows P2; P2 and P3 name nobody".
func explainNames(v *model.View) string {
	var parts []string
	done := model.Set(0)
	for id := range v.Up.All() {
		if done.Has(id) {
			continue
		}
		var same model.Set
		for other := range v.Up.All() {
			if v.Elected(other) == v.Elected(id) {
				same = same.With(other)
			}
		}
		done |= same
		parts = append(parts, sayNames(same, v.Elected(id)))
	}
	return strings.Join(parts, "; ")
}

// sayNames says that processes name one, or nobody.
func sayNames(who model.Set, elected model.ID) string {
	if elected == model.None {
		return list(who) + verb(who, " names nobody", " name nobody")
	}
	if who.Has(elected) {
		if who.Len() == 1 {
			return fmt.Sprintf("%s believes itself coordinator", elected.Name())
		}
		rest := who.Without(elected)
		return fmt.Sprintf("%s%s %s, which believes itself coordinator", list(rest), verb(rest, " follows", " follow"), elected.Name())
	}
	return fmt.Sprintf("%s%s %s", list(who), verb(who, " follows", " follow"), elected.Name())
}

func verb(who model.Set, one, several string) string {
	if who.Len() == 1 {
		return one
	}
	return several
}

// explainEach says who names a process that is wrong, and why that is wrong.
func explainEach(v *model.View, wrong func(model.ID) bool, why string) string {
	var parts []string
	for id := range v.Up.All() {
		if e := v.Elected(id); e != model.None && wrong(e) {
			parts = append(parts, fmt.Sprintf("%s names %s, %s", id.Name(), e.Name(), why))
		}
	}
	return strings.Join(parts, "; ")
}

// list names the processes of a set: "P1, P2 and P3".
func list(s model.Set) string {
	if s.Empty() {
		return "nobody"
	}
	return prose.List(s.Names())
}
