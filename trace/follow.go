package trace

import (
	"bytes"
	"errors"
	"fmt"

	"bullyproof/explore"
	"bullyproof/model"
)

// Follow executes the path that a search took through a system, whose first step
// is an initial state.
func Follow(sys *model.System, path []explore.PathStep) (*Run, error) {
	run := Begin(sys, path[0].State)
	for i, step := range path[1:] {
		if err := run.follow(step); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return run, nil
}

// follow takes a step that a search took.
func (r *Run) follow(step explore.PathStep) error {
	for _, t := range r.Enabled() {
		if t.Code == step.Code && bytes.Equal(t.Next, step.State) {
			r.Take(t)
			return nil
		}
	}
	return errors.New("the search took a transition that is not there now: the handlers are not deterministic (see TestSystem)")
}
