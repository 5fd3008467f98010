package typed

import (
	"context"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
)

// A pair has padding between its fields, and garbage is put there.
type pair struct {
	A uint8
	B uint16
}

// pairs counts each number of a pair up to a limit.
type pairs struct{ limit uint16 }

func (p pairs) Initial(yield func(pair) bool) { yield(pair{}) }

func (p pairs) Next(s pair, yield func(string, pair) bool) {
	for i := range uint8(2) {
		t := s
		*(*uint8)(unsafe.Add(unsafe.Pointer(&t), 1)) = s.A + i
		if i == 0 {
			t.A++
		} else {
			t.B++
		}
		if uint16(t.A) <= p.limit && t.B <= p.limit {
			yield(fmt.Sprint("step ", i), t)
		}
	}
}

func TestCheck(t *testing.T) {
	below := func(n uint16) func(pair) bool { return func(s pair) bool { return uint16(s.A)+s.B < n } }
	r, err := Check(context.Background(), pairs{50}, explore.Options{},
		Always("holds", below(101)),
		Always("broken", below(7)),
		Sometimes("reached", func(s pair) bool { return s.A == 50 && s.B == 50 }),
		Sometimes("not reached", func(s pair) bool { return s.A == 51 }),
	)
	require.NoError(t, err)
	assert.True(t, r.Complete())
	assert.EqualValues(t, 51*51, r.Distinct)
	assert.Equal(t, []Verdict{Holds, Violated, Found, NotFound}, verdicts(r))
	assert.Empty(t, r.Answers[0].Behavior.Steps)
	assert.Empty(t, r.Answers[3].Behavior.Steps)
	assert.Len(t, r.Answers[2].Behavior.Steps, 101)
	trace := r.Answers[1].Behavior.Steps
	require.Len(t, trace, 8)
	assert.Zero(t, trace[0])
	for i, step := range trace[1:] {
		want := trace[i].State
		if step.Action == "step 0" {
			want.A++
		} else {
			assert.Equal(t, "step 1", step.Action)
			want.B++
		}
		assert.Equal(t, want, step.State)
	}

	r, err = Check(context.Background(), pairs{50}, explore.Options{MaxStates: 100},
		Always("?", below(101)),
		Always("broken", below(7)),
		Sometimes("?", func(s pair) bool { return s.A == 51 }),
		Sometimes("reached", func(s pair) bool { return s.A == 2 }),
	)
	require.NoError(t, err)
	assert.Equal(t, []Verdict{Incomplete, Violated, Incomplete, Found}, verdicts(r))
}

func verdicts(r *Checked[pair, string]) (list []Verdict) {
	for _, a := range r.Answers {
		list = append(list, a.Verdict)
	}
	return list
}

type pointed struct{ Next *pointed }

type pointers struct{}

func (pointers) Initial(func(pointed) bool)            {}
func (pointers) Next(pointed, func(int, pointed) bool) {}

type huge struct{}

func (huge) Initial(func([explore.MaxStateBytes + 1]byte) bool)                                    {}
func (huge) Next([explore.MaxStateBytes + 1]byte, func(int, [explore.MaxStateBytes + 1]byte) bool) {}

func TestCheckMisuse(t *testing.T) {
	ctx := context.Background()
	_, err := Check(ctx, pointers{}, explore.Options{})
	assert.ErrorContains(t, err, "states of type typed.pointed cannot be encoded: field Next: pointers are not flat")
	_, err = Check(ctx, huge{}, explore.Options{})
	assert.ErrorContains(t, err, "take 65537 bytes")
	_, err = Check(ctx, pairs{}, explore.Options{Targets: 1})
	assert.ErrorContains(t, err, "Options.Targets is 1")
	for want, f := range map[string]Formula[pair]{
		`formula 0 ("p") has no function`: Always[pair]("p", nil),
		`formula 0 ("q") has no function`: LeadsTo("q", func(pair) bool { return true }, nil),
		`formula 0 ("s") has no function`: AlwaysStep[pair, string]("s", nil),
		`formula 0 ("zero") asks nothing`: {Name: "zero"},
		`fairness "u" is unconditional`:   Fair[pair, string](liveness.Unconditional, "u", nil),
		`for the actions of the model it has to be func(typed.pair, string, typed.pair) bool`: AlwaysStep("n",
			func(pair, int, pair) bool { return true }),
	} {
		_, err = Check(ctx, pairs{}, explore.Options{}, f)
		assert.ErrorContains(t, err, want)
	}
	_, err = Check(ctx, pairs{}, explore.Options{Order: explore.DepthFirst}, Eventually("e", func(pair) bool { return true }))
	assert.ErrorContains(t, err, "keeps no graph")
	_, err = Check(ctx, pairs{}, explore.Options{Workers: -1})
	assert.ErrorContains(t, err, "-1 workers")
}

func TestTraceOfAnotherModel(t *testing.T) {
	e, err := Encode(pairs{3})
	require.NoError(t, err)
	state := make([]byte, 3)
	_, err = e.Trace([]explore.PathStep{{State: state}, {State: state, Code: 2}})
	assert.ErrorContains(t, err, "not deterministic")
	trace, err := e.Trace([]explore.PathStep{{State: state}, {State: []byte{0, 1, 0}, Code: 1}})
	require.NoError(t, err)
	assert.Equal(t, []Step[pair, string]{{}, {"step 1", pair{0, 1}}}, trace)
}

// ring is a model whose transitions allocate nothing of their own.
type ring struct{}

func (ring) Initial(yield func(pair) bool) { yield(pair{}) }
func (ring) Next(s pair, yield func(explore.Code, pair) bool) {
	yield(0, pair{s.A + 1, s.B})
	yield(1, pair{s.A, s.B + 1})
}

func TestModelDoesNotAllocate(t *testing.T) {
	e, err := Encode(ring{}, Always("true", func(pair) bool { return true }))
	require.NoError(t, err)
	x := e.NewExpander()
	var out explore.Successors
	state := make([]byte, 3)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		out.Reset()
		x.Expand(state, &out)
		copy(state, out.State(1))
	}))
	assert.Equal(t, 2, out.Len())
}

// A byHand is the ring written as a System, to compare with.
type byHand struct{}

func (b byHand) Initial(yield func([]byte) bool) { yield(make([]byte, 3)) }
func (b byHand) NewExpander() explore.Expander   { return b }
func (b byHand) Expand(state []byte, out *explore.Successors) {
	s := append(out.Begin(), state...)
	s[len(s)-3]++
	out.End(s, 0)
	s = append(out.Begin(), state...)
	if s[len(s)-2]++; s[len(s)-2] == 0 {
		s[len(s)-1]++
	}
	out.End(s, 1)
}

func BenchmarkModel(b *testing.B) {
	e, err := Encode(ring{})
	require.NoError(b, err)
	for name, sys := range map[string]explore.System{"typed": e, "by hand": byHand{}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := explore.Search(context.Background(), sys, explore.Options{Workers: 1, MaxStates: 1 << 20})
				require.NoError(b, err)
				require.GreaterOrEqual(b, r.Distinct, uint64(1<<20))
			}
		})
	}
}
