package validate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

// online feeds lines to a validation one by one. It returns what ended it, and
// after how many lines.
func online(t require.TestingT, p *upstart.Protocol, list []eventlog.Event, ask ...*checker.Property) (*validate.Result, *validate.Broken, int) {
	s, err := validate.Endless(setting.Must("n=3"), 0, "initiators=1,2:lazy")
	require.NoError(t, err)
	sys, err := model.New(p, s)
	require.NoError(t, err)
	sys, err = checker.Remembered(sys, ask...)
	require.NoError(t, err)
	var invariants []validate.Invariant
	for _, p := range ask {
		w := p.Watch()
		invariants = append(invariants, validate.Invariant{Name: p.Name, Doc: p.Doc, Broken: w.State, BrokenBy: w.Step})
	}
	v := validate.NewOnline(sys, validate.Options{}, invariants)
	file := v.Open("log")
	for i, e := range list {
		e.Line = i + 1
		r, b, err := v.Add(ctx, file, e)
		require.NoError(t, err)
		if r != nil {
			return r, b, i + 1
		}
	}
	r, b := v.End(ctx)
	return r, b, len(list)
}

// leads is broken where process P1 leads, whatever the others do meanwhile.
var leads = checker.Always("leads", "1 does not lead", func(v *model.View) bool { return !v.Leaders.Has(1) })

// Line by line comes to what all lines at once come to, and an invariant of one
// process breaks where the system's own run breaks it.
func TestOnline(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		run := walk(t, sys, 30, rnd)
		list := record(run)
		r, b, _ := online(t, protocol, list)
		require.Nil(t, b)
		require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)

		broken := false
		for _, state := range run.States[1:] {
			broken = broken || leads.Watch().State(sys.View(state))
		}
		r, b, _ = online(t, protocol, list, leads)
		require.Equal(t, validate.Accepted, r.Verdict)
		require.Equal(t, broken, b != nil)
		if b != nil {
			tr, _, err := r.Trace(0, trace.Header{Algorithm: "upstart"})
			require.NoError(t, err)
			_, err = trace.ReplayIn(tr, r.System, model.Watch{})
			require.NoError(t, err)
		}

		forged := list[rapid.IntRange(0, len(list)-1).Draw(t, "line")]
		if e := &forged; e.Belief != nil {
			*e.Belief.Elected = 64
			r, b, _ = online(t, protocol, list)
			require.Nil(t, b)
			require.Equal(t, validate.Refused, r.Verdict)
			require.NotEmpty(t, r.Refusals)
		}
	})
}

// A property of steps breaks at the line of the first one that breaks it, and one
// that remembers at the line at which there is too much to remember.
func TestOnlineSteps(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	out := func(e *model.Event) bool { return e.Kind == model.Expires && e.Process == 1 }
	once := checker.AlwaysStep("once", "the timer of 1 does not expire", func(e *model.Event) bool { return !out(e) })
	times := model.NewMonitor("times", uint8(0), func(n *uint8, e *model.Event) {
		if out(e) {
			*n++
		}
	})
	twice := checker.Always("twice", "the timer of 1 expires once at most", func(v *model.View) bool { return times.Of(v) < 2 }).Remembering(times)
	broke := make(map[string]int)
	for seed := range uint64(60) {
		list := record(walk(t, sys, 40, rand.New(rand.NewPCG(seed, 1))))
		for i, p := range []*checker.Property{once, twice} {
			place := 0 // of the line that breaks it
			for k, left := 0, i+1; k < len(list) && left > 0; k++ {
				if list[k].Kind == eventlog.Expire && list[k].Process == 1 {
					if left--; left == 0 {
						place = k + 1
					}
				}
			}
			r, b, _ := online(t, protocol, list, p)
			require.Equal(t, validate.Accepted, r.Verdict, "%v", r.Refusals)
			require.Equal(t, place > 0, b != nil, p.Name)
			if b != nil {
				broke[p.Name]++
				require.Equal(t, p.Name, b.Name)
				require.Equal(t, fmt.Sprintf("log:%d", place), b.Place)
			}
		}
	}
	assert.NotZero(t, broke["once"])
	assert.NotZero(t, broke["twice"])
}

// The first event of a process that sends something is also looked at with what it sends.
func TestOnlineFirstSends(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, lively)
	require.NoError(t, err)
	forged := 0
	for seed := range uint64(20) {
		list := record(walk(t, sys, 20, rand.New(rand.NewPCG(seed, 1))))
		var begun model.Set
		for i := range list {
			if list[i].Kind != eventlog.Send || begun.Has(list[i].Process) {
				continue
			}
			begun = begun.With(list[i].Process)
			other := slices.Clone(list)
			other[i].Message = "FORGED"
			r, _, _ := online(t, protocol, other)
			require.Equal(t, validate.Refused, r.Verdict)
			forged++
		}
	}
	t.Logf("%d first sends were forged", forged)
	assert.Positive(t, forged)
}

