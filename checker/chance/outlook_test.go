package chance

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/casecount"
)

// without returns a decision process of which some states are cut: it is not known what follows.
func (m *mdp) without(cut []bool) *mdp {
	b := newBuilder(m.odds, m.fair)
	for s := range uint32(m.states()) {
		b.state(m.goal[s], cut[s])
		m.actionsOf(s, func(a uint32) {
			if cut[s] {
				return
			}
			b.action()
			to, label := m.branches(a)
			for i, t := range to {
				b.leads(t, label[i])
			}
		})
	}
	out, err := b.done()
	if err != nil {
		panic(err)
	}
	return out
}

// has reports whether a number is between the bounds of a value; nil stands for an infinite one.
func (v Value) has(x *big.Rat) bool {
	switch {
	case x == nil:
		return v.High > 1e300
	case v.Infinite():
		return false
	case v.Exact != nil:
		return v.Exact.Cmp(x) == 0
	}
	f, _ := x.Float64()
	return v.Low <= f+1e-9 && f <= v.High+1e-9
}

// The answers are within the bounds, whatever follows where nothing is known: those of all schedulers
// of the whole process, looked at one by one.
func TestBoundsHoldWhateverFollows(t *testing.T) {
	open, narrow := 0, 0
	for number := range casecount.Numbers(t, *Deep, 300, 10_000) {
		m, spent := drawn(number)
		want := (&plain{m, spent}).answer(0)
		r := rand.New(rand.NewPCG(number, 7))
		cut := make([]bool, m.states())
		for s := 1; s < len(cut)-1; s++ {
			cut[s] = r.IntN(3) == 0
		}
		o := newOutlook(m.without(cut))
		largest := 0
		ask := func(spent []int32, most bool) Value {
			v, err := o.value(t.Context(), spent, most, 0, 100, &largest)
			require.NoError(t, err)
			return v
		}
		least, most := ask(nil, false), ask(nil, true)
		assert.True(t, least.has(want.least), "%d: least probability %v, want %v", number, least, want.least)
		assert.True(t, most.has(want.most), "%d: largest probability %v, want %v", number, most, want.most)
		for of, x := range map[bool]*big.Rat{false: want.spendLeast, true: want.spendMost} {
			v := ask(spent, of)
			assert.True(t, v.has(x), "%d: cost %v, want %v", number, v, x)
		}
		for _, most := range []bool{false, true} {
			const steps = 6
			one := make([]int32, len(spent))
			for i := range one {
				one[i] = 1
			}
			whole, err := (&question{m: m, spent: one, most: most}).within(t.Context(), 0, steps)
			require.NoError(t, err)
			b, err := o.within(t.Context(), one, most, 0, steps)
			require.NoError(t, err)
			for at, p := range whole {
				assert.LessOrEqual(t, b.low[at], p+1e-12, number)
				assert.GreaterOrEqual(t, b.high[at], p-1e-12, number)
			}
		}
		if !o.sure() && least.High-least.Low > 0.01 {
			open++
		}
		if !o.sure() && least.High-least.Low < 0.5 && least.High < 1 {
			narrow++
		}
	}
	t.Logf("%d intervals, %d narrow", open, narrow)
	assert.Positive(t, open)
	assert.Positive(t, narrow)
}
