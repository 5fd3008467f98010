package simulate

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"

	"bullyproof/model"
)

func TestSketchEstimates(t *testing.T) {
	for _, n := range []uint64{0, 1, 10, 1000, 50_000, 1_000_000} {
		var s, even, odd sketch
		for i := range n {
			h := xxh3.HashString(string(rune(i)) + "/" + string(rune(i>>16)) + string([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
			s.meet(h)
			s.meet(h)
			if i%2 == 0 {
				even.meet(h)
			} else {
				odd.meet(h)
			}
		}
		assert.InDelta(t, float64(n), float64(s.estimate()), 0.03*float64(n)+1)
		even.add(&odd)
		assert.Equal(t, s, even)
	}
}

// TestHistogramHasAll compares histograms and quantiles with their definitions.
func TestHistogramHasAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 60), 1, 50).Draw(t, "values")
		most := rapid.IntRange(1, 20).Draw(t, "bins")
		s := NewSample(values...)
		bins := s.Histogram(most)
		if len(bins) > most {
			t.Fatalf("%d bins, want at most %d", len(bins), most)
		}
		for i, b := range bins {
			count := 0
			for _, v := range values {
				if v >= b.From && v <= b.To {
					count++
				}
			}
			if count != b.Count || i > 0 && b.From != bins[i-1].To+1 {
				t.Fatalf("bin %+v of %v has %d", b, values, count)
			}
		}
		slices.Sort(values)
		if s.Min() != values[0] || s.Max() != values[len(values)-1] || bins[0].From != s.Min() || bins[len(bins)-1].To < s.Max() {
			t.Fatalf("%v: %d to %d", values, s.Min(), s.Max())
		}
		sum := 0.0
		for _, v := range values {
			sum += float64(v)
		}
		if mean, _ := s.Mean(); math.Abs(mean-sum/float64(len(values))) > 1e-9 {
			t.Fatalf("mean of %v is %v", values, mean)
		}
	})
}

func TestEmptySample(t *testing.T) {
	var s Sample
	mean, deviation := s.Mean()
	assert.Zero(t, mean+deviation+s.Quantile(0.5)+float64(s.Min()+s.Max()+s.Len()))
	assert.Nil(t, s.Histogram(5))
	one := NewSample(7)
	mean, deviation = one.Mean()
	assert.Equal(t, 7.0, mean+deviation)
}

// TestPrioritiesOrder has strands keep their order except for those that were
// lowered, which come last in the order in which they were.
func TestPrioritiesOrder(t *testing.T) {
	s := schedule{style: byPriority, salt: 3}
	a, b := model.Enabled{Kind: model.Delivers, Strand: 1}, model.Enabled{Kind: model.Delivers, Strand: 2}
	before := s.priority(&a)
	s.timers++
	assert.Equal(t, before, s.priority(&a), "only timers get another priority as one expires")
	timer := model.Enabled{Kind: model.Expires, Strand: 3}
	was := s.priority(&timer)
	s.timers++
	assert.NotEqual(t, was, s.priority(&timer))
	s.lowered = []uint32{1}
	assert.Less(t, s.priority(&a), s.priority(&b))
	s.lowered = []uint32{1, 2}
	assert.Less(t, s.priority(&b), s.priority(&a))
}
