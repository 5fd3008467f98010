package checker

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// WriteText writes the report for people: the verdict with its scope, a line
// for each property, what never ran, and what the search saw. Of opt it minds
// Color, and Width beyond which it breaks lines (0 stands for 80). Traces are
// not in it: see Finding.WriteText.
func (r *Report) WriteText(w io.Writer, opt render.TextOptions) error {
	p := prose.Print(opt.Width, opt.Color)
	p.Line(0, r.Headline(), prose.Bold+paints[r.Verdict()])
	p.Line(2, "setting: "+r.Setting.String(), "")
	p.Gap()
	name := 0
	for i := range r.Findings {
		name = max(name, utf8.RuneCountInString(shown(r.Findings[i].Property)))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		mark := fmt.Sprintf("%s %-*s  ", marks[f.Verdict], name, shown(f.Property))
		p.Hanging(2, mark, r.line(i), paints[f.Verdict])
	}
	p.Gap()
	if remedy := r.Remedy(); remedy != "" {
		p.Line(2, "To see more: "+remedy+".", prose.Yellow)
	}
	if text := r.growthText(); text != "" {
		p.Line(2, text, prose.Yellow)
	}
	r.writeValues(p)
	r.writeTallies(p)
	r.writeEstimates(p)
	r.writeGaps(p)
	if r.forgets() {
		p.Line(2, "A process that restarts has forgotten everything: the protocol has no stable storage.", "")
	}
	if text := r.periodicText(); text != "" {
		p.Line(2, text, "")
	}
	if r.Bound != "" {
		p.Line(2, "The bound: "+r.Bound+".", "")
	}
	p.Line(2, r.searchText(), "")
	if r.Coverage.Remark != "" {
		p.Line(2, r.Coverage.Remark, "")
	}
	if text := r.reductionText(); text != "" {
		p.Line(2, text, "")
	}
	p.Line(2, r.doubtText(), "")
	_, err := io.WriteString(w, p.String())
	return err
}

// writeEstimates says how many states there may be where searches ended early: of the system
// that was searched, and of a reduced one that was searched beside it.
func (r *Report) writeEstimates(p *prose.Printer) {
	for _, s := range []*Report{r, r.less} {
		if s == nil || s.Why == "" {
			continue
		}
		system := "system"
		if s != r || r.Reduction != nil && r.Reduction.Alone {
			system = "reduced system"
		}
		if text := s.estimateText(system); text != "" {
			p.Line(2, text, "")
		}
	}
}

// The signs of verdicts at the beginning of a property's line, and their
// colours: green, red and yellow.
var (
	marks  = map[Verdict]string{Holds: "+", Found: "+", Violated: "-", NotFound: "-", Incomplete: "?", Vacuous: "0"}
	paints = map[Verdict]string{
		Holds: prose.Green, Found: prose.Green, Violated: prose.Red, NotFound: prose.Red, Incomplete: prose.Yellow, Vacuous: prose.Yellow,
	}
)

// shown is what stands at the beginning of a property's line.
func shown(p *Property) string { return nearest.Clip(p.Label()) }

// Headline is the verdict on everything asked in one sentence, with its scope.
func (r *Report) Headline() string {
	total := len(r.Findings)
	count := make(map[Verdict]int)
	for i := range r.Findings {
		count[r.Findings[i].Verdict]++
	}
	failed := count[Violated] + count[NotFound]
	switch r.Verdict() {
	case Holds:
		what := properties(total) + " hold" + verbS(total)
		if total == 0 { // Misuse alone was asked, which has a finding where it is violated
			what = Misuse.Name + " holds"
		}
		return fmt.Sprintf("HOLDS %s: %s, %s, in %s.", r.scope(), r.Subject(), what, r.allStates())
	case Vacuous:
		return fmt.Sprintf("VACUOUS %s: %s, %d of %s never came up (%d hold%s), in %s.",
			r.scope(), r.Subject(), count[Vacuous], properties(total), total-count[Vacuous], verbS(total-count[Vacuous]), r.allStates())
	case Incomplete:
		if r.Why == "" {
			return fmt.Sprintf("INCOMPLETE: %s, nothing wrong in all %s, but not everything is decided: %s.",
				r.Subject(), quantity.Plural(r.Distinct, "state"), r.undecided())
		}
		return fmt.Sprintf("INCOMPLETE: %s, %s, but the search did not see all: %s.", r.Subject(), r.known(), r.undecided())
	}
	text := fmt.Sprintf("VIOLATED in this setting: %s, %d of %s", r.Subject(), failed, properties(total))
	var rest []string
	if n := count[Holds] + count[Found]; n > 0 {
		rest = append(rest, fmt.Sprintf("%d hold%s", n, verbS(n)))
	}
	if n := count[Vacuous]; n > 0 {
		rest = append(rest, fmt.Sprintf("%d never came up", n))
	}
	if n := count[Incomplete]; n > 0 {
		rest = append(rest, fmt.Sprintf("%d undecided, since %s", n, r.undecided()))
	}
	if len(rest) > 0 {
		text += " (" + strings.Join(rest, ", ") + ")"
	}
	return text + "."
}

