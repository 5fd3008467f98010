package explore

import (
	"fmt"
	"math"
)

// Rows are the transitions of a graph by node, in blocks of nodes, so that they
// can be put down in parts while the log of the search is taken apart.
type rows struct {
	blocks []*rowBlock
	edges  int
}

const (
	blockBits  = 12
	blockNodes = 1 << blockBits
	blockBytes = 8 + 24 + (blockNodes+1)*4
)

// A rowBlock has the transitions of some consecutive nodes: those of the i-th
// are edge[start[i]:start[i+1]].
type rowBlock struct {
	edge  []Edge
	start [blockNodes + 1]uint32
}

// newRows returns rows for so many nodes, without transitions.
func newRows(nodes int) rows {
	r := rows{blocks: make([]*rowBlock, (nodes+blockNodes-1)>>blockBits)}
	for i := range r.blocks {
		r.blocks[i] = new(rowBlock)
	}
	return r
}

// out returns the transitions of node n.
func (r *rows) out(n uint32) []Edge {
	b := r.blocks[n>>blockBits]
	i := n % blockNodes
	from, to := b.start[i], b.start[i+1]
	return b.edge[from:to:to]
}

// setDegree notes how many transitions node n has. It may be called for several
// nodes at the same time.
func (r *rows) setDegree(n uint32, degree int) {
	r.blocks[n>>blockBits].start[n%blockNodes+1] = uint32(degree)
}

// sum turns the degrees into where transitions begin.
func (r *rows) sum() error {
	for _, b := range r.blocks {
		end := uint64(0)
		for i := range b.start {
			if end += uint64(b.start[i]); end > math.MaxUint32 {
				return fmt.Errorf("explore: more than %d transitions out of %d nodes are too many for a graph", uint64(math.MaxUint32), blockNodes)
			}
			b.start[i] = uint32(end)
		}
		r.edges += int(end)
	}
	return nil
}

// part returns the end of the blocks from first on that together have at most
// so many transitions, but at least one block.
func (r *rows) part(first, edges int) (end int) {
	for end = first; end < len(r.blocks); end++ {
		n := int(r.blocks[end].start[blockNodes])
		if end > first && n > edges {
			break
		}
		edges -= n
	}
	return end
}

// size returns how much memory the transitions of blocks take.
func (r *rows) size(first, end int) (bytes int64) {
	for _, b := range r.blocks[first:end] {
		bytes += int64(b.start[blockNodes]) * edgeBytes
	}
	return bytes
}

// room gives blocks that memory.
func (r *rows) room(first, end int) {
	for _, b := range r.blocks[first:end] {
		b.edge = make([]Edge, b.start[blockNodes])
	}
}
