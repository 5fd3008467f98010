// Package cost computes what an election costs: messages and time, at best, at
// worst and on average, from where counting begins to the first settled state.
//
// Of explores a system and makes passes over the graph of its states, so that
// nothing is counted in the states. Each extreme has a run that shows it. A
// Figure is what a source says of a cost; OfElection sets it beside what the
// rules give.
package cost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"time"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Options say what an election costs from where, and how far to go. The
// zero value counts from the initial states and visits every state.
type Options struct {
	// Algorithm and Variant are the names that the report and its traces have.
	// An empty Algorithm stands for "protocol"; Variant may be empty.
	Algorithm, Variant string

	// From says where to begin to count: with each step that leads from a state
	// in which it is false to one in which it is true, that step included, and
	// in the initial states in which it is true. Nil stands for every initial
	// state; what eager initiators have sent by then counts. It is called from
	// several goroutines, has no side effects, and does not keep v.
	From func(v *model.View) bool

	// Until says where an election is over: in the first states in which it is
	// true. Nil stands for settled states. It is called as From is.
	Until func(v *model.View) bool

	// Within counts the runs within the bounds of the setting and of the protocol where
	// these leave out others: the worst case is that at least, and the best that at most.
	Within bool

	// Workers is the number of goroutines of the search; 0 stands for one per
	// processor.
	Workers int

	// Exact compares whole states, not fingerprints.
	Exact bool

	// MaxStates, MaxDepth, MaxBytes and MaxTime end the search early; 0 is no
	// limit, and of MaxBytes what the machine has left. There are no costs then.
	// They are those of explore.Options.
	MaxStates uint64
	MaxDepth  int
	MaxBytes  int64
	MaxTime   time.Duration

	// Progress, where it is not nil, is called about every ProgressEvery (0
	// stands for a second) while the search runs.
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
}

// A Unit is what is counted.
type Unit uint8

const (
	// Messages counts every message to one process.
	Messages Unit = iota
	// Operations counts a broadcast as one, and also a message sent alone.
	Operations
	// Ticks counts units of time, under timings that have them.
	Ticks
)

var unitNames = []string{"messages", "operations", "ticks"}

// String returns "messages", "operations" or "ticks".
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

// A Measure is a way to count what a run costs. The zero value counts all
// messages. Measures are comparable.
type Measure struct {
	// Unit is what is counted.
	Unit Unit
	// Kind is the kind of message, by its name in the source; empty: all.
	Kind string
	// Live leaves out what is sent to processes that are not up. A broadcast
	// counts if one of its receivers is.
	Live bool
}

// String returns the measure in words: "answer messages to processes that are
// up".
func (m Measure) String() string {
	s := m.Unit.String()
	if m.Kind != "" {
		s = m.Kind + " " + s
	}
	if m.Live {
		s += " to processes that are up"
	}
	return s
}

// weight returns what a transition costs.
func (m Measure) weight(l *model.Label, kinds []string) int32 {
	if m.Unit == Ticks {
		if l.Kind == model.Ticks {
			return 1
		}
		return 0
	}
	sum := 0
	for _, s := range l.Sent {
		if m.Kind != "" && m.Kind != kinds[s.Kind] {
			continue
		}
		all, down := s.Messages, s.ToDown
		if m.Unit == Operations {
			all, down = s.Operations, s.Needless
		}
		sum += all
		if m.Live {
			sum -= down
		}
	}
	return int32(sum)
}

// measures lists all measures that a system has.
func measures(sys *model.System) []Measure {
	var list []Measure
	for _, unit := range []Unit{Messages, Operations} {
		for _, live := range []bool{false, true} {
			for _, kind := range append([]string{""}, sys.Names().Kinds...) {
				list = append(list, Measure{unit, kind, live})
			}
		}
	}
	if sys.Setting().Timing.Kind.Discrete() {
		list = append(list, Measure{Unit: Ticks})
	}
	return list
}

