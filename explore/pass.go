package explore

import (
	"fmt"
	"slices"
)

// States calls yield with every node and its state, in the order of the numbers,
// until yield returns false. The slice is lent. The graph does not hold states:
// the system is executed once more, state by state, which takes the memory of
// the states of two consecutive depths.
//
// The error says that the system is not deterministic: expanded again, a state
// had other transitions.
func (g *Graph) States(yield func(n uint32, state []byte) bool) error {
	level := g.search.initialStates()
	if len(level) != int(g.LevelEnd(0)) {
		return fmt.Errorf("explore: %d initial states when they are asked for again, and %d before: the system is not deterministic", len(level), g.LevelEnd(0))
	}
	exp := g.search.sys.NewExpander()
	var out Successors
	for depth := 0; len(level) > 0; depth++ {
		first := g.LevelEnd(depth - 1)
		next := make([][]byte, g.LevelEnd(depth+1)-g.LevelEnd(depth))
		for i, state := range level {
			n := first + uint32(i)
			if !yield(n, state) {
				return nil
			}
			out.Reset()
			exp.Expand(state, &out)
			if err := g.sameAgain(n, state, &out, -1); err != nil {
				return err
			}
			for k, e := range g.Out(n) {
				at := int(e.To) - int(g.LevelEnd(depth))
				if at < 0 || at >= len(next) || next[at] != nil {
					continue
				}
				if err := g.sameAgain(n, state, &out, k); err != nil {
					return err
				}
				next[at] = slices.Clone(out.State(k))
			}
		}
		level = next
	}
	return nil
}

// State returns the state of node n. It takes what PathTo and Steps take: for
// many nodes States is much faster. Errors are those of Steps.
func (g *Graph) State(n uint32) ([]byte, error) {
	if int(n) >= g.Nodes() {
		return nil, fmt.Errorf("explore: there is no node %d; nodes are numbered from 0 to %d", n, g.Nodes()-1)
	}
	steps, err := g.Steps(g.PathTo(n))
	if err != nil {
		return nil, err
	}
	return steps[len(steps)-1].State, nil
}
