package liveness

import (
	"context"
	"runtime"
	"testing"

	"bullyproof/explore"
)

// A wheels system has some wheels with so many positions each. Any wheel may
// turn by one; the last one stops in its last position where it does not go
// round. Each has a label of its own.
type wheels struct {
	count, positions byte
	around           bool
}

func (w wheels) Initial(yield func([]byte) bool) { yield(make([]byte, w.count)) }
func (w wheels) NewExpander() explore.Expander   { return w }

func (w wheels) Expand(state []byte, out *explore.Successors) {
	out.Mark(uint64(state[0]))
	for i := range w.count {
		next := state[i] + 1
		if next == w.positions {
			if next = 0; i == w.count-1 && !w.around {
				continue
			}
		}
		b := append(out.Begin(), state...)
		b[len(b)-len(state)+int(i)] = next
		out.End(b, explore.Code(i))
		out.Label(uint32(i))
	}
}

// million5 has 5,153,632 states and 25,768,160 transitions if it goes round.
var million5 = wheels{count: 5, positions: 22, around: true}

// BenchmarkComponents finds one component of five million states, and 22 of a
// 22nd of them.
func BenchmarkComponents(b *testing.B) {
	for name, sys := range map[string]wheels{"one": million5, "22": {count: 5, positions: 22}} {
		b.Run(name, func(b *testing.B) {
			g := mustSearch(b, sys, explore.Options{Graph: true}).Graph
			runtime.GC()
			b.ReportAllocs()
			for b.Loop() {
				c, err := FindComponents(context.Background(), g, nil, nil)
				if err != nil || c.Count != map[bool]int{true: 1, false: 22}[sys.around] {
					b.Fatal(c.Count, err)
				}
			}
		})
	}
}

// BenchmarkLasso asks for lassos in a graph of five million states: one that
// there is, one that there is not, and one whose component has to be searched
// again without the nodes of one position.
func BenchmarkLasso(b *testing.B) {
	g := mustSearch(b, million5, explore.Options{Graph: true}).Graph
	runtime.GC()
	strengths, classes := each(5, Strong)
	all := FairRuns{Strength: strengths, Classes: classes}
	for name, test := range map[string]struct {
		q     LassoQuery
		found bool
	}{
		"fair":   {LassoQuery{Fairness: all}, true},
		"unfair": {LassoQuery{Within: func(n uint32) bool { return g.Mark(n) != 3 }, Fairness: all}, false},
		"again": {LassoQuery{
			Within:   func(n uint32) bool { return g.Mark(n) != 3 },
			Fairness: FairRuns{Classes: [][]int32{4: {0}}, Strength: []Strength{Strong}},
		}, true},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lasso, err := FindLasso(context.Background(), g, test.q)
				if err != nil || (lasso != nil) != test.found {
					b.Fatal(lasso, err)
				}
				if lasso != nil {
					b.ReportMetric(float64(len(lasso.Cycle)), "hops")
				}
			}
		})
	}
}
