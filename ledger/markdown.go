package ledger

import (
	"fmt"
	"io"
	"strings"

	"bullyproof/internal/quantity"
)

// WriteSummary writes the ledger's summary as a Markdown table: a row for each
// algorithm, with a link to where its claims are: link is given its name, and
// returns the address.
func (l *Ledger) WriteSummary(w io.Writer, link func(algorithm string) string) error {
	var b strings.Builder
	b.WriteString("| algorithm | package | claims | confirmed | refuted within | refuted beyond | right | wrong | undecided | findings |\n" +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	row := func(name, word string, t Tally) {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d |\n",
			name, word, t.Claims, t.Confirmed, t.Refuted, t.RefutedBeyond, t.Right, t.Wrong, t.Undecided, t.Findings)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		row(fmt.Sprintf("[%s](%s)", escape(e.Algorithm.Title), link(e.Algorithm.Name)), "`"+e.Algorithm.Name+"`", e.Tally())
	}
	row("all", "", l.Tally())
	_, err := io.WriteString(w, b.String())
	return err
}

const introduction = `# The ledger of claims

Papers say what their algorithms do. Here the explorer executes each such claim, and an outcome stands beside it:

- *confirmed*: true in every reachable state and every run of the scope that is named.
- *refuted within*: a run or an exact figure shows that it is false, within what the source assumes. Claims that are refuted within, or wrong, for one cause are one *finding*.
- *refuted beyond*: false under something that the source excludes or does not mention. The row says under what.
- *right*, *wrong*: the claim is a calculation. No search is needed.
- *undecided*: no counterexample was found, but the claim reaches further than the search; or we do not have the paper, and judged our reconstruction.

A claim about a synchronous system is judged with delays of at most one tick (sync:1) and of at most two (sync:2); where the row names equal delays, it was judged in lockstep as well.

` + "`bullyproof claims` judges all evidence again. This text is generated from the record, and the algorithms' tests keep the record true.\n\n"

// WriteIndex writes, as Markdown, what the ledger is, and its summary with a link
// to the page of each algorithm, as WriteSummary does.
func (l *Ledger) WriteIndex(w io.Writer, link func(algorithm string) string) error {
	if _, err := io.WriteString(w, introduction); err != nil {
		return err
	}
	return l.WriteSummary(w, link)
}

// WriteMarkdown writes the whole ledger as one Markdown text: the index and,
// behind it, each algorithm. Counterexamples are linked to in the folder traces;
// "" leaves the links out.
func (l *Ledger) WriteMarkdown(w io.Writer, traces string) error {
	if err := l.WriteIndex(w, func(name string) string { return "#" + name }); err != nil {
		return err
	}
	m := &markdown{traces: traces}
	for i := range l.Entries {
		m.say("\n")
		m.entry(&l.Entries[i], "##")
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

// WriteMarkdown writes the page of an algorithm: its readings, a table of its
// claims and, behind that, the evidence. Counterexamples are linked to in the
// folder traces; "" leaves the links out.
func (e *Entry) WriteMarkdown(w io.Writer, traces string) error {
	m := &markdown{traces: traces}
	m.entry(e, "#")
	_, err := io.WriteString(w, m.b.String())
	return err
}

type markdown struct {
	b      strings.Builder
	traces string
}

func (m *markdown) say(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

// entry writes an algorithm under a heading of a level.
func (m *markdown) entry(e *Entry, level string) {
	a := e.Algorithm
	m.say("%s <a id=\"%s\"></a>%s\n\n%s\n\nSource: %s.\n\n", level, a.Name, escape(a.Title), escape(a.Doc), sentence(a.Source))
	if a.Reconstruction != "" {
		m.say("**A reconstruction.** %s.\n\n", sentence(a.Reconstruction))
	}
	m.say("%s## Readings\n\n", level)
	for i := range a.Variants {
		v := &a.Variants[i]
		m.say("- `%s`%s: %s. Assumes: %s.", v.Name, standing(a, v), sentence(v.Doc), sentence(v.Assumes))
		if v.Reconstruction != "" {
			m.say(" A reconstruction: %s.", sentence(v.Reconstruction))
		}
		m.say("\n")
	}
	claims := a.Claims()
	if len(claims) == 0 {
		m.say("\nNo claims.\n")
		return
	}
	m.say("\n%s## Claims\n\n%s.\n\n| claim | where | outcome | found |\n|---|---|---|---|\n", level, e.Tally())
	for i := range claims {
		m.row(a, &claims[i], &e.Judgements[i])
	}
	m.say("\n<details><summary>The evidence</summary>\n\n")
	for i := range claims {
		m.evidence(a, &claims[i], &e.Judgements[i])
	}
	m.say("</details>\n")
}

// standing is Standing in brackets, safe in a text.
func standing(a *Algorithm, v *Variant) string {
	if words := a.Standing(v); words != "" {
		return " (" + escape(words) + ")"
	}
	return ""
}

// row writes the row of a claim.
func (m *markdown) row(a *Algorithm, c *Claim, j *Judgement) {
	cell := []string{escape(found(c, j))}
	for _, r := range remarks(a, c, j) {
		switch {
		case r.Label == RunRemark && m.traces == "":
		case r.Label == RunRemark:
			cell = append(cell, fmt.Sprintf("%s: [%s](%s/%s.txt).", r.Label, r.Text, m.traces, r.Text))
		case r.Label == "":
			cell = append(cell, escape(r.Text))
		default:
			cell = append(cell, r.Label+": "+escape(r.Text))
		}
	}
	m.say("| **%s**<br>%s | %s | **%s** | %s |\n", c.Name, escape(c.Text), escape(place(c)), j.Outcome, strings.Join(cell, "<br>"))
}

// evidence writes what was looked at for a claim.
func (m *markdown) evidence(a *Algorithm, c *Claim, j *Judgement) {
	m.say("**%s** (%s): %s, in the reading `%s`\n\n", c.Name, c.Kind, j.Outcome, judged(a, c))
	for i := range j.Exhibits {
		m.exhibit(c, &j.Exhibits[i])
	}
	if len(j.Exhibits) == 0 {
		m.say("- none: %s\n", escape(c.Note))
	}
	if len(j.Ran) > 0 {
		m.say("- ran: %s\n", escape(ran(j)))
	}
	if len(j.Idle) > 0 {
		m.say("- idle: %s\n", escape(strings.Join(j.Idle, "; ")))
	}
	m.say("\n")
}

func (m *markdown) exhibit(c *Claim, x *Exhibit) {
	m.say("- %s: ", x.Ruling)
	if x.Variant != c.Judged() {
		m.say("`%s`: ", x.Variant)
	}
	m.say("%s", escape(answer(x)))
	if x.Setting != "" {
		m.say(", in `%s`", x.Setting)
	}
	if x.States > 0 {
		m.say(", %s", quantity.Plural(x.States, "state"))
	}
	if x.Deep {
		m.say(", deep")
	}
	if x.Aside != "" {
		m.say(" (beside it: %s)", escape(x.Aside))
	}
	m.say("\n")
}

// sentence is a text without its full stop, safe in a cell of a table.
func sentence(s string) string { return escape(strings.TrimSuffix(s, ".")) }

// escape makes a text safe in a cell of a table.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "\n", " ", "*", `\*`, "_", `\_`, "`", "'").Replace(s)
}
