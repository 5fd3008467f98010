//go:build !js

package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A listCommand is the command list with its flags.
type listCommand struct {
	app                       *app
	properties, runs, omitted bool
	tint
}

func (c *listCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [ALGO...]",
		Short: "list algorithms, or the variants, sources and assumptions of those named",
		Long: "List shows the algorithms. For each algorithm that is named it shows the variants with their\n" +
			"sources, their assumptions, and the setting in which each is checked unless flags change it; then the\n" +
			"algorithm's own properties, its mutants (deliberate faults), its recorded runs and its incidents. Without\n" +
			"names it shows all algorithms by the network that they need.",
		Example:           c.app.examples("list", "list ALGO", "list --properties"),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&c.properties, "properties", false, "list the properties that are checked for all algorithms")
	cmd.Flags().BoolVar(&c.runs, "runs", false, "list the recorded runs and the incidents, which trace, replay and explore know by name")
	if len(c.app.Omitted) > 0 {
		cmd.Flags().BoolVar(&c.omitted, "omitted", false, "list the systems that sources describe and the catalogue lacks")
	}
	c.tint.add(cmd.Flags())
	return cmd
}

func (c *listCommand) run(names []string) error {
	width := min(c.app.width, 100)
	l := &lister{width: width, pen: prose.Print(width, c.colored(c.app))}
	switch {
	case len(names) > 0 && (c.properties || c.runs || c.omitted):
		return errors.New("list: --properties, --runs and --omitted are of all algorithms: want no ALGO beside them")
	case len(names) > 0:
		for _, name := range names {
			found, err := c.app.find(name)
			if err != nil {
				return err
			}
			l.algorithm(found)
			l.runs(c.app, found.Name)
		}
	case c.properties || c.runs || c.omitted:
		if c.properties {
			l.properties()
		}
		if c.runs {
			l.runs(c.app, "")
		}
		if c.omitted {
			l.omitted(c.app.Omitted)
		}
	default:
		l.index(c.app)
	}
	_, err := fmt.Fprint(c.app.out, l.b.String())
	return err
}

// networks are the kinds of networks, in the order of list.
var networks = []struct {
	topology setting.Topology
	title    string
}{
	{setting.Complete, "Each process can send to each other"},
	{setting.Ring, "A ring, in one direction"},
	{setting.BiRing, "A ring, in both directions"},
}

// index writes a line for each algorithm, those of one kind of network together,
// and says where to begin.
func (l *lister) index(a *app) {
	widest := 0
	for _, of := range a.known() {
		widest = max(widest, len(of.Name))
	}
	for _, network := range networks {
		l.titles(network.title, slices.DeleteFunc(slices.Clone(a.Algorithms), func(of *ledger.Algorithm) bool {
			return of.Variants[0].Setting.Topology != network.topology
		}), widest, a.Incidents.List)
	}
	l.titles("Examples", a.Examples, widest, nil)
	if first := a.example("ALGO"); first != "" {
		l.say("", fmt.Sprintf("Begin with %s: %s check %s, and then %s explore %s.", first, a.name, first, a.name, first), 0)
	}
	more := a.name + " list ALGO tells all about one algorithm. list --properties shows the properties that are asked of all"
	if n := len(a.runs().Names()); n > 0 {
		more += ", list --runs the " + quantity.Plural(n, "recorded run")
	}
	if len(a.Omitted) > 0 {
		more += ", list --omitted the systems that are not modelled, each with the reason"
	}
	if len(a.Incidents.List) > 0 {
		more += ". The year is that of the source, and systems in brackets had incidents"
	}
	l.say("", more+".", 0)
}

// omitted writes a paragraph for each system that is not modelled.
func (l *lister) omitted(list []ledger.Omission) {
	for _, o := range list {
		l.head("", o.Name, 0)
		l.say("  described: ", o.Source+": “"+o.Quote+"”", 4)
		l.say("  not modelled: ", o.Why, 4)
	}
}

