package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/model"
	"bullyproof/trace"
)

// TextOptions say how a diagram is printed.
type TextOptions struct {
	// Width is the number of columns of the terminal, 40 at least; 0 stands for
	// 80. A diagram of more processes than fit is wider nevertheless.
	Width int
	// ASCII uses no character beyond ASCII.
	ASCII bool
	// Color uses ANSI colours: one for each process that is followed.
	Color bool
	// Full draws each step of a long run, which is otherwise told in parts (trace.Told).
	Full bool

	narrow bool // lanes are as near to each other as gives the fewest lines
}

// Text draws the space-time diagram of a layout for a terminal: a line
// for each process, time downward, an arrow for each message.
func Text(w io.Writer, run *trace.Layout, opt TextOptions) error {
	if opt.Width <= 0 {
		opt.Width = 80
	}
	opt.Width = max(opt.Width, 40)
	if !opt.Full {
		run = trace.ToldShort(run, func(told *trace.Layout) bool { return fits(shortText(layout{told}, opt)) })
	}
	_, err := io.WriteString(w, shortText(layout{run}, opt))
	return err
}

// screenfuls is how many lines a long run is told in, if its faults and leaders leave that
// room.
const screenfuls = 60

func fits(text string) bool { return strings.Count(text, "\n") <= screenfuls }

// shortText is the text of a layout, with narrow gaps if that is what it takes to be short.
func shortText(l layout, opt TextOptions) string {
	text := l.text(opt)
	if inParts(l) && !fits(text) {
		opt.narrow = true
		text = l.text(opt)
	}
	return text
}

func (l layout) text(opt TextOptions) string {
	d := newDiagram(l, opt)
	d.draw()
	var b strings.Builder
	put := func(style style, first, rest, text string) {
		for i, line := range wrap(d.plain(text), opt.Width-len(rest)) {
			pad := rest
			if i == 0 {
				pad = first
			}
			b.WriteString(d.paint(style, pad+line) + "\n")
		}
	}
	put(bold, "", "", l.heading())
	for _, text := range append(strings.Split(l.Story, "\n"), "setting: "+l.Setting.String()) {
		if text != "" {
			put(dim, "", "", text)
		}
	}
	for i, c := range l.Chapters {
		if c.Text != "" && !d.wholeLines {
			put(normal, fmt.Sprintf("%d. ", i+1), "   ", fmt.Sprintf("%s (%s): %s", c.Title, steps(l, i), c.Text))
		}
	}
	b.WriteString("\n")
	d.canvas.print(&b, d)
	b.WriteString("\n")
	if d.textWidth == 0 {
		for i := range l.Rows {
			put(bold, "", "", chapterAt(l, i).Title)
			put(normal, fmt.Sprintf("%*s: ", d.margin-1, l.Rows[i].Steps()), strings.Repeat(" ", d.margin+1), l.Tell(i))
		}
		b.WriteString("\n")
	}
	style := bold
	if l.Kind == trace.Violation {
		style = alarm
	}
	put(style, "", "", l.Verdict+".")
	put(dim, "", "  ", l.demand())
	for _, line := range l.legend(d) {
		put(dim, "", "  ", line)
	}
	return b.String()
}

// heading returns the first line of the diagram.
func (l layout) heading() string { return l.source() + ": " + l.title() }

