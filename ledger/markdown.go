package ledger

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
)

// outcomeHeads are the heads of the columns in which outcomes are counted.
const outcomeHeads = "claims | confirmed | for every N | refuted within | refuted beyond | open | contradictions | follow | do not follow | undecided | findings |\n"

// counts returns a tally as cells of those columns.
func (t *Tally) counts() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", t.Claims, t.Confirmed, t.ForEveryN, t.Refuted, t.RefutedBeyond,
		t.Depends, t.Contradictions, t.Follows, t.DoesNotFollow, t.Undecided, t.Findings)
}

// WriteSources writes the claims of sources and their outcomes as a Markdown table: a row
// for each source, whatever algorithm it speaks of. A publication of the list stands for
// all sources that name it.
func (l *Ledger) WriteSources(w io.Writer, works []Publication) error {
	var b strings.Builder
	b.WriteString("| source | says it of | " + outcomeHeads + "|---|---|" + strings.Repeat("--:|", 11) + "\n")
	for _, s := range l.BySource(works) {
		fmt.Fprintf(&b, "| %s | %s | %s", escape(s.Source), "`"+strings.Join(s.Algorithms, "`, `")+"`", s.Tally.counts())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteSummary writes the ledger's summary by algorithms as a Markdown table: a row for each
// algorithm, with a link to where its claims are: link is given its name, and
// returns the address.
func (l *Ledger) WriteSummary(w io.Writer, link func(algorithm string) string) error {
	var b strings.Builder
	b.WriteString("| algorithm | package | " + outcomeHeads + "|---|---|" + strings.Repeat("--:|", 11) + "\n")
	row := func(name, word string, t Tally) { fmt.Fprintf(&b, "| %s | %s | %s", name, word, t.counts()) }
	for i := range l.Entries {
		e := &l.Entries[i]
		row(fmt.Sprintf("[%s](%s)", escape(e.Algorithm.Title), link(e.Algorithm.Name)), "`"+e.Algorithm.Name+"`", e.Tally())
	}
	row("all", "", l.Tally())
	_, err := io.WriteString(w, b.String())
	return err
}

const introduction = `# The ledger of claims

Papers say what their algorithms do. Here the explorer executes each such claim, and an outcome stands beside it. A source leaves questions open; its rules are judged in each admissible reading, that is, under each combination of answers that no sentence of the source excludes.

- *confirmed*: true in each admissible reading, in every reachable state and every run of the scope that is named.
- *confirmed for every N*: confirmed, and a proof that is kept says it for every number of processes. The row names what is proved.
- *refuted within*: false in each admissible reading, by a run or an exact figure, within what the source assumes.
- *refuted beyond*: false under something that a sentence of the source excludes. The row quotes it.
- *open*: true under some admissible answers and false under others. The row names the question and the answers, and has a run.
- *contradiction*: sentences of the source that no admissible reading satisfies together.
- *follows*, *does not follow*: the claim is a calculation, and does or does not follow from its formula. The row says what became of the formula.
- *undecided*: no counterexample was found, but the claim reaches further than the search; or we do not have the paper, and judged our reconstruction.

What is refuted within, contradicts or does not follow for one cause is one *finding*.

A claim about a synchronous system is judged with delays of at most one tick (sync:1) and of at most two (sync:2); where the row names equal delays, it was judged in lockstep as well.

` + "`bullyproof claims` judges all evidence again. This text is generated from the record, and the algorithms' tests keep the record true.\n\n"

// WriteIndex writes, as Markdown, what the ledger is, what lessons it has, and its summaries:
// by sources, and by algorithms with a link to the page of each, as WriteSources and
// WriteSummary do.
func (l *Ledger) WriteIndex(w io.Writer, lessons []Lesson, works []Publication, link func(algorithm string) string) error {
	text, err := l.lessons(lessons, link)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, introduction+text+"## By source\n\n"); err != nil {
		return err
	}
	if err := l.WriteSources(w, works); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n## By algorithm\n\nWhoever says it:\n\n"); err != nil {
		return err
	}
	return l.WriteSummary(w, link)
}