// Beliefs are watched without a model.
func TestBeliefs(t *testing.T) {
	believes := func(id, elected model.ID, epoch uint64) eventlog.Event {
		return eventlog.Event{Process: id, Kind: eventlog.Observe, Belief: &eventlog.Belief{Elected: &elected, Epoch: &epoch}}
	}
	epoch := func(id model.ID, epoch uint64) eventlog.Event {
		return eventlog.Event{Process: id, Kind: eventlog.Observe, Belief: &eventlog.Belief{Epoch: &epoch}}
	}
	leads := func(id model.ID) eventlog.Event {
		return eventlog.Event{Process: id, Kind: eventlog.Observe, Belief: &eventlog.Belief{Elected: &id}}
	}
	up := func(id model.ID) eventlog.Event {
		return eventlog.Event{Process: id, Kind: eventlog.Boot, Why: model.Restart}
	}
	for _, c := range []struct {
		name    string
		instant bool
		list    []eventlog.Event
		want    string // of the last line
	}{
		{"one in each epoch", false, []eventlog.Event{believes(1, 1, 1), believes(2, 2, 2), believes(1, 1, 1)}, ""},
		{"two in one", false, []eventlog.Event{believes(1, 1, 7), believes(1, 2, 8), up(1), believes(2, 2, 7)}, "P2 leads in epoch 7, in which P1 does, by log:1"},
		{"a new epoch alone", false, []eventlog.Event{believes(1, 1, 1), epoch(1, 2), believes(2, 2, 2)}, "P2 leads in epoch 2, in which P1 does, by log:2"},
		{"an epoch of before", false, []eventlog.Event{believes(3, 3, 1), believes(1, 3, 1), up(1), leads(1)}, ""},
		{"no epochs", false, []eventlog.Event{believes(1, 1, 0), believes(2, 2, 0)}, ""},
		{"followers", false, []eventlog.Event{believes(1, 1, 7), believes(2, 1, 7), believes(3, 0, 7)}, ""},
		{"me", false, []eventlog.Event{believes(1, model.Me, 7), believes(2, model.Me, 7)}, "P2 leads in epoch 7, in which P1 does, by log:1"},
		{"two at once", true, []eventlog.Event{believes(1, 1, 1), believes(2, 2, 2)}, "P2 believes itself coordinator, and so does P1 since log:1"},
		{"one after the other", true, []eventlog.Event{believes(1, 1, 1), believes(1, 2, 2), believes(2, 2, 2)}, ""},
		{"one is down", true, []eventlog.Event{believes(1, 1, 1), up(1), believes(2, 2, 2)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := validate.Beliefs{Instant: c.instant}
			for i := range c.list {
				b := w.Add("log:"+string(rune('1'+i)), &c.list[i])
				if last := i+1 == len(c.list); !last || c.want == "" {
					require.Nil(t, b)
				} else if assert.NotNil(t, b) {
					assert.Equal(t, c.want, b.Doc)
				}
			}
		})
	}
}

// A part of a belief that a line leaves out is as it was told last: what is broken, and by
// which line, is the same where everything that has not changed is left out.
func TestBeliefsLeaveOut(t *testing.T) {
	left, broken := 0, make(map[string]int)
	const cases = 500
	for seed := range uint64(cases) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		whole := validate.Beliefs{Instant: rnd.IntN(2) == 0}
		parts := whole
		type told struct {
			elected model.ID
			epoch   uint64
		}
		last := make(map[model.ID]told)
		for range 12 {
			id := model.ID(1 + rnd.IntN(3))
			if rnd.IntN(6) == 0 {
				up := eventlog.Event{Process: id, Kind: eventlog.Boot, Why: model.Restart}
				delete(last, id)
				require.Nil(t, whole.Add("log", &up))
				require.Nil(t, parts.Add("log", &up))
				continue
			}
			now := told{model.ID(rnd.IntN(4)), 1 + rnd.Uint64N(4)}
			all := eventlog.Event{Process: id, Kind: eventlog.Observe, Belief: &eventlog.Belief{Elected: &now.elected, Epoch: &now.epoch}}
			some, belief := all, *all.Belief
			some.Belief = &belief
			if was, ok := last[id]; ok && was.elected == now.elected {
				belief.Elected, left = nil, left+1
			}
			if was, ok := last[id]; ok && was.epoch == now.epoch {
				belief.Epoch, left = nil, left+1
			}
			last[id] = now
			want, got := whole.Add("log", &all), parts.Add("log", &some)
			require.Equal(t, want == nil, got == nil)
			if want != nil {
				require.Equal(t, want.Name, got.Name)
				broken[want.Name]++
				break
			}
		}
	}
	assert.Positive(t, left)
	assert.Len(t, broken, 2)
	t.Logf("%d logs, %d parts left out; broken: %v", cases, left, broken)
}
