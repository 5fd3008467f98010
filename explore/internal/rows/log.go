package rows

import (
	"errors"
	"slices"
	"sync/atomic"
)

// A Log is what one worker keeps of the transitions that it makes, until
// the nodes have numbers: of each transition the fingerprint of its end and its
// label, 12 bytes, and of each state that it expands the fingerprint, the mark
// and the number of transitions, at most 20. Chunks are filled one after
// another and never copied.
type Log struct {
	bytes    *atomic.Int64 // of all logs, and later of the graph
	edges    []*edgeChunk
	sources  []*sourceChunk
	labelled Answer
	marked   Answer
}

// An edgeChunk has the transitions of some states; those of one state are never
// in two chunks. While the log is written, an Edge has the two halves of a
// fingerprint in place of number and label.
type edgeChunk struct {
	edge  []Edge
	label []uint32 // empty where the system labels nothing
}

// A sourceChunk has expanded states, in the order of their transitions.
type sourceChunk struct {
	fp     []uint64 // later the numbers
	degree []uint32
	mark   []uint64 // empty where the system marks nothing
}

const (
	minChunkEdges   = 1 << 10
	maxChunkEdges   = 1 << 16
	minChunkSources = 1 << 8
	maxChunkSources = 1 << 14
)

// MaxLogBytes is what the latest chunks of a log take at most.
const MaxLogBytes = maxChunkEdges*(EdgeBytes+labelBytes) + maxChunkSources*20

// An Answer to whether a system labels, or marks: that is seen by its first
// state.
type Answer uint8

const (
	unknown Answer = iota
	no
	Yes // all of them
)

// Fits reports whether so many labels (or marks) for so many transitions (or
// states) are what the system gave before: all or none.
func (a *Answer) Fits(labels, of int) bool {
	if of == 0 {
		return labels == 0
	}
	if *a == unknown {
		*a = no
		if labels > 0 {
			*a = Yes
		}
	}
	return *a == Yes && labels == of || *a == no && labels == 0
}

// Errors of systems that label some transitions and not others, or so with marks.
var (
	ErrLabels = errors.New("explore: the system labels some transitions and not others; it has to label all or none")
	ErrMarks  = errors.New("explore: the system marks some states and not others; it has to mark all or none")
)

// NewLog returns a log that accounts for its memory.
func NewLog(account *atomic.Int64) *Log { return &Log{bytes: account} }

// A Batch is transitions as a worker makes them.
type Batch struct {
	Sources []uint64 // fingerprints of the states that were expanded
	Last    []int    // the index behind the last successor of each
	FPs     []uint64 // fingerprints of the successors
	Label   []uint32 // of the successors, if the system labels them
	Mark    []uint64 // of the states that were expanded, if the system marks them
}

// Add logs a batch.
func (l *Log) Add(b Batch) error {
	if !l.labelled.Fits(len(b.Label), len(b.FPs)) {
		return ErrLabels
	}
	if !l.marked.Fits(len(b.Mark), len(b.Sources)) {
		return ErrMarks
	}
	first := 0
	for k, end := range b.Last {
		s := l.sourceRoom()
		s.fp = append(s.fp, b.Sources[k])
		s.degree = append(s.degree, uint32(end-first))
		if len(b.Mark) > 0 {
			s.mark = append(s.mark, b.Mark[k])
		}
		if first == end {
			continue
		}
		c := l.edgeRoom(end - first)
		for _, fp := range b.FPs[first:end] {
			c.edge = append(c.edge, Edge{uint32(fp), uint32(fp >> 32)})
		}
		if len(b.Label) > 0 {
			c.label = append(c.label, b.Label[first:end]...)
		}
		first = end
	}
	return nil
}