// title returns what the run is called.
func (l layout) title() string {
	steps := count(l.Rows[len(l.Rows)-1].Step, "step") // a row may tell several
	switch {
	case l.Title != "":
		return l.Title
	case l.Kind == trace.Violation:
		return l.Property + " is violated in " + steps
	case l.Kind == trace.Witness:
		return l.Property + " is reached in " + steps
	}
	return "a run of " + steps
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// legend explains the signs and the rules that occur.
func (l layout) legend(d *diagram) []string {
	seen := map[lane]bool{}
	for i := range l.Rows {
		for k, c := range l.Rows[i].Cells {
			seen[laneOf(&c, l.id(k))] = true
		}
	}
	var signs []string
	for _, s := range []struct {
		lane lane
		text string
	}{
		{leads, "believes itself coordinator"}, {elects, "in an election"},
		{follows, "up"}, {isPaused, "paused"}, {isDown, "down"},
	} {
		if seen[s.lane] {
			signs = append(signs, string(d.set.lanes[s.lane])+" "+s.text)
		}
	}
	if slices.ContainsFunc(d.trunks, func(t *trunk) bool { return t.x > 0 }) {
		signs = append(signs, string(d.set.trunk)+" in flight")
	}
	lines := []string{strings.Join(signs, ", ")}
	if inParts(l) { // whose sentences name no rules
		return lines
	}
	for _, r := range l.Rules {
		lines = append(lines, fmt.Sprintf("rule %s: %s", r.Tag, r.Text))
	}
	return lines
}

// Steps writes a run in brief, a line for each row: what happened, and
// after a bar what was sent and what changed in somebody's belief.
//
//	3  P2 times out (answer) | P2->P1 COORDINATOR(2) | P2 believes itself coordinator
//
// A row that tells several steps (trace.Told) has its sentence, and a chapter its title. The
// last line of a run without end says where it goes on.
func Steps(w io.Writer, run *trace.Layout) error {
	l := layout{run}
	var b strings.Builder
	width := 0
	for i := range l.Rows[1:] {
		width = max(width, len(l.Rows[i+1].Steps()))
	}
	for i := 1; i < len(l.Rows); i++ {
		r := &l.Rows[i]
		switch head := chapterHead(l, i); {
		case head != "":
			fmt.Fprintln(&b, head)
		case i == 1 && len(l.Chapters) > 0:
			fmt.Fprintf(&b, "1. %s\n", l.Chapters[0].Title)
		}
		if r.Fold != nil {
			fmt.Fprintf(&b, "%*s  %s\n", width, r.Steps(), l.Tell(i))
			continue
		}
		parts := []string{l.actionText(r)}
		for _, k := range r.Sent {
			parts = append(parts, l.arrowText(k))
		}
		for _, k := range r.Dropped {
			parts = append(parts, l.arrowText(k)+" gone")
		}
		for k, c := range r.Cells {
			if c.Changed && c.Status == model.Up {
				parts = append(parts, fmt.Sprintf("%s %s", l.id(k).Name(), strings.Join(l.BeliefChange(i, k), ", ")))
			}
		}
		if r.Misuse != "" {
			parts = append(parts, "misuse: "+r.Misuse)
		}
		fmt.Fprintf(&b, "%*s  %s\n", width, r.Steps(), strings.Join(parts, " | "))
	}
	if l.Lasso > 0 {
		fmt.Fprintf(&b, "%*s  and again from step %d\n", width, "", loopStep(l))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// actionText is ActionText with the sender where a ring's port stood.
func (l layout) actionText(r *trace.Row) string {
	if r.Exchange != nil {
		return r.Exchange.Text
	}
	s := trace.ActionText(r.Action)
	if r.Arrow < 0 {
		return s
	}
	_, rest, _ := strings.Cut(s, "->")
	return l.Columns[l.Arrows[r.Arrow].From].Short() + "->" + rest
}

func (l layout) arrowText(i int) string {
	a := &l.Arrows[i]
	s := fmt.Sprintf("%s->%s %s", l.Columns[a.From].Short(), l.Columns[a.To].Short(), a.Text)
	if a.Fate == trace.Refused {
		s += " lost at once"
	}
	return s
}

// wrap breaks a text into lines of at most width runes, between words where
// there are any.
func wrap(text string, width int) []string {
	head := func(word string) int {
		n := 0
		for i := range word {
			if n == width {
				return i
			}
			n++
		}
		return len(word)
	}
	return breakLines(text, head, func(line string) bool { return utf8.RuneCountInString(line) <= width })
}

// breakLines breaks a text into lines that fit, between words where there are
// any; of a word head returns how many bytes fit into a line.
func breakLines(text string, head func(word string) int, fits func(line string) bool) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for at := head(word); at < len(word); at = head(word) {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			lines, word = append(lines, word[:at]), word[at:]
		}
		switch {
		case line == "":
			line = word
		case fits(line + " " + word):
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// steps says which steps a chapter has: "steps 12 to 23".
func steps(l layout, chapter int) string {
	first, last := l.Chapters[chapter].First, l.Rows[len(l.Rows)-1].Step
	if chapter+1 < len(l.Chapters) {
		last = l.Chapters[chapter+1].First - 1
	}
	return named(&trace.Row{Step: last, Fold: &trace.Fold{First: max(first, 1)}})
}
