package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/explore/internal/visited"
)

// A builder makes the graph of a search that is over from the logs of its
// workers. Beside the visited set and what it takes for nodes, that never needs
// more than the 12 bytes of an edge in the logs: fingerprints become numbers in
// place, which does away with the labels beside them (8 bytes), and then half
// of the transitions at a time move to their nodes (4 bytes).
type builder struct {
	s       *search
	ctx     context.Context
	g       *Graph
	logs    []*graphLog
	numbers *visited.Numbers
	reason  Reason // why the search has ended
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
	return b.goOn()
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
	if !b.take(bytes) {
		return false
	}
	var ok bool
	if b.numbers, ok = visited.NewNumbers(b.s.table, b.g.first, b.goOn); !ok || !b.renumber() || !b.place() {
		return false
	}
	b.numbers = nil
	b.give(bytes)
	return b.move()
}

// goOn reports whether building may go on. If not, that is the reason of the
// search from now on.
func (b *builder) goOn() bool {
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

// take accounts for memory that is about to be used, and reports whether that
// is within the limit. The process is measured each time, since the logs leave
// garbage that is on no account.
func (b *builder) take(bytes int64) bool {
	if b.s.bytes()+bytes >= minMeasured {
		b.s.nextLook.Store(0)
	}
	if reason := b.s.lacks(bytes); reason != 0 {
		b.end(reason)
	}
	b.s.graphBytes.Add(bytes)
	return b.goOn()
}

func (b *builder) give(bytes int64) { b.s.graphBytes.Add(-bytes) }

// each calls f with the numbers from 0 to n-1, by as many goroutines as the
// search has workers, and reports whether all of it was done.
func (b *builder) each(n int, f func(i int)) bool {
	var next atomic.Int64
	work := func() {
		for b.goOn() {
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
	return b.goOn()
}

// renumber turns the fingerprints in the logs into numbers of nodes.
func (b *builder) renumber() bool {
	var chunks []*edgeChunk
	for _, l := range b.logs {
		chunks = append(chunks, l.edges...)
	}
	return b.each(len(chunks), func(i int) {
		c := chunks[i]
		for j, e := range c.edge {
			c.edge[j] = Edge{To: b.numbers.Of(uint64(e.Label)<<32 | uint64(e.To))}
		}
		for j, label := range c.label {
			c.edge[j].Label = label
		}
		b.give(int64(cap(c.label)) * labelBytes)
		c.label = nil
	})
}

// place notes the marks and degrees of nodes.
func (b *builder) place() bool {
	g := b.g
	bytes := int64(len(b.s.levels))*4 + int64((g.Nodes()+blockNodes-1)>>blockBits)*blockBytes
	marked := slices.ContainsFunc(b.logs, func(l *graphLog) bool { return l.marked == yes })
	if marked {
		bytes += int64(g.Nodes()) * 8
	}
	if !b.take(bytes) {
		return false
	}
	g.rows = newRows(g.Nodes())
	if marked {
		g.mark = make([]uint64, g.Nodes())
	}
	var chunks []*sourceChunk
	for _, l := range b.logs {
		chunks = append(chunks, l.sources...)
	}
	if !b.each(len(chunks), func(i int) { b.placeChunk(chunks[i]) }) {
		return false
	}
	if err := g.rows.sum(); err != nil {
		b.s.fail(err)
		return false
	}
	return true
}

func (b *builder) placeChunk(c *sourceChunk) {
	for i, fp := range c.fp {
		n := b.numbers.Of(fp)
		c.fp[i] = uint64(n)
		b.g.rows.setDegree(n, int(c.degree[i]))
	}
	for i, mark := range c.mark {
		b.g.mark[c.fp[i]] = mark
	}
	b.give(int64(cap(c.mark)) * 8)
	c.mark = nil
}

// move brings the transitions to their nodes, half of them at a time.
func (b *builder) move() bool {
	r := &b.g.rows
	b.collect()
	for first := 0; first < len(r.blocks); {
		end := r.part(first, (r.edges+1)/2)
		if !b.take(r.size(first, end)) {
			return false
		}
		r.room(first, end)
		last := uint64(end) << blockBits
		if !b.each(len(b.logs), func(i int) { b.logs[i].moveTo(r, last, b.goOn) }) {
			return false
		}
		b.collect()
		first = end
	}
	for _, l := range b.logs {
		for _, c := range l.edges {
			b.give(c.bytes())
		}
	}
	b.logs = nil
	return true
}

// moveTo brings the transitions of nodes with numbers below end to the rows, as long as
// building goes on.
func (l *graphLog) moveTo(r *rows, end uint64, goOn func() bool) {
	var at reader
	for _, c := range l.sources {
		if !goOn() {
			return
		}
		for i, n := range c.fp {
			if edges := at.next(l.edges, int(c.degree[i])); n < end {
				copy(r.out(uint32(n)), edges)
			}
		}
	}
	l.drop(end, goOn)
}

// muchGarbage is how many bytes of it are worth a collection.
const muchGarbage = 1 << 26

// collect has what the logs no longer need collected, if it is worth it. Left
// alone, the collector lets garbage come to as much as is in use.
func (b *builder) collect() {
	if b.s.graphBytes.Load() > muchGarbage {
		runtime.GC()
	}
}
