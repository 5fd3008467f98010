// Package rows keeps the transitions of a graph. While a search goes on they are in a
// [Log] of each worker; a [Maker] makes [Rows] of the logs, almost in place.
package rows

import (
	"fmt"
	"math"
)

// Rows are the transitions of a graph by node, in blocks of nodes, so that they
// can be put down in parts while the log of the search is taken apart.
type Rows struct {
	blocks []*rowBlock
	Edges  int // how many there are
}

const (
	blockBits  = 12
	BlockNodes = 1 << blockBits            // nodes of a block
	BlockBytes = 8 + 24 + (BlockNodes+1)*4 // what a block takes beside its transitions
)

// EdgeBytes is what a transition takes.
const EdgeBytes = 8

// An Edge is a transition as its first node sees it: where it leads, and its label.
type Edge = struct{ To, Label uint32 }

// A rowBlock has the transitions of some consecutive nodes: those of the i-th
// are edge[start[i]:start[i+1]].
type rowBlock struct {
	edge  []Edge
	start [BlockNodes + 1]uint32
}

// New returns rows for so many nodes, without transitions.
func New(nodes int) Rows {
	r := Rows{blocks: make([]*rowBlock, (nodes+BlockNodes-1)>>blockBits)}
	for i := range r.blocks {
		r.blocks[i] = new(rowBlock)
	}
	return r
}

// Out returns the transitions of node n.
func (r *Rows) Out(n uint32) []Edge {
	b := r.blocks[n>>blockBits]
	i := n % BlockNodes
	from, to := b.start[i], b.start[i+1]
	return b.edge[from:to:to]
}

// SetDegree notes how many transitions node n has. It may be called for several
// nodes at the same time.
func (r *Rows) SetDegree(n uint32, degree int) {
	r.blocks[n>>blockBits].start[n%BlockNodes+1] = uint32(degree)
}

// Sum turns the degrees into where transitions begin.
func (r *Rows) Sum() error {
	for _, b := range r.blocks {
		end := uint64(0)
		for i := range b.start {
			if end += uint64(b.start[i]); end > math.MaxUint32 {
				return fmt.Errorf("explore: more than %d transitions out of %d nodes are too many for a graph", uint64(math.MaxUint32), BlockNodes)
			}
			b.start[i] = uint32(end)
		}
		r.Edges += int(end)
	}
	return nil
}

// part returns the end of the blocks from first on that together have at most
// so many transitions, but at least one block.
func (r *Rows) part(first, edges int) (end int) {
	for end = first; end < len(r.blocks); end++ {
		n := int(r.blocks[end].start[BlockNodes])
		if end > first && n > edges {
			break
		}
		edges -= n
	}
	return end
}

// size returns how much memory the transitions of blocks take.
func (r *Rows) size(first, end int) (bytes int64) {
	for _, b := range r.blocks[first:end] {
		bytes += int64(b.start[BlockNodes]) * EdgeBytes
	}
	return bytes
}

// room gives blocks that memory.
func (r *Rows) room(first, end int) {
	for _, b := range r.blocks[first:end] {
		b.edge = make([]Edge, b.start[BlockNodes])
	}
}

// SetBlock gives all nodes of the block of node n their transitions. Degrees need not be
// summed up.
func (r *Rows) SetBlock(n uint32, edges []Edge) { r.blocks[n>>blockBits].edge = edges }
