package checker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// identity says what a check searches, for checkpoints: a search goes on only
// from one of its own. The states with which it begins stand for how states are
// encoded.
func (c *subject) identity() string {
	names := make([]string, len(c.props))
	for i, p := range c.props {
		names[i] = p.Name
	}
	subject := c.opt.Algorithm
	if c.opt.Variant != "" {
		subject += "/" + c.opt.Variant
	}
	const some = 1000
	hash, n := xxh3.New(), 0
	c.watched.System.Initial(func(state []byte) bool {
		_, _ = hash.Write(state) // a hasher does not fail
		n++
		return n < some
	})
	reduced := ""
	if r := c.watched.Reductions(); r != 0 {
		reduced = fmt.Sprintf("; reduced by %s, reading %d", strings.Join(r.Names(), ","), c.watched.Reads())
	}
	return fmt.Sprintf("%s, %s; %s; exhaustive=%t%s; layout %016x", subject, c.watched.Setting(), strings.Join(names, " "), c.opt.Exhaustive, reduced, hash.Sum64())
}

// gathered is what a check gathers beside what the search knows.
type gathered struct {
	Ran   json.RawMessage `json:"ran"`
	Met   []bool          `json:"met"`
	Steps []bool          `json:"steps"`
}

// Keep returns what ran and which occasions came up (explore.Keeper).
func (c *subject) Keep() ([]byte, error) {
	ran, err := c.watched.Keep()
	if err != nil {
		return nil, err
	}
	return json.Marshal(gathered{ran, met(c.occasions.list), met(c.occasions.steps)})
}

func met(list []*meeting) []bool {
	out := make([]bool, len(list))
	for i, m := range list {
		out[i] = m.met.Load()
	}
	return out
}

// Recall adds what Keep returned (explore.Keeper).
func (c *subject) Recall(kept []byte) error {
	var g gathered
	if err := json.Unmarshal(kept, &g); err != nil {
		return fmt.Errorf("what a check gathered: %w", err)
	}
	o := c.occasions
	if len(g.Met) != len(o.list) || len(g.Steps) != len(o.steps) {
		return fmt.Errorf("it has the occasions of %d properties, and %d are asked", len(g.Met)+len(g.Steps), len(o.list)+len(o.steps))
	}
	for i, m := range o.list {
		if g.Met[i] && m.met.CompareAndSwap(false, true) {
			o.missing.Add(-1)
		}
	}
	for i, m := range o.steps {
		if g.Steps[i] {
			m.met.Store(true)
		}
	}
	return c.watched.Recall(g.Ran)
}

var _ explore.Keeper = (*subject)(nil)
var _ explore.Keeper = (*model.Watched)(nil)

// graphSize says how large the graph of a search would have been, where the search
// was on disk since memory did not do.
func (c *subject) graphSize(r *explore.Result) string {
	if c.opt.Disk.Dir == "" || r.Reason != explore.Complete || c.noGraph == "" {
		return ""
	}
	bytes := 8*float64(r.Generated) + 20*float64(r.Distinct)
	return fmt.Sprintf("; that of these %s would take about %s of memory, beside the search", quantity.Plural(r.Distinct, "state"), quantity.Bytes(int64(bytes)))
}

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
func subjectOf(sys *model.System, s *Stage, reduce model.Reductions) cluster.Subject {
	part := func() (c *subject, err error) {
		c = newSubject(sys, Options{}, s)
		if reduce != 0 {
			c.watched, err = c.watched.Reduced(s.reduction(reduce))
		}
		return c, err
	}
	return cluster.Subject{
		New:     func() (explore.System, error) { return part() },
		Targets: newSubject(sys, Options{}, s).watched.Targets(),
	}
}

// elsewhere is run by an Engine.
func (c *subject) elsewhere(ctx context.Context, search explore.Options) (*explore.Result, error) {
	d := partDescription{States: namesOf(c.props), Runs: namesOf(c.stage.Runs)}
	monitored := slices.DeleteFunc(slices.Clone(c.remembered), func(p *Property) bool { return len(p.monitors) == 0 })
	d.Remembered = namesOf(monitored)
	if c.watched.Reductions() != 0 {
		d.Reduce = c.opt.Reduce
	}
	description, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	subject := subjectOf(c.sys, &Stage{States: c.props, Runs: c.stage.Runs}, d.Reduce)
	subject.Open = c.opt.Engine.Open
	return c.opt.Engine.Search(ctx, c, search, cluster.Options{
		Dir: c.opt.Disk.Dir, Resume: c.opt.Disk.Resume, Identity: c.identity(), Subject: subject,
	}, description)
}
