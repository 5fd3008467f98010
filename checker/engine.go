package checker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/model"
)

// An Engine makes breadth-first searches beyond one machine. It is made by the command.
type Engine interface {
	// Search is explore.Search with the files and the identity of on, which has the system
	// for tasks of this process. description has the data from which a worker makes the
	// same system (Part).
	Search(ctx context.Context, sys explore.System, opt explore.Options, on cluster.Options, description []byte) (*explore.Result, error)
	// Open opens the directory of a search by its name.
	Open(name string) (cluster.Directory, error)
	// Where says where the search is made, for a plan.
	Where() string
}

// A partDescription says which search of a check is made, and on what system.
type partDescription struct {
	States     []string         `json:"states"`
	Runs       []string         `json:"runs,omitempty"`
	Remembered []string         `json:"remembered,omitempty"`
	Reduce     model.Reductions `json:"reduce,omitempty"`
}

// Part returns the system of a search that a check makes by an Engine, from its
// description and the system that is checked. Lookup knows the properties by name.
func Part(sys *model.System, description []byte, lookup func(names []string) ([]*Property, error)) (cluster.Subject, error) {
	var d partDescription
	if err := json.Unmarshal(description, &d); err != nil {
		return cluster.Subject{}, fmt.Errorf("the description of a search makes no sense: %w", err)
	}
	var props [3][]*Property
	for i, names := range [][]string{d.States, d.Runs, d.Remembered} {
		var err error
		if props[i], err = lookup(names); err != nil {
			return cluster.Subject{}, err
		}
	}
	sys, err := Remembered(sys, props[2]...)
	if err != nil {
		return cluster.Subject{}, err
	}
	return subjectOf(sys, &Stage{States: props[0], Runs: props[1]}, d.Reduce), nil
}

// subjectOf returns the system of a stage for tasks: each has what it gathers for itself.
func subjectOf(sys *model.System, stage *Stage, reduce model.Reductions) cluster.Subject {
	part := func() (s *subject, err error) {
		s = newSubject(sys, Options{}, stage)
		if reduce != 0 {
			s.watched, err = s.watched.Reduced(stage.reduction(reduce))
		}
		return s, err
	}
	return cluster.Subject{
		New:     func() (explore.System, error) { return part() },
		Targets: newSubject(sys, Options{}, stage).watched.Targets(),
	}
}

// elsewhere has an Engine make the search.
func (s *subject) elsewhere(ctx context.Context, opt Options, how explore.Options) (*explore.Result, error) {
	d := partDescription{States: namesOf(s.props), Runs: namesOf(s.stage.Runs)}
	monitored := slices.DeleteFunc(slices.Clone(s.remembered), func(p *Property) bool { return len(p.monitors) == 0 })
	d.Remembered = namesOf(monitored)
	if s.watched.Reductions() != 0 {
		d.Reduce = s.opt.Reduce
	}
	description, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	subject := subjectOf(s.sys, &Stage{States: s.props, Runs: s.stage.Runs}, d.Reduce)
	subject.Open = opt.Engine.Open
	return opt.Engine.Search(ctx, s, how, cluster.Options{
		Dir: opt.Disk.Dir, Resume: opt.Disk.Resume, Identity: s.identity(), Subject: subject,
	}, description)
}
