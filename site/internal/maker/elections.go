package maker

import (
	"context"
	"html/template"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// Bounds of what is computed for a page. They are of states, so that a page does
// not depend on the machine.
const (
	mostStates    = 40_000
	leastN, mostN = 2, 6
)

// An election is a run of an algorithm without faults.
type election struct {
	*run
	N int
	// Messages is how many it takes, and none takes fewer; 0 where it is the
	// shortest.
	Messages int
	Drawing  template.HTML
	Small    template.HTML // one for all windows, which is not to be read
}

// Circumstances says what has failed.
func (x *election) Circumstances() string {
	if x.layout.Setting.Start == setting.CoordinatorDown {
		return "the coordinator has crashed, nothing else fails"
	}
	return "nothing fails"
}

// A beginner says which processes begin an election.
type beginner struct {
	Words string
	id    func(n int) model.ID // None: whoever likes
}

// beginners are those of whom sources have figures: any, or one alone.
var beginners = []beginner{
	{"whoever begins", func(int) model.ID { return model.None }},
	{"the process with the lowest id begins", func(int) model.ID { return 1 }},
	{"the process with the second lowest id begins", func(int) model.ID { return 2 }},
	{"the process with the second highest id begins", func(n int) model.ID { return model.ID(n - 1) }},
	{"the process with the highest id begins", func(n int) model.ID { return model.ID(n) }},
}

// in returns the setting in which n processes elect and the beginner begins, and
// whether there is one.
func (b *beginner) in(v *ledger.Variant, n int) (setting.Setting, bool) {
	s := cost.Setting(v.Setting)
	s.N = n
	if id := b.id(n); id != model.None {
		s = cost.BegunBy(s, model.SetOf(id))
	}
	return s, s.Validate() == nil
}

// A meter computes costs, each once.
type meter struct {
	of    *ledger.Algorithm
	known map[string]*cost.Report
}

// report returns what elections cost in a setting; nil where that is not known.
func (m *meter) report(ctx context.Context, v *ledger.Variant, s setting.Setting) (*cost.Report, error) {
	key := v.Name + " " + s.String()
	if r, ok := m.known[key]; ok {
		return r, nil
	}
	opt := cost.Options{Algorithm: m.of.Name, Variant: v.Name, MaxStates: mostStates}
	r, err := cost.OfElection(ctx, v.In, s, v.Figures, opt)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || r.Why != "" {
		r = nil // a setting that the algorithm cannot be in, or too large a one
	}
	m.known[key] = r
	return r, nil
}

// measure finds a run of an election, and what elections cost.
func (m *maker) measure(ctx context.Context, e *entry) error {
	at := &meter{e.Algorithm, make(map[string]*cost.Report)}
	var err error
	if e.Election, err = m.election(ctx, e, at); err != nil {
		return err
	}
	e.Costs, err = costs(ctx, e, at)
	return err
}

// election returns an election of the default variant that takes the fewest
// messages, of four processes if they can be explored; nil where there is none.
// One process begins it, if one alone can.
func (m *maker) election(ctx context.Context, e *entry, at *meter) (*election, error) {
	v := &e.Variants[0]
	for n := 4; n >= leastN; n-- {
		for _, who := range []int{1, 4, 3, 0} {
			s, ok := beginners[who].in(v, n)
			if !ok {
				continue
			}
			r, err := at.report(ctx, v, s)
			if err != nil {
				return nil, err
			}
			if r == nil {
				continue
			}
			c := r.Cost(cost.Measure{})
			if c == nil || c.Best <= 0 {
				continue // nobody has to elect
			}
			return m.drawElection(e, r, n, c.Best)
		}
	}
	return m.shortest(ctx, e)
}

// follow asks for the end of an election: a process that leads, and that all who
// are up follow.
var follow = checker.Sometimes("all-follow-one", "Everybody who is up follows one process, which believes itself coordinator.",
	func(v *model.View) bool {
		if v.Leaders.Len() != 1 || v.Up.Len() < 2 {
			return false
		}
		for id := range v.Up.All() {
			if v.Elected(id) != v.Leaders.Min() {
				return false
			}
		}
		return true
	})

// shortest returns the shortest election of the default variant, where elections
// have no end that could be counted to: heartbeats, say, never end. It is nil
// where none was found.
func (m *maker) shortest(ctx context.Context, e *entry) (*election, error) {
	v := &e.Variants[0]
	for n := 3; n >= leastN; n-- {
		s, ok := beginners[0].in(v, n)
		if !ok {
			continue
		}
		sys, err := v.In(s)
		if err != nil {
			continue // it cannot be of so many
		}
		r, err := checker.Check(ctx, sys, checker.Options{
			Algorithm: e.Name, Variant: v.Name, Properties: []*checker.Property{follow}, MaxStates: mostStates,
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || r.Findings[0].Trace == nil || len(r.Findings[0].Trace.Steps) == 0 {
			continue
		}
		layout, err := r.Findings[0].Layout()
		if err != nil {
			return nil, err
		}
		return m.lay(e, r.Findings[0].Trace, layout, n, 0)
	}
	return nil, nil
}

// drawElection makes the page and the drawing of the cheapest election of a
// report.
func (m *maker) drawElection(e *entry, r *cost.Report, n, messages int) (*election, error) {
	w, err := r.Run(cost.Measure{}, cost.BestCase)
	if err != nil {
		return nil, err
	}
	layout, err := trace.Lay(w.Trace, w.Run)
	if err != nil {
		return nil, err
	}
	return m.lay(e, w.Trace, layout, n, messages)
}

// lay makes an election of a layout.
func (m *maker) lay(e *entry, t *trace.Trace, layout *trace.Layout, n, messages int) (x *election, err error) {
	layout.Title = "an election without faults"
	x = &election{run: newRun("election-"+e.Name, layout), N: n, Messages: messages}
	x.of, x.explored = e, web.Ending(e.Name, e.Variants[0].Name, t)
	if x.Drawing, err = x.drawing("election-" + e.Name); err != nil {
		return nil, err
	}
	x.Small, err = x.small("election-" + e.Name)
	return x, err
}

// A costPlot is what elections cost against the number of processes, beside what
// a source says.
type costPlot struct {
	Title, Formula, Source, Note string
	Reading, Who, Unit           string
	// Published says that there is a figure of a source; then Agrees says whether
	// it is what was found, wherever it was computed.
	Published, Agrees bool
	Points            []costPoint
	Drawing           template.HTML
}

// A costPoint is a number of processes with what was found, and what a source
// says, or for a plot without a source the least and the most. Unbounded is -1.
type costPoint struct{ N, Found, Said int }

// costs returns the plots of an algorithm: what its default variant costs at
// best and at worst, then each figure of a source.
func costs(ctx context.Context, e *entry, at *meter) (list []costPlot, err error) {
	v := &e.Variants[0]
	p := costPlot{Title: "Messages of an election", Reading: v.Name, Who: beginners[0].Words, Unit: cost.Messages.String()}
	for n := leastN; n <= mostN; n++ {
		s, ok := beginners[0].in(v, n)
		if !ok {
			continue
		}
		r, err := at.report(ctx, v, s)
		if err != nil {
			return nil, err
		}
		if r == nil {
			if len(p.Points) > 0 {
				break
			}
			continue
		}
		if c := r.Cost(cost.Measure{}); c != nil {
			p.Points = append(p.Points, costPoint{n, c.Worst, c.Best})
		}
	}
	if len(p.Points) > 1 && p.any() {
		p.Drawing = p.draw()
		list = append(list, p)
	}
	for i := range e.Variants {
		v := &e.Variants[i]
		for k := range v.Figures {
			if shows(list, &v.Figures[k]) {
				continue
			}
			p, err := figurePlot(ctx, v, &v.Figures[k], at)
			if err != nil {
				return nil, err
			}
			if len(p.Points) > 0 {
				p.Drawing = p.draw()
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// any reports whether a plot shows anything but nought, and costs that have a
// bound.
func (p *costPlot) any() bool {
	return slices.ContainsFunc(p.Points, func(at costPoint) bool { return at.Found > 0 || at.Said > 0 })
}

// shows reports whether a list has the plot of a figure already: of a reading that
// comes before.
func shows(list []costPlot, f *cost.Figure) bool {
	return slices.ContainsFunc(list, func(p costPlot) bool { return p.Title == f.Name && p.Formula == f.Formula })
}

// figurePlot sets a figure beside what was found, for the first beginner that it
// is about.
func figurePlot(ctx context.Context, v *ledger.Variant, f *cost.Figure, at *meter) (costPlot, error) {
	p := costPlot{
		Title: f.Name, Formula: f.Formula, Source: f.Source, Note: f.Note, Reading: v.Name, Unit: f.Measure.Unit.String(), Published: true, Agrees: true,
	}
	for i := range beginners {
		b := &beginners[i]
		for n := leastN + 1; n <= mostN; n++ {
			s, ok := b.in(v, n)
			if _, said := f.Value(n, b.id(n)); !ok || !said {
				continue
			}
			r, err := at.report(ctx, v, s)
			if err != nil {
				return p, err
			}
			if r == nil {
				break // a larger one is no easier
			}
			for k := range r.Published {
				if c := &r.Published[k]; c.Figure.Name == f.Name && c.Figure.Formula == f.Formula {
					p.Points = append(p.Points, costPoint{n, c.Found, c.Published})
					p.Agrees = p.Agrees && c.Agrees()
					break
				}
			}
		}
		if len(p.Points) > 0 {
			p.Who = b.Words
			break
		}
	}
	p.Note = strings.TrimSpace(p.Note)
	return p, nil
}