// titles writes names and titles under a heading, a line for each, with the year of the source and
// the systems whose incidents it is about.
func (l *lister) titles(head string, list []*ledger.Algorithm, widest int, incidents []ledger.Incident) {
	if len(list) == 0 {
		return
	}
	l.head("", head+":", 0)
	dated := slices.ContainsFunc(list, func(of *ledger.Algorithm) bool { return ledger.YearOf(of.Source) != "" })
	for _, of := range list {
		var used []string
		for i := range incidents {
			if c := &incidents[i]; c.Algorithm == of.Name && !slices.Contains(used, c.Products[0]) {
				used = append(used, c.Products[0])
			}
		}
		text := of.Title
		if len(used) > 0 {
			text += " (" + strings.Join(used, ", ") + ")"
		}
		if dated {
			text = fmt.Sprintf("%4s  %s", ledger.YearOf(of.Source), text)
		}
		line := []rune(fmt.Sprintf("  %-*s  %s", widest, of.Name, text))
		if len(line) > l.width {
			line = append(line[:l.width-1], '…')
		}
		l.b.WriteString(string(line) + "\n")
	}
	l.b.WriteString("\n")
}

// A lister writes paragraphs.
type lister struct {
	b     strings.Builder
	width int
	pen   *prose.Printer // paints headings
}

// head writes a paragraph as say does, and in bold where there is colour.
func (l *lister) head(mark, text string, indent int) {
	plain := lister{width: l.width}
	plain.say(mark, text, indent)
	l.b.WriteString(l.pen.Paint(prose.Bold, strings.TrimSuffix(plain.b.String(), "\n")) + "\n")
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
	l.b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// sayIf says what there is to say.
func (l *lister) sayIf(mark, text string, indent int) {
	if strings.TrimSpace(text) != "" {
		l.say(mark, text, indent)
	}
}

func (l *lister) algorithm(a *ledger.Algorithm) {
	l.head("", fmt.Sprintf("%s: %s", a.Name, a.Title), 2)
	l.sayIf("  ", a.Doc, 2)
	l.sayIf("  source: ", a.Source, 10)
	for i := range a.Variants {
		v := &a.Variants[i]
		name := a.Name + "/" + v.Name
		if i == 0 {
			name += " (the default)"
		}
		l.head("\n  ", name, 2)
		l.sayIf("    ", v.Doc, 4)
		l.sayIf("    source:  ", v.Source, 13)
		l.sayIf("    assumes: ", v.Assumes, 13)
		l.say("    setting: ", v.Setting.String(), 13)
	}
	if len(a.Properties) > 0 {
		l.head("\n  ", "Properties of its own, beside the standard ones:", 2)
	}
	for _, p := range a.Properties {
		l.say("    ", p.Name+": "+p.Doc, 6)
	}
	if len(a.Mutants) > 0 {
		l.head("\n  ", "Mutants, which are deliberate faults, each caught by a property:", 2)
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
		if _, err := checker.Lookup(p.Name); err == nil || p.Label() != p.Name {
			continue
		}
		if l.b.Len() == 0 {
			l.say("\n  ", "Properties of the algorithm's own:", 2)
		}
		l.say("    ", p.Name+": "+p.Doc, 6)
	}
}

func (l *lister) properties() {
	l.head("", "Properties:", 0)
	for _, p := range append(append(checker.Standard(), checker.OnRequest()...), checker.Misuse) {
		l.say("  ", p.Name+": "+p.Doc, 4)
	}
	l.b.WriteString("\n")
}

// runs lists the recorded runs of an algorithm, of all if it is empty, and then its incidents.
func (l *lister) runs(a *app, algorithm string) {
	var runs, incidents []string
	for _, name := range a.Recorded.Names() {
		if !strings.HasPrefix(name, algorithm) {
			continue
		}
		if t, err := a.Recorded.Open(name); err == nil && (algorithm == "" || t.Algorithm == algorithm) {
			runs = append(runs, strings.TrimSuffix(name+": "+t.Title, ": "))
		}
	}
	for i := range a.Incidents.List {
		if c := &a.Incidents.List[i]; c.Absent == "" && (algorithm == "" || c.Algorithm == algorithm) {
			incidents = append(incidents, fmt.Sprintf("%s, %s: %s", c.System, c.Broke, c.Name))
		}
	}
	l.paragraphs("Recorded runs ("+a.name+" trace NAME draws one):", runs)
	l.paragraphs("Incidents in systems that people run ("+a.name+" trace NAME draws one):", incidents)
}

// paragraphs writes texts under a heading, if there are any.
func (l *lister) paragraphs(head string, texts []string) {
	if len(texts) == 0 {
		return
	}
	l.head("", head, 0)
	for _, text := range texts {
		l.say("  ", text, 4)
	}
	l.b.WriteString("\n")
}
