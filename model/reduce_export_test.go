package model

import (
	"fmt"
	"reflect"

	"bullyproof/model/internal/reduce"
	"bullyproof/model/protocol"
)

// A Flaw is a condition of the reductions that a test does without.
type Flaw = reduce.Flaw

// Flaws are all of them by name.
var Flaws = map[string]Flaw{
	"commute": reduce.FlawCommute, "visible": reduce.FlawVisible, "passed": reduce.FlawPassed, "closure": reduce.FlawClosure,
	"faults": reduce.FlawFaults, "enabled": reduce.FlawEnabled, "elsewhere": reduce.FlawElsewhere,
	"past": reduce.FlawPast, "later": reduce.FlawLater, "echo": reduce.FlawEcho, "surplus": reduce.FlawSurplus, "reports": reduce.FlawReports,
	"talk": reduce.FlawTalk, "blocked": reduce.FlawBlocked, "idle": reduce.FlawIdle,
	"witness": reduce.FlawWitness, "prefix": reduce.FlawPrefix, "heard": reduce.FlawHeard, "on the way": reduce.FlawOnTheWay, "unsent": reduce.FlawUnsent, "kept": reduce.FlawKept,
	"cycle": reduce.FlawCycle, "ranks": reduce.FlawRanks, "pending": reduce.FlawPending, "loss": reduce.FlawLoss, "mail": reduce.FlawMail,
	"back": reduce.FlawBack, "again": reduce.FlawAgain, "dropped": reduce.FlawDropped,
	"twice": reduce.FlawTwice, "choice": reduce.FlawChoice, "alone": reduce.FlawAlone, "order": reduce.FlawOrder,
	"waits": reduce.FlawWaits, "expiry": reduce.FlawExpiry, "spent": reduce.FlawSpent,
	"periodic": reduce.FlawPeriodic, "beat": reduce.FlawBeat, "severed": reduce.FlawSevered, "ends": reduce.FlawEnds,
	"names": reduce.FlawNames, "divided": reduce.FlawDivided, "disks": reduce.FlawDisks, "named": reduce.FlawNamed,
}

// Forgetful returns the reduction as it is made without a memory.
func (r Reduction) Forgetful() Reduction { return r.Flawed(reduce.Forgetful) }

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
	for first := range w.N {
		text := fmt.Sprint(state[:w.ProcOff-w.SetBytes*btoi(w.PendingOff >= 0)])
		for i := range w.N {
			pos := (first + i) % w.N
			text += fmt.Sprint(" ", w.Proc(state, pos), w.Positions(state, w.PendingOff)>>pos&1)
			for area := state[w.MsgOff:]; len(area) > 0; area = area[w.Width:] {
				if int(area[0]) == pos {
					text += fmt.Sprint(" m", area[1:w.Width])
				}
			}
		}
		if least == "" || text < least {
			least = text
		}
	}
	return least
}

// Besides returns what a snapshot of a state does not say of a position: the timers as they
// are encoded, and whether it has yet to begin; and what it does not say of the messages.
func (s *System) Besides(state []byte, pos int) (of string, due []byte) {
	w := s.impl
	for area := state[w.MsgOff:]; w.DueOff >= 0 && len(area) > 0; area = area[w.Width:] {
		due = append(due, area[w.DueOff])
	}
	return fmt.Sprint(w.Proc(state, pos)[:w.POff], w.Positions(state, w.PendingOff)>>pos&1), due
}

// BeforeWrite returns what the disk of a position held before its last write, if that may
// come back.
func (s *System) BeforeWrite(state []byte, pos int) []Field {
	w := s.impl
	if w.OldOff < 0 {
		return nil
	}
	p := reflect.New(w.typeP)
	w.planP.Get(p.UnsafePointer(), w.Proc(state, pos)[w.OldOff:])
	return protocol.Fields(w.protocol, p, w.N)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
