package chance

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// decisions is the graph of a search as a decision process. Its states are the nodes of the graph,
// and one more, in which nothing has begun.
type decisions struct {
	*mdp
	graph *explore.Graph
	sys   *model.System // without the bound of its protocol
	start uint32
	units []unit
}

// A unit is what can be spent.
type unit struct {
	name  string
	spent []int32 // by label
}

// markGoal is the mark of states at the goal, and markCut that of those beyond the protocol's bound,
// which is the last one that there can be.
const markGoal, markCut = 0, 63

// explored explores a system up to the goal. It returns why there is nothing to answer, if so. For a
// run that is to be shown no state may stand for another.
func explored(ctx context.Context, sys *model.System, opt *Options, r *Report, forRun bool) (d *decisions, why string, err error) {
	// One order of events has the values of all where the goal is the end of a run, or looked for
	// between rounds. Which step is counted depends on the order.
	tell := model.Telling{Apart: true, Until: 1 << markGoal, Bound: 1 << markCut, Rounds: sys.Setting().Timing.Kind == setting.Lockstep}
	tell.Alone = !opt.Exhaustive && (opt.Goal == nil || tell.Rounds) && len(opt.Counted) == 0 && opt.Fairness.String() == class.WeakFairness.String()
	tell.Orbits = tell.Alone && (opt.Goal == nil || opt.Blind) && !forRun
	sys = sys.Unbounded()
	labels, result, why, err := opt.graph(ctx, sys, tell)
	if named := (*model.NamedError)(nil); errors.As(err, &named) {
		tell.Orbits = false
		labels, result, why, err = opt.graph(ctx, sys, tell)
	}
	if err == nil && labels.Alone() && !orderless(labels) {
		tell.Alone = false
		labels, result, why, err = opt.graph(ctx, sys, tell)
	}
	if err != nil {
		return nil, "", err
	}
	r.Distinct, r.CollisionProbability = result.Distinct, result.CollisionProbability()
	r.OneOrder, r.Orbits = labels.Alone(), labels.Orbits()
	if why != "" {
		return nil, why, nil
	}
	r.Transitions = uint64(result.Graph.Edges())
	d = &decisions{graph: result.Graph, sys: sys}
	if err := d.make(labels, opt); err != nil {
		return nil, err.Error(), nil
	}
	d.count(r)
	return d, "", nil
}

// graph explores a system, and says why its graph is not whole, if so.
func (o *Options) graph(ctx context.Context, sys *model.System, tell model.Telling) (*model.Labels, *explore.Result, string, error) {
	labels, err := o.labelled(sys, tell)
	if err != nil {
		return nil, nil, "", err
	}
	result, why, bound, err := checker.Graph(ctx, labels, o.search())
	return labels, result, cmp.Or(why, bound), err
}

// labelled returns the system that a search explores.
func (o *Options) labelled(sys *model.System, tell model.Telling) (*model.Labels, error) {
	goal := o.Goal
	if goal == nil {
		goal = func(v *model.View) bool { return v.Settled }
	}
	labels, err := sys.Labelled(model.Watch{State: goal, MarkOnly: true})
	if err != nil {
		return nil, err
	}
	tell.Counted = []func(e *model.Event) bool{epochGrows}
	if tell.Alone { // and then nothing else is counted
		tell.Counted = append(tell.Counted, epochLeaps)
	}
	for _, c := range o.Counted {
		tell.Counted = append(tell.Counted, c.Step)
	}
	return labels.Telling(tell), nil
}

// orderless reports whether one order of events was enough: no scheduler chose in a handler, and
// the highest epoch grows as often in every order. It does where each epoch that comes to be the
// highest one is that of its process plus 1. Then it grows once in a round at most, by 1: no epoch
// is higher than the highest one before the round plus 1.
func orderless(labels *model.Labels) bool {
	for i := range labels.Len() {
		if l := labels.Label(uint32(i)); l.Freely || l.Counted>>1 != 0 {
			return false
		}
	}
	return true
}

// epochGrows reports whether the highest epoch that anybody believes in is a higher one behind a
// step.
func epochGrows(e *model.Event) bool { return highest(e.To) > highest(e.From) }

// epochLeaps reports whether the epoch of a process shrinks in a step, or is the highest one behind
// it and was not one less.
func epochLeaps(e *model.Event) bool {
	before := highest(e.From)
	for id := model.ID(1); id <= e.To.N; id++ {
		from, to := e.From.Epoch(id), e.To.Epoch(id)
		if to < from || to > before && to != from+1 {
			return true
		}
	}
	return false
}

func highest(v *model.View) (epoch uint64) {
	for id := model.ID(1); id <= v.N; id++ {
		epoch = max(epoch, v.Epoch(id))
	}
	return epoch
}