// A Cost is what runs cost by one measure, from where counting begins (a start)
// to the first settled state.
type Cost struct {
	Measure Measure

	// Best is the least that a run costs which settles; -1 if none does.
	Best int
	// Worst is the most that a run costs, settled or not; -1 if Unbounded.
	Worst int
	// Unbounded says that runs cost more than any number: one can go round a
	// cycle that costs something. Whether that is fair is another question.
	Unbounded bool

	// MeanBest and MeanWorst are the averages of best and worst over the starts,
	// each with the same weight: over the arrangements of a ring. MeanBest is
	// nil if no run settles from one of them, and MeanWorst if runs from one are
	// unbounded.
	MeanBest, MeanWorst *big.Rat

	// Uniform is the cost on average, over the starts with equal weight, where
	// each time one of the actions is taken that somebody is owed, all with the
	// same probability: equal messages count as several, outcomes of a choice
	// as parts of one. No fault happens. It is infinite if runs without end have
	// a cost. It is computed, not sampled: exactly except for rounding where no
	// cycle is, and otherwise until the values of the states differ by at most
	// Residual from what those behind them make them.
	Uniform, Residual float64
}

// Fixed returns the average over the starts where the cost of each is the same
// whatever happens, and nil where it is not.
func (c *Cost) Fixed() *big.Rat {
	if c.MeanBest == nil || c.MeanWorst == nil || c.MeanBest.Cmp(c.MeanWorst) != 0 {
		return nil
	}
	return c.MeanBest
}

// A Report is what elections cost in a setting.
type Report struct {
	// Algorithm and Variant are the names that it was asked for.
	Algorithm, Variant string
	// Setting is the world in which the costs are true, and no other.
	Setting setting.Setting

	// Why says why there are no costs: what the search did not see, or that no
	// run ever gets to where counting begins. Empty as a rule.
	Why string
	// Costs has each measure; none where the search did not see everything.
	Costs []Cost
	// Starts is the number of starts: initial states, or steps that lead to
	// where counting begins.
	Starts int
	// Triggered says that counting begins with Options.From.
	Triggered bool

	// Stuck is the number of states in which nobody is owed anything and
	// somebody waits, before anything has settled. A run that ends there has no
	// best cost; what it costs until then counts for the worst.
	Stuck int
	// Endless says that runs can go round a cycle before anything has settled.
	Endless bool
	// Tosses says that chance decides something (Net.Toss).
	Tosses bool

	// Distinct is the number of states that the search found, and Transitions
	// that of transitions between them; States is the number of states from
	// where counting begins to the first settled ones.
	Distinct, Transitions, States uint64
	// Duration is the time that search and costs took.
	Duration time.Duration
	// CollisionProbability is that of explore.Result.
	CollisionProbability float64

	// Lockstep is the report of the same in lockstep timing, whose ticks are
	// what the literature calls turnaround, and Published compares the figures
	// of sources. OfElection fills them in.
	Lockstep  *Report
	Published []Comparison

	// Coverage counts what ran in the whole search.
	Coverage model.Coverage

	sys  *model.System
	flow *flow
}

// OfElection computes what elections cost in a setting and once more in
// lockstep, and sets published figures beside that. The function makes the
// system of a setting: Variant.In, say.
func OfElection(ctx context.Context, in func(setting.Setting) (*model.System, error), s setting.Setting, figures []Figure, opt Options) (*Report, error) {
	costs := func(s setting.Setting) (*Report, error) {
		sys, err := in(s)
		if err != nil {
			return nil, err
		}
		return Of(ctx, sys, opt)
	}
	r, err := costs(s)
	if err != nil || r.Why != "" {
		return r, err
	}
	r.Lockstep = r
	if s.Timing.Kind != setting.Lockstep {
		s.Timing = setting.Timing{Kind: setting.Lockstep}
		if r.Lockstep, err = costs(s); err != nil {
			return nil, err
		}
	}
	r.Published = r.compare(figures, r.Lockstep)
	return r, nil
}

