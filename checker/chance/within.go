package chance

import (
	"context"
	"errors"
)

// errTimeless says that a scheduler can go on without end and spend nothing.
var errTimeless = errors.New("a run can go on without end and stay within any bound")

// within returns the probability that the goal is reached and no more than 0, 1, ..., most is
// spent, at a state. It fails where a run can go round and spend nothing. Of the scheduler for
// which it is least a run may end where nothing is owed.
func (q *question) within(ctx context.Context, at uint32, most int) ([]float64, error) {
	order, bounds := q.m.components(func(s, a uint32) bool { return !q.m.goal[s] && q.free(a) })
	if len(bounds)-1 != q.m.states() {
		return nil, errTimeless
	}
	for s := range uint32(q.m.states()) {
		if !q.m.goal[s] && q.leadsBackFree(s) {
			return nil, errTimeless
		}
	}
	widest := 1
	for _, w := range q.spent {
		widest = max(widest, int(w))
	}
	layers := make([][]float64, 0, most+1)
	var out []float64
	for spent := 0; spent <= most; spent++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float64, q.m.states())
		layers = append(layers, v)
		for _, s := range order {
			v[s] = q.bestWithin(s, spent, layers)
		}
		out = append(out, v[at])
		if spent >= widest {
			layers[spent-widest] = nil
		}
	}
	return out, nil
}

// free reports whether an action may cost nothing.
func (q *question) free(a uint32) bool {
	_, label := q.m.branches(a)
	for _, l := range label {
		if q.spent[l] == 0 {
			return true
		}
	}
	return false
}

// leadsBackFree reports whether a branch that costs nothing leads from a state to itself.
func (q *question) leadsBackFree(s uint32) (back bool) {
	q.m.actionsOf(s, func(a uint32) {
		to, label := q.m.branches(a)
		for i, t := range to {
			back = back || t == s && q.spent[label[i]] == 0
		}
	})
	return back
}

// bestWithin returns the best probability at a state of which so much may be spent; layers has
// those of what is left.
func (q *question) bestWithin(s uint32, spent int, layers [][]float64) float64 {
	if q.m.goal[s] {
		return 1
	}
	if !q.most && q.m.mayEnd(s) {
		return 0
	}
	best, any := 0.0, false
	q.m.actionsOf(s, func(a uint32) {
		to, label := q.m.branches(a)
		sum := 0.0
		for i, t := range to {
			if w := int(q.spent[label[i]]); w <= spent {
				sum += q.m.p[label[i]] * layers[spent-w][t]
			}
		}
		if !any || q.most && sum > best || !q.most && sum < best {
			best, any = sum, true
		}
	})
	return best
}
