package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/trace"
)

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list [ALGO...]",
		Short: "list algorithms, variants, sources and assumptions",
		Long: "List shows the algorithms with their variants: where each is from, what it assumes, and the setting in\n" +
			"which it is checked unless flags say otherwise; then its own properties and the mutants (faults made on\n" +
			"purpose), the properties that are asked of all, and the recorded counterexamples. With names it shows those algorithms alone.",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeSubjects,
		RunE:              func(_ *cobra.Command, args []string) error { return a.list(args) },
	}
}

func (a *app) list(names []string) error {
	all := a.Algorithms
	if len(names) > 0 {
		all = nil
	}
	for _, name := range names {
		found, err := a.find(name)
		if err != nil {
			return err
		}
		all = append(all, found)
	}
	l := &lister{width: min(a.width, 100)}
	for _, algorithm := range all {
		l.algorithm(algorithm)
	}
	if len(names) == 0 {
		l.properties()
		l.counterexamples(a.name, a.Recorded)
	}
	_, err := fmt.Fprint(a.out, l.b.String())
	return err
}

// A lister writes paragraphs.
type lister struct {
	b     strings.Builder
	width int
}

// say writes a paragraph behind a mark; its lines are indented to the end of
// the mark, or by indent if that is not negative.
func (l *lister) say(mark, text string, indent int) {
	line, start := mark, true
	for _, word := range strings.Fields(text) {
		if !start && len([]rune(line))+1+len([]rune(word)) > l.width {
			l.b.WriteString(line + "\n")
			line, start = strings.Repeat(" ", indent), true
		}
		if !start {
			line += " "
		}
		line += word
		start = false
	}
	l.b.WriteString(line + "\n")
}

func (l *lister) algorithm(a *ledger.Algorithm) {
	l.say("", fmt.Sprintf("%s: %s", a.Name, a.Title), 2)
	l.say("  ", a.Doc, 2)
	l.say("  source: ", a.Source, 10)
	for i := range a.Variants {
		v := &a.Variants[i]
		name := a.Name + "/" + v.Name
		if i == 0 {
			name += " (the default)"
		}
		l.say("\n  ", name, 2)
		l.say("    ", v.Doc, 4)
		if v.Source != "" {
			l.say("    source:  ", v.Source, 13)
		}
		l.say("    assumes: ", v.Assumes, 13)
		l.say("    setting: ", v.Setting.String(), 13)
	}
	if len(a.Properties) > 0 {
		l.say("\n  ", "properties of its own, beside the standard ones", 2)
	}
	for _, p := range a.Properties {
		l.say("    ", p.Name+": "+p.Doc, 6)
	}
	if len(a.Mutants) > 0 {
		l.say("\n  ", "mutants: faults on purpose, each of which a property catches", 2)
	}
	for _, m := range a.Mutants {
		l.say("    ", fmt.Sprintf("%s/%s: %s Made from %s, caught by %s.", a.Name, m.Name, m.Doc, m.Of, m.Caught), 6)
	}
	l.b.WriteString("\n")
}

// own says what the properties of a report are that list does not explain among
// the standard ones.
func (l *lister) own(r *checker.Report) {
	for i := range r.Findings {
		p := r.Findings[i].Property
		if _, err := checker.Lookup(p.Name); err == nil {
			continue
		}
		if l.b.Len() == 0 {
			l.say("\n  ", "Properties of the algorithm's own:", 2)
		}
		l.say("    ", p.Name+": "+p.Doc, 6)
	}
}

func (l *lister) properties() {
	l.say("", "properties", 0)
	for _, p := range append(checker.Standard(), checker.E1, checker.Misuse) {
		l.say("  ", p.Name+": "+p.Doc, 4)
	}
	l.b.WriteString("\n")
}

func (l *lister) counterexamples(program string, all trace.Collection) {
	if len(all.Names()) == 0 {
		return
	}
	l.say("", "recorded counterexamples ("+program+" trace NAME)", 0)
	for _, name := range all.Names() {
		about := ""
		if t, err := all.Open(name); err == nil && t.Title != "" {
			about = ": " + t.Title
		}
		l.say("  ", name+about, 4)
	}
}
