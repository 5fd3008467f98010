package layout

import (
	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// A Clock says what the timers of a setting are.
type Clock struct {
	// Ranked: they expire as a last resort, one after the other.
	Ranked bool
	// Timed: they expire after so many ticks.
	Timed bool
	// Drift is up to how many percent a clock is too fast or too slow.
	Drift int
}

// ClockOf returns the clock of a setting.
func ClockOf(s *setting.Setting) Clock {
	return Clock{Ranked: s.Timing.Kind == setting.LastResort, Timed: s.Timing.Kind.Discrete(), Drift: s.Drift}
}

// ClearTimer makes a timer of a position no longer set.
func (l *Layout) ClearTimer(next []byte, pos, t int) {
	at := l.TimersOf(next, pos)[t*l.TimerLen:]
	if l.Ranked && at[0] != 0 {
		l.leaveRank(next, at[0], at[1])
	}
	clear(at[:l.TimerLen])
}

// leaveRank has the timers of a duration that were set after a rank move up.
func (l *Layout) leaveRank(next []byte, duration, rank uint8) {
	for pos := range l.N {
		for ts := l.TimersOf(next, pos); len(ts) > 0; ts = ts[2:] {
			if ts[0] == duration && ts[1] > rank {
				ts[1]--
			}
		}
	}
}

// SetTimer sets a timer of a position to a number of ticks.
func (l *Layout) SetTimer(next []byte, pos, t int, ticks uint8) {
	if !l.Ranked {
		l.TimerSet(l.TimersOf(next, pos)[t*l.TimerLen:], ticks)
		return
	}
	l.ClearTimer(next, pos, t)
	rank := uint8(1)
	for p := range l.N {
		for ts := l.TimersOf(next, p); len(ts) > 0; ts = ts[2:] {
			if ts[0] == ticks {
				rank++
			}
		}
	}
	at := l.TimersOf(next, pos)[2*t:]
	at[0], at[1] = ticks, rank
}

// TimerSet writes a timer that is set to a number of ticks, but as a last resort, where the
// other timers have a say.
func (l *Layout) TimerSet(at []byte, ticks uint8) {
	switch {
	case !l.Timed:
		at[0] = 1
	case l.Drift > 0: // after how many ticks it expires at least and at most
		least := max(1, int(ticks)*100/(100+l.Drift))
		most := (int(ticks)*100 + 99 - l.Drift) / (100 - l.Drift)
		at[0], at[1] = uint8(most+1), uint8(least)
	default:
		at[0] = ticks + 1
	}
}

// maxTicks is the highest number of ticks that a timer takes.
const maxTicks = 250

// MostTicks returns the highest number of ticks to which a timer can be set: the one that
// takes maxTicks at most.
func (c *Clock) MostTicks() int { return maxTicks * (100 - c.Drift) / 100 }

// Lasting reports whether a timer is set in a state that is not periodic, or an instant gets older.
func (l *Layout) Lasting(state []byte, periodic uint16) bool {
	for pos := range l.N {
		for t, ts := 0, l.TimersOf(state, pos); len(ts) > 0; t, ts = t+1, ts[l.TimerLen:] {
			if periodic>>t&1 == 0 && ts[0] != 0 {
				return true
			}
		}
	}
	return l.Ages(state)
}

// NextTimer returns the duration and the rank of the timer that is the first to expire as a
// last resort: the shortest, and of those the first that was set. Zeros: none is set. Those
// of processes that pause wait.
func (l *Layout) NextTimer(state []byte, paused process.Set) (first [2]uint8) {
	for pos := range l.N {
		if paused>>pos&1 != 0 {
			continue
		}
		for timers := l.TimersOf(state, pos); len(timers) > 0; timers = timers[2:] {
			at := [2]uint8{timers[0], timers[1]}
			if at[0] != 0 && (first[0] == 0 || at[0] < first[0] || at[0] == first[0] && at[1] < first[1]) {
				first = at
			}
		}
	}
	return first
}
