package explore

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"bullyproof/explore/internal/visited"
)

// MaxStateBytes is the length in bytes of the longest encoded state that a
// search takes; a longer one ends it with an error.
const MaxStateBytes = 1 << 16

// maxDepth is the greatest depth that an entry of the visited set can hold.
const maxDepth = visited.MaxDepth

// maxWorkers bounds Options.Workers: beyond the processors there are, workers
// take memory and bring nothing.
const maxWorkers = 1024

// An Order says in which order a search visits states.
type Order uint8

const (
	// BreadthFirst visits states level by level, in parallel. Traces are the
	// shortest there are, and everything in the Result but durations and bytes
	// is the same for any number of workers.
	BreadthFirst Order = iota

	// DepthFirst visits states with one worker and an explicit stack, without
	// the frontier. It gives the same verdict, but neither the shortest trace
	// nor depths: a state counts at the least depth at which it was met. Without
	// MaxDepth and Exact it takes half the memory for a state; a trace is then
	// found by searching once more, up to where the trace ends.
	DepthFirst
)

// String returns the name of the order.
func (o Order) String() string {
	switch o {
	case BreadthFirst:
		return "breadth-first"
	case DepthFirst:
		return "depth-first"
	}
	return fmt.Sprintf("Order(%d)", uint8(o))
}

// Options say how to search. The zero value is a breadth-first search without
// limits and without targets, by as many workers as there are processors.
type Options struct {
	// Order is the order of the search.
	Order Order

	// Workers is the number of goroutines that expand states, at most 1024; 0
	// stands for GOMAXPROCS. A depth-first search has one whatever Workers says.
	Workers int

	// Targets is the number of targets that expanders may hit, numbered from 0.
	Targets int

	// StopWhenAll lists the targets which, once every one of them has been hit,
	// end the search early; nil stands for every target, or of a Questioner for
	// its questions. Without targets a search never ends early.
	StopWhenAll []int

	// StopWhenAny lists the targets of which one hit ends the search early, whatever else
	// is asked: a breadth-first search at the end of the level.
	StopWhenAny []int

	// Exhaustive keeps the search going although StopWhenAll is satisfied.
	Exhaustive bool

	// Exact compares whole states rather than 64-bit fingerprints. It takes
	// several times the memory, cannot lose a state, and counts the
	// fingerprint collisions in Result.Collisions.
	Exact bool

	// Graph keeps the explored graph (see Graph), in a breadth-first search. The
	// search then goes on although StopWhenAll is satisfied.
	Graph bool

	// GraphOptional has a search with Graph go on without it where it would have
	// more than MaxGraphStates states (0 is no limit), or would take more than half of
	// the memory that there is, and where making it takes longer than MaxTime.
	// StopWhenAll counts from there on. Result.NoGraph says why there is none. Where the
	// system has cut transitions the graph is made without them.
	GraphOptional  bool
	MaxGraphStates uint64

	// Reconsider.Ask, where it is not nil, is called once in a breadth-first search in
	// memory, between two levels, when at least Reconsider.At distinct states have been
	// found and the search is not over, with what is known so far. It says how the
	// search goes on; an error ends it. The time that it takes counts.
	Reconsider struct {
		At  uint64
		Ask func(soFar *Result) (Course, error)
	}

	// Inspect, where it is not nil, is shown up to 32 states of each level of a breadth-first
	// search once it has been expanded, the same for any number of workers, with the depth and
	// the number of distinct states found so far; of a depth-first search it is shown about one
	// state in 1,024. The states are good until it returns. It reports whether the search is to go on: if not,
	// and unless everything was seen, the search ends with Reason GivenUp. Searches that an
	// Elsewhere makes are not inspected.
	Inspect func(depth int, distinct uint64, states [][]byte) bool

	// MaxStates ends a breadth-first search at the end of the first level with
	// which at least that many distinct states have been found, a depth-first
	// one at that state; 0 is no limit.
	MaxStates uint64

	// MaxDepth is the depth of the deepest states to visit, in transitions from
	// an initial state, at most 65,534; 0 stands for that. States at the limit
	// are judged and so are their transitions, but these are not followed. Where
	// they lead to no other states the search is complete; a depth-first one may
	// call itself incomplete although it is not.
	MaxDepth int

	// MaxBytes limits the memory that the process takes while it searches, the
	// rest of the program included: it may be exceeded by a tenth where it is 64 MB
	// or more. 0 stands for what the machine has left of memory, and the limits
	// that it sets to the process (on Linux those of control groups and of
	// setrlimit; elsewhere no limit), which a search keeps within whatever MaxBytes
	// says. Where the search stops depends on the machine.
	MaxBytes int64

	// MaxTime limits the duration; 0 is no limit.
	MaxTime time.Duration

	// ExpectStates sizes the visited set for so many distinct states up front,
	// within the limit of memory. A good guess saves a few percent of the time, a bad one
	// costs memory; 0 starts small and grows.
	ExpectStates uint64

	// Disk lets a breadth-first search go on beyond memory, and beyond the end of
	// the process; without a Dir it takes memory alone.
	Disk Disk

	// Progress, where it is not nil, is called about every ProgressEvery, from
	// one goroutine, and not any more once the search has returned.
	Progress func(Progress)

	// ProgressEvery is the interval between calls of Progress; 0 stands for 1 s.
	ProgressEvery time.Duration

	inside
}

