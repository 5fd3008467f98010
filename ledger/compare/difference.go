package compare

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A Difference is a shortest pair of runs, one of each of two subjects, in which
// the same happens to the same processes in the same order and which come to
// different coordinators.
//
// The events are what happens to processes and to the network: crashes,
// restarts, joins, pauses, wrong reports, cuts and heals. A coordinator that is
// down from the start is a crash. Each run has its own messages and times,
// since no two algorithms have the same messages.
//
// A run comes to a coordinator if it settles in a state in which all that are up
// name the same process, which is up, and if at some time before they did not:
// somebody was elected. An algorithm of which no state is settled, since its
// timers never cease, comes to one as soon as all name it and nobody is in an
// election.
//
// Processes are known by how good they are. Where one algorithm is after the
// highest id and another one after the lowest, the best of one is the best of
// the other. Rings have their processes in the order of their ids. Algorithms
// whose processes have no ids have no such runs.
//
// Of all pairs under all faults it is one with the fewest steps in both runs
// together.
type Difference struct {
	// A and B are the names of the subjects.
	A, B string
	// Why says why there are no such runs, or that not all were seen. Where it is
	// empty there are runs. An unseen run may be shorter: Unseen says so.
	Why    string
	Unseen bool
	Fault  Fault
	N      int
	// Schedule is the schedule, in words.
	Schedule string
	// RankA and RankB are how good the coordinators are, 1 the best.
	RankA, RankB model.ID
	// AlsoA and AlsoB are the ranks of all to which the subjects come, on one run
	// or another in which the same happens.
	AlsoA, AlsoB model.Set
	// RunA and RunB are the runs.
	RunA, RunB *Shown
	// Steps is the length of both runs together.
	Steps int
}

// Outcomes are to whom the runs of a subject come under a fault, by what happens
// in them.
type outcomes struct {
	subject *Subject
	refused bool   // the fault cannot happen to the subject
	why     string // why they are not known
	graph   *explore.Graph
	sys     *model.System
	by      map[string]map[model.ID]uint32 // a node of least depth, by schedule and rank
}

