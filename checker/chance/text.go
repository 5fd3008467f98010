package chance

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"bullyproof/checker/class"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/trace/render"
)

// Headline is how likely the goal is, in one sentence.
func (r *Report) Headline() string {
	if r.Why != "" {
		return fmt.Sprintf("INCOMPLETE: the chances of %s are not known: %s.", r.Subject(), r.Why)
	}
	text := fmt.Sprintf("with probability %s for the worst scheduler and %s for the best", r.Reached.Least, r.Reached.Most)
	if r.Reached.Same() {
		text = fmt.Sprintf("with probability %s, whatever the scheduler does", r.Reached.Least)
	}
	return fmt.Sprintf("%s: %s, %s.", r.Subject(), r.Goal, text)
}

// WriteText writes the report for people. Of opt it minds Color, and Width beyond which it breaks
// lines (0 stands for 80).
func (r *Report) WriteText(w io.Writer, opt render.TextOptions) error {
	p := prose.Print(opt.Width, opt.Color)
	paint := prose.Bold
	if r.Why != "" {
		paint += prose.Yellow
	}
	p.Line(0, r.Headline(), paint)
	p.Line(2, "setting: "+r.Setting.String(), "")
	if r.Why == "" {
		p.Gap()
		r.table(p)
		r.curveText(p)
		p.Gap()
		p.Line(2, r.schedulerText(), "")
	}
	p.Gap()
	p.Line(2, r.sizeText(), "")
	_, err := io.WriteString(w, p.String())
	return err
}

// schedulerText says what a scheduler sees and owes.
func (r *Report) schedulerText() string {
	text := "A scheduler sees the whole state, and all that was tossed, and not what will be."
	if r.Fairness.String() == class.NoFairness.String() {
		text += " It may pass anybody over for good."
	} else {
		text += " It is fair: it passes nobody over for good."
	}
	if r.Choosers == 0 {
		text = "No state leaves a scheduler a choice."
	}
	if r.OneOrder {
		text += " Where the order of events makes no difference, one stands for all."
	}
	if r.Orbits {
		text += " So does one state for those in which processes have changed places."
	}
	if r.Cut > 0 {
		text += fmt.Sprintf(" In %s states a process is beyond the protocol's bound. Nothing is known of what follows, so that numbers are bounds.", quantity.Count(r.Cut))
	}
	if r.Largest > 0 && r.Reached.Most.Exact == nil && !r.Reached.Most.Infinite() {
		text += fmt.Sprintf(" Runs go round through up to %s states, so that numbers are rounded: to six digits, with bounds in --json.", quantity.Count(r.Largest))
	}
	return text
}

// sizeText says what was looked at.
func (r *Report) sizeText() string {
	text := fmt.Sprintf("%s states, %s transitions", quantity.Count(int(r.Distinct)), quantity.Count(int(r.Transitions)))
	if r.Why == "" {
		text += fmt.Sprintf("; chance decides in %s of %s actions, and a scheduler in %s states", quantity.Count(r.Tossed), quantity.Count(r.Actions), quantity.Count(r.Choosers))
	}
	return text + fmt.Sprintf("; %s, of which %s for the answers", quantity.Duration(r.Duration), quantity.Duration(r.Solving))
}

// table writes what is spent.
func (r *Report) table(p *prose.Printer) {
	kinds := r.decisions.sys.Names().Kinds
	lines := [][]string{{"on average until then", "least", "", "most", ""}}
	if r.Walks > 0 {
		lines[0] = append(lines[0], fmt.Sprintf("%s walks", quantity.Count(r.Walks)))
	}
	for i := range r.Costs {
		c := &r.Costs[i]
		if c.Unit == unitEpochs && c.Most.High < 1e-12 {
			continue // nobody has any
		}
		name := c.Unit
		if slices.Contains(kinds, c.Unit) {
			name = "  " + name
		}
		line := []string{name, c.Least.String(), decimal(c.Least), c.Most.String(), decimal(c.Most)}
		if i := slices.IndexFunc(r.Estimates, func(e Estimate) bool { return e.Unit == c.Unit }); i >= 0 {
			line = append(line, fmt.Sprintf("%.4f ± %.4f", r.Estimates[i].Mean, r.Estimates[i].Off))
		}
		lines = append(lines, line)
	}
	p.Table(lines, false)
}

// decimal returns a fraction as a decimal number, and nothing of other numbers.
func decimal(v Value) string {
	if v.Exact == nil || v.Exact.IsInt() {
		return ""
	}
	f, _ := v.Exact.Float64()
	return fmt.Sprintf("= %.6g", f)
}

