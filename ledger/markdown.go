package ledger

import (
	"fmt"
	"io"
	"strings"

	"bullyproof/internal/quantity"
)

// WriteSummary writes the ledger's summary as a Markdown table: a row for each
// algorithm, with a link to its section in the file that WriteMarkdown makes,
// here named file ("" within that file).
func (l *Ledger) WriteSummary(w io.Writer, file string) error {
	var b strings.Builder
	b.WriteString("| algorithm | package | claims | confirmed | refuted | beyond the scope |\n|---|---|--:|--:|--:|--:|\n")
	for i := range l.Entries {
		e := &l.Entries[i]
		t := e.Tally()
		fmt.Fprintf(&b, "| [%s](%s#%s) | `%s` | %d | %d | %d | %d |\n",
			escape(e.Algorithm.Title), file, e.Algorithm.Name, e.Algorithm.Name, t.Claims, t.Confirmed, t.Refuted, t.Beyond)
	}
	t := l.Tally()
	fmt.Fprintf(&b, "| all | | %d | %d | %d | %d |\n", t.Claims, t.Confirmed, t.Refuted, t.Beyond)
	_, err := io.WriteString(w, b.String())
	return err
}

const introduction = `# The ledger of claims

What the literature says of each algorithm, and what the explorer finds when it executes that. A claim is *confirmed* if it is true in every reachable state and run of the scope that is named, *refuted* if a run or a figure shows that it is not, and *beyond the scope* if nothing speaks against it as far as it was checked, which is not far enough. Each is judged in the reading of its source that is named first; other readings, and repairs, have rulings of their own. A claim about a synchronous system is judged with delays of at most one tick (sync:1) and of at most two (sync:2).

Bullyproof claims looks at the evidence again. This file is generated from the record that the algorithms' tests keep true.

`

// WriteMarkdown writes the whole ledger as Markdown: what it is, the summary, and
// a section for each algorithm with a table of its claims and, behind that, the
// evidence. Counterexamples are linked to in folder; "" leaves the links out.
func (l *Ledger) WriteMarkdown(w io.Writer, folder string) error {
	m := &markdown{folder: folder}
	m.b.WriteString(introduction)
	if err := l.WriteSummary(&m.b, ""); err != nil {
		return err
	}
	for i := range l.Entries {
		m.entry(&l.Entries[i])
	}
	_, err := io.WriteString(w, m.b.String())
	return err
}

type markdown struct {
	b      strings.Builder
	folder string
}

func (m *markdown) say(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

// entry writes the section of an algorithm.
func (m *markdown) entry(e *Entry) {
	a := e.Algorithm
	m.say("\n## <a id=\"%s\"></a>%s\n\n%s\n\nSource: %s.\n\n", a.Name, escape(a.Title), escape(a.Doc), escape(strings.TrimSuffix(a.Source, ".")))
	if len(a.Claims) == 0 {
		m.say("No claims.\n")
		return
	}
	m.say("%s.\n\n| claim | where | ruling | found |\n|---|---|---|---|\n", e.Tally())
	for i := range a.Claims {
		m.row(a, &a.Claims[i], &e.Judgements[i])
	}
	m.say("\n<details><summary>The evidence</summary>\n\n")
	for i := range a.Claims {
		m.evidence(a, &a.Claims[i], &e.Judgements[i])
	}
	m.say("</details>\n")
}

// row writes the row of a claim.
func (m *markdown) row(a *Algorithm, c *Claim, j *Judgement) {
	cell := []string{escape(found(c, j))}
	if c.Note != "" {
		cell = append(cell, escape(c.Note))
	}
	if c.Story != "" && m.folder != "" {
		cell = append(cell, fmt.Sprintf("Trace: [%s](%s/%s.txt).", c.Story, m.folder, c.Story))
	}
	if c.Repair != "" {
		cell = append(cell, "Repair: "+escape(strings.TrimSuffix(c.Repair, "."))+".")
	}
	if r := readings(j); r != "" {
		cell = append(cell, "Other readings: "+escape(r)+".")
	}
	m.say("| %s | %s | **%s** | %s |\n", escape(c.Text), escape(place(c)), j.Ruling, strings.Join(cell, "<br>"))
}

// evidence writes what was looked at for a claim.
func (m *markdown) evidence(a *Algorithm, c *Claim, j *Judgement) {
	m.say("**%s** (%s): %s, in the reading `%s`\n\n", c.Name, c.Kind, j.Ruling, judged(a, c))
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

// escape makes a text safe in a cell of a table.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "\n", " ", "*", `\*`, "_", `\_`, "`", "'").Replace(s)
}
