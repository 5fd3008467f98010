package render

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/trace"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageStyle string
	//go:embed assets/page.js
	pageScript string

	pageTemplate = template.Must(template.New("page").Parse(FrameHTML + pageHTML))
)

// Page writes a page of HTML to walk through a run: the diagram, and for
// each step what happens in it, the rule of the algorithm that ran, the state of
// every process with what changed, and the messages in flight. The page is one
// file that needs no other and no network; its policy allows its own style and
// script and nothing else. The same layout makes the same bytes.
//
// The step is in the fragment of the address: "#step-7". The page also plays the run,
// unless its reader prefers reduced motion. Without scripts the page lists all steps. On paper it is the diagram beside the steps.
func Page(w io.Writer, run *trace.Layout, opt PageOptions) error {
	if !opt.Full {
		run = trace.Told(run)
	}
	l := layout{run}
	var drawing strings.Builder
	href := func(row int) string { return fmt.Sprintf("#step-%d", l.Rows[row].Step) }
	if err := Drawings(&drawing, run, SVGOptions{Unstyled: true, Href: href, Selected: -1}); err != nil {
		return err
	}
	moves, err := l.stage().data()
	if err != nil {
		return err
	}
	heading, source := drawable(prose.Capital(l.title())), drawable(l.source())
	f, err := Framed(opt.Site, heading+" · "+source, Brief(drawable(cmp.Or(l.Story, l.Verdict+".")), 200),
		PageStyle()+pageStyle+stageStyle, stageScript+pageScript)
	if err != nil {
		return err
	}
	f.Script = moves + f.Script
	p := page{
		Frame: f, Sequences: opt.Sequences, Broad: len(l.Columns) > mostBeside, Drawing: template.HTML(drawing.String()),
		Heading: heading, Source: source, Verdict: drawable(l.Verdict), Demand: drawable(l.demand()),
		Wrong: l.Kind == trace.Violation, Setting: l.Setting.String(), World: l.Setting.InWords(),
		Jump: l.jump(),
	}
	for line := range strings.SplitSeq(l.Story, "\n") {
		if line != "" {
			p.Story = append(p.Story, drawable(line))
		}
	}
	for _, link := range l.Links {
		p.Links = append(p.Links, trace.Link{Text: drawable(link.Text), File: link.File})
	}
	for i, c := range l.Chapters {
		p.Chapters = append(p.Chapters, pageChapter{rowOf(l, c.First), l.Rows[rowOf(l, c.First)].Step, drawable(c.Title), drawable(c.Text), steps(l, i)})
	}
	for _, r := range l.Rules {
		p.Rules = append(p.Rules, trace.Rule{Tag: drawable(r.Tag), Text: drawable(r.Text)})
	}
	for i, flying := range l.flyings() {
		p.Steps = append(p.Steps, l.pageStep(i, flying))
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// PageOptions say what a page is a part of. The zero value is a page on its own.
type PageOptions struct {
	// Site is the web site of the page; nil where there is none.
	Site *Site
	// Full has each step of a long run, which is otherwise told in parts (trace.Told).
	Full bool
	// Sequences are those in which the run has its place, for who reads one run
	// after the other.
	Sequences []Sequence
}

// A Sequence is the place of a page in a row of pages: a link to where all of them
// are, which says the place, and those before and after, nil at the ends.
type Sequence struct {
	Place          trace.Link
	Previous, Next *trace.Link
}

// mostBeside is how many processes a diagram has at most that stands beside the
// steps on paper.
const mostBeside = 4

// A page is what the template shows, which escapes all texts of a run.
type page struct {
	Frame
	Drawing                          template.HTML
	Heading, Source, Verdict, Demand string
	Story                            []string
	Wrong, Broad                     bool
	Setting, World                   string
	Links                            []trace.Link
	Sequences                        []Sequence
	Jump                             *pageJump
	Rules                            []trace.Rule
	Chapters                         []pageChapter
	Steps                            []pageStep
}

// A pageChapter is a part of a long run: the row and the step with which it begins, and
// which steps it has.
type pageChapter struct {
	Row, Step          int
	Title, Text, Steps string
}

// A pageJump leads to the row that a run is about.
type pageJump struct {
	Row       int
	Text, Key string
}

type pageStep struct {
	// Row is that of the drawing, and First and Step are the first and the last step for which
	// it stands.
	Row, First, Step int
	Name             string
	// Chapter is the title of the one that begins with it.
	Chapter string
	// Folded are the steps that are told together, if they are.
	Folded    []trace.FoldedStep
	Loop      string
	Breaking  bool
	Tell      string
	Note      string
	Rules     []trace.Rule
	Processes []pageProcess
	Flying    []pageMessage
	Cut, Left string
}

type pageProcess struct {
	ID, Belief, Class string
	Changed           bool
	Facts             []pageFact
}

// A pageFact is a field of a process's state, or a timer.
type pageFact struct {
	Name, Value, Was string
	Changed          bool
}

type pageMessage struct {
	Text, From, To, When string
	New                  bool
}

// jump returns where the run shows what it is about: nil where it shows nothing
// in particular.
func (l layout) jump() *pageJump {
	switch {
	case l.Lasso > 0:
		return &pageJump{l.Lasso, "Jump to the loop", "the loop"}
	case l.Breaks < 0:
		return nil
	case l.Kind == trace.Witness:
		return &pageJump{l.Breaks, "Jump to where it is met", "where it is met"}
	}
	return &pageJump{l.Breaks, "Jump to the violation", "the violation"}
}

// pageStep returns what the page says of a row, after which these arrows are in flight.
func (l layout) pageStep(i int, flying []int) pageStep {
	r := &l.Rows[i]
	s := pageStep{
		Row: i, First: firstStep(r), Step: r.Step, Name: prose.Capital(named(r)), Chapter: drawable(chapterAt(l, i).Title), Tell: drawable(l.Tell(i)), Breaking: i == l.Breaks && l.Kind == trace.Violation,
		Flying: l.flying(i, flying), Left: left(r.State),
	}
	if r.State != nil && r.State.Side.Len() > 0 {
		s.Cut = "The network is divided: " + prose.List(r.State.Side.Names()) + " apart from the rest."
	}
	if r.State != nil && len(r.State.Links) > 0 {
		s.Cut = "Links that are cut: " + trace.Links(r.State.Links) + "."
	}
	if r.Fold != nil {
		for _, f := range r.Fold.Steps {
			s.Folded = append(s.Folded, trace.FoldedStep{Number: f.Number, Text: drawable(f.Text)})
		}
	}
	switch {
	case l.Lasso == 0 || i < l.Lasso:
	case i == len(l.Rows)-1:
		s.Loop, s.Note = "end of the loop", fmt.Sprintf("Then again from step %d, without end.", loopStep(l))
	case i == l.Lasso:
		s.Loop = "the loop begins"
	default:
		s.Loop = "in the loop"
	}
	if i == l.Breaks {
		s.Note = drawable(l.Verdict + ".")
	}
	for _, rule := range l.Rules {
		if slices.Contains(r.Rules, rule.Name) {
			s.Rules = append(s.Rules, trace.Rule{Tag: drawable(rule.Tag), Text: drawable(rule.Text)})
		}
	}
	for k := range l.Columns {
		if l.Columns[k].Client == 0 {
			s.Processes = append(s.Processes, l.pageProcess(i, k))
		}
	}
	return s
}

// pageProcess returns what the page says of a process after a row.
func (l layout) pageProcess(i, k int) pageProcess {
	r, id := &l.Rows[i], l.id(k)
	c := &r.Cells[k]
	p := pageProcess{ID: drawable(l.Columns[k].Name()), Belief: beliefWords(c, id), Changed: c.Changed}
	switch {
	case c.Status != model.Up:
		p.Class = "down"
	case c.Elected != model.None:
		p.Class = hueClass(c.Elected)
	}
	if r.State == nil || k >= len(r.State.Processes) {
		return p
	}
	was := map[string]string{}
	for _, change := range r.Changes {
		if change.Process == id {
			was[change.Field] = l.before(&change)
		}
	}
	add := func(field, name, value string) {
		before, changed := was[field]
		p.Facts = append(p.Facts, pageFact{drawable(name), drawable(value), drawable(before), changed})
	}
	state := &r.State.Processes[k]
	for _, f := range state.Fields {
		// A process that is down has only its stable storage.
		if _, changed := was["state."+f.Name]; changed || !f.Zero || c.Status == model.Up {
			add("state."+f.Name, f.Name, f.Value)
		}
	}
	for _, t := range state.Timers {
		add("timer "+t.Name, "timer "+t.Name, l.timerText(t.Ticks))
	}
	for _, change := range r.Changes { // timers that are no longer set
		if name, ok := strings.CutPrefix(change.Field, "timer "); ok && change.Process == id && change.To == "-" {
			add(change.Field, "timer "+name, "not set")
		}
	}
	return p
}

// before says what a field was before a change.
func (l layout) before(c *trace.Change) string {
	timer := strings.HasPrefix(c.Field, "timer ")
	ticks, err := strconv.Atoi(c.From)
	switch {
	case timer && err == nil && ticks == 0 && l.Setting.Timing.Kind.Discrete():
		return "due"
	case timer && err == nil:
		return l.timerText(ticks)
	case timer:
		return "not set"
	case c.From == "":
		return "nothing"
	}
	return c.From
}

// timerText says how a timer is set.
func (l layout) timerText(ticks int) string {
	switch {
	case l.Setting.Timing.Kind.Discrete():
		return count(ticks, "tick")
	case ticks > 0:
		return fmt.Sprintf("set to %d", ticks)
	}
	return "set"
}

// flyings goes through the rows, with the arrows that are in flight after each, oldest
// first.
func (l layout) flyings() iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		var flying []int
		next := 0
		for i := range l.Rows {
			for ; next < len(l.Arrows) && l.Arrows[next].Sent <= i; next++ {
				if l.Arrows[next].Fate != trace.Refused {
					flying = append(flying, next)
				}
			}
			flying = slices.DeleteFunc(flying, func(k int) bool { return l.Arrows[k].End <= i })
			if !yield(i, flying) {
				return
			}
		}
	}
}

