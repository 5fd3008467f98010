package trace

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// clocks says of each row and column how the clock of the process goes there: "fast clock",
// "slow clock", "9 ahead", or nothing if it is right.
func clocks(l *Layout) {
	rates := ratesOf(l)
	for i := range l.Rows {
		r := &l.Rows[i]
		r.Clocks = make([]string, len(l.Columns))
		for k := range l.Columns {
			p := &r.State.Processes[k]
			if p.Status != model.Up {
				continue
			}
			r.Clocks[k] = rates[i][k].String()
			if p.Ahead > 0 {
				ahead := fmt.Sprintf("%d ahead", p.Ahead)
				if r.Clocks[k] != "" {
					ahead = r.Clocks[k] + ", " + ahead
				}
				r.Clocks[k] = ahead
			}
		}
	}
}

// A rate says whether a clock is fast (1) or slow (-1), as the longest of its timers shows that
// is not in time: with a short one it may be the rounding to ticks.
type rate struct{ sign, ticks int }

// show takes a timer into account that takes some ticks, and would take others if the clock
// were right.
func (r *rate) show(took, right int) {
	if took != right && right >= r.ticks {
		*r = rate{cmp.Compare(right, took), right}
	}
}

func (r rate) String() string {
	return [...]string{"slow clock", "", "fast clock"}[r.sign+1]
}

// ratesOf says, by row and column, how clocks go where they drift: of a timer that expires, from
// the row in which it is set to before that in which it expires; of one that does not, from
// where it is late.
func ratesOf(l *Layout) [][]rate {
	rates := make([][]rate, len(l.Rows))
	for i := range rates {
		rates[i] = make([]rate, len(l.Columns))
	}
	if l.Setting.Drift == 0 {
		return rates
	}
	for k := range l.Columns {
		set := map[string]span{}
		for i := range l.Rows {
			a := &l.Rows[i].Action
			if s, running := set[a.Timer]; running && a.Kind == model.Expires && a.Process == l.id(k) {
				took := s.ticks - s.left
				for row := s.row; row < i; row++ {
					rates[row][k].show(took, s.right)
				}
				delete(set, a.Timer)
			}
			now := map[string]span{}
			for _, t := range l.Rows[i].State.Processes[k].Timers {
				s, running := set[t.Name]
				if !running || t.Ticks > s.left { // it is set, or set again
					s = span{i, t.Ticks, t.Ticks, rightTicks(&t, l.Setting.Drift)}
				}
				s.left = t.Ticks
				rates[i][k].show(max(s.right, s.ticks-s.left), s.right)
				now[t.Name] = s
			}
			set = now
		}
	}
	return rates
}

// A span is the time of a timer: from a row on, for so many ticks at most, of which some are
// left, and for so many if the clock is right.
type span struct{ row, ticks, left, right int }

// rightTicks returns after how many ticks a timer that was just set expires by a clock that is
// right.
func rightTicks(t *model.TimerSnapshot, drift int) int {
	right := t.Least
	for right < t.Ticks && (right*100+99-drift)/(100-drift) < t.Ticks {
		right++
	}
	return right
}
