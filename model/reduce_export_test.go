package model

// A Flaw is a condition of the reductions that a test does without.
type Flaw = flaw

// Flaws are all of them by name.
var Flaws = map[string]Flaw{
	"commute": flawCommute, "visible": flawVisible, "closure": flawClosure,
	"faults": flawFaults, "enabled": flawEnabled, "elsewhere": flawElsewhere,
	"past": flawPast, "later": flawLater, "echo": flawEcho, "surplus": flawSurplus, "reports": flawReports,
	"talk": flawTalk, "blocked": flawBlocked, "idle": flawIdle,
	"witness": flawWitness, "prefix": flawPrefix, "heard": flawHeard, "kept": flawKept,
}

// Forgetful returns the reduction as it is made without a memory.
func (r Reduction) Forgetful() Reduction { return r.Flawed(forgetful) }

// Flawed returns the reduction with flaws.
func (r Reduction) Flawed(f Flaw) Reduction {
	r.flaws = f
	return r
}
