package checker

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"

	"bullyproof/checker/internal/place"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/model"
)

// Options say what to check and how far to go. The zero value asks for the
// standard properties of an election and visits every state, breadth first, by
// as many workers as there are processors.
type Options struct {
	// Algorithm and Variant are the names that the report and its traces have.
	// An empty Algorithm stands for "protocol"; Variant may be empty.
	Algorithm, Variant string

	// Properties are the questions, in the order of the report; nil stands for
	// the standard ones in the system's setting (InSetting). Misuse is always checked and need not be among them.
	Properties []*Property

	// Order is the order of the search. Depth first takes less memory and one
	// worker, and its traces are not the shortest.
	Order explore.Order

	// Workers is the number of goroutines; 0 stands for one per processor.
	Workers int

	// Exact compares whole states, not fingerprints: several times the memory,
	// and no doubt left.
	Exact bool

	// Exhaustive goes on to the last state although every property is decided,
	// so that the counts are those of the whole scope.
	Exhaustive bool

	// FailFast ends the search where a property is violated, so that the others stay
	// undecided: breadth first with the states of as many steps.
	FailFast bool

	// Reduce says whether properties are decided on reduced systems, and by which
	// reductions; 0 decides all on the system as it is. Counts of a reduced system are its
	// own.
	Reduce model.Reductions
	// ReduceBeyond, if it is not 0, has the search of the system as it is come first.
	// Where it has visited so many states and not ended, what is open is decided on reduced
	// systems that have at least four times fewer states to the same depth; the search goes
	// on for the rest. It does not turn to reduced systems where Exhaustive, Exact, MaxDepth
	// or Disk is set, or in another order than breadth first.
	ReduceBeyond uint64

	// Values counts which values each field, timer and link takes (Report.Values), which makes a
	// search slower.
	Values bool

	// Tallies count what values something has in all states (Report.Tallies): the search is then
	// Exhaustive, and of the system as it is.
	Tallies []*Tally

	// MaxStates, MaxDepth, MaxBytes and MaxTime end the search early; 0 is no
	// limit, and of MaxBytes what the machine has left.
	// They are those of explore.Options. A search without any of them, without Exhaustive and Disk,
	// is given up where something takes ever larger values (Report.Growth).
	MaxStates uint64
	MaxDepth  int
	MaxBytes  int64
	MaxTime   time.Duration

	// Disk says to which directory a search goes that does not fit in memory, how often it
	// leaves a checkpoint there, and whether it goes on from one; without a Dir it takes
	// memory alone. The check says itself what is searched (Disk.Identity). Properties of
	// whole runs are decided in memory nevertheless, or not at all.
	Disk explore.Disk

	// Engine, if it is not nil, makes the searches beyond memory, with all their files in
	// Disk, which it needs. A search that keeps the graph is made in memory first, as with
	// Disk alone. States do not turn to rotations there.
	Engine Engine

	// MaxGraphStates is how many states the graph of a search may have, which
	// takes 8 bytes for each of its transitions and about 20 for each of its
	// states beside the search. Properties of whole runs are decided on it, if not on a
	// reduced system; where there are more states they stay undecided. 0 stands for as
	// many as half of the memory takes, and with Disk for DefaultGraphStates.
	MaxGraphStates uint64

	// Progress, where it is not nil, is called about every ProgressEvery (0
	// stands for a second) while the search runs.
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
}

// asked returns the properties asked of a system, without Misuse.
func (o *Options) asked(sys *model.System) ([]*Property, error) {
	if err := sys.Setting().Exhaustive(); err != nil {
		return nil, err
	}
	props := o.Properties
	if props == nil {
		props = InSetting(Standard(), sys.Setting())
	}
	props = slices.DeleteFunc(slices.Clone(props), func(p *Property) bool { return p == Misuse })
	names := make([]string, len(props))
	for i, p := range props {
		if err := p.validate(); err != nil {
			return nil, err
		}
		if p.Name == Misuse.Name {
			return nil, fmt.Errorf("property %q: the name is taken by the property of that name that is always checked", p.Name)
		}
		names[i] = p.Name
	}
	if twice := naming.Repeated(names); len(twice) > 0 {
		return nil, fmt.Errorf("property %q is asked for twice", twice[0])
	}
	return props, nil
}

// explore returns the options of the search, the first asked of whose targets
// are the properties.
func (o *Options) explore(targets, asked int) explore.Options {
	all := make([]int, asked)
	for i := range all {
		all[i] = i
	}
	return explore.Options{
		Order: o.Order, Workers: o.Workers, Exact: o.Exact, Exhaustive: o.Exhaustive,
		Targets: targets, StopWhenAll: all,
		MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, MaxBytes: o.MaxBytes, MaxTime: o.MaxTime,
		Progress: o.Progress, ProgressEvery: o.ProgressEvery,
	}
}

// place returns where the searches of a check go.
func (o *Options) place() place.Place {
	p := place.Place{Dir: o.Disk.Dir, Resume: o.Disk.Resume}
	if o.Engine != nil {
		p.Open = o.Engine.Open
	}
	return p
}

// graphLimit returns the limit on states of a search that keeps the graph.
func (o *Options) graphLimit() uint64 {
	limit := cmp.Or(o.MaxGraphStates, DefaultGraphStates)
	if o.MaxStates > 0 {
		limit = min(limit, o.MaxStates)
	}
	return limit
}

// workers returns the number of workers that a search has.
func (o *Options) workers() int {
	if o.Order == explore.DepthFirst {
		return 1
	}
	return cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
}