// Of explores a system and computes what its elections cost, by all
// measures: from each start to the first settled state behind it. Every fault
// that the setting grants may happen as it pleases best and worst. Costs are
// computed on the graph of states and are no part of states.
//
// A search that ends early, or in which a handler does what no network can
// carry out, has no costs, and Why says so. Errors are those of Check.
func Of(ctx context.Context, sys *model.System, opt Options) (*Report, error) {
	begin := time.Now()
	if opt.Algorithm == "" {
		opt.Algorithm = naming.Unnamed
	}
	labels, err := labelled(sys, opt.From, opt.Until)
	if err != nil {
		return nil, err
	}
	result, why, bound, err := checker.Graph(ctx, labels, opt.check())
	if err != nil {
		return nil, err
	}
	if !opt.Within {
		why = cmp.Or(why, bound)
	}
	r := &Report{
		Algorithm: opt.Algorithm, Variant: opt.Variant, Setting: sys.Setting(), Triggered: opt.From != nil, Why: why,
		Distinct: result.Distinct, CollisionProbability: result.CollisionProbability(), Coverage: labels.Coverage(), sys: sys,
	}
	if r.Why == "" {
		err = r.count(ctx, labels, result.Graph, opt.workers())
	}
	r.Duration = time.Since(begin)
	return r, err
}

// Marks of states, and targets of the search.
const (
	markSettled = iota
	markFrom
)

// labelled returns the system whose transitions are labelled with what they cost,
// and whose states are marked where counting begins and ends.
func labelled(sys *model.System, from, until func(v *model.View) bool) (*model.Labels, error) {
	if until == nil {
		until = func(v *model.View) bool { return v.Settled }
	}
	watches := []model.Watch{markSettled: {State: until, MarkOnly: true}}
	if from != nil {
		watches = append(watches, model.Watch{State: from, MarkOnly: true})
	}
	return sys.Labelled(watches...)
}

// check returns the options of the search.
func (o *Options) check() checker.Options {
	return checker.Options{
		Algorithm: o.Algorithm, Variant: o.Variant, Workers: o.Workers, Exact: o.Exact,
		MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, MaxBytes: o.MaxBytes, MaxTime: o.MaxTime,
		Progress: o.Progress, ProgressEvery: o.ProgressEvery, Exhaustive: true,
	}
}

// workers returns the number of workers.
func (o *Options) workers() int { return cmp.Or(o.Workers, runtime.GOMAXPROCS(0)) }

// count computes the costs on the graph of a search.
func (r *Report) count(ctx context.Context, labels *model.Labels, g *explore.Graph, workers int) error {
	f := &flow{g: g, settled: 1 << markSettled}
	for i := range labels.Len() {
		f.labels = append(f.labels, labels.Label(uint32(i)))
	}
	if err := r.begin(labels, f); err != nil {
		return err
	}
	for i := range f.labels {
		odds := 0.0
		if l := &f.labels[i]; l.Owed() {
			odds = float64(l.Times) / float64(l.Ways)
		}
		f.odds = append(f.odds, odds)
	}
	r.flow, r.Starts, r.Transitions = f, len(f.sources), uint64(f.g.Edges())
	if len(f.sources) == 0 {
		r.Why = "no run gets to where counting begins"
		return nil
	}
	if err := f.arrange(ctx); err != nil {
		if ctx.Err() != nil {
			r.Why = cancelled
			return nil
		}
		return err
	}
	r.States, r.Endless = uint64(len(f.order)), f.place != nil
	r.Tosses = slices.ContainsFunc(f.labels, func(l model.Label) bool { return l.Odds != model.Certain && l.Odds != model.Odds{} })
	for _, n := range f.order {
		if f.isStuck(n) {
			r.Stuck++
		}
	}
	err := r.measure(ctx, workers)
	if err != nil && errors.Is(err, ctx.Err()) {
		r.Why, r.Costs, err = cancelled, nil, nil
	}
	return err
}

const cancelled = "the computation was cancelled"

// begin finds where counting begins.
func (r *Report) begin(labels *model.Labels, f *flow) error {
	var (
		nodes = f.g.InitialNodes()
		sent  = make(map[string]uint32) // labels by what is sent
		wrong error
	)
	err := labels.Lots(func(l model.Lot) bool {
		node, ok := nodes[string(l.State)]
		if !ok {
			wrong = errors.New("the initial states are others when they are asked for again: the handlers are not deterministic (see TestSystem)")
			return false
		}
		if r.Triggered && f.g.Mark(node)>>markFrom&1 == 0 {
			return true
		}
		key := fmt.Sprint(l.Sent)
		label, ok := sent[key]
		if !ok {
			label = uint32(len(f.labels))
			f.labels = append(f.labels, model.Label{Kind: model.Starts, Times: 1, Ways: 1, Sent: l.Sent})
			sent[key] = label
		}
		f.sources = append(f.sources, source{node: node, label: label})
		return true
	})
	if err = cmp.Or(wrong, err); err == nil && r.Triggered {
		f.enter()
	}
	return err
}

