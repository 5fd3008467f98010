package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
)

// A progress tells how far a search is: in one line that it writes over and
// over on a terminal, and in a line each time elsewhere.
type progress struct {
	w        io.Writer
	live     bool
	patience time.Duration
	columns  int    // of the terminal; 0 if they are not known
	width    int    // of the line that is on it
	head     string // what is searched, before how far the search is
}

// progress returns what tells how far a search of the app is.
func (a *app) progress() *progress {
	return &progress{w: a.err, live: a.live, columns: a.columns, patience: a.patience}
}

// show writes the line of a snapshot, once the search has taken a while.
func (p *progress) show(s explore.Snapshot) {
	if s.Elapsed < p.patience {
		return
	}
	line := p.head + progressLine(s)
	if !p.live {
		fmt.Fprintln(p.w, line)
		return
	}
	if p.columns > 1 && len(line) >= p.columns {
		line = line[:p.columns-1] // a line that wraps cannot be written over
	}
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(p.width-len(line), 0)))
	p.width = len(line)
}

// end takes the line off the terminal.
func (p *progress) end() {
	if p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

// progressLine returns a snapshot in a line of about 90 columns, the most telling
// first.
func progressLine(s explore.Snapshot) string {
	trend := ""
	if s.Falling {
		trend = " falling"
	}
	return fmt.Sprintf("depth %d | %s distinct of %s states | frontier %s%s | %s/s | %s | %s | %s",
		s.Depth, quantity.Short(float64(s.Distinct)), quantity.Short(float64(s.Generated)),
		quantity.Short(float64(s.Frontier)), trend, quantity.Short(s.Rate), quantity.Bytes(s.Bytes),
		s.Phase, clock(s.Elapsed))
}

// clock returns a duration as minutes and seconds: "0:07", "1:02:03".
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
