package plain

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// A keeper writes down at its start an instant that is to come, on its disk, and leads until then.
type (
	keeper struct {
		model.Passive[keeperState, letter]
	}
	keeperState struct {
		Clock clock.Clock
		Until clock.Instant
	}
)

func (keeper) Init(p *keeperState, _ *model.Net[letter], why model.Boot) {
	if why == model.Cold {
		p.Until = p.Clock.In(1)
	}
}

func (keeper) Receive(*keeperState, *model.Net[letter], model.Port, letter) {}

func (keeper) Belief(p *keeperState) model.Belief {
	if p.Clock.Passed(p.Until) {
		return model.Belief{}
	}
	return model.Belief{Elected: model.Me}
}

func (keeper) Names() model.Names    { return courier{}.Names() }
func (keeper) Stable(p *keeperState) { *p = keeperState{Until: p.Until} }
func (keeper) Oldest() int           { return 1 }

// after returns the world and the state after some steps from its first one.
func after(t *testing.T, words string, steps ...string) (*World, *State) {
	t.Helper()
	w, err := New(Of(keeper{}), setting.Must(words))
	require.NoError(t, err)
	_, err = Compare(Of(keeper{}), setting.Must(words), 500)
	require.NoError(t, err)
	var st *State
	for st = range w.Initial {
		break
	}
	for _, step := range steps {
		next := w.named(st)[step]
		require.NotNil(t, next, "%q: there is %v", step, w.named(st))
		st = next
	}
	return w, st
}

func TestInstantsGetOlder(t *testing.T) {
	ticks := []string{}
	for _, want := range []string{"in 1", "now", "1 ago", "long ago"} {
		w, st := after(t, "n=2 crashes=1 restarts=1", append([]string{"crash P1"}, ticks...)...)
		for i, p := range st.procs {
			assert.Equal(t, want, fmt.Sprint(p.p.(keeperState).Until), "P%d, which is %v", i+1, p.status)
		}
		assert.Equal(t, want == "in 1", w.belief(st.procs[1]).Elected == 2)
		assert.Equal(t, want == "long ago", w.quiet(st), "a tick is owed until then")
		if want == "long ago" {
			assert.NotContains(t, w.named(st), "tick")
		}
		ticks = append(ticks, "tick")
	}
}

func TestClockSteps(t *testing.T) {
	const words = "n=2 initiators=none skew=2 clocks=0,1 clock-steps=1 crashes=1 restarts=1"
	w, st := after(t, words)
	can := w.named(st)
	for _, step := range []string{"clock P1 to 1", "clock P1 to 2", "clock P2 to 0", "clock P2 to 2"} {
		assert.Contains(t, can, step)
	}
	assert.NotContains(t, can, "clock P1 to 0")
	assert.NotContains(t, can, "clock P2 to 1")

	w, st = after(t, words, "crash P2", "clock P2 to 2", "restart P2")
	p := st.procs[1].p.(keeperState)
	assert.Equal(t, keeperState{Clock: clock.Ahead(2), Until: clock.Ahead(1).In(1)}, p, "its disk has what it wrote by its old clock")
	assert.Equal(t, keeperState{Until: p.Until}, w.stored(st.procs[1]), "no disk has a clock")
	assert.NotContains(t, w.named(st), "clock P2 to 0", "once")

	w, st = after(t, "n=2 initiators=none skew=1 clocks=0,1 clock-steps=1 crashes=1", "crash P2")
	assert.NotContains(t, w.named(st), "clock P2 to 0", "it never reads it again")
}
