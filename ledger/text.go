package ledger

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
)

// TextOptions say how a ledger is printed.
type TextOptions struct {
	// Width is the number of columns beyond which lines break; 0 stands for 80.
	Width int
	// Evidence lists each piece of evidence.
	Evidence bool
	// Brief gives each claim one line.
	Brief bool
	// Color paints outcomes with the colours of a terminal.
	Color bool
}

var (
	signs = map[Outcome]string{
		Confirmed: "+", ConfirmedForEveryN: "+", Follows: "+", Refuted: "-", Contradiction: "-", RefutedBeyond: "~", DoesNotFollow: "-", Depends: "?", Undecided: "?",
	}
	paints   = map[string]string{"+": prose.Green, "-": prose.Red, "~": prose.Red, "?": prose.Yellow}
	evidence = map[Ruling]string{AsClaimed: "+", NotAsClaimed: "-", Open: "?", Moot: "0"}
)

// WriteText writes the ledger for people: each algorithm with its claims, + for
// those that are confirmed (or follow), - for those that are refuted within what
// their source assumes (or do not follow, or contradict each other), ~ for those
// refuted beyond it, ? for those that are open or undecided.
func (l *Ledger) WriteText(w io.Writer, opt TextOptions) error {
	t := &text{width: opt.Width, pen: prose.Print(opt.Width, opt.Color)}
	if t.width <= 0 {
		t.width = 80
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		t.painted(prose.Bold, "", fmt.Sprintf("%s: %s", e.Algorithm.Name, e.Algorithm.Title), 2)
		t.say("  ", e.Tally().String(), 2)
		claims := e.Algorithm.Claims()
		if opt.Brief {
			t.table(claims, e.Judgements)
		} else {
			for k := range claims {
				t.claim(e, &claims[k], &e.Judgements[k], opt.Evidence)
			}
		}
		t.b.WriteString("\n")
	}
	if len(l.Entries) != 1 {
		t.say("", "In all "+l.Tally().String()+".", 0)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type text struct {
	b     strings.Builder
	width int
	pen   *prose.Printer
}

// painted writes a paragraph as say does, in a paint.
func (t *text) painted(paint, mark, words string, indent int) {
	plain := text{width: t.width}
	plain.say(mark, words, indent)
	t.b.WriteString(t.pen.Paint(paint, strings.TrimSuffix(plain.b.String(), "\n")) + "\n")
}

// table writes a line for each claim: its name, its outcome, and as much of its
// sentence as fits.
func (t *text) table(claims []Claim, found []Judgement) {
	name, outcome := 0, 0
	for i := range claims {
		name = max(name, utf8.RuneCountInString(claims[i].Name))
		outcome = max(outcome, utf8.RuneCountInString(found[i].Outcome.String()))
	}
	for i := range claims {
		of := found[i].Outcome
		head := fmt.Sprintf("  %s %-*s  %-*s", signs[of], name, claims[i].Name, outcome, of)
		words := []rune("  " + strings.Join(strings.Fields(claims[i].Text), " "))
		if room := max(t.width-utf8.RuneCountInString(head), 0); len(words) > room {
			words = append(words[:max(room-1, 0)], '…')
		}
		t.b.WriteString(t.pen.Paint(paints[signs[of]], head) + string(words) + "\n")
	}
}

// say writes a paragraph behind a mark, its further lines indented.
func (t *text) say(mark, words string, indent int) {
	line, start := mark, true
	for _, word := range strings.Fields(words) {
		if !start && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > t.width {
			t.b.WriteString(line + "\n")
			line, start = strings.Repeat(" ", indent), true
		}
		if !start {
			line += " "
		}
		line += word
		start = false
	}
	t.b.WriteString(line + "\n")
}

// more ends what was found where there is more than is told.
var more = regexp.MustCompile(`; and \d+ more$`)

// claim writes a claim with its ruling and what decided it.
func (t *text) claim(e *Entry, c *Claim, j *Judgement, all bool) {
	a := e.Algorithm
	t.b.WriteString("\n")
	t.painted(paints[signs[j.Outcome]], "  "+signs[j.Outcome]+" ", fmt.Sprintf("%s: %s (%s)", c.Name, e.inWords(c, j), place(c)), 4)
	t.say("    ", c.Text, 4)
	if f := found(c, j); f != "" {
		if more.MatchString(f) && !all {
			f += " (--evidence lists them)"
		}
		t.say("    found: ", f, 11)
	}
	if d := depends(a, c, j); d != "" {
		t.say("    depends: ", d, 6)
	}
	if r := a.inReadings(c, j.Trees); r != "" {
		t.say("    in all readings: ", r, 6)
	}
	if all {
		for _, line := range a.inTurn(c, j.Trees) {
			t.say("      - ", line, 8)
		}
	}
	if len(c.Between) > 0 {
		t.say("    between: ", strings.Join(c.Between, ", "), 6)
	}
	if d := timings(c, j); d != "" {
		t.say("    by delays: ", d, 6)
	}
	if c.Delays != "" {
		t.say("    the source on delays: ", c.Delays, 6)
	}
	if c.Supposes != "" {
		t.say("    it supposes: ", c.Supposes, 6)
	}
	if c.Exceeds != "" {
		t.say("    the source excludes it: ", c.Exceeds, 6)
	}
	if c.Finding != "" {
		t.say("    same finding as: ", c.Finding, 6)
	}
	if c.Note != "" {
		t.say("    note:  ", c.Note, 11)
	}
	if c.Story != "" {
		t.say("    trace: ", "bullyproof trace "+c.Story, 11)
	}
	if c.Repair != "" {
		variant, what, ok := strings.Cut(c.Repair, ": ")
		if ok && a.hasVariant(variant) == nil {
			t.say("    repair (variant "+variant+"): ", what, 12)
		} else {
			t.say("    repair: ", c.Repair, 12)
		}
	}
	if r := readings(a, j); r != "" {
		t.say("    other readings (list "+a.Name+" explains them): ", r, 20)
	}
	if !all {
		return
	}
	for i := range j.Exhibits {
		t.exhibit(c, &j.Exhibits[i])
	}
	if len(j.Ran) > 0 {
		t.say("      ran: ", ran(j), 11)
	}
	if len(j.Idle) > 0 {
		t.say("      idle: ", strings.Join(j.Idle, "; "), 12)
	}
}

func (t *text) exhibit(c *Claim, x *Exhibit) {
	s := answer(x)
	if x.Variant != c.Judged() {
		s = x.Variant + ": " + s
	}
	if x.If != "" {
		s += " (if " + x.If + ")"
	}
	if x.Setting != "" {
		s += "; " + x.Setting
	}
	if x.States > 0 {
		s += "; " + quantity.Plural(x.States, "state")
	}
	if x.Deep {
		s += "; deep"
	}
	if x.Aside != "" {
		s += " (beside it: " + x.Aside + ")"
	}
	t.say("      "+evidence[x.Ruling]+" ", s, 8)
}
