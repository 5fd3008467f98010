// Package survey goes over some states of a system: the first ones, breadth first, and those
// on random walks. A declaration is thus tried on the same states before a search relies on
// it and in a conformance test.
package survey

import (
	"math/rand/v2"
	"slices"
)

// An Extent says how much of a system is looked at.
type Extent struct {
	States int // the first ones, breadth first; a quarter of them initial ones
	Walks  int // then the states on random walks with fixed seeds
	Steps  int // of so many steps
	Most   int // ends after so many transitions; 0 is no limit
}

// Thoroughly looks at some thousand states.
func Thoroughly() Extent { return Extent{States: 1000, Walks: 40, Steps: 60} }

// Briefly is for what is going to be searched anyway.
func Briefly() Extent { return Extent{States: 150, Walks: 6, Steps: 40, Most: 5000} }

// A Visit looks at a state, and returns where its transitions lead, in their order. An error
// ends the survey.
type Visit func(state []byte) (next [][]byte, err error)

// Once returns a visit that looks at each state once, and knows later where it led.
func Once(visit Visit) Visit {
	known := make(map[string][][]byte)
	return func(state []byte) ([][]byte, error) {
		if next, ok := known[string(state)]; ok {
			return next, nil
		}
		next, err := visit(state)
		if err == nil {
			known[string(state)] = next
		}
		return next, err
	}
}

// Of visits the states of a system that the extent says, some of them several times, and
// returns the first error of a visit. Initial yields the initial states.
func (e Extent) Of(initial func(yield func(state []byte) bool), visit Visit) error {
	g := &going{Extent: e, initial: initial, visit: visit}
	if err := g.breadth(); err != nil {
		return err
	}
	return g.walks()
}

// going is a survey under way.
type going struct {
	Extent
	initial func(yield func(state []byte) bool)
	visit   Visit
	taken   int // transitions, so far
}

// enough reports whether the survey has gone as far as its extent says.
func (g *going) enough() bool { return g.Most > 0 && g.taken > g.Most }

// look visits a state, and counts.
func (g *going) look(state []byte) ([][]byte, error) {
	next, err := g.visit(state)
	g.taken += len(next)
	return next, err
}

// breadth visits the first states breadth first.
func (g *going) breadth() error {
	seen := make(map[string]bool)
	var queue [][]byte
	add := func(state []byte) bool {
		if len(seen) < g.States && !seen[string(state)] {
			seen[string(state)] = true
			queue = append(queue, slices.Clone(state))
		}
		return len(seen) < g.States
	}
	g.initial(func(state []byte) bool { return add(state) && len(seen) < g.States/4 })
	for i := 0; i < len(queue) && !g.enough(); i++ {
		next, err := g.look(queue[i])
		if err != nil {
			return err
		}
		for _, state := range next {
			add(state)
		}
	}
	return nil
}

// walks visits the states on random walks from the first initial states.
func (g *going) walks() error {
	var initial [][]byte
	g.initial(func(state []byte) bool {
		initial = append(initial, slices.Clone(state))
		return len(initial) < g.Walks
	})
	for walk := range g.Walks {
		random := rand.New(rand.NewPCG(uint64(walk), 1))
		state := initial[walk%len(initial)]
		for range g.Steps {
			if g.enough() {
				return nil
			}
			next, err := g.look(state)
			if err != nil {
				return err
			}
			if len(next) == 0 {
				break
			}
			state = next[random.IntN(len(next))]
		}
	}
	return nil
}
