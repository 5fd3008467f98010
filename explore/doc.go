// Package explore visits every state of a finite transition system, and finds
// the shortest way to states and transitions that somebody asks about. It knows
// nothing of what the states mean: a puzzle, a lock, two-phase commit and a
// leader election are alike to it.
//
// Two jugs of three litres and of five, which are filled, emptied, and poured into each other:
//
//	func (jugs) Initial(yield func(state []byte) bool) { yield([]byte{0, 0}) }
//	func (jugs) NewExpander() explore.Expander         { return jugs{} }
//
//	func (jugs) Expand(state []byte, out *explore.Successors) {
//		three, five := state[0], state[1]
//		if five == 4 {
//			out.Hit(0, 0) // target 0: there are four litres
//		}
//		poured, back := min(three, 5-five), min(five, 3-three)
//		for code, next := range [][]byte{{3, five}, {three, 5}, {0, five}, {three, 0},
//			{three - poured, five + poured}, {three + back, five - back}} {
//			out.Add(next, explore.Code(code))
//		}
//	}
//
// The search finds a shortest way to a target:
//
//	result, err := explore.Search(context.Background(), jugs{}, explore.Options{Targets: 1})
//	path, err := result.Path(0)
//
// Package typed searches models over Go values and answers formulas about them: for most
// purposes it is the easier way in.
//
// # Systems
//
// A state is a sequence of bytes. A [System] yields the encoded initial states and,
// for each worker, an [Expander] that appends the encoded successors of a state to
// [Successors] and reports there which targets the state or its transitions hit. Targets are numbers: what one stands for (a
// broken invariant, a witness) is up to the system.
//
// [Search] visits the states breadth-first, in parallel, or depth-first.
// [Walk] walks at random, for systems too large for either.
//
// # Runs without end
//
// With Options.Graph a complete search keeps the [Graph] that it has explored.
// Package liveness finds fair runs on it that never end or are stuck: what a
// broken promise of progress looks like.
//
// # What a search promises
//
// Every search ends, or says with its [Reason] why it is incomplete: a limit, a
// cancelled context, transitions that the system cut. Only [Complete] means
// that all reachable states were visited.
//
// A breadth-first search finds the same states, depths, hits and traces for any
// number of workers. A level is always finished before its hits are judged, and
// the predecessor kept for a state is the least of all those in the level
// before, by fingerprint. Limits on bytes and time and cancellation are the
// exception: where these end a search depends on the machine.
//
// With Options.Disk a breadth-first search goes on in files when memory is full,
// with the same states, hits and traces, and leaves checkpoints, from which a
// later one goes on. The caller closes its Result.
//
// States are told apart by 64-bit fingerprints, 16 bytes of memory each and at
// most twice that with the free slots of the table (an unbounded depth-first
// search: 8 bytes each, and half as much again). Two states with the same
// fingerprint would be taken for one; [Result.CollisionProbability] bounds how
// likely that was. Options.Exact compares whole states instead.
package explore