// lessons writes the lessons that are about claims of the ledger, each with its outcome.
func (l *Ledger) lessons(list []Lesson, link func(algorithm string) string) (string, error) {
	var b strings.Builder
	all := make([]*Algorithm, len(l.Entries))
	for i := range l.Entries {
		all[i] = l.Entries[i].Algorithm
	}
	for i := range list {
		x := &list[i]
		name, _, _ := strings.Cut(x.Claim, "/")
		at := slices.IndexFunc(all, func(a *Algorithm) bool { return a.Name == name })
		if at < 0 {
			continue
		}
		a, c, err := x.Of(all)
		if err != nil {
			return "", err
		}
		j := l.Entries[at].Judgements[slices.IndexFunc(a.Claims(), func(o Claim) bool { return o.Name == c.Name })]
		page, _, _ := strings.Cut(link(a.Name), "#")
		fmt.Fprintf(&b, "- **%s.** %s ([%s](%s#%s), *%s*)\n", sentence(x.Title), escape(x.Text), x.Claim, page, anchor(a, c), j.Outcome)
	}
	if b.Len() == 0 {
		return "", nil
	}
	return "## Where to begin\n\n" + b.String() + "\n", nil
}

// WriteMarkdown writes the whole ledger as one Markdown text: the index and,
// behind it, each algorithm. Counterexamples are linked to in the folder traces;
// "" leaves the links out.
func (l *Ledger) WriteMarkdown(w io.Writer, lessons []Lesson, works []Publication, traces string) error {
	if err := l.WriteIndex(w, lessons, works, func(name string) string { return "#" + name }); err != nil {
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

// WriteMarkdown writes the page of an algorithm: what was found, a line for each claim with
// the rest folded behind it, and, folded, what its sources leave open and its readings. The
// pieces of evidence stand in the record. Counterexamples are linked to in the folder traces;
// "" leaves the links out.
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
	m.findings(e, level)
	if len(e.Judgements) == 0 {
		m.say("No claims.\n\n")
	} else {
		m.say("%s## Claims\n\n%s. `bullyproof claims %s --recorded --evidence` prints the evidence, piece by piece; the searches of more than 1,000 states are on record in `algorithms/%s/claims.lock`.\n\n",
			level, e.Tally(), a.Name, a.Name)
	}
	rows := e.Rows()
	for i := range rows {
		m.row(a, &rows[i])
	}
	m.questions(a)
	m.readings(a)
}

// findings writes what the page is about: each finding with its run, in a few sentences.
func (m *markdown) findings(e *Entry, level string) {
	if e.Tally().Findings == 0 {
		return
	}
	a := e.Algorithm
	m.say("%s## What was found\n\n", level)
	for i := range e.Judgements {
		c, j := &a.Claims()[i], &e.Judgements[i]
		if !c.finds(j.Outcome) {
			continue
		}
		about := fmt.Sprintf("[%s](#%s), *%s*", c.Name, anchor(a, c), j.Outcome)
		s := a.story(c.Story)
		switch {
		case s != nil:
			m.say("- **%s.** %s (%s", sentence(prose.Capital(s.Title)), escape(s.Text), about)
			if m.traces != "" {
				m.say("; [the run](%s/%s.json)", m.traces, c.Story)
			}
			m.say(")\n")
		case found(c, j) != "":
			m.say("- %s Found: %s (%s)\n", escape(c.Text), escape(found(c, j)), about)
		default:
			m.say("- %s %s (%s)\n", escape(c.Text), escape(c.Note), about)
		}
	}
	m.say("\n")
}

// anchor is where the row of a claim stands in a page.
func anchor(a *Algorithm, c *Claim) string { return a.Name + "-" + c.Name }

// readings writes the readings of an algorithm, folded.
func (m *markdown) readings(a *Algorithm) {
	m.say("<details><summary><b>Readings</b>: %s</summary>\n\nWhere nothing else is said, they assume: %s.\n\n",
		quantity.Plural(len(a.Variants), "variant"), sentence(a.Variants[0].Assumes))
	for i := range a.Variants {
		v := &a.Variants[i]
		m.say("- `%s`%s: %s.", v.Name, standing(a, v), sentence(v.Doc))
		if v.Assumes != a.Variants[0].Assumes {
			m.say(" Assumes: %s.", sentence(v.Assumes))
		}
		if v.Reconstruction != "" {
			m.say(" A reconstruction: %s.", sentence(v.Reconstruction))
		}
		m.say("\n")
	}
	m.say("\n</details>\n")
}

// questions writes what the sources of an algorithm leave open, folded.
func (m *markdown) questions(a *Algorithm) {
	t, _ := a.written()
	if len(t.Questions) == 0 && len(t.Checklists) == 0 {
		return
	}
	m.say("<details><summary><b>What the sources leave open</b>: %s</summary>\n\n", opened(t))
	var sources []string
	for i := range t.Questions {
		q := &t.Questions[i]
		sources = append(sources, q.Source)
		of := ""
		if q.Source != Own {
			of = " (" + sentence(q.Source) + ")"
		}
		m.say("- **%s**%s: %s Left open by: %s\n", q.Name, of, escape(q.Asks), escape(q.Open))
		for _, n := range q.Answers {
			m.say("  - *%s*: %s", n.Name, escape(n.Says))
			if n.Excluded != "" {
				m.say(" Excluded by: %s", escape(n.Excluded))
			}
			switch {
			case len(n.Variants) > 2 && slices.Contains(n.Variants, a.Literal(q.Source).Name):
				m.say(" (`%s` and all that another answer does not name)", a.Literal(q.Source).Name)
			case len(n.Variants) > 0:
				m.say(" (`%s`)", strings.Join(n.Variants, "`, `"))
			}
			m.say("\n")
		}
	}
	if len(sources) > 0 {
		m.say("\n")
	}
	slices.Sort(sources)
	for _, source := range slices.Compact(sources) {
		if left := a.NotLookedAt(source); len(left) > 0 {
			of := ""
			if source != Own {
				of = " of " + sentence(source)
			}
			m.say("Combinations of admissible answers%s that no reading has, and that were not looked at: %d.\n\n", of, len(left))
		}
	}
	m.checklists(a, t.Checklists)
	m.say("</details>\n")
}

// opened says how many questions and checklists there are.
func opened(t *Text) string {
	s := quantity.Plural(len(t.Questions), "question")
	if len(t.Checklists) > 0 {
		s += ", " + quantity.Plural(len(t.Checklists), "checklist")
	}
	return s
}

// checklists writes what answers the items that are asked of each source.
func (m *markdown) checklists(a *Algorithm, lists []Checklist) {
	if len(lists) == 0 {
		return
	}
	m.say("Asked of each source:\n\n")
	for _, item := range CheckItems {
		m.say("- *%s*: %s\n", item.Name, escape(item.Asks))
	}
	m.say("\n")
	for i := range lists {
		var of []string
		for _, source := range lists[i].Sources {
			if source == Own {
				source = a.Source
			}
			of = append(of, sentence(source))
		}
		m.say("Checklist of %s:\n\n", strings.Join(of, "; of "))
		for k := range lists[i].Checked {
			c := &lists[i].Checked[k]
			m.say("- *%s*: %s\n", strings.Join(c.Items, ", "), escape(c.words()))
		}
		m.say("\n")
	}
}

// standing is Standing in brackets, safe in a text.
func standing(a *Algorithm, v *Variant) string {
	if words := a.Standing(v); words != "" {
		return " (" + escape(words) + ")"
	}
	return ""
}

// row writes a claim: one line, and behind it what else there is to say.
func (m *markdown) row(a *Algorithm, r *Row) {
	m.say("<a id=\"%s\"></a>\n<details><summary><b>%s</b>: <i>%s</i>. %s</summary>\n\n", anchor(a, r.Claim), r.Claim.Name, escape(r.Outcome), escape(r.Claim.Text))
	m.say("- Where: %s\n", escape(r.Place))
	if r.Found != "" {
		m.say("- Found: %s\n", escape(r.Found))
	}
	for _, x := range r.Remarks {
		switch {
		case x.Label == RunRemark && m.traces == "":
		case x.Label == RunRemark:
			m.say("- %s: [%s](%s/%s.json)\n", x.Label, x.Text, m.traces, x.Text)
		case x.Label == "":
			m.say("- %s\n", escape(x.Text))
		default:
			m.say("- %s: %s\n", x.Label, escape(x.Text))
		}
	}
	if len(r.Turns) > 0 {
		m.say("\n<details><summary>What turns it</summary>\n\n")
		for _, line := range r.Turns {
			m.say("- %s\n", escape(line))
		}
		m.say("\n</details>\n")
	}
	m.say("\n</details>\n")
}

// sentence is a text without its full stop, safe in a cell of a table.
func sentence(s string) string { return escape(strings.TrimSuffix(s, ".")) }

// escape makes a text safe in a cell of a table.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "\n", " ", "*", `\*`, "_", `\_`, "`", "'").Replace(s)
}
