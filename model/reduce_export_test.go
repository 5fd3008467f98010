package model

import (
	"fmt"
)

// A Flaw is a condition of the reductions that a test does without.
type Flaw = flaw

// Flaws are all of them by name.
var Flaws = map[string]Flaw{
	"commute": flawCommute, "visible": flawVisible, "closure": flawClosure,
	"faults": flawFaults, "enabled": flawEnabled, "elsewhere": flawElsewhere,
	"past": flawPast, "later": flawLater, "echo": flawEcho, "surplus": flawSurplus, "reports": flawReports,
	"talk": flawTalk, "blocked": flawBlocked, "idle": flawIdle,
	"witness": flawWitness, "prefix": flawPrefix, "heard": flawHeard, "on the way": flawOnTheWay, "unsent": flawUnsent, "kept": flawKept,
	"cycle": flawCycle, "ranks": flawRanks, "pending": flawPending, "loss": flawLoss, "mail": flawMail,
	"back": flawBack, "again": flawAgain, "dropped": flawDropped,
}

// Forgetful returns the reduction as it is made without a memory.
func (r Reduction) Forgetful() Reduction { return r.Flawed(forgetful) }

// Flawed returns the reduction with flaws.
func (r Reduction) Flawed(f Flaw) Reduction {
	r.flaws = f
	return r
}

// Orbit returns what all rotations of a state of a ring have in common: of the texts
// that say what is at each position, beginning with each, the least.
func (s *System) Orbit(state []byte) string {
	w := s.impl
	least := ""
	for first := range w.n {
		text := fmt.Sprint(state[:w.procOff-w.setBytes*btoi(w.pendingOff >= 0)])
		for i := range w.n {
			pos := (first + i) % w.n
			text += fmt.Sprint(" ", w.proc(state, pos), w.positions(state, w.pendingOff)>>pos&1)
			for area := state[w.msgOff:]; len(area) > 0; area = area[w.width:] {
				if int(area[0]) == pos {
					text += fmt.Sprint(" m", area[1:w.width])
				}
			}
		}
		if least == "" || text < least {
			least = text
		}
	}
	return least
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
