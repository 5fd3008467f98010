package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func TestReplay(t *testing.T) {
	for _, property := range []string{"uniqueness", "agreement", "takeover"} {
		tr, r := heraldtest.Find(t, heraldtest.Race, property)
		data, err := tr.Encode()
		require.NoError(t, err)
		back, err := trace.Decode(data)
		require.NoError(t, err)
		run, err := trace.Replay(back, heraldtest.Lookup)
		require.NoError(t, err, property)
		assert.Equal(t, r.Snapshots, run.Snapshots)
		assert.Len(t, run.States, len(tr.Steps)+1)
	}
}

func TestReplayOfOneInitialStateAmongSeveral(t *testing.T) {
	tr, r := heraldtest.Find(t, "n=3 timing=last-resort initiators=one restarts=1 crashes=1", "uniqueness")
	assert.NotEqual(t, tr.Setting.String(), tr.Origin.String())
	run, err := trace.Replay(tr, heraldtest.Lookup)
	require.NoError(t, err)
	assert.Equal(t, r.Snapshots, run.Snapshots)

	tr.Origin = tr.Setting
	_, err = trace.Replay(tr, heraldtest.Lookup)
	assert.ErrorContains(t, err, `has to have one initial state, and has several`)
}

// With a system in hand no names are looked up.
func TestReplayIn(t *testing.T) {
	for _, setting := range []string{heraldtest.Race, "n=3 timing=last-resort initiators=one restarts=1 crashes=1"} {
		tr, r := heraldtest.Find(t, setting, "uniqueness")
		tr.Algorithm, tr.Variant = "nobody", "nothing"
		sys, watch, err := heraldtest.Lookup("herald", "", "uniqueness", tr.Setting)
		require.NoError(t, err)
		run, err := trace.ReplayIn(tr, sys, watch)
		require.NoError(t, err)
		assert.Equal(t, r.Snapshots, run.Snapshots)

		watch.Met = true
		_, err = trace.ReplayIn(tr, sys, watch)
		assert.ErrorContains(t, err, "a property that is met, and the trace is a violation")
		watch.Met = false
		watch.State = func(*model.View) bool { return false }
		_, err = trace.ReplayIn(tr, sys, watch)
		assert.ErrorContains(t, err, "uniqueness is not broken")
		other, _, err := heraldtest.Lookup("herald", "", "", heraldtest.Setting(t, "n=2"))
		require.NoError(t, err)
		_, err = trace.ReplayIn(tr, other, watch)
		assert.ErrorContains(t, err, `and that of the system "n=2`)
		tr.Choices = []int{7}
		_, err = trace.ReplayIn(tr, sys, watch)
		assert.Error(t, err)
	}
}

func TestStart(t *testing.T) {
	sys, _, err := heraldtest.Lookup("herald", "", "", heraldtest.Setting(t, heraldtest.Race))
	require.NoError(t, err)
	run, err := trace.Start(sys)
	require.NoError(t, err)
	assert.NotEmpty(t, run.Enabled())
	sys, _, err = heraldtest.Lookup("herald", "", "", heraldtest.Setting(t, "n=3 initiators=one"))
	require.NoError(t, err)
	_, err = trace.Start(sys)
	assert.ErrorContains(t, err, "has to have one initial state, and has several")
}

// A dice is a protocol in which each process chooses its leader as it comes up.
type dice struct{ heraldtest.Protocol }

func (dice) Start(p *heraldtest.State, net *model.Net[heraldtest.Message]) {
	p.Boss = model.ID(1 + net.Choose(net.N()))
	net.SendAll(net.Lower(), heraldtest.Message{Type: heraldtest.Announce, Boss: p.Boss})
}

func lookupDice(_, _, property string, s setting.Setting) (*model.System, model.Watch, error) {
	sys, err := model.New[heraldtest.State, heraldtest.Message](dice{}, s)
	return sys, heraldtest.Watches[property], err
}

// Where processes choose as they come up, a trace says what they chose: its
// origin alone has several initial states.
func TestReplayOfChoices(t *testing.T) {
	sys, _, err := lookupDice("", "", "", heraldtest.Setting(t, "n=2"))
	require.NoError(t, err)
	names := map[string]bool{}
	for initial := range sys.Initial {
		r := trace.Begin(sys, initial)
		require.NoError(t, r.Do(r.Enabled()[0].Action))
		tr := r.Record(trace.Header{Algorithm: "dice"})
		data, err := tr.Encode()
		require.NoError(t, err)
		back, err := trace.Decode(data)
		require.NoError(t, err)
		run, err := trace.Replay(back, lookupDice)
		require.NoError(t, err, "%s", data)
		assert.Equal(t, r.Snapshots, run.Snapshots)
		names[fmt.Sprint(back.Choices)] = true

		back.Choices = []int{0, 2}
		_, err = trace.Replay(back, lookupDice)
		assert.ErrorContains(t, err, `trace: origin "n=2 channels=unordered timing=sync:1" has no initial state in which the processes have chosen [0 2]`)
		back.Choices = nil
		_, err = trace.Replay(back, lookupDice)
		assert.ErrorContains(t, err, "has to have one initial state, and has several: processes choose as they come up, and nothing says what")
	}
	assert.Equal(t, map[string]bool{"[0 0]": true, "[0 1]": true, "[1 0]": true, "[1 1]": true}, names)
}

func TestReplayRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*trace.Trace){
		`unknown algorithm "bully": want herald`: func(t *trace.Trace) { t.Algorithm = "bully" },
		`unknown property "fame"`:                func(t *trace.Trace) { t.Property = "fame" },
		"trace: step 2: P1 suspects P2 cannot happen here. What can happen, the nearest first: P1 suspects P3; P2 suspects P3; P3 restarts": func(t *trace.Trace) {
			t.Steps[1].Action = model.Action{Kind: model.Suspects, Process: 1, Who: 2}
		},
		`step 3: P2->P3 OK is dropped (due in 1) cannot happen here. What can happen, the nearest first: P2->P3 ELECTION is dropped (due in 1);`: func(t *trace.Trace) {
			t.Steps[2].Action.Message = "OK"
		},
		`step 2, P2 suspects P3: the rules differ: recorded is "4: follow", and what happens is "1: ask the higher ones"`: func(t *trace.Trace) {
			t.Steps[1].Rules = []string{"4: follow"}
		},
		`step 2, P2 suspects P3: the sent messages differ: recorded is "P2->P1 ELECTION (due in 1)", and what happens is "P2->P3 ELECTION (due in 1)"`: func(t *trace.Trace) {
			t.Steps[1].Sent[0].To = 1
		},
		`the sent messages differ: recorded is nothing, and what happens is "P2->P3 ELECTION (due in 1)"`: func(t *trace.Trace) {
			t.Steps[1].Sent = nil
		},
		`the dropped messages differ: recorded is "P2->P3 ELECTION (lost)", and what happens is nothing`: func(t *trace.Trace) {
			t.Steps[1].Dropped = []trace.Message{{From: 2, To: 3, Port: 2, Text: "ELECTION", Lost: true}}
		},
		`the changes differ: recorded is "P2: elected 3 -> 1", and what happens is "P2: elected 3 -> ⊥"`: func(t *trace.Trace) {
			t.Steps[1].Changes[0].To = "1"
		},
		`the misuse differ`: func(t *trace.Trace) { t.Steps[len(t.Steps)-1].Misuse = "panic" },
		"uniqueness is not broken: nowhere in the 6 steps": func(t *trace.Trace) {
			t.Steps = t.Steps[:6]
		},
		"fame":                                  func(t *trace.Trace) { t.Property = "fame" },
		`the last step, number 7, is no misuse`: func(t *trace.Trace) { t.Property = trace.Misuse },
		"the lasso does not close: the state after step 7 is not the one before step 2": func(t *trace.Trace) { t.Lasso = 2 },
		"the algorithm is missing": func(t *trace.Trace) { t.Algorithm = "" },
	} {
		tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
		spoil(tr)
		_, err := trace.Replay(tr, heraldtest.Lookup)
		assert.ErrorContains(t, err, want)
	}
}

func TestReplayWantsTheFirstBreakLast(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	r.Take(r.Enabled()[0])
	tr = r.Record(tr.Header)
	_, err := trace.Replay(tr, heraldtest.Lookup)
	assert.ErrorContains(t, err, "uniqueness is broken after step 7 already, want after the last, step 8")
	tr.Kind = trace.Witness
	_, err = trace.Replay(tr, func(a, v, p string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, watch, err := heraldtest.Lookup(a, v, p, s)
		watch.Met = true
		return sys, watch, err
	})
	assert.ErrorContains(t, err, "uniqueness is met after step 7 already")
	tr.Kind, tr.Property = trace.Plain, ""
	_, err = trace.Replay(tr, heraldtest.Lookup)
	assert.NoError(t, err, "a plain run shows nothing in particular")
}

