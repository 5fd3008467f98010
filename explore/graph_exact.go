package explore

import (
	"cmp"
	"slices"

	"bullyproof/explore/internal/rows"
	"bullyproof/explore/internal/visited"
)

// An exactNode is a state of an exact search.
type exactNode struct {
	state    string
	fp, meta uint64
}

func (n exactNode) compare(m exactNode) int {
	return cmp.Or(
		cmp.Compare(visited.Depth(n.meta), visited.Depth(m.meta)),
		cmp.Compare(n.fp, m.fp),
		cmp.Compare(n.state, m.state),
	)
}

// buildExact makes the graph of an exact search by expanding all of its states
// once more: fingerprints in a log would not tell them apart. It is meant for
// comparison, like the search itself, and takes memory as that does.
func (b *builder) buildExact() bool {
	// The nodes, a map of them, and what sorting and growing leave behind.
	room := int64(b.s.distinct()) * exactNodeBytes
	if !b.Take(room) {
		return false
	}
	nodes := make([]exactNode, 0, b.s.distinct())
	var encoded []byte
	for state, meta := range b.s.exact.All() {
		encoded = append(encoded[:0], state...)
		nodes = append(nodes, exactNode{state, b.s.fingerprint(encoded), meta})
	}
	slices.SortFunc(nodes, exactNode.compare)
	number := make(map[string]uint32, len(nodes))
	for n := range nodes {
		number[nodes[n].state] = uint32(n)
	}
	b.g.rows = rows.New(len(nodes))
	ok := false
	var expanding []byte
	b.s.guard(func() []byte { return expanding }, func() { ok = b.expandAll(nodes, number, &expanding) })
	b.s.raise()
	b.give(room)
	return ok
}

// exactNodeBytes is about what making a graph takes for a node of an exact
// search, beside the state.
const exactNodeBytes = 32 + 80

// expandAll expands the nodes, and notes their transitions and marks.
func (b *builder) expandAll(nodes []exactNode, number map[string]uint32, expanding *[]byte) bool {
	g := b.g
	exp := b.s.sys.NewExpander()
	var out Successors
	var edges []Edge
	var labelled, marked rows.Answer
	for n := range nodes {
		out.Reset()
		state := []byte(nodes[n].state)
		*expanding = state
		exp.Expand(state, &out)
		if err := out.check(state); err != nil {
			b.s.fail(err)
			return false
		}
		if !labelled.Fits(len(out.label), out.Len()) {
			b.s.fail(rows.ErrLabels)
			return false
		}
		if !marked.Fits(len(out.mark), 1) {
			b.s.fail(rows.ErrMarks)
			return false
		}
		if marked == rows.Yes {
			g.mark = append(g.mark, out.mark[0])
		}
		for i := range out.Len() {
			e := Edge{To: number[string(out.State(i))]}
			if labelled == rows.Yes {
				e.Label = out.label[i]
			}
			edges = append(edges, e)
		}
		g.rows.SetDegree(uint32(n), out.Len())
		if (n+1)%rows.BlockNodes == 0 || n == len(nodes)-1 {
			block := slices.Clone(edges)
			g.rows.SetBlock(uint32(n), block)
			edges = edges[:0]
			if !b.Take(rows.BlockBytes + int64(len(block))*rows.EdgeBytes + int64(len(g.mark)-n/rows.BlockNodes*rows.BlockNodes)*8) {
				return false
			}
		}
	}
	if err := g.rows.Sum(); err != nil {
		b.s.fail(err)
		return false
	}
	return true
}

// initialStates returns the distinct initial states, in the order in which they
// are nodes.
func (s *search) initialStates() [][]byte {
	type initial struct {
		fp    uint64
		state []byte
	}
	var all []initial
	s.sys.Initial(func(state []byte) bool {
		all = append(all, initial{s.fingerprint(state), slices.Clone(state)})
		return true
	})
	// Of states that only an exact search tells apart, the first one counts.
	slices.SortStableFunc(all, func(a, b initial) int {
		if c := cmp.Compare(a.fp, b.fp); c != 0 || s.exact == nil {
			return c
		}
		return slices.Compare(a.state, b.state)
	})
	all = slices.CompactFunc(all, func(a, b initial) bool {
		return a.fp == b.fp && (s.exact == nil || slices.Equal(a.state, b.state))
	})
	states := make([][]byte, len(all))
	for i := range all {
		states[i] = all[i].state
	}
	return states
}