// scope says of what a verdict is.
func (r *Report) scope() string {
	if r.Bound != "" {
		return "within its bound, in this setting"
	}
	return "in this setting"
}

// undecided says why a report does not decide everything.
func (r *Report) undecided() string {
	for i := range r.Findings {
		if f := &r.Findings[i]; r.Why == "" && f.Verdict == Incomplete && f.Why != "" {
			return f.Why
		}
	}
	return r.Why
}

// known says what is known where a search ended early.
func (r *Report) known() string {
	text := "nothing wrong in " + quantity.Plural(r.Distinct, "state")
	if r.CompleteDepth >= 0 {
		text += fmt.Sprintf(", no run of up to %s is wrong", quantity.Plural(r.CompleteDepth, "step"))
	}
	return text
}

// forgets reports whether processes restart and keep nothing.
func (r *Report) forgets() bool {
	return r.Setting.Restarts > 0 && slices.ContainsFunc(r.Optional, func(o model.OptionalMethod) bool { return o.Method == "Stable" && !o.Has })
}

// periodic returns the timers of a system that are periodic, as texts quote them.
func periodic(sys *model.System) (names []string) {
	for _, t := range sys.Names().Timers {
		if t.Periodic {
			names = append(names, prose.Quote(t.Name))
		}
	}
	return names
}

// periodicText says how little is asked of settled states where timers are periodic;
// empty where none is, or where nothing is asked of settled states.
func (r *Report) periodicText() string {
	var asked []string
	for i := range r.Findings {
		if p := r.Findings[i].Property; p.afterAll() {
			asked = append(asked, p.Name)
		}
	}
	if len(r.periodic) == 0 || len(asked) == 0 {
		return ""
	}
	timers, are := "The timer "+r.periodic[0], "is"
	if len(r.periodic) > 1 {
		timers, are = "The timers "+prose.List(r.periodic), "are"
	}
	ask := "asks"
	if len(asked) > 1 {
		ask = "ask"
	}
	return fmt.Sprintf("%s %s periodic: a state is settled as soon as nothing else is left, and %s %s of these pauses alone. "+
		"A heartbeat is periodic; a timer whose expiry begins an election is not. To judge what comes after the pauses, ask the suite "+
		"checker.Heartbeat.", timers, are, prose.List(asked), ask)
}

// WriteMethods writes, for the author of the protocol, which of the optional methods
// it has, as WriteText writes.
func (r *Report) WriteMethods(w io.Writer, opt render.TextOptions) error {
	var has, lacks []string
	for _, o := range r.Optional {
		if o.Has {
			has = append(has, o.Method)
		} else {
			lacks = append(lacks, o.Method)
		}
	}
	text := "Optional methods of the protocol: " + cmp.Or(strings.Join(has, ", "), "none") + "."
	if len(lacks) > 0 {
		text += " It lacks " + strings.Join(lacks, ", ") + "."
	}
	p := prose.Print(opt.Width, opt.Color)
	p.Line(2, text, "")
	_, err := io.WriteString(w, p.String())
	return err
}

func properties(n int) string {
	if n == 1 {
		return "1 property"
	}
	return fmt.Sprintf("%d properties", n)
}

// verbS returns the s of a verb after n things.
func verbS(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}

// line is the Line of a finding, without a reason that is that of another one.
func (r *Report) line(i int) string {
	f := &r.Findings[i]
	for j := range i {
		if g := &r.Findings[j]; f.Verdict == Incomplete && !f.unseen && f.Property.kind.temporal() && g.Line() == f.Line() {
			return "undecided, for the same reason as " + g.Property.Name
		}
	}
	return f.Line()
}