// A trace of an unknown protocol, or of one of the wrong kind, is told from a
// run that goes otherwise.
func TestReplayTellsWhatIsUnknown(t *testing.T) {
	met := func(a, v, p string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, watch, err := heraldtest.Lookup(a, v, p, s)
		watch.Met = true
		return sys, watch, err
	}
	for _, c := range []struct {
		want   string
		lookup trace.Lookup
		spoil  func(*trace.Trace)
	}{
		{`trace: unknown algorithm "hero": want herald`, heraldtest.Lookup, func(t *trace.Trace) { t.Algorithm = "hero" }},
		{`trace: unknown property "fame"`, heraldtest.Lookup, func(t *trace.Trace) { t.Property = "fame" }},
		{`trace: uniqueness is a property that breaks, and the trace is a witness, of one that is met: want kind "violation"`,
			heraldtest.Lookup, func(t *trace.Trace) { t.Kind = trace.Witness }},
		{`trace: misuse is a property that breaks, and the trace is a witness, of one that is met: want kind "violation"`,
			heraldtest.Lookup, func(t *trace.Trace) { t.Kind, t.Property = trace.Witness, trace.Misuse }},
		{`trace: uniqueness is a property that is met, and the trace is a violation, of one that breaks: want kind "witness"`,
			met, func(*trace.Trace) {}},
	} {
		tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
		c.spoil(tr)
		_, err := trace.Replay(tr, c.lookup)
		var unknown *trace.UnknownError
		if assert.ErrorAs(t, err, &unknown, c.want) {
			assert.EqualError(t, err, c.want)
		}
	}
	tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	tr.Steps[0].Action.Process = 17
	_, err := trace.Replay(tr, heraldtest.Lookup)
	require.EqualError(t, err, "trace: step 1: P17 crashes: there is no process 17, only 1 to 3. What can happen, the nearest first: P1 crashes; P2 crashes; P3 crashes")
	var unknown *trace.UnknownError
	assert.False(t, errors.As(err, &unknown))
}

func TestReplayWantsAWatch(t *testing.T) {
	tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	_, err := trace.Replay(tr, func(a, v, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		return heraldtest.Lookup(a, v, "", s)
	})
	assert.ErrorContains(t, err, `property "uniqueness" has nothing to watch a trace for`)
}

// A lasso closes where the state after its last step is the one before its
// first.
func TestReplayOfLasso(t *testing.T) {
	r := heraldtest.Script(t, "n=2 timing=patient start=coordinator-down restarts=1", "P1 suspects", "P2 restarts")
	tr := r.Record(trace.Header{Algorithm: "herald", Property: "stability", Kind: trace.Violation})
	tr.Lasso = 1
	_, err := trace.Replay(tr, func(a, v, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		return heraldtest.Lookup(a, v, "", s)
	})
	assert.ErrorContains(t, err, "the lasso does not close")
}

func TestRecordNamesTheStep(t *testing.T) {
	sys := heraldtest.System(t, heraldtest.Race)
	for initial := range sys.Initial {
		_, err := trace.Record(trace.Begin(sys, initial), []model.Action{
			{Kind: model.Crashes, Process: 3},
			{Kind: model.Heals},
		}, trace.Header{Algorithm: "herald"})
		assert.ErrorContains(t, err, "trace: step 2: the network heals cannot happen here. What can happen, the nearest first: ")
	}
}

func TestReplayOfMisuse(t *testing.T) {
	sys, err := model.New[heraldtest.BrokenState, heraldtest.BrokenMessage](heraldtest.Broken{}, heraldtest.Setting(t, "n=2 initiators=1:lazy"))
	require.NoError(t, err)
	var r *trace.Run
	for initial := range sys.Initial {
		r = trace.Begin(sys, initial)
	}
	require.NotEmpty(t, r.Enabled())
	r.Take(r.Enabled()[0])
	require.NotEmpty(t, r.Steps[0].Misuse)
	assert.Empty(t, r.Enabled())
	assert.Error(t, r.Do(model.Action{Kind: model.Ticks}))
	tr := r.Record(trace.Header{Algorithm: "broken", Property: trace.Misuse, Kind: trace.Violation})
	find := func(_, _, property string, s setting.Setting) (*model.System, model.Watch, error) {
		assert.Empty(t, property)
		sys, err := model.New[heraldtest.BrokenState, heraldtest.BrokenMessage](heraldtest.Broken{}, s)
		return sys, model.Watch{}, err
	}
	_, err = trace.Replay(tr, find)
	require.NoError(t, err)
	data, err := tr.Encode()
	require.NoError(t, err)
	back, err := trace.Decode(data)
	require.NoError(t, err)
	run, err := trace.Replay(back, find)
	require.NoError(t, err)
	l, err := trace.Lay(back, run)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, l, render.TextOptions{}))
	heraldtest.Golden(t, "broken-misuse.txt", b.Bytes())
	back.Property = "uniqueness"
	_, err = trace.Replay(back, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		return find("", "", "", s)
	})
	assert.ErrorContains(t, err, "is a misuse")
}
