package explore

import (
	"context"
	"fmt"
)

// A trail is a depth-first search that did not remember where states came from,
// done once more and remembering it: the same states in the same order, as far as
// it takes to get to those that are asked for.
type trail struct {
	again *search
	dive  *dive
	most  uint64 // states that the first search has expanded
}

// follow goes on until a state has been visited, and returns the search that knows
// where it came from. The error says that the state was not visited, or that the
// memory for it was not there. The first search gives its visited set back: there
// may not be room for both.
func (s *search) follow(fp uint64, state []byte) (*search, error) {
	s.back.trailing.Lock()
	defer s.back.trailing.Unlock()
	if s.back.trail == nil {
		if !s.bare.Has(fp) {
			return nil, notVisited(state)
		}
		s.back.trail = s.newTrail()
	}
	t := s.back.trail
	found := func() bool { return t.again.table.Find(fp, nil) != 0 }
	for !found() && t.dive.w.expanded < t.most && t.dive.step(context.Background()) {
	}
	if found() {
		return t.again, nil
	}
	switch reason := Reason(t.again.stopped.Load()); {
	case t.again.err != nil:
		return nil, t.again.err
	case reason == ByteLimit || reason == MachineLimit:
		return nil, fmt.Errorf("explore: the path to state %s takes the search once more with twice the visited set, for which there is no memory (%v); a breadth-first search keeps what a path needs", shown(state), reason)
	}
	return nil, notVisited(state)
}

// newTrail begins the search again, in place of its visited set.
func (s *search) newTrail() *trail {
	s.bare.Drop()
	opt := s.opt
	opt.origins, opt.Exhaustive, opt.Progress, opt.Inspect, opt.ExpectStates = true, true, nil, nil, 0
	again := newSearch(s.sys, opt)
	again.addInitial()
	return &trail{again: again, dive: newDive(again), most: s.expanded}
}

func notVisited(state []byte) error {
	return fmt.Errorf("explore: state %s was not visited, so there is no path to it", shown(state))
}
