package explore

import (
	"encoding/binary"
	"iter"
	"math"
	"sync"
	"sync/atomic"

	"bullyproof/internal/machine"
)

// A frontier is the states of one level, each after its length, in chunks that
// are recycled: one growing slice would be copied over and over, and leave as
// much garbage. Workers claim the states in blocks.

const (
	blockStates   = 64     // states that a worker claims at a time
	minChunkBytes = 1 << 9 // of a worker's first chunk in a level; small searches stay small
	maxChunkBytes = 1 << 20
)

type chunk struct {
	buf    []byte
	starts []uint32 // offsets of blocks
	states int
	left   atomic.Int32 // blocks not yet expanded
}

// block returns the records of block i.
func (c *chunk) block(i int) []byte {
	if i+1 < len(c.starts) {
		return c.buf[c.starts[i]:c.starts[i+1]]
	}
	return c.buf[c.starts[i]:]
}

// next splits the first state off a block of records.
func next(block []byte) (state, rest []byte) {
	if n := int(block[0]); n < 0x80 {
		return block[1 : 1+n : 1+n], block[1+n:]
	}
	length, prefix := binary.Uvarint(block)
	end := prefix + int(length)
	return block[prefix:end:end], block[end:]
}

// A pool keeps chunks that have been expanded for those to be filled.
type pool struct {
	chunk int // size to which chunks grow
	mu    sync.Mutex
	free  []*chunk
	bytes atomic.Int64 // of all chunks, in use or free
	idle  atomic.Int64 // of those that are free
}

// get returns an empty chunk with room for at least so many bytes.
func (p *pool) get(atLeast int) *chunk {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.free) - 1; i >= 0; i-- {
		if c := p.free[i]; cap(c.buf) >= atLeast {
			p.free[i] = p.free[len(p.free)-1]
			p.free = p.free[:len(p.free)-1]
			p.idle.Add(-int64(cap(c.buf)))
			return c
		}
	}
	p.bytes.Add(int64(atLeast))
	return &chunk{buf: make([]byte, 0, atLeast)}
}

func (p *pool) put(c *chunk) {
	c.buf, c.starts, c.states = c.buf[:0], c.starts[:0], 0
	p.mu.Lock()
	p.free = append(p.free, c)
	p.idle.Add(int64(cap(c.buf)))
	p.mu.Unlock()
}

// used returns the bytes of the chunks in use.
func (p *pool) used() int64 { return p.bytes.Load() - p.idle.Load() }

// release leaves the free chunks to the collector.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = nil
	p.bytes.Add(-p.idle.Swap(0))
}

// A writer is the part of the next frontier that one worker fills.
type writer struct {
	pool   *pool
	size   int // of the latest chunk asked for in this level
	chunks []*chunk
	states uint64
}

// add appends a state.
func (w *writer) add(state []byte) {
	const prefix = 3 // bytes of the longest length
	var c *chunk
	if n := len(w.chunks); n > 0 {
		c = w.chunks[n-1]
	}
	if c == nil || len(c.buf)+prefix+len(state) > cap(c.buf) {
		w.size = max(minChunkBytes, min(2*w.size, w.pool.chunk))
		c = w.pool.get(max(w.size, prefix+len(state)))
		w.chunks = append(w.chunks, c)
	}
	if c.states%blockStates == 0 {
		c.starts = append(c.starts, uint32(len(c.buf)))
	}
	c.states++
	w.states++
	c.buf = binary.AppendUvarint(c.buf, uint64(len(state)))
	c.buf = append(c.buf, state...)
}

// clear forgets the chunks, which belong to somebody else now.
func (w *writer) clear() { w.chunks, w.states, w.size = w.chunks[:0], 0, 0 }

// A level is a frontier under expansion. Each worker expands a share of its blocks,
// one that lies together: states that are near each other lead to the same states,
// and workers that insert these at the same time would wait for each other's cache
// lines. Who has no blocks left takes half of what another has.
type level struct {
	depth  int
	states uint64
	chunks []*chunk
	first  []int   // number of the first block of each chunk, and of all blocks
	shares []share // by worker; nil before the level is expanded
}

// A share is the blocks that a worker has still to expand: the first of them, and in
// the lower half the one behind the last.
type share struct {
	span atomic.Uint64
	_    [machine.CacheLines - 8]byte
}

func span(first, end int) uint64 { return uint64(first)<<32 | uint64(end) }

func (s *share) blocks() (first, end int) {
	v := s.span.Load()
	return int(v >> 32), int(v & math.MaxUint32)
}

// newLevel takes what the writers have, and empties them.
func newLevel(depth int, workers []*worker) *level {
	l := &level{depth: depth, first: make([]int, 1, 4)}
	for _, w := range workers {
		for _, c := range w.next.chunks {
			l.add(c)
		}
		w.next.clear()
	}
	return l
}

// add appends a chunk.
func (l *level) add(c *chunk) {
	c.left.Store(int32(len(c.starts)))
	l.chunks = append(l.chunks, c)
	l.first = append(l.first, l.first[len(l.first)-1]+len(c.starts))
	l.states += uint64(c.states)
}

// blocks returns the number of blocks.
func (l *level) blocks() int { return l.first[len(l.first)-1] }

// divide gives so many workers equal shares, unless they have them already.
func (l *level) divide(workers int) {
	if l.shares != nil {
		return
	}
	l.shares = make([]share, workers)
	all := l.blocks()
	for i := range l.shares {
		l.shares[i].span.Store(span(all*i/workers, all*(i+1)/workers))
	}
}

// left returns how many blocks no worker has had.
func (l *level) left() (n int) {
	if l.shares == nil {
		return l.blocks()
	}
	for i := range l.shares {
		first, end := l.shares[i].blocks()
		n += end - first
	}
	return n
}

// unclaimed yields the numbers of those.
func (l *level) unclaimed() iter.Seq[int] {
	return func(yield func(int) bool) {
		l.divide(1)
		for i := range l.shares {
			for n, end := l.shares[i].blocks(); n < end; n++ {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// claim returns a block that no worker has had, with its chunk, for a worker of
// divide. It passes the chunk of its last one in at.
func (l *level) claim(worker int, at *int) (*chunk, []byte) {
	own := &l.shares[worker]
	for {
		n, end := own.blocks()
		if n == end {
			if !l.take(own) {
				return nil, nil
			}
			continue
		}
		if own.span.CompareAndSwap(span(n, end), span(n+1, end)) {
			return l.at(n, at)
		}
	}
}

// at returns block n and its chunk; it looks for the chunk from the one passed in at.
func (l *level) at(n int, at *int) (*chunk, []byte) {
	for n < l.first[*at] {
		*at--
	}
	for n >= l.first[*at+1] {
		*at++
	}
	c := l.chunks[*at]
	return c, c.block(n - l.first[*at])
}

// take moves half of the blocks of the worker that has most to one that has none, and
// reports false where nobody has any.
func (l *level) take(to *share) bool {
	for {
		from, first, end := to, 0, 0
		for i := range l.shares {
			s := &l.shares[i]
			if f, e := s.blocks(); e-f > end-first {
				from, first, end = s, f, e
			}
		}
		if first == end {
			return false
		}
		middle := first + (end-first)/2
		if from.span.CompareAndSwap(span(first, end), span(first, middle)) {
			to.span.Store(span(middle, end))
			return true
		}
	}
}