// Inside are options that a search gives itself, and tests.
type inside struct {
	hash        func([]byte) uint64 // in place of xxh3, for tests
	buckets     int                 // of a table segment at first, for tests
	origins     bool                // a depth-first search remembers origins
	inPlaceFrom int                 // buckets of a table segment that grows in place, for tests
	memory      memory              // in place of that of the process, for tests
}

// check reports the first option that is out of range, and fills in defaults.
func (o Options) check() (Options, error) {
	switch {
	case o.Order > DepthFirst:
		return o, fmt.Errorf("explore: order %d is neither BreadthFirst nor DepthFirst", o.Order)
	case o.Workers < 0 || o.Workers > maxWorkers:
		return o, fmt.Errorf("explore: %d workers; from 1 to %d are possible, and 0 stands for one per processor", o.Workers, maxWorkers)
	case o.Targets < 0:
		return o, fmt.Errorf("explore: %d targets; 0 or more are possible", o.Targets)
	case o.Graph && o.Order != BreadthFirst:
		return o, fmt.Errorf("explore: a %v search keeps no graph; only one in the order BreadthFirst does", o.Order)
	case o.Disk.Dir == "" && o.Disk.Resume:
		return o, errors.New("explore: Disk.Resume without Disk.Dir; the directory is where the checkpoint is")
	case o.Disk.InMemory < 0:
		return o, fmt.Errorf("explore: Disk.InMemory is %d; it is a number of states, 0 for as many as there is memory for", o.Disk.InMemory)
	case o.Disk.Dir != "" && o.Order != BreadthFirst:
		return o, fmt.Errorf("explore: a %v search takes memory alone; with Disk.Dir the order is BreadthFirst", o.Order)
	case o.Disk.Dir != "" && o.Exact:
		return o, errors.New("explore: Exact keeps whole states in memory; with Disk.Dir states are told apart by fingerprints")
	case o.Disk.Dir != "" && o.Graph:
		return o, errors.New("explore: Graph is kept in memory; a search with Disk.Dir keeps none")
	case o.Disk.Every < 0:
		return o, fmt.Errorf("explore: a checkpoint every %v; 0 stands for %v", o.Disk.Every, checkpointEvery)
	case o.Reconsider.Ask != nil && (o.Order != BreadthFirst || o.Disk.Dir != ""):
		return o, errors.New("explore: Reconsider is asked between the levels of a breadth-first search in memory alone")
	case o.MaxDepth < 0 || o.MaxDepth > maxDepth:
		return o, fmt.Errorf("explore: depth limit %d is out of range 0 to %d", o.MaxDepth, maxDepth)
	case o.MaxBytes < 0:
		return o, fmt.Errorf("explore: byte limit %d is negative; 0 is no limit", o.MaxBytes)
	case o.MaxTime < 0:
		return o, fmt.Errorf("explore: time limit %v is negative; 0 is no limit", o.MaxTime)
	}
	for name, targets := range map[string][]int{"StopWhenAll": o.StopWhenAll, "StopWhenAny": o.StopWhenAny} {
		for _, t := range targets {
			if t < 0 || t >= o.Targets {
				return o, fmt.Errorf("explore: %s names target %d, targets are numbered from 0 to %d", name, t, o.Targets-1)
			}
		}
	}
	if o.Workers == 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if o.Order == DepthFirst {
		o.Workers = 1
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = maxDepth
	}
	if o.ProgressEvery <= 0 {
		o.ProgressEvery = time.Second
	}
	return o, nil
}

// needed returns the targets that must be hit before a search of a system may
// end early.
func (o *Options) needed(sys System) []int {
	if o.Exhaustive {
		return nil
	}
	if o.StopWhenAll != nil {
		return o.StopWhenAll
	}
	n := o.Targets
	if q, ok := sys.(Questioner); ok {
		n = max(0, min(n, q.Questions()))
	}
	all := make([]int, n)
	for t := range all {
		all[t] = t
	}
	return all
}

// A Phase is a part of a search.
type Phase string

// The phases of a search, in order.
const (
	PhaseInitial Phase = "initial states"
	PhaseSearch  Phase = "search"
	PhaseGraph   Phase = "graph" // with Options.Graph only
)

// Progress tells how far a running search has come. Its figures are read
// while workers go on, so they fit each other only roughly.
type Progress struct {
	Phase     Phase
	Distinct  uint64         // distinct states found
	Generated uint64         // states generated, with repetitions
	Depth     int            // depth of the level (or of the stack) under expansion
	Frontier  uint64         // states of that level (or on the stack)
	Falling   bool           // the level is smaller than the one before it
	Rate      float64        // distinct states per second since the last snapshot
	Bytes     int64          // memory of visited set and frontier
	Disk      int64          // bytes in the files of Options.Disk
	Elapsed   time.Duration  // since the start
	Hits      []int          // steps to each target, -1 where none was hit so far
	Found     string         // what these are to whoever asked; the search leaves it empty
	Broken    map[string]int // the steps to each property that is broken so far, likewise
	Growing   string         // what takes ever larger values, likewise
}
