//go:build !js

package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/runtime/validate"
)

// A progress tells how far a search is: in one line that it writes over and
// over on a terminal, and in a line each time elsewhere.
type progress struct {
	w        io.Writer
	live     bool
	patience time.Duration
	columns  func() int // of the terminal now; 0 if they are not known
	width    int        // of the line that is on it
	head     string     // what is searched, before how far the search is
}

// progress returns what tells how far a search of the app is.
func (a *app) progress() *progress {
	return &progress{w: a.err, live: a.live, columns: a.columns, patience: a.patience}
}

// progressColumns is how long a line is where no terminal says.
const progressColumns = 80

// show writes the line of a snapshot of a search.
func (p *progress) show(s explore.Progress) {
	p.write(s.Elapsed, func(columns int) string { return progressLine(p.head, s, columns) })
}

// write writes the line that fits so many columns, once the work has taken a
// while. A line that wraps cannot be written over: it is kept shorter than the
// terminal is wide, as that is now.
func (p *progress) write(elapsed time.Duration, fit func(columns int) string) {
	if elapsed < p.patience {
		return
	}
	if !p.live {
		fmt.Fprintln(p.w, fit(progressColumns))
		return
	}
	columns := progressColumns
	if p.columns != nil {
		columns = cmp.Or(p.columns(), columns)
	}
	line := fit(max(columns-1, 1))
	rest := min(p.width, columns-1) - len([]rune(line))
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(rest, 0)))
	p.width = len([]rune(line))
}

// end takes the line off the terminal.
func (p *progress) end() {
	if p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// progressLine returns a snapshot in a line of at most so many columns, the most
// telling first: what does not fit is left out.
func progressLine(head string, s explore.Progress, columns int) string {
	trend := ""
	if s.Falling {
		trend = " falling"
	}
	line := clock(s.Elapsed) + " " + head
	if s.Phase != explore.PhaseSearch {
		line += fmt.Sprint(s.Phase) + ": "
	}
	parts := []string{
		fmt.Sprintf("depth %d", s.Depth),
		quantity.Short(float64(s.Distinct)) + " states, " + quantity.Short(float64(s.Generated)) + " steps",
		"frontier " + quantity.Short(float64(s.Frontier)) + trend,
		quantity.Short(s.Rate) + "/s",
		quantity.Bytes(s.Bytes),
	}
	if s.Found != "" {
		parts = slices.Insert(parts, 1, s.Found)
	}
	if s.Growing != "" {
		parts = append(parts, s.Growing)
	}
	if s.Disk > 0 {
		parts = append(parts, "disk "+quantity.Bytes(s.Disk))
	}
	return fitted(columns, line, parts...)
}

// walksLine returns how far walks are in a line, as progressLine does.
func walksLine(what string, walks, steps uint64, elapsed time.Duration, columns int) string {
	return fitted(columns, clock(elapsed)+" ",
		quantity.Short(float64(walks))+" "+what,
		quantity.Short(float64(steps))+" steps",
		quantity.Short(float64(steps)/elapsed.Seconds())+"/s",
	)
}

// validateLine returns how far the search of a log is in a line, as progressLine
// does.
func validateLine(s *validate.Progress, columns int) string {
	return fitted(columns, clock(s.Elapsed)+" ",
		fmt.Sprintf("%d of %d events", s.Told, s.Lines),
		quantity.Short(float64(s.Nodes))+" places",
		quantity.Bytes(s.Bytes),
	)
}

// pace returns what says whether a line is due, so long after the beginning: on a
// terminal more often than elsewhere.
func (a *app) pace() (due func(elapsed time.Duration) bool) {
	every, last := a.slow, time.Duration(0)
	if a.live {
		every = a.often
	}
	return func(elapsed time.Duration) bool {
		if elapsed-last < every {
			return false
		}
		last = elapsed
		return true
	}
}

// fitted returns a line with those of its parts that fit so many columns.
func fitted(columns int, line string, parts ...string) string {
	for i, part := range parts {
		if i > 0 {
			part = " | " + part
		}
		if len([]rune(line))+len([]rune(part)) <= columns {
			line += part
		}
	}
	if runes := []rune(line); len(runes) > columns {
		line = string(runes[:columns])
	}
	return line
}

// clock returns a duration as minutes and seconds: "0:07", "1:02:03".
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