// sourceRoom returns a chunk with room for a state.
func (l *Log) sourceRoom() *sourceChunk {
	size := minChunkSources
	if n := len(l.sources); n > 0 {
		c := l.sources[n-1]
		if len(c.fp) < cap(c.fp) {
			return c
		}
		size = min(2*cap(c.fp), maxChunkSources)
	}
	c := &sourceChunk{fp: make([]uint64, 0, size), degree: make([]uint32, 0, size)}
	if l.marked == Yes {
		c.mark = make([]uint64, 0, size)
	}
	l.bytes.Add(c.bytes())
	l.sources = append(l.sources, c)
	return c
}

// edgeRoom returns a chunk with room for so many transitions.
func (l *Log) edgeRoom(n int) *edgeChunk {
	size := minChunkEdges
	if k := len(l.edges); k > 0 {
		c := l.edges[k-1]
		if len(c.edge)+n <= cap(c.edge) {
			return c
		}
		size = min(2*cap(c.edge), maxChunkEdges)
	}
	size = max(size, n)
	c := &edgeChunk{edge: make([]Edge, 0, size)}
	if l.labelled == Yes {
		c.label = make([]uint32, 0, size)
	}
	l.bytes.Add(c.bytes())
	l.edges = append(l.edges, c)
	return c
}

const labelBytes = 4

func (c *edgeChunk) bytes() int64 {
	return int64(cap(c.edge))*EdgeBytes + int64(cap(c.label))*labelBytes
}

func (c *sourceChunk) bytes() int64 {
	return int64(cap(c.fp))*8 + int64(cap(c.degree))*4 + int64(cap(c.mark))*8
}

// Discard takes a log off the account.
func (l *Log) Discard() {
	for _, c := range l.edges {
		l.bytes.Add(-c.bytes())
	}
	for _, c := range l.sources {
		l.bytes.Add(-c.bytes())
	}
}

// A reader is a place among the transitions of a log.
type reader struct{ chunk, at int }

// next returns the transitions of a state that has so many.
func (r *reader) next(chunks []*edgeChunk, n int) []Edge {
	if n == 0 {
		return nil
	}
	for r.at == len(chunks[r.chunk].edge) {
		r.chunk, r.at = r.chunk+1, 0
	}
	r.at += n
	return chunks[r.chunk].edge[r.at-n : r.at]
}

// drop forgets the states with numbers below end, and moves the transitions of
// the others into the room that they leave. Rows to which building does not go on are
// lost, and the graph with them.
func (l *Log) drop(end uint64, goOn func() bool) {
	for _, c := range l.edges {
		l.bytes.Add(-c.bytes())
	}
	var from, to reader
	for _, c := range l.sources {
		if !goOn() {
			break
		}
		kept := 0
		for i, source := range c.fp {
			edges := from.next(l.edges, int(c.degree[i]))
			if source < end {
				continue
			}
			c.fp[kept], c.degree[kept] = source, c.degree[i]
			kept++
			to.put(l.edges, edges)
		}
		c.fp, c.degree = c.fp[:kept], c.degree[:kept]
	}
	if to.chunk < len(l.edges) {
		l.edges[to.chunk].edge = l.edges[to.chunk].edge[:to.at]
		clear(l.edges[to.chunk+1:])
		l.edges = l.edges[:to.chunk+1]
	}
	for _, c := range l.edges {
		l.bytes.Add(c.bytes())
	}
	l.sources = slices.DeleteFunc(l.sources, func(c *sourceChunk) bool {
		if len(c.fp) == 0 {
			l.bytes.Add(-c.bytes())
		}
		return len(c.fp) == 0
	})
}

// put moves transitions to the first place with room for all of them, which is
// never behind the place where they are.
func (r *reader) put(chunks []*edgeChunk, edges []Edge) {
	if len(edges) == 0 {
		return
	}
	c := chunks[r.chunk]
	for r.at+len(edges) > cap(c.edge) {
		c.edge = c.edge[:r.at]
		r.chunk, r.at = r.chunk+1, 0
		c = chunks[r.chunk]
	}
	copy(c.edge[r.at:cap(c.edge)], edges)
	r.at += len(edges)
}
