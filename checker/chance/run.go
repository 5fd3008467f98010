package chance

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/trace"
)

// A Run is a run that shows what a scheduler does.
type Run struct {
	// Trace records the run, and Run is the execution that it records.
	Trace *trace.Trace
	Run   *trace.Run
	// Odds is the probability with which chance has this run, of all that the scheduler leaves.
	Odds float64
}

// ErrNoRun says that there is no run to show.
var ErrNoRun = errors.New("whatever the scheduler does, the goal is reached with probability 1")

// Failure returns the most likely run, under the scheduler for which the goal is least likely,
// to where a run can stay without it: it ends there, or goes round there and starves nobody. It
// fails with ErrNoRun where the goal is always reached.
func (r *Report) Failure(ctx context.Context) (*Run, error) {
	if r.Why != "" {
		return nil, errors.New(r.Why)
	}
	d, err := r.forRun(ctx)
	if err != nil {
		return nil, err
	}
	p := newReach(d.mdp)
	if !p.never[d.start] {
		return nil, ErrNoRun
	}
	a, err := p.probability(ctx, false)
	if err != nil {
		return nil, err
	}
	v := make([]float64, d.states())
	for s := range v {
		v[s] = a.x.low[a.of[s]]
	}
	hops, odds := d.likeliest(&question{m: d.mdp, most: true}, v, p.stays)
	steps, err := d.graph.Steps(hops)
	if err != nil {
		return nil, err
	}
	if r.OneOrder {
		d.renumber(steps)
	}
	run, err := trace.Follow(d.sys, steps)
	if err != nil {
		return nil, err
	}
	out := &Run{Run: run, Odds: odds}
	out.Trace = run.Record(trace.Header{Algorithm: r.Algorithm, Variant: r.Variant, Title: fmt.Sprintf("a run that does not get to: %s", r.Goal)})
	return out, out.Trace.Validate()
}

// forRun returns the decisions in which each state is one of the system.
func (r *Report) forRun(ctx context.Context) (*decisions, error) {
	if !r.Orbits {
		return r.decisions, nil
	}
	d, why, err := explored(ctx, r.decisions.sys, &r.asked, new(Report), true)
	if err == nil && why != "" {
		err = errors.New(why)
	}
	return d, err
}

// renumber has steps of a search in one order be those of one in every order, in which other
// transitions of a state may come before.
func (d *decisions) renumber(steps []explore.PathStep) {
	for i := range steps[1:] {
		d.sys.EachTransition(steps[i].State, func(t model.Transition) {
			if to := &steps[i+1]; bytes.Equal(t.Next, to.State) {
				to.Code = t.Code
			}
		})
	}
}

// likeliest returns the most likely way from the start to a target by best actions, and its
// probability. (E. W. Dijkstra, A note on two problems in connexion with graphs, 1959.)
func (d *decisions) likeliest(q *question, v []float64, target []bool) ([]explore.Hop, float64) {
	const far = math.MaxFloat64
	dist, from := make([]float64, d.states()), make([]explore.Hop, d.states())
	for s := range dist {
		dist[s] = far
	}
	dist[d.start] = 0
	todo := &queue{{d.start, 0}}
	for todo.Len() > 0 {
		at := heap.Pop(todo).(place)
		if at.dist > dist[at.state] {
			continue
		}
		if target[at.state] {
			return d.way(at.state, from), math.Exp(-at.dist)
		}
		best := q.best(at.state, v, nil)
		d.actionsOf(at.state, func(a uint32) {
			if q.of(a, v) < best-precision {
				return
			}
			to, label := d.branches(a)
			for i, t := range to {
				if far := at.dist - math.Log(d.p[label[i]]); far < dist[t] {
					dist[t], from[t] = far, explore.Hop{To: at.state, Label: label[i]}
					heap.Push(todo, place{t, far})
				}
			}
		})
	}
	return nil, 0
}

// way returns the hops to a state, those of the graph.
func (d *decisions) way(s uint32, from []explore.Hop) []explore.Hop {
	var hops []explore.Hop
	for s != d.start {
		hops = append(hops, explore.Hop{To: s, Label: from[s].Label})
		s = from[s].To
	}
	slices.Reverse(hops)
	if len(hops) > 0 {
		hops[0].Label = 0 // it is no transition
	}
	return hops
}

// A place is a state and how far it is from the start.
type place struct {
	state uint32
	dist  float64
}

// A queue has the nearest place first, of equal ones that of the least number.
type queue []place

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].dist < q[j].dist || q[i].dist == q[j].dist && q[i].state < q[j].state
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(place)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
