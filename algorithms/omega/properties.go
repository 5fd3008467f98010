package omega

import (
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	accuracy = checker.EventuallyAlways("eventual-accuracy",
		"From some time on every live process trusts a live process.",
		func(v *model.View) bool { return trusted(v)&^v.Up == 0 && allTrust(v) },
	).Explained(func(*model.View) string { return "again and again a live process trusts nobody, or one that is down" })

	agreement = checker.EventuallyAlways("eventual-agreement",
		"From some time on no two live processes trust different processes.",
		func(v *model.View) bool { return trusted(v).Len() <= 1 },
	).Explained(func(*model.View) string { return "again and again two live processes trust different ones" })

	onlyLeader = checker.EventuallyAlways("only-leader-sends",
		"From some time on only one process has messages in flight, and all live processes trust it.",
		func(v *model.View) bool {
			for link := range model.Mail[M](v) {
				if trusted(v) != model.SetOf(link.From) {
					return false
				}
			}
			return true
		},
	).Explained(func(*model.View) string { return "again and again somebody else sends" })

	stays = checker.Always("elected-stays",
		"A process that all live processes have trusted leads until it crashes, while its links have never failed.",
		func(v *model.View) bool { return elected.Of(v).Leaders&v.Up&^v.Leaders == 0 },
	).Given("a process that all live processes trust", func(v *model.View) bool { return !elected.Of(v).Leaders.Empty() }).
		Remembering(elected)

	leaderStays = checker.AlwaysStep("leader-stays",
		"A process that takes itself for the leader leads until it crashes, while its links have never failed.",
		func(e *model.Event) bool {
			return (e.From.Leaders&e.To.Up&^e.To.Leaders)&^elected.Of(e.To).Failed == 0
		},
	).GivenStep("a live process that takes itself for the leader", func(e *model.Event) bool { return !e.From.Leaders.Empty() }).
		Remembering(elected)
)

// trusted returns whom live processes trust.
func trusted(v *model.View) (s model.Set) {
	for id := range v.Up.All() {
		if leader := v.Elected(id); leader != model.None {
			s = s.With(leader)
		}
	}
	return s
}

func allTrust(v *model.View) bool {
	for id := range v.Up.All() {
		if v.Elected(id) == model.None {
			return false
		}
	}
	return true
}

// memory is what elected remembers: those that all live processes have trusted at one time, without
// those whose links have failed. It forgets what it knows of a process that crashes.
type memory struct{ Leaders, Failed model.Set }

var elected = model.NewMonitor("elected", memory{}, func(s *memory, e *model.Event) {
	s.Failed = s.Failed&e.To.Up | failing(e)
	if t := trusted(e.To); t.Len() == 1 && allTrust(e.To) {
		s.Leaders |= t
	}
	s.Leaders &= e.To.Up &^ s.Failed
})

// failing returns the processes whose links do not work in a step.
func failing(e *model.Event) (s model.Set) {
	if e.Kind == model.Loses {
		s = model.SetOf(e.Process, e.Port.ID())
	}
	for a := range e.To.Up.All() {
		for b := range e.To.Up.All() {
			if e.To.Severed(a, b) {
				s = s.With(a).With(b)
			}
		}
	}
	return s | e.To.Paused
}

// fewest is what lower epochs are for.
var fewest = checker.EventuallyAlways("fewest-returns",
	"From some time on no process is trusted that has come back, while one is live that never crashed.",
	func(v *model.View) bool {
		back := returned.Of(v).Back
		return v.Up&^back == 0 || trusted(v)&back == 0
	},
).Explained(func(*model.View) string {
	return "one is trusted that has come back, and one is live that never crashed"
}).
	Remembering(returned).Given("a process that has come back", func(v *model.View) bool { return returned.Of(v).Back != 0 })

// comers is what returned remembers: those that have come back after a crash.
type comers struct{ Back model.Set }

var returned = model.NewMonitor("returned", comers{}, func(s *comers, e *model.Event) {
	if e.Kind == model.Restarts {
		s.Back = s.Back.With(e.Process)
	}
})
