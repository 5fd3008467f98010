package explore

import "bullyproof/explore/internal/visited"

// A Course is how a search goes on that was reconsidered (Options.Reconsider).
type Course struct {
	// Over ends the search, with Reason Reconsidered.
	Over bool
	// StopWhenAll takes the place of Options.StopWhenAll, and nil stands for no
	// target: without a graph a search that needs nothing more goes on to the
	// last state.
	StopWhenAll []int
	// Graph says that the graph is still needed, where there is one.
	Graph bool
}

// reconsider asks, once and between two levels, how a search of so many states goes
// on.
func (s *search) reconsider() {
	ask := s.opt.Reconsider.Ask
	if ask == nil || !s.running() || s.distinct() < s.opt.Reconsider.At {
		return
	}
	s.opt.Reconsider.Ask = nil
	s.telling.Lock() // whoever reconsiders it tells how far that is
	course, err := ask(s.soFar())
	s.telling.Unlock()
	switch {
	case err != nil:
		s.fail(err)
		return
	case course.Over:
		s.stop(Reconsidered)
		return
	}
	s.needed = course.StopWhenAll
	if !course.Graph {
		s.wantGraph = false
		s.dropGraph()
	}
}

// keepsGraph reports whether the search keeps the graph.
func (s *search) keepsGraph() bool { return s.wantGraph && s.graphless.Load() == 0 }

// giveUpGraph has the search go on without its graph, for a reason, if it can; the
// first reason counts. Workers let go of their logs with their next batch.
func (s *search) giveUpGraph(r Reason) bool {
	if !s.wantGraph || !s.opt.GraphOptional {
		return false
	}
	s.graphless.CompareAndSwap(0, uint32(r))
	return true
}

// dropGraph drops the logs of all workers, where no graph is kept.
func (s *search) dropGraph() {
	if s.keepsGraph() {
		return
	}
	for _, w := range s.workers {
		w.dropLog()
	}
}

// dropLog drops the log of a worker. Its memory is garbage then, which the next look
// at the memory frees where it has to.
func (w *worker) dropLog() {
	if w.log == nil {
		return
	}
	w.log.Discard()
	w.log = nil
	w.s.meter.mu.Lock()
	w.s.meter.freed = 0
	w.s.meter.mu.Unlock()
}

// graphFits gives up a graph that has too many states, or would take more than half
// of the memory that there is for the search: the other half is for its states.
func (s *search) graphFits() {
	if !s.keepsGraph() || !s.opt.GraphOptional {
		return
	}
	states := s.distinct()
	if most := s.opt.MaxGraphStates; most > 0 && states > most {
		s.giveUpGraph(StateLimit)
		return
	}
	bytes := s.graphBytes.Load() + int64(states)*graphNodeBytes
	if bytes < minMeasured {
		return
	}
	if s.graphRoom == 0 {
		left, _ := s.meter.fits(0)
		s.graphRoom = max(1, (left+s.bytes())/2)
	}
	if bytes > s.graphRoom {
		s.giveUpGraph(ByteLimit)
	}
}

// graphNodeBytes is about what a node takes while the graph is made and asked,
// beside the logs.
const graphNodeBytes = 2*visited.NumberBytes + 8 + lassoBytes

// spared reports whether a search with too little memory may go on, since it gives
// up its graph, whose logs are about to be dropped. Where all are, it may not.
func (s *search) spared(r Reason) bool {
	return s.graphBytes.Load() > 0 && s.giveUpGraph(r)
}
