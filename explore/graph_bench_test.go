package explore

import (
	"testing"
)

// A wheels system has some wheels with so many positions each. Any wheel may
// turn by one; the last one stops in its last position where it does not go
// round. Each has a label of its own.
type wheels struct {
	count, positions byte
	around           bool
}

func (w wheels) Initial(yield func([]byte) bool) { yield(make([]byte, w.count)) }
func (w wheels) NewExpander() Expander           { return w }

func (w wheels) Expand(state []byte, out *Successors) {
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
		out.End(b, Code(i))
		out.Label(uint32(i))
	}
}

// million5 has 5,153,632 states and 25,768,160 transitions if it goes round.
var million5 = wheels{count: 5, positions: 22, around: true}

// BenchmarkGraph makes the graph of five million states, and in comparison
// visits them without. It reports what the graph takes for a transition with
// all it has for nodes (B/edge), and by how much the largest memory of the
// search grows with it (peak-B/edge).
func BenchmarkGraph(b *testing.B) {
	var without int64
	for _, graph := range []bool{false, true} {
		name := "without"
		if graph {
			name = "with"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := mustSearch(b, million5, Options{Graph: graph})
				b.ReportMetric(float64(r.Distinct)/r.Duration.Seconds(), "states/s")
				if !graph {
					without = r.PeakBytes
					continue
				}
				edges := float64(r.Graph.Edges())
				b.ReportMetric(float64(r.Graph.Bytes())/edges, "B/edge")
				b.ReportMetric(float64(r.PeakBytes-without)/edges, "peak-B/edge")
			}
		})
	}
}