// enter adds the transitions with which counting begins to the sources.
func (f *flow) enter() {
	type end struct{ node, label uint32 }
	seen := make(map[end]bool)
	for n := range uint32(f.g.Nodes()) {
		if f.g.Mark(n)>>markFrom&1 != 0 {
			continue
		}
		for _, e := range f.g.Out(n) {
			if f.g.Mark(e.To)>>markFrom&1 != 0 && !seen[end{e.To, e.Label}] {
				seen[end{e.To, e.Label}] = true
				f.sources = append(f.sources, source{e.To, e.Label, n, true})
			}
		}
	}
}

// measure computes the cost by each measure, some at the same time. Those by
// which everything weighs the same are computed once.
func (r *Report) measure(ctx context.Context, workers int) error {
	var (
		all   = measures(r.sys)
		first = make(map[string]int) // measures by weights
		same  = make([]int, len(all))
		todo  = make(chan int, len(all))
		fails = make([]error, len(all))
	)
	r.Costs = make([]Cost, len(all))
	for i, m := range all {
		key := fmt.Sprint(r.weights(m))
		if j, ok := first[key]; ok {
			same[i] = j
			continue
		}
		first[key], same[i] = i, i
		todo <- i
	}
	close(todo)
	var done sync.WaitGroup
	for range min(workers, len(first)) {
		done.Go(func() {
			p := r.flow.newPass()
			for i := range todo {
				if err := p.run(ctx, r.weights(all[i])); err != nil {
					fails[i] = fmt.Errorf("%v: %w", all[i], err)
					continue
				}
				r.Costs[i] = p.sum()
			}
		})
	}
	done.Wait()
	for i, m := range all {
		r.Costs[i] = r.Costs[same[i]]
		r.Costs[i].Measure = m
	}
	return errors.Join(fails...)
}

// weights returns the weights of a measure by label.
func (r *Report) weights(m Measure) []int32 {
	weight := make([]int32, len(r.flow.labels))
	for i := range weight {
		weight[i] = m.weight(&r.flow.labels[i], r.sys.Names().Kinds)
	}
	return weight
}

// sum returns the cost of a pass over all starts.
func (p *pass) sum() Cost {
	c := Cost{Best: -1, Worst: -1, Residual: p.residual}
	var best, worst int64
	never := false
	for _, s := range p.sources {
		b, w := p.fromSource(s)
		if b == noSettling {
			never = true
		} else if best += int64(b); c.Best < 0 || int(b) < c.Best {
			c.Best = int(b)
		}
		if w == unbounded {
			c.Unbounded = true
		} else {
			worst += int64(w)
			c.Worst = max(c.Worst, int(w))
		}
		c.Uniform += float64(p.weight[s.label]) + p.cells[s.node].mean
	}
	n := int64(len(p.sources))
	c.Uniform /= float64(n)
	if !never {
		c.MeanBest = big.NewRat(best, n)
	}
	if c.Unbounded {
		c.Worst = -1
	} else {
		c.MeanWorst = big.NewRat(worst, n)
	}
	return c
}

// fromSource returns the best and the worst cost of a source.
func (p *pass) fromSource(s source) (best, worst int32) {
	w := p.weight[s.label]
	return p.plus(w, p.cells[s.node].best), p.plus(w, p.cells[s.node].worst)
}

// Cost returns the cost by a measure, nil where there is none.
func (r *Report) Cost(m Measure) *Cost {
	i := slices.IndexFunc(r.Costs, func(c Cost) bool { return c.Measure == m })
	if i < 0 {
		return nil
	}
	return &r.Costs[i]
}

// Subject names whose costs they are: "bully/coulouris".
func (r *Report) Subject() string {
	if r.Variant == "" {
		return r.Algorithm
	}
	return r.Algorithm + "/" + r.Variant
}
