package simulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/model/setting"
)

func BenchmarkWalk(b *testing.B) {
	for _, text := range []string{
		"n=3 crashes=1 restarts=1", "n=16 crashes=1 restarts=1", "n=64 crashes=1 restarts=1",
		"n=3 crashes=1 restarts=1 timing=async:1", "n=16 timing=patient start=coordinator-down crashes=1",
	} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			s, err := setting.Parse(text)
			require.NoError(b, err)
			a := bully.Algorithm
			sys, err := a.Variants[0].New(s)
			require.NoError(b, err)
			steps := uint64(0)
			for b.Loop() {
				r, err := simulate.Run(b.Context(), sys, simulate.Options{Walks: 256, Workers: 1, Seed: steps, Properties: []*checker.Property{}})
				require.NoError(b, err)
				steps += r.Steps
			}
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
