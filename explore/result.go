package explore

import (
	"fmt"
	"math"
	"slices"
	"time"

	"bullyproof/explore/internal/visited"
)

// A Reason says why a search ended.
type Reason uint8

// The reasons. Only Complete says that every reachable state was visited.
const (
	Complete     Reason = iota + 1 // every reachable state was visited
	TargetsHit                     // every target that was asked for has been hit
	StateLimit                     // Options.MaxStates
	DepthLimit                     // Options.MaxDepth, or depth 65,534
	ByteLimit                      // Options.MaxBytes
	TimeLimit                      // Options.MaxTime, or the deadline of the context
	Cancelled                      // the context was cancelled
	CutBySystem                    // an expander left out transitions, see Result.Cuts
	Sampled                        // random walks visit no more than a sample
	MachineLimit                   // what the machine has left of memory, see Result.MemoryLimit
	DiskFailure                    // a file could not be written or read, see Result.DiskError
	Reconsidered                   // Options.Reconsider
	FirstHit                       // a target of Options.StopWhenAny has been hit
	GivenUp                        // Options.Inspect had seen enough
	SizeLimit                      // a state has more than MaxStateBytes bytes
)

// Resumable reports whether a limit or the context ended the search, so that one
// with Options.Disk left a checkpoint.
func (r Reason) Resumable() bool {
	switch r {
	case StateLimit, ByteLimit, TimeLimit, Cancelled, MachineLimit:
		return true
	}
	return false
}

// String returns the reason in words.
func (r Reason) String() string {
	switch r {
	case Complete:
		return "complete"
	case TargetsHit:
		return "all targets hit"
	case StateLimit:
		return "limit on states"
	case DepthLimit:
		return "limit on depth"
	case ByteLimit:
		return "limit on bytes"
	case TimeLimit:
		return "limit on time"
	case Cancelled:
		return "cancelled"
	case CutBySystem:
		return "cut by the system"
	case Sampled:
		return "sampled"
	case MachineLimit:
		return "limit of the machine's memory"
	case DiskFailure:
		return "failure of the disk"
	case FirstHit:
		return "a target was hit"
	case Reconsidered:
		return "no need to go on"
	case GivenUp:
		return "given up"
	case SizeLimit:
		return "limit on the length of a state"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// A Result is what a search found. It keeps the visited set, which Path needs.
type Result struct {
	// Reason says why the search ended.
	Reason Reason

	// Cuts has bit i set where an expander reported Cut(i). It may be set
	// whatever Reason says.
	Cuts uint64

	// Distinct is the number of distinct states found.
	Distinct uint64

	// Generated is the number of initial states and successors generated, with
	// repetitions, as TLC counts them. A depth-first search with a depth limit
	// counts the successors of a state again when it expands it again.
	Generated uint64

	// Expanded is the number of expansions, at most one per distinct state
	// except in a depth-first search with a depth limit.
	Expanded uint64

	// Depth is the largest depth of a distinct state, in transitions. In a
	// depth-first search it is the largest depth at which one was met.
	Depth int

	// Levels has the number of distinct states at each depth from 0, Distinct in all; nil
	// for a depth-first search. Of a search that ended within a level, the last number is
	// of those that were found of the next one, and any before are whole.
	Levels []uint64

	// CompleteDepth says what is known although a search ended early: every run
	// of up to so many transitions from an initial state was looked at, with its
	// states and its transitions, so that none of them hits a target without a
	// Hit. It is -1 if the initial states themselves were not all looked at, and
	// for a depth-first search whose Reason is not Complete.
	CompleteDepth int

	// Duration is the time that the search took.
	Duration time.Duration

	// TableBytes is the memory of the visited set at the end, PeakBytes the
	// largest sum of the memory of visited set, frontier and graph. Of a set in exact
	// mode both are estimates.
	TableBytes, PeakBytes int64

	// ProcessBytes is the most memory that the process was seen to take, as
	// MaxBytes limits it; 0 where the search was too small to be measured.
	ProcessBytes int64

	// MemoryLimit says which limit there was to the memory of the process, with
	// its size, where Reason is MachineLimit.
	MemoryLimit string

	// DiskBytes is how many bytes were written to Options.Disk, and DiskError is
	// what went wrong there, where Reason is DiskFailure.
	DiskBytes int64
	DiskError error

	// Exact says that whole states were compared, and Collisions how many
	// distinct states had the fingerprint of another one (0 where not Exact).
	Exact      bool
	Collisions uint64

	// Graph is the explored graph if Options.Graph asked for it; nil where Reason
	// is not Complete, or where it was given up (Options.GraphOptional). NoGraph is
	// why: StateLimit, ByteLimit, MachineLimit, TimeLimit or Cancelled; 0 if it was not.
	Graph   *Graph
	NoGraph Reason

	found
}

// found is what a result is asked for by its methods.
type found struct {
	hits   []Hit // by target; Depth is -1 where the target was not hit
	search *search
}

// Close lets go of the files of a search on disk, after which it has no more
// paths. Those of a search that is over are removed, with the checkpoint; those
// of a search that can be resumed stay. Without Options.Disk there is nothing to
// do.
func (r *Result) Close() error {
	if r.search.elsewhere != nil {
		return r.search.elsewhere.Close()
	}
	return r.search.disk.end()
}

// addUnfinished adds to the levels what was found of the one after the last, where the
// search ended before that was whole.
func (r *Result) addUnfinished() {
	if r.search.opt.Order != BreadthFirst {
		return
	}
	found := r.Distinct
	for _, states := range r.Levels {
		found -= states
	}
	if found > 0 {
		r.Levels = append(slices.Clip(r.Levels), found)
		r.Depth = len(r.Levels) - 1
	}
}

// Complete reports whether every reachable state was visited.
func (r *Result) Complete() bool { return r.Reason == Complete }

// Hit returns the hit kept for a target, and whether there is one.
func (r *Result) Hit(target int) (Hit, bool) { return hitOf(r.hits, target) }

// CollisionProbability returns an upper bound of the probability that the
// search took two distinct states for one because their fingerprints agree, and
// so lost states: the birthday bound n(n-1)/2^65 for n distinct states, at most
// 1. It supposes that fingerprints are as good as random. It is 0 for an exact
// search.
func (r *Result) CollisionProbability() float64 {
	if r.Exact || r.Distinct == 0 {
		return 0
	}
	n := float64(r.Distinct)
	return math.Min(1, n*(n-1)*0x1p-65)
}

// OutDegree returns the mean number of transitions out of an expanded state.
func (r *Result) OutDegree() float64 {
	if r.Expanded == 0 {
		return 0
	}
	return float64(r.Generated-r.search.initial) / float64(r.Expanded)
}

// Forget takes a state without transitions out of the counts, and reports whether it
// was visited.
func (r *Result) Forget(state []byte) bool {
	s := r.search
	meta := s.meta(s.fingerprint(state), state)
	if meta == 0 {
		return false
	}
	r.Distinct--
	if r.Expanded > 0 {
		r.Expanded--
	}
	if d := visited.Depth(meta); d < len(r.Levels) {
		if r.Levels[d]--; r.Levels[d] == 0 { // it was alone, and led nowhere
			r.Levels = r.Levels[:d]
			r.Depth = d - 1
			r.CompleteDepth = min(r.CompleteDepth, r.Depth)
		}
	}
	return true
}
