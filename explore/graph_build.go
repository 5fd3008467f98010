package explore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/explore/internal/rows"
	"bullyproof/explore/internal/visited"
)

// A builder makes the graph of a search that is over from the logs of its workers,
// within what the search may take.
type builder struct {
	s      *search
	ctx    context.Context
	g      *Graph
	logs   []*rows.Log
	reason Reason // why the search has ended
}

// buildGraph makes the graph of a search that is complete. Where it is kept
// from that (by the context, or a limit), that becomes the reason of the search.
func (s *search) buildGraph(ctx context.Context) {
	s.building.Store(true)
	if n := s.distinct(); n > maxNodes {
		s.fail(fmt.Errorf("explore: %d states are too many for a graph, which has at most %d nodes", n, maxNodes))
		return
	}
	g := &Graph{search: s, first: []uint32{0}}
	for _, states := range s.levels {
		g.first = append(g.first, g.first[len(g.first)-1]+uint32(states))
	}
	b := &builder{s: s, ctx: ctx, g: g, reason: Reason(s.stopped.Load())}
	for _, w := range s.workers {
		if w.log != nil {
			b.logs = append(b.logs, w.log)
			w.log = nil
		}
	}
	build := b.build
	if s.exact != nil {
		build = b.buildExact
	}
	if !build() || !b.leaves(int64(g.Nodes())*lassoBytes) {
		s.dropGraph()
		return
	}
	g.bytes = s.graphBytes.Load()
	s.graph = g
}

// lassoBytes is what questions to a graph take for a node at most (FindLasso).
const lassoBytes = 32

// leaves reports whether so many bytes are left for what is asked of the graph:
// one that nothing can be asked of is of no use.
func (b *builder) leaves(bytes int64) bool {
	if b.s.bytes()+bytes < minMeasured {
		return true
	}
	if reason := b.s.measure(bytes); reason != 0 {
		b.end(reason)
	}
	return b.GoOn()
}

// end ends the building for a reason, which becomes that of the search unless this can
// do without the graph.
func (b *builder) end(r Reason) {
	if !b.s.giveUpGraph(r) {
		b.s.stopped.CompareAndSwap(uint32(b.reason), uint32(r))
	}
}

// build makes the graph from the logs, and reports whether it has.
func (b *builder) build() bool {
	bytes := b.s.table.Slots() * visited.NumberBytes
	if !b.Take(bytes + int64(len(b.s.levels))*4) {
		return false
	}
	numbers, ok := visited.NewNumbers(b.s.table, b.g.first, b.GoOn)
	if !ok {
		return false
	}
	m := rows.NewMaker(b.logs, &b.s.graphBytes, b)
	b.logs = nil
	ok, err := m.Number(b.g.Nodes(), numbers)
	if err != nil {
		b.s.fail(err)
	}
	if !ok {
		return false
	}
	b.give(bytes)
	ok = m.Move()
	b.g.rows, b.g.mark = m.Rows, m.Mark
	return ok
}

// GoOn reports whether building may go on. If not, that is the reason of the
// search from now on.
func (b *builder) GoOn() bool {
	s := b.s
	if s.opt.MaxTime > 0 && time.Since(s.start) > s.opt.MaxTime {
		b.end(TimeLimit)
	}
	switch err := b.ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		b.end(TimeLimit)
	case err != nil:
		b.end(Cancelled)
	}
	return s.keepsGraph() && Reason(s.stopped.Load()) == b.reason
}

// Take accounts for memory that is about to be used, and reports whether that
// is within the limit. The process is measured each time, since the logs leave
// garbage that is on no account.
func (b *builder) Take(bytes int64) bool {
	if b.s.bytes()+bytes >= minMeasured {
		b.s.nextLook.Store(0)
	}
	if reason := b.s.lacks(bytes); reason != 0 {
		b.end(reason)
	}
	b.s.graphBytes.Add(bytes)
	return b.GoOn()
}

func (b *builder) give(bytes int64) { b.s.graphBytes.Add(-bytes) }

// Each calls f with the numbers from 0 to n-1, by as many goroutines as the
// search has workers, and reports whether all of it was done.
func (b *builder) Each(n int, f func(i int)) bool {
	var next atomic.Int64
	work := func() {
		for b.GoOn() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			f(i)
		}
	}
	var wg sync.WaitGroup
	for range min(n, b.s.opt.Workers) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return b.GoOn()
}
