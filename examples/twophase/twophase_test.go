package twophase_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
	"bullyproof/explore/typed"
)

// The counts are those of TLC, and of SPIN and Stateright where they were run.
var published = []struct {
	rms                 int
	distinct, generated uint64
	depth               int
}{
	{3, 288, 1146, 10},
	{5, 8832, 58146, 16},
	{7, 296448, 2744706, 22},
	{9, 10340352, 123558402, 28},
}

func TestPublishedCounts(t *testing.T) {
	consistent := typed.Always("consistent", twophase.State.Consistent)
	for _, want := range published {
		if want.rms > 7 {
			continue // takes minutes
		}
		for _, workers := range []int{1, 2, 8} {
			if workers != 2 && want.rms > 5 {
				continue // TestPublishedCountsPacked goes that far with one
			}
			t.Run(fmt.Sprintf("rms=%d/workers=%d", want.rms, workers), func(t *testing.T) {
				r, err := typed.Check(context.Background(), twophase.Protocol(want.rms), explore.Options{Workers: workers}, consistent)
				require.NoError(t, err)
				assert.True(t, r.Complete())
				assert.Equal(t, want.distinct, r.Distinct)
				assert.Equal(t, want.generated, r.Generated)
				assert.Equal(t, want.depth, r.Depth)
				assert.Equal(t, typed.Holds, r.Answers[0].Verdict)
			})
		}
	}
}

// A copying protocol has no Step.
type copying struct{ p twophase.Protocol }

func (c copying) Initial(yield func(twophase.State) bool) { c.p.Initial(yield) }

func (c copying) Next(s twophase.State, yield func(twophase.Action, twophase.State) bool) {
	c.p.Next(s, yield)
}

// TestStepAgreesWithNext compares the searches with and without Step.
func TestStepAgreesWithNext(t *testing.T) {
	formulas := []typed.Formula[twophase.State]{
		typed.Always("consistent", twophase.State.Consistent),
		typed.Sometimes("r2 commits", func(s twophase.State) bool { return s.RM[1] == twophase.Committed }),
		typed.Sometimes("r1 aborts when r2 is prepared", func(s twophase.State) bool {
			return s.RM[0] == twophase.Aborted && s.RM[1] == twophase.Prepared
		}),
	}
	for _, order := range []explore.Order{explore.BreadthFirst, explore.DepthFirst} {
		opt := explore.Options{Order: order, Exhaustive: true}
		got, err := typed.Check(context.Background(), twophase.Protocol(4), opt, formulas...)
		require.NoError(t, err)
		want, err := typed.Check(context.Background(), copying{4}, opt, formulas...)
		require.NoError(t, err)
		assert.Equal(t, want.Distinct, got.Distinct)
		assert.Equal(t, want.Generated, got.Generated)
		assert.Equal(t, want.Levels, got.Levels)
		for i := range want.Answers {
			assert.Equal(t, want.Answers[i].Verdict, got.Answers[i].Verdict)
			assert.Equal(t, want.Answers[i].Behavior, got.Answers[i].Behavior)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	benchmarkAll(b, func(opt explore.Options) (*explore.Result, error) {
		r, err := typed.Check(context.Background(), twophase.Protocol(measured.rms), opt, typed.Always("consistent", twophase.State.Consistent))
		if err != nil {
			return nil, err
		}
		return r.Result, nil
	})
}

// measured is the system of the benchmarks, with 9 resource managers.
var measured = published[3]

// benchmarkAll measures searches breadth first, with one worker and with two, and
// depth first.
func benchmarkAll(b *testing.B, search func(explore.Options) (*explore.Result, error)) {
	for _, opt := range []explore.Options{{Workers: 1}, {Workers: 2}, {Workers: 1, Order: explore.DepthFirst}} {
		b.Run(fmt.Sprintf("%s/workers=%d", opt.Order, opt.Workers), func(b *testing.B) {
			var r *explore.Result
			for b.Loop() {
				var err error
				r, err = search(opt)
				require.NoError(b, err)
				require.Equal(b, measured.distinct, r.Distinct)
				require.Equal(b, measured.generated, r.Generated)
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(r.Distinct)/seconds, "states/s")
			b.ReportMetric(seconds*1e9/float64(r.Generated), "ns/transition")
			b.ReportMetric(float64(r.PeakBytes)/float64(r.Distinct), "B/state")
		})
	}
}