// curveText writes the probability within bounds: of at most a dozen, the last among them.
func (r *Report) curveText(p *prose.Printer) {
	if len(r.Curve) == 0 {
		return
	}
	p.Gap()
	p.Text(p.Paint(prose.Bold, fmt.Sprintf("  %s within  least     most", r.Goal)) + "\n")
	step := (len(r.Curve) + 11) / 12
	for i, c := range r.Curve {
		if (len(r.Curve)-1-i)%step == 0 {
			p.Text(fmt.Sprintf("  %*s  %.6f  %.6f\n", len(r.Goal)+7, fmt.Sprint(c.At, " ", r.Unit), c.Least, c.Most))
		}
	}
}

// Schema is the version of the JSON form of a report (docs/schema/chance.schema.json). Fields may be
// added under the same number.
const Schema = 1

type valueJSON struct {
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Exact    string   `json:"exact,omitempty"`
	Infinite bool     `json:"infinite,omitempty"`
}

// MarshalJSON writes the bounds, and the number as "163/16" where it is known exactly.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Infinite() {
		return json.Marshal(valueJSON{Infinite: true})
	}
	out := valueJSON{Low: &v.Low}
	if !math.IsInf(v.High, 1) {
		out.High = &v.High
	}
	if v.Exact != nil {
		out.Exact = v.Exact.RatString()
	}
	return json.Marshal(out)
}

type rangeJSON struct {
	Unit  string `json:"unit,omitempty"`
	Least Value  `json:"least"`
	Most  Value  `json:"most"`
}

type estimateJSON struct {
	Unit string  `json:"unit"`
	Mean float64 `json:"mean"`
	Off  float64 `json:"off"`
}

type pointJSON struct {
	At    int     `json:"at"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

type reportJSON struct {
	Schema      int            `json:"schema"`
	Algorithm   string         `json:"algorithm"`
	Variant     string         `json:"variant,omitempty"`
	Setting     string         `json:"setting"`
	Goal        string         `json:"goal"`
	Fairness    string         `json:"fairness"`
	Why         string         `json:"why,omitempty"`
	Probability *rangeJSON     `json:"probability,omitempty"`
	Expected    []rangeJSON    `json:"expected,omitempty"`
	Walks       int            `json:"walks,omitempty"`
	Estimates   []estimateJSON `json:"estimates,omitempty"`
	Unit        string         `json:"unit,omitempty"`
	Curve       []pointJSON    `json:"curve,omitempty"`
	States      uint64         `json:"states"`
	Transitions uint64         `json:"transitions"`
	Actions     int            `json:"actions,omitempty"`
	Tossed      int            `json:"tossed,omitempty"`
	Choosers    int            `json:"choosers,omitempty"`
	Cut         int            `json:"cut,omitempty"`
	Largest     int            `json:"largest,omitempty"`
	OneOrder    bool           `json:"one_order,omitempty"`
	Orbits      bool           `json:"orbits,omitempty"`
	Solving     float64        `json:"solving,omitempty"`
	Seconds     float64        `json:"seconds"`
}

// MarshalJSON writes the report for programs (Schema).
func (r *Report) MarshalJSON() ([]byte, error) {
	out := reportJSON{
		Schema:    Schema,
		Algorithm: r.Algorithm, Variant: r.Variant, Setting: r.Setting.String(), Goal: r.Goal, Fairness: r.Fairness.String(), Why: r.Why,
		States: r.Distinct, Transitions: r.Transitions, Seconds: r.Duration.Seconds(),
	}
	if r.Why == "" {
		out.Actions, out.Tossed, out.Choosers, out.Cut, out.Largest = r.Actions, r.Tossed, r.Choosers, r.Cut, r.Largest
		out.OneOrder, out.Orbits, out.Solving = r.OneOrder, r.Orbits, r.Solving.Seconds()
		out.Probability = &rangeJSON{Least: r.Reached.Least, Most: r.Reached.Most}
		for _, c := range r.Costs {
			out.Expected = append(out.Expected, rangeJSON{c.Unit, c.Least, c.Most})
		}
	}
	for _, e := range r.Estimates {
		out.Walks = r.Walks
		out.Estimates = append(out.Estimates, estimateJSON(e))
	}
	for _, p := range r.Curve {
		out.Unit = r.Unit
		out.Curve = append(out.Curve, pointJSON{p.At, p.Least, p.Most})
	}
	return json.Marshal(out)
}
