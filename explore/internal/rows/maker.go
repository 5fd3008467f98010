package rows

import (
	"runtime"
	"slices"
	"sync/atomic"

	"bullyproof/explore/internal/visited"
)

// A Maker makes the rows of a graph from the logs of workers. Beside what it takes for
// nodes, that never needs more than the 12 bytes of an edge in the logs: fingerprints
// become numbers in place, which does away with the labels beside them (8 bytes), and
// then half of the transitions at a time move to their nodes (4 bytes).
type Maker struct {
	Rows Rows
	Mark []uint64 // of the nodes; nil if the system marks nothing

	budget  Budget
	account *atomic.Int64
	logs    []*Log
}

// A Budget is that of a search with which a maker has to do.
type Budget interface {
	// Take accounts for memory that is about to be used, and reports whether the
	// maker may go on.
	Take(bytes int64) bool

	// GoOn reports whether the maker may go on.
	GoOn() bool

	// Each calls f with the numbers from 0 to n-1, by several goroutines, and
	// reports whether all of it was done.
	Each(n int, f func(i int)) bool
}

// NewMaker returns a maker for logs, which belong to it from now on, and to the account
// for which they are.
func NewMaker(logs []*Log, account *atomic.Int64, budget Budget) *Maker {
	return &Maker{budget: budget, account: account, logs: logs}
}

// Number gives the transitions the numbers of their nodes, of which there are so many,
// and notes the marks and degrees of nodes. It reports whether it was done.
func (m *Maker) Number(nodes int, numbers *visited.Numbers) (bool, error) {
	if !m.renumber(numbers) {
		return false, nil
	}
	return m.place(nodes, numbers)
}

func (m *Maker) give(bytes int64) { m.account.Add(-bytes) }

// renumber turns the fingerprints in the logs into numbers of nodes.
func (m *Maker) renumber(numbers *visited.Numbers) bool {
	var chunks []*edgeChunk
	for _, l := range m.logs {
		chunks = append(chunks, l.edges...)
	}
	return m.budget.Each(len(chunks), func(i int) {
		c := chunks[i]
		for j, e := range c.edge {
			c.edge[j] = Edge{To: numbers.Of(uint64(e.Label)<<32 | uint64(e.To))}
		}
		for j, label := range c.label {
			c.edge[j].Label = label
		}
		m.give(int64(cap(c.label)) * labelBytes)
		c.label = nil
	})
}

// place notes the marks and degrees of nodes.
func (m *Maker) place(nodes int, numbers *visited.Numbers) (bool, error) {
	bytes := int64((nodes+BlockNodes-1)>>blockBits) * BlockBytes
	marked := slices.ContainsFunc(m.logs, func(l *Log) bool { return l.marked == Yes })
	if marked {
		bytes += int64(nodes) * 8
	}
	if !m.budget.Take(bytes) {
		return false, nil
	}
	m.Rows = New(nodes)
	if marked {
		m.Mark = make([]uint64, nodes)
	}
	var chunks []*sourceChunk
	for _, l := range m.logs {
		chunks = append(chunks, l.sources...)
	}
	if !m.budget.Each(len(chunks), func(i int) { m.placeChunk(chunks[i], numbers) }) {
		return false, nil
	}
	if err := m.Rows.Sum(); err != nil {
		return false, err
	}
	return true, nil
}

func (m *Maker) placeChunk(c *sourceChunk, numbers *visited.Numbers) {
	for i, fp := range c.fp {
		n := numbers.Of(fp)
		c.fp[i] = uint64(n)
		m.Rows.SetDegree(n, int(c.degree[i]))
	}
	for i, mark := range c.mark {
		m.Mark[c.fp[i]] = mark
	}
	m.give(int64(cap(c.mark)) * 8)
	c.mark = nil
}

// Move brings the transitions to their nodes, half of them at a time.
func (m *Maker) Move() bool {
	r := &m.Rows
	m.collect()
	for first := 0; first < len(r.blocks); {
		end := r.part(first, (r.Edges+1)/2)
		if !m.budget.Take(r.size(first, end)) {
			return false
		}
		r.room(first, end)
		last := uint64(end) << blockBits
		if !m.budget.Each(len(m.logs), func(i int) { m.logs[i].moveTo(r, last, m.budget.GoOn) }) {
			return false
		}
		m.collect()
		first = end
	}
	for _, l := range m.logs {
		for _, c := range l.edges {
			m.give(c.bytes())
		}
	}
	m.logs = nil
	return true
}

// moveTo brings the transitions of nodes with numbers below end to the rows, as long as
// building goes on.
func (l *Log) moveTo(r *Rows, end uint64, goOn func() bool) {
	var at reader
	for _, c := range l.sources {
		if !goOn() {
			return
		}
		for i, n := range c.fp {
			if edges := at.next(l.edges, int(c.degree[i])); n < end {
				copy(r.Out(uint32(n)), edges)
			}
		}
	}
	l.drop(end, goOn)
}

// muchGarbage is how many bytes of it are worth a collection.
const muchGarbage = 1 << 26

// collect has what the logs no longer need collected, if it is worth it. Left
// alone, the collector lets garbage come to as much as is in use.
func (m *Maker) collect() {
	if m.account.Load() > muchGarbage {
		runtime.GC()
	}
}