// Line is the answer in words, without the property's name: "violated in 6
// steps: 2 and 3 both believe themselves coordinator".
func (f *Finding) Line() string {
	switch f.Verdict {
	case Violated, Found:
		if f.Property.kind.fair() {
			return f.endlessLine()
		}
		how := "in " + quantity.Plural(len(f.Trace.Steps), "step")
		if !f.Shortest {
			how += " (perhaps not the fewest)"
		}
		switch {
		case f.Explanation != "":
			return fmt.Sprintf("%s %s: %s", f.Verdict, how, f.Explanation)
		case f.Verdict == Violated:
			return fmt.Sprintf("violated %s. It says: %s", how, f.Property.Doc)
		}
		return fmt.Sprintf("found %s: %s", how, f.Property.Doc)
	case Incomplete:
		switch {
		case f.unseen:
			return "undecided: it takes all states to decide it"
		case f.Property.kind.temporal():
			return "undecided: " + f.Why
		case f.Property.kind.witness() && f.known >= 0:
			return "undecided: not found in runs of up to " + quantity.Plural(f.known, "step")
		case f.Property.kind.witness():
			return "undecided: not found in what was seen"
		case f.known >= 0:
			return fmt.Sprintf("undecided: no run of up to %s breaks it", quantity.Plural(f.known, "step"))
		}
		return "undecided: not violated in what was seen"
	case Vacuous:
		return "vacuous: there was never " + f.Why
	case NotFound:
		return "not found anywhere: " + f.Property.Doc
	}
	if fairness, ok := f.Property.Fairness(); ok {
		return "holds, under " + fairness.String()
	}
	return "holds"
}

// endlessLine is Line of a run that never ends, or ends too early.
func (f *Finding) endlessLine() string {
	how := "the run ends after " + quantity.Plural(len(f.Trace.Steps), "step")
	if l := f.Trace.Lasso; l > 0 {
		how = fmt.Sprintf("after %s, %s repeat without end", quantity.Plural(l-1, "step"), quantity.Plural(len(f.Trace.Steps)-l+1, "step"))
		if l == len(f.Trace.Steps) {
			how = strings.Replace(how, "1 step repeat ", "1 step repeats ", 1)
		}
	}
	why := f.Explanation
	if why == "" {
		why = "it says: " + f.Property.Doc
	}
	return fmt.Sprintf("violated, under %s: %s: %s", f.Property.temporal.fairness, how, why)
}

// WriteText draws the trace of a finding as a space-time diagram. It writes
// nothing where there is no trace.
func (f *Finding) WriteText(w io.Writer, opt render.TextOptions) error {
	l, err := f.Layout()
	if l == nil {
		return err
	}
	return render.Text(w, l, opt)
}

// wholeVerdict is what a diagram says of a property of whole runs; without
// anything better, what it would say anyway.
func (f *Finding) wholeVerdict(text string) string {
	switch {
	case f.Explanation == "":
		return text
	case f.Trace.Lasso > 0:
		return text + ": " + f.Explanation
	case f.Property.kind.fair():
		return fmt.Sprintf("%s breaks: nothing is owed after step %d, and %s", f.Property.Name, len(f.Trace.Steps), f.Explanation)
	}
	return fmt.Sprintf("%s breaks in step %d: %s", f.Property.Label(), len(f.Trace.Steps), f.Explanation)
}

func verbEnd(f *Finding) string {
	if f.Verdict == Found {
		return "is met"
	}
	return "breaks"
}

// searchText says what the search saw and what that took.
func (r *Report) searchText() string {
	extent := "all of them"
	switch {
	case !r.Complete():
		extent = "not all there are"
	case r.Bound != "":
		extent = "all within the bound"
	}
	distinct, _ := r.Rate()
	text := fmt.Sprintf("%s (%s), %s generated, depth %d; %s", quantity.Plural(r.Distinct, "distinct state"), extent,
		quantity.Count(r.Generated), r.Depth, orderText(r.Order))
	text += fmt.Sprintf(" with %s in %s", quantity.Plural(r.Workers, "worker"), quantity.Duration(r.Duration))
	if r.Duration.Seconds() >= 0.1 {
		text += fmt.Sprintf(", %s states/s", quantity.Short(distinct))
	}
	text += fmt.Sprintf(", %s.", quantity.Bytes(r.PeakBytes))
	if r.GaveUp != "" {
		text += " The search went on without the graph: " + r.GaveUp + "."
	}
	return text
}

func orderText(o explore.Order) string { return strings.ReplaceAll(o.String(), "-", " ") }