// flying describes the arrows that are in flight after a row.
func (l layout) flying(i int, arrows []int) []pageMessage {
	var list []pageMessage
	state := l.Rows[i].State
	var left []model.Envelope
	if state != nil {
		left = slices.Clone(state.InFlight)
		slices.SortStableFunc(left, func(a, b model.Envelope) int { return a.Due - b.Due })
	}
	for _, k := range arrows {
		a := &l.Arrows[k]
		m := pageMessage{Text: drawable(a.Text), From: l.Columns[a.From].Short(), To: l.Columns[a.To].Short(), New: a.Sent == i && i > 0}
		if a.Sent > 0 {
			m.When = "sent in " + named(&l.Rows[a.Sent])
		} else {
			m.When = "in flight from the start"
		}
		if a.Copy {
			m.When = "a copy, made in " + named(&l.Rows[a.Sent])
		}
		at := slices.IndexFunc(left, func(e model.Envelope) bool {
			return e.To == l.id(a.To) && e.Port == a.Port && e.Text == l.TextAt(k, i)
		})
		if at >= 0 {
			if l.Setting.Timing.Kind.Discrete() {
				m.When += fmt.Sprintf(", arrives within %s", count(left[at].Due, "tick"))
			}
			left = slices.Delete(left, at, at+1)
		}
		list = append(list, m)
	}
	return list
}

// left says which faults may still come.
func left(s *model.Snapshot) string {
	if s == nil {
		return ""
	}
	var words []string
	for _, b := range s.Budgets {
		if b.Times > 0 {
			words = append(words, fmt.Sprintf("%s: %d", b.Name, b.Times))
		}
	}
	return strings.Join(words, ", ")
}
