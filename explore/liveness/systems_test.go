package liveness

import (
	"context"
	"encoding/binary"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore"
	"bullyproof/internal/test/casecount"
)

var deep = flag.Bool("deep", false, "compare twenty times as many random systems with a naive checker")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// encode makes a state of a number.
func encode(n int) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(n))
	return append(b, make([]byte, n%5)...)
}

func decode(b []byte) int { return int(binary.BigEndian.Uint16(b)) }

// A labelled is a small transition system with labels and marks, or without.
type labelled struct {
	initial []int
	edges   [][]labelledEdge
	plain   bool // neither labels nor marks
}

type labelledEdge struct {
	to    int
	label uint32
}

func (l *labelled) Initial(yield func([]byte) bool) {
	for _, n := range l.initial {
		if !yield(encode(n)) {
			return
		}
	}
}

func (l *labelled) NewExpander() explore.Expander { return l }

func (l *labelled) mark(n int) uint64 {
	if l.plain {
		return 0
	}
	return uint64(n)<<40 | 7
}

func (l *labelled) Expand(state []byte, out *explore.Successors) {
	n := decode(state)
	if !l.plain {
		out.Mark(l.mark(n))
	}
	for i, e := range l.edges[n] {
		out.Add(encode(e.to), explore.Code(i))
		if !l.plain {
			out.Label(e.label)
		}
	}
}

// labelledGraphs generates small systems.
func labelledGraphs(maxStates, maxEdges, labels int) *rapid.Generator[*labelled] {
	return rapid.Custom(func(t *rapid.T) *labelled {
		n := rapid.IntRange(1, maxStates).Draw(t, "states")
		state := rapid.IntRange(0, n-1)
		l := &labelled{initial: rapid.SliceOfN(state, 1, 3).Draw(t, "initial"), edges: make([][]labelledEdge, n)}
		for range rapid.IntRange(0, maxEdges).Draw(t, "edges") {
			from := state.Draw(t, "from")
			l.edges[from] = append(l.edges[from], labelledEdge{state.Draw(t, "to"), uint32(rapid.IntRange(0, labels-1).Draw(t, "label"))})
		}
		return l
	})
}

// A fan has states in one level that each lead back to so many of them, so that
// one level has almost all transitions.
type fan struct{ states, back int }

func (f fan) Initial(yield func([]byte) bool) {
	for n := range f.states {
		if !yield([]byte{byte(n >> 16), byte(n >> 8), byte(n)}) {
			return
		}
	}
}

func (f fan) NewExpander() explore.Expander { return f }

func (f fan) Expand(state []byte, out *explore.Successors) {
	n := int(state[0])<<16 | int(state[1])<<8 | int(state[2])
	out.Mark(0)
	for k := range f.back {
		m := (n + k*k) % f.states
		out.End(append(out.Begin(), byte(m>>16), byte(m>>8), byte(m)), explore.Code(k))
		out.Label(uint32(k))
	}
}

func mustSearch(t require.TestingT, sys explore.System, opt explore.Options) *explore.Result {
	r, err := explore.Search(context.Background(), sys, opt)
	require.NoError(t, err)
	return r
}

func mustGraph(t require.TestingT, sys explore.System) *explore.Graph {
	r, err := explore.Search(context.Background(), sys, explore.Options{Graph: true, Workers: 1})
	require.NoError(t, err)
	require.NotNil(t, r.Graph)
	return r.Graph
}