// doubtText says how sure it is that no state was missed.
func (r *Report) doubtText() string {
	switch {
	case r.Exact && r.Collisions > 0:
		return fmt.Sprintf("States were compared in full: none was taken for another (%s had equal fingerprints).",
			quantity.Plural(r.Collisions, "state"))
	case r.Exact:
		return "States were compared in full: none was taken for another."
	}
	return fmt.Sprintf("States were compared by 64-bit fingerprints: the chance that one was missed is below %s.",
		quantity.Chance(r.CollisionProbability))
}

// writeGaps lists what never ran.
func (r *Report) writeGaps(p *prose.Printer) {
	if r.Reason == explore.TargetsHit {
		p.Line(2, "Every property was decided before all states were seen; a rule or message may still be exercised in the others.", "")
		return
	}
	if len(r.Gaps) == 0 && r.Reduction != nil && r.Reduction.Alone {
		return // reductionText says that nothing is known
	}
	if len(r.Gaps) == 0 {
		p.Line(2, "Every rule ran, and every kind of message was sent and received.", "")
		return
	}
	intro := "Not exercised in this setting, so no verdict above covers it:"
	if !r.Complete() {
		intro = "Not exercised so far:"
	}
	p.Line(2, intro, paints[Incomplete])
	for _, g := range r.Gaps {
		p.Hanging(4, "", g.String(), "")
	}
}

// WriteTraces draws the trace of every finding that has one, in order, with an
// empty line before each. A run that breaks several properties is drawn once.
func (r *Report) WriteTraces(w io.Writer, opt render.TextOptions) error {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Trace == nil {
			continue
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if g := r.sameRun(i); g != nil {
			text := fmt.Sprintf("%s: %s %s by the run above (%s)", r.Subject(), f.Property.Label(), verbEnd(f), g.Property.Label())
			if f.Explanation != "" {
				text += ": " + f.Explanation
			}
			text += "."
			if _, err := io.WriteString(w, strings.Join(prose.Wrap(text, max(opt.Width, 80)), "\n")+"\n"); err != nil {
				return err
			}
			continue
		}
		if err := f.WriteText(w, opt); err != nil {
			return err
		}
	}
	return nil
}

// sameRun returns the first finding before i that the same run shows, nil if
// there is none.
func (r *Report) sameRun(i int) *Finding {
	for j := range i {
		g := &r.Findings[j]
		if g.Run != nil && g.Trace.Lasso == r.Findings[i].Trace.Lasso && slices.EqualFunc(g.Run.States, r.Findings[i].Run.States, bytes.Equal) &&
			slices.EqualFunc(g.Trace.Steps, r.Findings[i].Trace.Steps, func(a, b trace.Step) bool {
				return trace.SameAction(a.Action, b.Action)
			}) {
			return g
		}
	}
	return nil
}

// allStates says that a verdict is about all states that there are, or that a
// reduction has left.
func (r *Report) allStates() string {
	text := "all of its " + quantity.Count(r.Distinct) + " states"
	if r.Bound != "" {
		text += " within the bound"
	}
	switch {
	case r.Reduction != nil && r.Reduction.Alone:
		return text + " (reduced)"
	case r.Distinct == 1:
		return "its only state"
	}
	return text
}

// reductionText says what was reduced; "" where nothing was asked for.
func (r *Report) reductionText() string {
	d := r.Reduction
	switch {
	case d == nil:
		return ""
	case d.Refused != "":
		return "Not reduced: " + d.Refused + "."
	}
	text := fmt.Sprintf("Reduced (%s)", strings.Join(d.Made.Names(), ", "))
	if d.Beyond > 0 {
		text += ", as there are more than " + quantity.Plural(d.Beyond, "state")
	}
	verb := "decided on"
	if !d.Complete {
		verb = "asked of"
	}
	text += fmt.Sprintf(": %s, %s %s", prose.List(d.Properties), verb, quantity.Plural(d.Distinct, "state"))
	switch {
	case !d.Complete:
		text += " (not all there are)"
	case !d.Alone && r.Complete():
		text += fmt.Sprintf(" of %s, a factor of %s", quantity.Count(r.Distinct), factor(r.Distinct, d.Distinct))
	}
	if d.Alone {
		return text + ". What never ran in them may run in others." + reduceNone
	}
	if len(d.Left) > 0 {
		text += ". Not reduced: " + refusal(d.Left, 0)
	}
	return text + "."
}

// reduceNone is how to have no reduction.
const reduceNone = " With --reduce none the search visits all."

// factor says how many times fewer states there are.
func factor(all, fewer uint64) string {
	x := float64(all) / float64(max(fewer, 1))
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return quantity.Count(uint64(x + 0.5))
}
