package explore

import (
	"context"
	"testing"
)

// BenchmarkSmall searches systems of a few states, as tests and explorers do
// again and again.
func BenchmarkSmall(b *testing.B) {
	for name, opt := range map[string]Options{"": {}, "graph": {Graph: true}, "exact": {Exact: true}, "depth-first": {Order: DepthFirst}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := Search(context.Background(), grid{side: 9}, opt)
				if err != nil || r.Distinct != 81 {
					b.Fatal(r, err)
				}
			}
		})
	}
}
