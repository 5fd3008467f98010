package cost

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/trace/render"
)

// Headline is what an election costs in messages, in one sentence.
func (r *Report) Headline() string {
	if r.Why != "" {
		return fmt.Sprintf("INCOMPLETE: what %s costs is not known: %s.", r.Subject(), r.Why)
	}
	c := r.Cost(Measure{})
	text := ""
	switch most := plural(c.Worst, "message"); {
	case c.Unbounded && c.Best < 0:
		text = "no election settles, and messages are without limit"
	case c.Unbounded:
		text = fmt.Sprintf("an election costs %s at best and, unless fairness forbids, any number at worst", plural(c.Best, "message"))
	case c.Best < 0:
		text = "no election settles, at a cost of at most " + most
	case r.over():
		text = "there is no election: every initial state is settled, and no process is in one"
	case c.Best == c.Worst:
		text = fmt.Sprintf("an election costs %s, whatever happens", most)
	default:
		text = fmt.Sprintf("an election costs %d to %s", c.Best, most)
	}
	return fmt.Sprintf("%s: %s.", r.Subject(), text)
}

// over reports whether there is nothing to count: everything is over where counting
// begins. (A step that begins it may also end it all: an election for nothing.)
func (r *Report) over() bool {
	return !r.Triggered && r.States == uint64(r.Starts) && r.Cost(Measure{}).Worst == 0
}

func plural(n int, what string) string { return quantity.Plural(uint64(n), what) }

// WriteText writes the report for people: the costs as a table, what published
// figures say, and what the search saw. Of opt it minds Color, and Width beyond
// which it breaks lines (0 stands for 80).
func (r *Report) WriteText(w io.Writer, opt render.TextOptions) error {
	p := prose.Print(opt.Width, opt.Color)
	paint := prose.Bold
	if r.Why != "" {
		paint += prose.Yellow
	}
	p.Line(0, r.Headline(), paint)
	p.Line(2, "setting: "+r.Setting.String(), "")
	if r.Why == "" {
		p.Line(2, r.startText(), "")
		p.Gap()
		r.table(p)
		r.warn(p)
	}
	r.figures(p)
	p.Gap()
	p.Line(2, r.sizeText(), "")
	_, err := io.WriteString(w, p.String())
	return err
}

// startText says where counting begins.
func (r *Report) startText() string {
	where := "the initial state"
	switch {
	case r.Triggered && r.Starts == 1:
		where = "the one step that begins it"
	case r.Triggered:
		where = fmt.Sprintf("each of the %s steps that begin it", quantity.Count(r.Starts))
	case r.Starts > 1:
		where = fmt.Sprintf("each of %s initial states", quantity.Count(r.Starts))
	}
	return "counted from " + where + " to the first settled state"
}

// A row is a line of the table.
type row struct {
	name string
	cost *Cost
}

// rows returns what the table shows.
func (r *Report) rows() []row {
	var rows []row
	add := func(indent, name string, m Measure) *Cost {
		c := r.Cost(m)
		rows = append(rows, row{indent + name, c})
		return c
	}
	kinds := r.sys.Names().Kinds
	all := add("", "messages", Measure{})
	for _, k := range kinds {
		add("  ", k, Measure{Kind: k})
	}
	if up := r.Cost(Measure{Live: true}); !up.same(all) {
		add("", "messages to processes that are up", Measure{Live: true})
		for _, k := range kinds {
			add("  ", k, Measure{Kind: k, Live: true})
		}
	}
	if ops := r.Cost(Measure{Unit: Operations}); !ops.same(all) {
		add("", "operations: a broadcast is one", Measure{Unit: Operations})
	}
	if ops := r.Cost(Measure{Unit: Operations, Live: true}); !ops.same(r.Cost(Measure{Live: true})) {
		add("", "operations that reach somebody", Measure{Unit: Operations, Live: true})
	}
	if r.Cost(Measure{Unit: Ticks}) != nil {
		add("", "ticks, D="+strconv.Itoa(max(r.Setting.Timing.D, 1)), Measure{Unit: Ticks})
	}
	if l := r.Lockstep; l != nil && l != r && l.Why == "" {
		rows = append(rows, row{"turnaround: ticks in lockstep", l.Cost(Measure{Unit: Ticks})})
	}
	return rows
}

// same reports whether two measures come to the same everywhere that shows.
func (c *Cost) same(d *Cost) bool {
	return c.Best == d.Best && c.Worst == d.Worst && c.Uniform == d.Uniform &&
		ratText(c.MeanBest) == ratText(d.MeanBest) && ratText(c.MeanWorst) == ratText(d.MeanWorst)
}

