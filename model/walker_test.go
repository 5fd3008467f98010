package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/anysetting"
	"bullyproof/model"
	"bullyproof/model/plain"
	"bullyproof/model/setting"
)

// script answers the questions of a model.Walker like an odometer.
type script struct{ answers, of []uint64 }

func (s *script) draw(at *int) model.Draw {
	return func(_ model.Fork, of uint64) uint64 {
		i := *at
		*at++
		if i == len(s.answers) {
			s.answers, s.of = append(s.answers, 0), append(s.of, of)
		}
		return s.answers[i]
	}
}

// next moves on to the next answers, and reports whether there are any.
func (s *script) next() bool {
	for i := len(s.answers) - 1; i >= 0; i-- {
		if s.answers[i]+1 < s.of[i] {
			s.answers, s.of = s.answers[:i+1], s.of[:i+1]
			s.answers[i]++
			return true
		}
	}
	return false
}

// walkerSteps returns everything that a walker can do in a state, in order.
func walkerSteps(w model.Walker, state []byte) (steps []string, acts []model.Enabled) {
	w.Put(state)
	owing := w.Owing()
	for i := range owing + w.Faults() {
		for s := (&script{}); ; {
			at := 0
			w.Put(state)
			w.Faults()
			a := w.At(i)
			if len(acts) == i {
				acts = append(acts, a)
			}
			switch taken := w.Take(i, s.draw(&at)); {
			case taken.Changed:
				steps = append(steps, fmt.Sprintf("%v %v -> %x", a.Kind, a.Process, w.State()))
			case taken.Misuse != "":
				steps = append(steps, fmt.Sprintf("%v %v: %s", a.Kind, a.Process, taken.Misuse))
			}
			if !s.next() {
				break
			}
		}
	}
	return steps, acts
}

// expandSteps is walkerSteps by Expand, except for outcomes that change
// nothing, which Expand has where another one changes something.
func expandSteps(sys *model.System, state []byte) (steps []string) {
	for _, t := range sys.Transitions(state) {
		what := fmt.Sprintf("%v %v", t.Action.Kind, t.Action.Process)
		switch {
		case t.Misuse != "":
			steps = append(steps, what+": "+t.Misuse)
		case !model.LeadsBack(sys, state, t):
			steps = append(steps, fmt.Sprintf("%s -> %x", what, t.Next))
		}
	}
	return steps
}

// stateText says what properties see.
func stateText(p plain.Protocol, v *model.View) string {
	return fmt.Sprintf("%+v quiet %v", p.Seen(v), v.Quiet)
}

func compareWalker(t require.TestingT, p plain.Protocol, s setting.Setting, seed uint64, limit int) (saw map[string]int) {
	saw = map[string]int{}
	sys, err := p.System(s)
	if err != nil {
		return saw
	}
	states := model.FirstStates(sys, limit)
	w := sys.Walker()
	for _, state := range states[:min(len(states), limit)] {
		steps, acts := walkerSteps(w, state)
		require.Equal(t, append([]string{}, expandSteps(sys, state)...), append([]string{}, steps...), "%v: state %x", s, state)
		for _, a := range acts {
			saw[a.Kind.String()]++
		}
		w.Put(state)
		require.Equal(t, stateText(p, sys.View(state)), stateText(p, w.View()), "%v: state %x", s, state)
		saw[fmt.Sprint("settled ", w.Settled())]++
		saw[fmt.Sprint("quiet ", w.Quiet())]++
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 3 {
		walkAround(t, p, sys, w, rng, saw)
	}
	return saw
}

// walkAround walks at random, and checks that the walker is where its steps lead:
// what it keeps from state to state is what it would decode.
func walkAround(t require.TestingT, p plain.Protocol, sys *model.System, w model.Walker, rng *rand.Rand, saw map[string]int) {
	fresh := sys.Walker()
	if err := w.Begin(model.Random(rng)); err != nil {
		require.ErrorContains(t, err, "no initial state to walk from")
		sys.Initial(func(state []byte) bool {
			require.Fail(t, "there is an initial state")
			return false
		})
		return
	}
	origin, choices := w.Origin()
	begun := false // several origins can have one state
	sys.Origins(func(o model.Origin) bool {
		begun = string(o.State) == string(w.State()) && o.Setting.Equal(origin) && slices.Equal(o.Choices, choices)
		return !begun
	})
	require.True(t, begun, "%v, choices %v", origin, choices)
	for range 30 {
		before := slices.Clone(w.State())
		all := w.Owing() + w.Faults()
		if all == 0 {
			saw["end"]++
			return
		}
		i := rng.IntN(all)
		w.Record(rng.IntN(2) == 0)
		taken := w.Take(i, model.Random(rng))
		if !taken.Changed {
			require.Equal(t, before, w.State())
			continue
		}
		next := slices.Clone(w.State())
		require.True(t, slices.ContainsFunc(sys.Transitions(before), func(t model.Transition) bool { return string(t.Next) == string(next) }))
		fresh.Put(next)
		require.Equal(t, stateText(p, fresh.View()), stateText(p, w.View()))
		require.Equal(t, fresh.Owing(), w.Owing())
		require.Equal(t, fresh.Faults(), w.Faults())
		for i := range w.Owing() + w.Faults() {
			require.Equal(t, fresh.At(i), w.At(i))
			require.Equal(t, fresh.Key(i), w.Key(i))
		}
	}
}

func compareRandomWalker(t *rapid.T) map[string]int {
	s := anysetting.Draw(t, rapid.IntRange(2, 3).Draw(t, "n"))
	seed := rapid.Uint64().Draw(t, "seed")
	if rapid.IntRange(0, 4).Draw(t, "dated") == 4 {
		y, s := drawDated(t)
		return compareWalker(t, plain.Of(y), s, seed, 25)
	}
	return compareWalker(t, plain.Of(model.DrawAnyToy[uint8](t, s)), s, seed, 25)
}

// TestWalkerIsExpand has what a walker lists and does be what Expand finds, in
// the same order and to the same bytes.
func TestWalkerIsExpand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareRandomWalker(t) })
}

func TestWalkerComparisonSeesEverything(t *testing.T) {
	wanted := []string{"settled true", "settled false", "quiet true", "quiet false", "end"}
	for _, kind := range model.ActionKinds() {
		wanted = append(wanted, kind.String())
	}
	saw := map[string]int{}
	for seed := 0; seed < 300 && slices.ContainsFunc(wanted, func(what string) bool { return saw[what] < 5 }); seed++ {
		for what, count := range rapid.Custom(compareRandomWalker).Example(seed) {
			saw[what] += count
		}
	}
	for _, what := range wanted {
		assert.GreaterOrEqual(t, saw[what], 5, what)
	}
}
