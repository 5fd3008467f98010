package explore

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// A frontier is the states of one level, each after its length, in chunks that
// are recycled: one growing slice would be copied over and over, and leave as
// much garbage. Workers claim the states in blocks.

const (
	blockStates   = 32     // states that a worker claims at a time
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

// A level is a frontier under expansion.
type level struct {
	depth  int
	states uint64
	chunks []*chunk
	first  []int // number of the first block of each chunk, and of all blocks
	cursor atomic.Int64
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

// claim returns a block that no worker has had, with its chunk. The claims of
// one worker go forward, so it passes the chunk of its last one in at.
func (l *level) claim(at *int) (*chunk, []byte) {
	n := int(l.cursor.Add(1) - 1)
	if n >= l.blocks() {
		return nil, nil
	}
	for n >= l.first[*at+1] {
		*at++
	}
	c := l.chunks[*at]
	return c, c.block(n - l.first[*at])
}