// table writes the costs.
func (r *Report) table(p *prose.Printer) {
	lines := [][]string{{"", "best", "worst", "random run"}}
	many := r.Starts > 1
	if many {
		lines[0] = []string{"", "best", "worst", "mean best", "mean worst", "random run"}
	}
	for _, row := range r.rows() {
		c := row.cost
		line := []string{row.name, bestText(c), worstText(c)}
		if many {
			line = append(line, ratText(c.MeanBest), ratText(c.MeanWorst))
		}
		lines = append(lines, append(line, decimal(c.Uniform)))
	}
	p.Table(lines, true)
}

func bestText(c *Cost) string {
	if c.Best < 0 {
		return "none"
	}
	return strconv.Itoa(c.Best)
}

func worstText(c *Cost) string {
	if c.Unbounded {
		return "unbounded"
	}
	return strconv.Itoa(c.Worst)
}

func ratText(r *big.Rat) string {
	if r == nil {
		return "none"
	}
	return r.RatString()
}

// decimal returns a number with at most four digits behind the point.
func decimal(x float64) string {
	if math.IsInf(x, 1) {
		return "infinite"
	}
	s := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// warn says what keeps runs from settling.
func (r *Report) warn(p *prose.Printer) {
	if r.Stuck > 0 {
		p.Line(2, fmt.Sprintf("Runs may end in %s in which a process waits without end: best is over those that settle, worst and random "+
			"run count what the others cost until then.", quantity.Plural(uint64(r.Stuck), "state")), prose.Yellow)
	}
	if r.Endless {
		text := "Runs may go round a cycle without end: best is over those that settle."
		residual := 0.0
		for i := range r.Costs {
			residual = max(residual, r.Costs[i].Residual)
		}
		p.Line(2, fmt.Sprintf("%s Random run is solved to a residual of %.1g.", text, residual), prose.Yellow)
	}
	if r.Tosses {
		p.Line(2, "In a random run the scheduler tosses as well: whatever may happen next is as likely as anything else. Chance has the averages "+
			"of the best and of the worst scheduler: bullyproof chance "+r.Subject(), "")
	}
}

// figures writes what sources say.
func (r *Report) figures(p *prose.Printer) {
	if len(r.Published) == 0 {
		return
	}
	p.Gap()
	p.Line(2, "published", prose.Bold)
	told := make(map[string]bool)
	for i := range r.Published {
		c := &r.Published[i]
		mark, paint := "=", prose.Green
		if !c.Agrees() {
			mark, paint = "≠", prose.Yellow
		}
		found := strconv.Itoa(c.Found)
		if c.Found < 0 {
			found = map[Case]string{BestCase: "none", WorstCase: "unbounded"}[c.Figure.Case]
		}
		p.Hanging(4, mark+" ", fmt.Sprintf("%s: %s = %d; here %s %s. %s.", c.Figure.Name, c.Figure.Formula, c.Published,
			c.Figure.Case, found, c.Figure.Source), paint)
		if note := c.Figure.Note; !c.Agrees() && note != "" && !told[note] {
			told[note] = true
			p.Hanging(6, "", note, "")
		}
	}
}

// sizeText says what the search saw.
func (r *Report) sizeText() string {
	text := fmt.Sprintf("%s (%s before the election has settled) and %s; %s",
		quantity.Plural(r.Distinct, "distinct state"), quantity.Count(r.States),
		quantity.Plural(r.Transitions, "transition"), quantity.Duration(r.Duration))
	if r.Why != "" {
		text = fmt.Sprintf("%s; %s", quantity.Plural(r.Distinct, "distinct state"), quantity.Duration(r.Duration))
	}
	if r.CollisionProbability > 0 {
		text += "; the chance that one was missed is below " + quantity.Chance(r.CollisionProbability)
	}
	return text + "."
}

// Schema is the version of the JSON form of a cost report. Fields may be
// added without a new one; none changes its meaning or goes.
const Schema = 1

// MarshalJSON returns the report as one object:
//
//	schema       number   Schema
//	algorithm, variant, setting   texts
//	why          text     why there are no costs; empty if there are
//	starts       number   from how many places counting begins
//	triggered    bool     they are steps, not initial states
//	stuck        number   of states where a run may end without having settled
//	endless      bool     a run may go round a cycle before it has settled
//	costs        list     one object for each measure:
//	  unit       text     "messages", "operations" or "ticks"
//	  kind       text     of messages; empty: all
//	  live       bool     only what is sent to processes that are up
//	  best, worst   numbers; absent where no run settles, or unbounded
//	  unbounded  bool
//	  mean_best, mean_worst   texts: exact averages over the starts, "77/6"
//	  uniform    number   on average under the uniform scheduler; absent if
//	                      infinite
//	  residual   number   of the equations that uniform solves; 0 without cycles
//	lockstep     object   a report like this one, of lockstep timing: its ticks
//	                      are the turnaround
//	published    list     of {name, source, formula, case, unit, kind, live,
//	                      published, found, agrees, note}
//	search       object   distinct, transitions, states, seconds,
//	                      collision_probability: numbers
func (r *Report) MarshalJSON() ([]byte, error) { return json.Marshal(r.toJSON()) }

type reportJSON struct {
	Schema    int              `json:"schema"`
	Algorithm string           `json:"algorithm"`
	Variant   string           `json:"variant"`
	Setting   string           `json:"setting"`
	Why       string           `json:"why"`
	Starts    int              `json:"starts"`
	Triggered bool             `json:"triggered"`
	Stuck     int              `json:"stuck"`
	Endless   bool             `json:"endless"`
	Costs     []costJSON       `json:"costs"`
	Lockstep  *reportJSON      `json:"lockstep,omitempty"`
	Published []comparisonJSON `json:"published"`
	Search    searchJSON       `json:"search"`
}

type measureJSON struct {
	Unit string `json:"unit"`
	Kind string `json:"kind"`
	Live bool   `json:"live"`
}

type costJSON struct {
	measureJSON
	Best      *int     `json:"best,omitempty"`
	Worst     *int     `json:"worst,omitempty"`
	Unbounded bool     `json:"unbounded"`
	MeanBest  string   `json:"mean_best,omitempty"`
	MeanWorst string   `json:"mean_worst,omitempty"`
	Uniform   *float64 `json:"uniform,omitempty"`
	Residual  float64  `json:"residual"`
}

type comparisonJSON struct {
	Name    string `json:"name"`
	Source  string `json:"source"`
	Formula string `json:"formula"`
	Case    string `json:"case"`
	measureJSON
	Published int    `json:"published"`
	Found     int    `json:"found"`
	Agrees    bool   `json:"agrees"`
	Note      string `json:"note"`
}

type searchJSON struct {
	Distinct             uint64  `json:"distinct"`
	Transitions          uint64  `json:"transitions"`
	States               uint64  `json:"states"`
	Seconds              float64 `json:"seconds"`
	CollisionProbability float64 `json:"collision_probability"`
}

func (r *Report) toJSON() *reportJSON {
	out := &reportJSON{
		Schema: Schema, Algorithm: r.Algorithm, Variant: r.Variant, Setting: r.Setting.String(), Why: r.Why,
		Starts: r.Starts, Triggered: r.Triggered, Stuck: r.Stuck, Endless: r.Endless,
		Costs: []costJSON{}, Published: []comparisonJSON{},
		Search: searchJSON{r.Distinct, r.Transitions, r.States, r.Duration.Seconds(), r.CollisionProbability},
	}
	for i := range r.Costs {
		out.Costs = append(out.Costs, r.Costs[i].toJSON())
	}
	if r.Lockstep != nil && r.Lockstep != r {
		out.Lockstep = r.Lockstep.toJSON()
	}
	for i := range r.Published {
		c := &r.Published[i]
		out.Published = append(out.Published, comparisonJSON{
			c.Figure.Name, c.Figure.Source, c.Figure.Formula, c.Figure.Case.String(), c.Figure.Measure.toJSON(),
			c.Published, c.Found, c.Agrees(), c.Figure.Note,
		})
	}
	return out
}

func (m Measure) toJSON() measureJSON { return measureJSON{m.Unit.String(), m.Kind, m.Live} }

func (c *Cost) toJSON() costJSON {
	out := costJSON{measureJSON: c.Measure.toJSON(), Unbounded: c.Unbounded, Residual: c.Residual}
	if c.Best >= 0 {
		out.Best = &c.Best
	}
	if !c.Unbounded {
		out.Worst = &c.Worst
	}
	if c.MeanBest != nil {
		out.MeanBest = c.MeanBest.RatString()
	}
	if c.MeanWorst != nil {
		out.MeanWorst = c.MeanWorst.RatString()
	}
	if !math.IsInf(c.Uniform, 1) {
		out.Uniform = &c.Uniform
	}
	return out
}
