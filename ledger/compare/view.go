package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A view is what a table shows of a subject, a fault and a property, for all
// numbers of processes together.
type view struct {
	text string
	// plain is the text without signs.
	plain string
	// class is "good", "bad", "open" or "none".
	class string
	// cell is the one that decides, and trial where it is from; nil where nothing
	// was asked.
	cell  *Cell
	trial *Trial
}

// view returns what a table shows: the violation among the fewest processes, or
// how far it holds.
func (c *Comparison) view(subject string, f Fault, property string) view {
	v := view{text: "-", class: "none"}
	for _, n := range c.N {
		t := c.Trial(subject, f, n)
		cell := t.Cell(property)
		if cell == nil {
			continue
		}
		held := v.cell != nil && v.cell.Verdict == checker.Holds
		switch {
		case held && cell.Verdict == checker.Incomplete:
			return v.marked(fmt.Sprintf("holds to %d", v.trial.N), "open")
		case held && cell.Verdict == checker.Vacuous:
			continue
		}
		v.cell, v.trial = cell, t
		switch cell.Verdict {
		case checker.Violated, checker.NotFound:
			return v.marked(broken(cell, n, len(c.N) > 1), "bad")
		case checker.Incomplete:
			return v.marked("incomplete", "open")
		}
	}
	switch {
	case v.cell == nil:
		return v
	case v.cell.Verdict == checker.Vacuous:
		return v.marked("vacuous", "none")
	}
	return v.marked("holds", "good")
}

// marked returns the view with a text, in brackets where the author does not ask
// the property and with a star where the fault is outside what is assumed.
func (v view) marked(text, class string) view {
	v.text, v.plain, v.class = text, text, class
	if v.cell.Foreign {
		v.text, v.class = "("+text+")", "none"
	}
	if len(v.trial.Outside) > 0 {
		v.text += "*"
	}
	return v
}

// bad reports whether the property is violated.
func (v view) bad() bool {
	return v.cell.Verdict == checker.Violated || v.cell.Verdict == checker.NotFound
}

// broken says after how many steps a property is violated.
func broken(c *Cell, n int, several bool) string {
	text := "broken"
	if c.Shown != nil {
		text += " " + strconv.Itoa(c.Steps)
	}
	if c.Endless {
		text += "…"
	}
	if several {
		text += "@" + strconv.Itoa(n)
	}
	return text
}

// brokenBrief names a property that is violated, and after how many steps.
func brokenBrief(c *Cell) string {
	switch {
	case c.Shown == nil:
		return c.Property
	case c.Endless:
		return c.Property + " in " + quantity.Plural(c.Steps, "step") + " and a loop"
	case c.Steps == 0:
		return c.Property + " at the start"
	}
	return c.Property + " in " + quantity.Plural(c.Steps, "step")
}

// A score counts what becomes under a fault of what the author of a subject asks.
type score struct {
	asked, kept, broke, open int
	outside                  bool // the fault is outside what is assumed
}

// score counts for a subject and a fault.
func (c *Comparison) score(subject string, f Fault) (s score) {
	for _, property := range c.asked(f) {
		v := c.view(subject, f, property)
		if v.cell == nil || v.cell.Foreign {
			continue
		}
		s.asked++
		s.outside = s.outside || len(v.trial.Outside) > 0
		switch v.class {
		case "good":
			s.kept++
		case "bad":
			s.broke++
		case "open":
			s.open++
		}
	}
	return s
}

// overview says how many are kept or broken.
func (c *Comparison) overview(subject string, f Fault) (text, class string) {
	s, star := c.score(subject, f), ""
	if s.outside {
		star = "*"
	}
	switch {
	case s.asked == 0:
		return "-", "none"
	case s.broke > 0:
		return fmt.Sprintf("breaks %d/%d%s", s.broke, s.asked, star), "bad"
	case s.open > 0:
		return "incomplete" + star, "open"
	}
	return fmt.Sprintf("keeps %d/%d%s", s.kept, s.asked, star), "good"
}

// states says how many states there are under a fault among the most processes
// for which it was asked.
func (c *Comparison) states(subject string, f Fault) string {
	t := c.Trial(subject, f, c.N[len(c.N)-1])
	switch {
	case t.Refused != "" || t.States == 0:
		return "-"
	case t.Why != "":
		return quantity.Short(float64(t.States)) + "+"
	case t.States < 1e6:
		return quantity.Count(t.States)
	}
	return quantity.Short(float64(t.States))
}

// legend says what the signs in the tables mean.
func (c *Comparison) legend() []string {
	list := []string{
		"keeps K/N and breaks K/N: of the N properties that its author asks in this world, so many are kept, or broken.",
		"broken K: violated, by a run of K steps, and none is shorter; broken K…: after K steps, without end. (12) and (12…) in a list are the same, of 12 steps.",
		"*: the fault is outside what the algorithm assumes. ( ): its author does not ask this of it. " +
			"-: not applicable.",
		"vacuous: it never came up. incomplete: a limit ended the search, or an interrupt.",
	}
	if len(c.N) > 1 {
		list = append(list, "@N: among N processes, and not among fewer. holds to N: the search among more is incomplete. States are those of "+
			strconv.Itoa(c.N[len(c.N)-1])+" processes.")
	}
	return list
}

// asked returns the properties that anybody was asked under a fault.
func (c *Comparison) asked(f Fault) (names []string) {
	for _, p := range append(slices.Clone(c.Properties), checker.Misuse) {
		for i := range c.Subjects {
			if c.view(c.Subjects[i].Name(), f, p.Name).cell != nil {
				names = append(names, p.Name)
				break
			}
		}
	}
	return names
}

