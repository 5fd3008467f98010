package checker

import (
	"context"
	"errors"

	"bullyproof/explore"
	"bullyproof/model"
)

// Check explores a system and decides every property in one search, those of
// whole runs on the graph of all states. (More of these than fit the 64 bits
// that a graph keeps of a state take a search of their own.) The report has the findings, and says
// whether the search ended early. An error means that the question is impossible: an option out of
// range, a property that is incomplete, is there twice or asks a monitor that it does not name, a
// system of more than model.MaxExhaustive processes, one whose initial states cannot be made, or
// one that is not deterministic, so that a run that was seen cannot be shown (TestSystem finds out
// where).
func Check(ctx context.Context, sys *model.System, opt Options) (r *Report, err error) {
	defer lacksMonitor(&err)
	opt.tallies()
	props, err := opt.asked(sys)
	if err != nil {
		return nil, err
	}
	if opt.Engine != nil {
		if opt.Disk.Dir == "" || opt.Order != explore.BreadthFirst || opt.Exact {
			return nil, errors.New("checker: an Engine searches breadth first, compares fingerprints, and has its files in Disk")
		}
		opt.Reduce &^= model.Rotations // which a search may have to do without half-way
	}
	release, err := opt.place().Prepare()
	if err != nil {
		return nil, err
	}
	defer release()
	pl := planner{Options: opt, sys: sys, at: opt.place().Look()}
	plan, err := pl.plan(props)
	if err != nil {
		return nil, err
	}
	small, err := pl.reducedFirst(ctx, plan)
	if err != nil {
		return nil, err
	}
	plain, err := pl.asItIs(ctx, plan, props, small.report)
	if err != nil {
		return nil, err
	}
	return pl.compose(props, small, plain), nil
}

// Graph explores a system that is labelled within the limits of opt, whose
// properties it leaves alone, and keeps the graph. For passes over it: why says
// what the search did not see, and that a handler does what no network can carry
// out; bound says what the bounds of the setting and of the protocol left out. Both are
// empty where the graph is whole. Errors are those of Check.
func Graph(ctx context.Context, labels *model.Labels, opt Options) (result *explore.Result, why, bound string, err error) {
	if err := labels.Setting().Exhaustive(); err != nil {
		return nil, "", "", err
	}
	sub := &subject{opt: opt, labels: labels, watched: labels.Watched}
	s, err := sub.run(ctx, opt)
	if err != nil {
		return nil, "", "", err
	}
	if _, hit := s.Hit(labels.Targets() - 1); hit {
		return s.Result, "a handler does what no network can carry out (the property misuse)", "", nil
	}
	return s.Result, s.whyIncomplete(), s.bound(), nil
}
