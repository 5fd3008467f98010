package trace

import (
	"fmt"
	"strings"
)

// Listing returns the steps of a trace as they were recorded, a line for each, with
// what it sent and what it changed. It takes no program: nothing is executed again,
// so that whether the run is one of its protocol is not known.
func (t *Trace) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "setting: %s\n", t.Setting)
	if t.Origin.String() != t.Setting.String() {
		fmt.Fprintf(&b, "origin: %s\n", t.Origin)
	}
	width := len(fmt.Sprint(len(t.Steps)))
	for i := range t.Steps {
		s := &t.Steps[i]
		parts := []string{ActionText(s.Action)}
		for _, m := range s.Sent {
			parts = append(parts, messageText(m))
		}
		for _, m := range s.Dropped {
			parts = append(parts, messageText(m)+" gone")
		}
		for _, c := range s.Changes {
			parts = append(parts, changeText(c))
		}
		if s.Misuse != "" {
			parts = append(parts, "misuse: "+s.Misuse)
		}
		fmt.Fprintf(&b, "%*d  %s\n", width, i+1, strings.Join(parts, " | "))
	}
	if t.Lasso > 0 {
		b.WriteString(repeats(t.Lasso, len(t.Steps)) + "\n")
	}
	return b.String()
}

// repeats says which steps a run without end repeats: "steps 26 to 285 repeat without end".
func repeats(lasso, last int) string {
	if lasso == last {
		return fmt.Sprintf("step %d repeats without end", last)
	}
	return fmt.Sprintf("steps %d to %d repeat without end", lasso, last)
}