// count notes what the decisions are like.
func (d *decisions) count(r *Report) {
	r.Actions = d.actions()
	for s := range uint32(d.states()) {
		r.Cut += btoi(d.cut[s])
		if d.first[s+1]-d.first[s] > 1 {
			r.Choosers++
		}
		d.actionsOf(s, func(a uint32) {
			if to, _ := d.branches(a); len(to) > 1 {
				r.Tossed++
			}
		})
	}
}

// make makes the decision process.
func (d *decisions) make(labels *model.Labels, opt *Options) error {
	var list []model.Label
	for i := range labels.Len() {
		list = append(list, labels.Label(uint32(i)))
		if l := &list[i]; l.Freely && l.Odds != model.Certain {
			return fmt.Errorf("a handler both tosses and chooses (%v): want a Toss, or a Choose, or a Pick of a choice with weights beside a Toss", l.Kind)
		}
	}
	owed := opt.Fairness
	if labels.Orbits() { // nobody is starved where one state stands for several
		owed = &class.NoFairness
	}
	fair, err := owed.On(labels)
	if err != nil {
		return err
	}
	starts, list, err := d.lots(labels, list)
	if err != nil {
		return err
	}
	var odds []model.Odds
	for i := range list {
		odds = append(odds, list[i].Odds)
	}
	b := newBuilder(odds, fair)
	for n := range uint32(d.graph.Nodes()) {
		goal, cut := d.graph.Mark(n)>>markGoal&1 != 0, d.graph.Mark(n)>>markCut&1 != 0
		b.state(goal, cut && !goal)
		out := d.graph.Out(n)
		for i, e := range out {
			l := &list[e.Label]
			if i == 0 || l.Freely || l.Odd != list[out[i-1].Label].Odd {
				b.action()
			}
			b.leads(e.To, e.Label)
		}
	}
	d.start = uint32(d.graph.Nodes())
	b.state(false, false)
	for i, s := range starts {
		if i == 0 || s.alone || s.origin != starts[i-1].origin {
			b.action()
		}
		b.leads(s.node, s.label)
	}
	if d.mdp, err = b.done(); err != nil {
		return err
	}
	d.measure(list, labels, opt)
	return nil
}

// A beginning is an initial state: its node, and the label of the branch that leads there.
type beginning struct {
	node, label uint32
	origin      int
	alone       bool // it is an action of its own
}

// lots returns the initial states, and the labels with those of what comes before them.
func (d *decisions) lots(labels *model.Labels, list []model.Label) ([]beginning, []model.Label, error) {
	nodes := d.graph.InitialNodes()
	var starts []beginning
	var wrong error
	byText := map[string]uint32{}
	err := labels.Lots(func(l model.Lot) bool {
		node, ok := nodes[string(l.State)]
		switch {
		case !ok:
			wrong = errors.New("the initial states are others when they are asked for again: the handlers are not deterministic")
		case l.Odds == model.Odds{}:
			wrong = errors.New("what is tossed before the initial states has more outcomes than 2^53")
		case l.Freely && l.Odds != model.Certain:
			wrong = errors.New("the handlers before an initial state both toss and choose")
		}
		text := fmt.Sprint(l.Odds, l.Sent)
		label, ok := byText[text]
		if !ok {
			label = uint32(len(list))
			list = append(list, model.Label{Kind: model.Starts, Odds: l.Odds, Sent: l.Sent})
			byText[text] = label
		}
		starts = append(starts, beginning{node, label, l.Origin, l.Freely})
		return wrong == nil
	})
	return starts, list, cmp.Or(wrong, err)
}

// measure finds what is spent by each label of a list: first those of transitions, and then those
// of what comes before them.
func (d *decisions) measure(list []model.Label, labels *model.Labels, opt *Options) {
	add := func(name string, weight func(i int, l *model.Label) int) {
		u := unit{name, make([]int32, len(list))}
		for i := range list {
			u.spent[i] = int32(weight(i, &list[i]))
		}
		d.units = append(d.units, u)
	}
	sent := func(l *model.Label, counts func(kind int) bool) (sum int) {
		for _, s := range l.Sent {
			if counts(s.Kind) {
				sum += s.Messages
			}
		}
		return sum
	}
	add(unitMessages, func(_ int, l *model.Label) int { return sent(l, func(int) bool { return true }) })
	if kinds := d.sys.Names().Kinds; len(kinds) > 1 {
		for k, kind := range kinds {
			add(kind, func(_ int, l *model.Label) int { return sent(l, func(of int) bool { return of == k }) })
		}
	}
	add(unitSteps, func(i int, _ *model.Label) int { return btoi(i < labels.Len()) })
	if labels.Setting().Timing.Kind.Discrete() {
		add(unitTicks, func(_ int, l *model.Label) int { return btoi(l.Kind == model.Ticks) })
	}
	add(unitEpochs, func(_ int, l *model.Label) int { return int(l.Counted & 1) })
	for k, c := range opt.Counted {
		add(c.Name, func(_ int, l *model.Label) int { return int(l.Counted >> (k + 1) & 1) })
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