// notes says of a fault why subjects were not asked, what their searches did not
// see, and which assumptions it breaks.
func (c *Comparison) notes(f Fault) []string {
	notes := c.unseen(f)
	order, outside := c.outside(f)
	for _, text := range order {
		notes = append(notes, "* "+strings.Join(outside[text], ", ")+" assumes "+text)
	}
	return notes
}

// unseen says of a fault why subjects were not asked, and what their searches did not
// see.
func (c *Comparison) unseen(f Fault) (notes []string) {
	for i := range c.Subjects {
		name := c.Subjects[i].Name()
		for _, n := range c.N {
			t := c.Trial(name, f, n)
			at := name
			if len(c.N) > 1 {
				at += fmt.Sprintf(", n=%d", n)
			}
			switch {
			case t.Refused != "":
				notes = append(notes, at+" is not applicable: "+t.Refused)
			case t.Why != "":
				notes = append(notes, at+" is incomplete: "+t.Why)
			}
		}
	}
	return notes
}

// outside returns the subjects whose assumptions a fault breaks, by what they assume,
// and that in order.
func (c *Comparison) outside(f Fault) (order []string, subjects map[string][]string) {
	subjects = make(map[string][]string)
	for i := range c.Subjects {
		name := c.Subjects[i].Name()
		var what []string
		for _, a := range c.Trial(name, f, c.N[0]).Outside {
			what = append(what, a.Premise.String()+place(a.Place))
		}
		if len(what) == 0 {
			continue
		}
		text := strings.Join(what, " and ")
		if subjects[text] == nil {
			order = append(order, text)
		}
		subjects[text] = append(subjects[text], name)
	}
	return order, subjects
}

// place says in brackets where a source has something.
func place(where string) string {
	if where == "" {
		return ""
	}
	return " (" + where + ")"
}

// A spread is a cost at best, at worst and on average.
type spread struct{ best, worst, mean string }

// spreadOf returns what a table shows of a cost.
func spreadOf(c *cost.Cost) spread {
	if c == nil {
		return spread{"-", "-", "-"}
	}
	s := spread{strconv.Itoa(c.Best), strconv.Itoa(c.Worst), strconv.FormatFloat(c.Uniform, 'f', 1, 64)}
	if c.Best < 0 {
		s.best = "-"
	}
	if c.Unbounded {
		s.worst = "no limit"
	}
	if math.IsInf(c.Uniform, 0) || math.IsNaN(c.Uniform) {
		s.mean = "no limit"
	}
	return s
}

// costsOf returns the costs of a subject among n processes.
func (c *Comparison) costsOf(subject string, n int) *Costs {
	for i := range c.Costs {
		if c.Costs[i].Subject == subject && c.Costs[i].N == n {
			return &c.Costs[i]
		}
	}
	return &Costs{Subject: subject, N: n, Why: interrupted}
}

// answer returns what a subject answered to a question of a name.
func (c *Comparison) answer(name, subject string) *Answer {
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Name == name && a.Subject == subject {
			return a
		}
	}
	return &Answer{Name: name, Subject: subject, Reply: Reply{Text: "-"}}
}

// class returns the class of an answer, as that of a view.
func (a *Answer) class() string {
	class := map[checker.Verdict]string{
		checker.Holds: "good", checker.Found: "good", checker.Violated: "bad", checker.NotFound: "bad", checker.Incomplete: "open",
	}[a.Verdict]
	return cmp.Or(class, "none")
}

// alsoNotes says what was asked, and what is not known.
func (c *Comparison) alsoNotes() (notes []string) {
	for i := range c.Answers {
		if a := &c.Answers[i]; i == 0 || a.Name != c.Answers[i-1].Name {
			notes = append(notes, a.Name+": "+a.Doc)
		}
	}
	for i := range c.Answers {
		if a := &c.Answers[i]; a.Why != "" && a.Verdict == checker.Incomplete {
			notes = append(notes, a.Subject+", "+a.Name+": "+a.Why+".")
		}
	}
	return notes
}

// outcome says what becomes of a subject without one of its assumptions.
func (w *Without) outcome() (text, class string) {
	var parts []string
	for _, c := range w.Broken() {
		parts = append(parts, brokenBrief(c))
	}
	switch t := &w.Trial; {
	case t.Refused != "":
		return "not applicable: " + t.Refused, "none"
	case len(parts) > 0:
		return "breaks " + strings.Join(parts, ", "), "bad"
	case t.Why != "":
		return "incomplete: " + t.Why, "open"
	}
	return "nothing breaks", "good"
}

// verdict says what was found of a pair.
func (d *Difference) verdict() string {
	if d.RunA == nil {
		return "no different coordinators: " + d.Why
	}
	return fmt.Sprintf("%s: %s comes to %s, %s to %s, in %d and %d steps",
		d.Schedule, d.A, nth(d.RankA), d.B, nth(d.RankB), len(d.RunA.Trace.Steps), len(d.RunB.Trace.Steps))
}

// also says to whom else the two come after the same events.
func (d *Difference) also() string {
	if d.RunA == nil {
		return ""
	}
	name := func(subject string, ranks model.Set) string {
		var list []string
		for rank := range ranks.All() {
			list = append(list, nth(rank))
		}
		return subject + " comes to " + strings.Join(list, " or ")
	}
	text := "In all runs with these events " + name(d.A, d.AlsoA) + ", " + name(d.B, d.AlsoB) + "."
	if d.Unseen {
		text += " Not all worlds were seen: there may be shorter pairs."
	}
	return text
}
