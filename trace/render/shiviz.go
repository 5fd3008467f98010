package render

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"bullyproof/model"
	"bullyproof/trace"
)

// ShiVizExpression is the regular expression by which ShiViz reads what
// ShiViz writes.
const ShiVizExpression = `(?<step>\d+) (?<event>.*)\n(?<host>\S+) (?<clock>\{.*\})`

// ShiViz writes a run as a log for ShiViz: the regular expression that
// reads it, an empty line, and then two lines for each thing that happens to a
// process: the step and what happened, and the process with its vector clock.
//
// The clocks say what happened before what: at one process what came first, and
// the sending of a message before its arrival. Events of the network and of
// time happen to no process and are left out.
func ShiViz(w io.Writer, run *trace.Layout) error {
	l := layout{run}
	var b strings.Builder
	b.WriteString(ShiVizExpression + "\n\n")
	clocks := make([]map[string]int, len(l.Columns)) // by process
	sent := make([]map[string]int, len(l.Rows))      // by row in which something is sent
	host := func(k int) string { return strings.ReplaceAll(l.Columns[k].Short(), " ", "-") }
	event := func(row, k int, text string) error {
		clocks[k][host(k)]++
		clock, err := json.Marshal(clocks[k]) // sorts by name
		if err == nil {
			_, err = fmt.Fprintf(&b, "%d %s\n%s %s\n", row, drawable(text), host(k), clock)
		}
		return err
	}
	for k := range l.Columns {
		clocks[k] = map[string]int{}
		if c := &l.Rows[0].Cells[k]; c.Status == model.Up {
			if err := event(0, k, l.startText(k)); err != nil {
				return err
			}
		}
	}
	begin := make([]map[string]int, len(l.Columns))
	for k := range begin {
		begin[k] = maps.Clone(clocks[k])
	}
	for i := 1; i < len(l.Rows); i++ {
		r := &l.Rows[i]
		if r.At < 0 || r.Mark == trace.NoMark || r.Mark == trace.Missed {
			continue
		}
		if r.Mark == trace.Received || r.Mark == trace.WentDown && r.Arrow >= 0 {
			a := &l.Arrows[r.Arrow]
			before := sent[a.Origin]
			if a.Origin == 0 {
				before = begin[a.From]
			}
			for name, n := range before {
				clocks[r.At][name] = max(clocks[r.At][name], n)
			}
		}
		if err := event(i, r.At, l.Tell(i)); err != nil {
			return err
		}
		sent[i] = maps.Clone(clocks[r.At])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// startText says what a process believes at the start.
func (l layout) startText(k int) string {
	return "start: " + beliefWords(&l.Rows[0].Cells[k], l.id(k))
}
