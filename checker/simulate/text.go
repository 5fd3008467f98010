package simulate

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/trace/render"
)

// WriteText writes the report for people, without the runs, in lines of at most
// so many columns where that is possible.
func (r *Report) WriteText(w io.Writer, columns int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s\n", r.Subject(), r.Setting)
	fmt.Fprintf(&b, "%s\n\n", r.covered())
	writeVerdicts(&b, "walk", r.Walks, r.Findings, r.Unbroken, r.Unjudged)
	r.writeEnds(&b)
	r.writeElections(&b, columns)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeVerdicts says of each property what walks did to it, or schedules, of which
// so many were made to their end.
func writeVerdicts(b *strings.Builder, walk string, made uint64, findings []*Finding, unbroken, unjudged []*checker.Property) {
	name := 0
	for _, f := range findings {
		name = max(name, len(f.Property.Name))
	}
	for _, p := range slices.Concat(unbroken, unjudged) {
		name = max(name, len(p.Name))
	}
	for _, f := range findings {
		fmt.Fprintf(b, "%-*s  %s\n", name, f.Property.Name, f.Line())
		of := ""
		if f.Strategy != "" {
			of = " of " + f.Strategy
		}
		fmt.Fprintf(b, "%-*s  %s %d%s had %s; of all %ss, %s %s it\n", name, "", walk, f.Walk, of,
			quantity.Plural(f.Length, "step"), walk, quantity.Count(f.Times), verb(f))
	}
	for _, p := range unbroken {
		verb := "broken"
		if p.Witness() {
			verb = "met"
		}
		if made == 0 {
			fmt.Fprintf(b, "%-*s  not judged: no %s came to its end\n", name, p.Name, walk)
			continue
		}
		fmt.Fprintf(b, "%-*s  not %s on these %ss\n", name, p.Name, verb, walk)
	}
	for _, p := range unjudged {
		fmt.Fprintf(b, "%-*s  not judged: it is about whole runs\n", name, p.Name)
	}
}

// verb says what walks did to the property of a finding.
func verb(f *Finding) string {
	if f.Property.Witness() {
		return "met"
	}
	return "broke"
}

// Subject returns the name of what walked: "bully/coulouris".
func (r *Report) Subject() string { return subject(r.Algorithm, r.Variant) }

func subject(algorithm, variant string) string {
	if variant == "" {
		return algorithm
	}
	return algorithm + "/" + variant
}

// covered says what was covered.
func (r *Report) covered() string {
	how := "at random"
	if r.Depth > 0 {
		how = fmt.Sprintf("by priorities (PCT, depth %d)", r.Depth)
	}
	walks := quantity.Plural(r.Walks, "walk") + " " + how + ","
	if r.Walks == 0 {
		walks = "no walk " + how + " came to its end,"
	}
	text := fmt.Sprintf("%s of up to %s: %s in all, about %s\nseed %d", walks, quantity.Plural(r.MaxSteps, "step"),
		quantity.Plural(r.Steps, "step"), quantity.Plural(r.Distinct, "distinct state"), r.Seed)
	if r.First > 0 {
		text += fmt.Sprintf(", from walk %d on", r.First)
	}
	if r.Stopped != "" {
		text += "; ended early: " + r.Stopped
	}
	return text
}

// writeEnds says how walks ended.
func (r *Report) writeEnds(b *strings.Builder) {
	if r.Walks > 0 {
		b.WriteString("\n")
	}
	switch {
	case r.Walks == 0:
	case r.Unsettled == 0:
		b.WriteString("All walks ended settled.\n")
	default:
		fmt.Fprintf(b, "Not settled within the bound: %s", quantity.Plural(r.Unsettled, "walk"))
		if r.Stuck > 0 {
			fmt.Fprintf(b, "; on %s of them nothing is owed any more", quantity.Count(r.Stuck))
		}
		b.WriteString(".\n")
	}
	for _, why := range r.Bounded {
		fmt.Fprintf(b, "Left out: %s\n", why)
	}
}

// writeElections writes the statistics, and a histogram of the messages.
func (r *Report) writeElections(b *strings.Builder, columns int) {
	e := &r.Elections
	if e.Steps.Len() == 0 && e.Unfinished == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s to quiescence\n", quantity.Plural(e.Steps.Len(), "election"))
	if missing := r.missing(); missing != "" {
		b.WriteString(strings.Join(prose.Wrap(missing, min(columns, 80)), "\n") + "\n")
	}
	if e.Steps.Len() == 0 {
		return
	}
	name := 10
	for i := range e.Kinds {
		name = max(name, len(e.Kinds[i].Kind)+2)
	}
	fmt.Fprintf(b, "%-*s %9s %9s %7s %7s %7s %7s %7s\n", name, "", "mean", "deviation", "least", "median", "90 %", "99 %", "most")
	for i, s := range e.measures() {
		writeSample(b, name, sampleNames[i], s)
		for j := range e.Kinds {
			if i == 0 {
				writeSample(b, name, "  "+e.Kinds[j].Kind, &e.Kinds[j].Sample)
			}
		}
	}
	b.WriteString("\nmessages\n")
	writeHistogram(b, e.Messages.Histogram(histogramBins), columns)
}

// missing says how many elections are in no figure; "" if none is missing.
func (r *Report) missing() string {
	cut, finished := r.Elections.Unfinished, r.Elections.Steps.Len()
	if cut == 0 {
		return ""
	}
	return fmt.Sprintf("Another %s did not finish within %s, %.1f %% of all. The figures are of the finished ones only: long elections are missing.",
		quantity.Plural(cut, "election"), quantity.Plural(r.MaxSteps, "step"), 100*float64(cut)/(float64(cut)+float64(finished)))
}

// writeSample writes a sample as a line of a table, nothing if it is empty.
func writeSample(b *strings.Builder, width int, name string, s *Sample) {
	if s.Len() == 0 {
		return
	}
	mean, deviation := s.Mean()
	fmt.Fprintf(b, "%-*s %9.2f %9.2f %7d %7s %7s %7s %7d\n", width, name, mean, deviation, s.Min(),
		number(s.Quantile(0.5)), number(s.Quantile(0.9)), number(s.Quantile(0.99)), s.Max())
}

// histogramBins is how many bins a histogram has at most.
const histogramBins = 20

var sampleNames = [...]string{"messages", "operations", "steps", "ticks"}

// number returns a quantile with a decimal only where it has one.
func number(x float64) string { return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0") }

// writeHistogram draws bins as bars.
func writeHistogram(b *strings.Builder, bins []Bin, columns int) {
	most, label, count := 1, 0, 0
	for _, bin := range bins {
		most = max(most, bin.Count)
		label = max(label, len(bin.label()))
		count = max(count, len(quantity.Count(bin.Count)))
	}
	room := max(min(columns, 100)-label-count-4, 10)
	for _, bin := range bins {
		bar := (bin.Count*room + most - 1) / most
		line := fmt.Sprintf("%*s %*s %s", label, bin.label(), count, quantity.Count(bin.Count), strings.Repeat("#", bar))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (b Bin) label() string {
	if b.From == b.To {
		return strconv.Itoa(b.From)
	}
	return fmt.Sprintf("%d-%d", b.From, b.To)
}

// WriteTraces draws the run of each finding as a space-time diagram.
func (r *Report) WriteTraces(w io.Writer, opt render.TextOptions) error {
	return writeTraces(w, r.Findings, opt)
}

func writeTraces(w io.Writer, findings []*Finding, opt render.TextOptions) error {
	for _, f := range findings {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := f.WriteText(w, opt); err != nil {
			return err
		}
	}
	return nil
}