// differences looks for pairs of runs among the smallest number of processes.
func (r *runner) differences(ctx context.Context) error {
	type pair struct{ a, b int }
	best := make(map[pair]*Difference)
	for i := range r.Subjects {
		for j := range i {
			best[pair{j, i}] = &Difference{A: r.Subjects[j].Name(), B: r.Subjects[i].Name()}
		}
	}
	if len(best) == 0 {
		return nil
	}
	for _, f := range r.Faults {
		var all []*outcomes
		for i := range r.Subjects {
			o, err := r.outcomes(ctx, &r.Subjects[i], f)
			if err != nil {
				return err
			}
			all = append(all, o)
		}
		for p, d := range best {
			if err := d.improve(all[p.a], all[p.b], f, r.N[0]); err != nil {
				return err
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(best), func(p, q pair) int { return cmp.Or(p.a-q.a, p.b-q.b) })
	for _, p := range order {
		d := best[p]
		switch {
		case d.RunA != nil:
			d.Why = ""
		case d.Why == "":
			d.Why = "none in any of these worlds"
		}
		r.Differences = append(r.Differences, *d)
	}
	return nil
}

// outcomes explores a subject under a fault.
func (r *runner) outcomes(ctx context.Context, s *Subject, f Fault) (*outcomes, error) {
	o := &outcomes{subject: s}
	n := r.N[0]
	in, err := s.Under(f, n)
	if err != nil || in.Anonymous {
		o.refused = true
		return o, nil
	}
	if in.Topology != setting.Complete {
		in.Arrangement = slices.Collect(model.Upto(model.ID(n)).All())
	}
	if ctx.Err() != nil {
		o.why = interrupted
		return o, nil
	}
	what := s.Name() + ", outcomes, " + f.Name
	sys, err := s.In(in)
	if err == nil {
		sys, err = sys.Monitored(scheduled)
	}
	if err != nil {
		o.refused = true
		return o, nil
	}
	o.sys = sys
	labels, err := sys.Labelled(comes(n)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	result, why, bound, err := checker.Graph(ctx, labels, r.options(s, what))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if o.why, o.graph = cmp.Or(why, bound), result.Graph; o.why == "" {
		err = o.collect(n)
	}
	return o, err
}

// comes returns what marks states: by whom all name, settled ones first.
func comes(n int) (list []model.Watch) {
	for id := range model.Upto(model.ID(n)).All() {
		list = append(list, model.Watch{MarkOnly: true, State: func(v *model.View) bool { return v.Settled && together(v) == id }})
	}
	for id := range model.Upto(model.ID(n)).All() {
		list = append(list, model.Watch{MarkOnly: true, State: func(v *model.View) bool {
			return v.Participants.Empty() && together(v) == id
		}})
	}
	return append(list, model.Watch{MarkOnly: true, State: func(v *model.View) bool { return v.Settled }})
}

// collect finds the outcomes in the graph.
func (o *outcomes) collect(n int) error {
	shift, ever := 0, false
	for node := range uint32(o.graph.Nodes()) {
		ever = ever || o.graph.Mark(node)>>(2*n)&1 != 0
	}
	if !ever {
		shift = n
	}
	rank, err := o.subject.ranking(n)
	if err != nil {
		return err
	}
	down := o.sys.Setting().Start == setting.CoordinatorDown
	o.by = make(map[string]map[model.ID]uint32)
	return o.graph.States(func(node uint32, state []byte) bool {
		marks := o.graph.Mark(node) >> shift & (1<<n - 1)
		if marks == 0 {
			return true
		}
		past := scheduled.Of(o.sys.View(state))
		key, ok := past.key(rank, down)
		if !ok || !past.Disturbed {
			return true
		}
		to := o.by[key]
		if to == nil {
			to = make(map[model.ID]uint32)
			o.by[key] = to
		}
		leader := rank.of(model.ID(bits.TrailingZeros64(marks) + 1))
		if first, seen := to[leader]; !seen || node < first {
			to[leader] = node
		}
		return true
	})
}

// ranking returns how good processes are to a subject.
func (s *Subject) ranking(n int) (ranking, error) {
	r := ranking{model.ID(n), true}
	in, err := s.calm(n)
	if err != nil {
		return r, err
	}
	sys, err := s.In(in)
	if err != nil {
		return r, err
	}
	for state := range sys.Initial {
		r.highest = sys.View(state).Wanted != 1
		break
	}
	return r, nil
}

// uneventful is the schedule in which nothing happens.
const uneventful = "no event"

// improve looks for a shorter pair of runs under one more fault.
func (d *Difference) improve(a, b *outcomes, f Fault, n int) error {
	for _, o := range []*outcomes{a, b} {
		if o.why != "" && !a.refused && !b.refused {
			d.Unseen = true
			d.Why = cmp.Or(d.Why, fmt.Sprintf("none was found, and not all were seen: %s under %s: %s", o.subject.Name(), f.Name, o.why))
		}
	}
	if a.graph == nil || b.graph == nil || a.why != "" || b.why != "" {
		return nil
	}
	found := false
	for _, key := range slices.Sorted(maps.Keys(a.by)) {
		for _, x := range slices.Sorted(maps.Keys(a.by[key])) {
			for _, y := range slices.Sorted(maps.Keys(b.by[key])) {
				steps := a.graph.Depth(a.by[key][x]) + b.graph.Depth(b.by[key][y])
				if x == y || d.Schedule != "" && steps >= d.Steps {
					continue
				}
				found = true
				d.Fault, d.N, d.Schedule, d.RankA, d.RankB, d.Steps = f, n, cmp.Or(key, uneventful), x, y, steps
				d.AlsoA, d.AlsoB = model.SetOf(slices.Collect(maps.Keys(a.by[key]))...), model.SetOf(slices.Collect(maps.Keys(b.by[key]))...)
			}
		}
	}
	if !found {
		return nil
	}
	key := d.Schedule
	if key == uneventful {
		key = ""
	}
	var err error
	if d.RunA, err = a.show(a.by[key][d.RankA], n, d.RankA); err == nil {
		d.RunB, err = b.show(b.by[key][d.RankB], n, d.RankB)
	}
	return err
}

// show returns a shortest run to a node.
func (o *outcomes) show(node uint32, n int, rank model.ID) (*Shown, error) {
	path, err := o.graph.Steps(o.graph.PathTo(node))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.subject.Name(), err)
	}
	run, err := trace.Follow(o.sys, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.subject.Name(), err)
	}
	order, err := o.subject.ranking(n)
	if err != nil {
		return nil, err
	}
	t := run.Record(trace.Header{
		Algorithm: o.subject.Algorithm, Variant: o.subject.Variant,
		Title: o.subject.Name() + " elects P" + strconv.Itoa(int(order.process(rank))) + ", " + nth(rank),
	})
	return &Shown{Trace: t, Run: run}, t.Validate()
}
