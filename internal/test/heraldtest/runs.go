package heraldtest

import (
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lookup finds the systems of the tests.
func Lookup(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	if algorithm != "herald" {
		return nil, model.Watch{}, fmt.Errorf("unknown algorithm %q: want herald", algorithm)
	}
	watch, ok := Watches[property]
	if !ok {
		return nil, model.Watch{}, fmt.Errorf("unknown property %q", property)
	}
	sys, err := model.New[State, Message](Protocol{}, s)
	return sys, watch, err
}

var _ trace.Lookup = Lookup

// System returns a herald in a setting.
func System(t testing.TB, text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, _, err := Lookup("herald", "", "", s)
	require.NoError(t, err)
	return sys
}

// Race is the setting in which the tests look for races.
const Race = "n=3 start=settled timing=sync:1 crashes=1 restarts=1"

// search finds a shortest run to a state or step that hits a watch, the plain
// way: a queue, and a map of what was seen.
func search(sys *model.System, watch model.Watch) (*trace.Run, error) {
	type node struct {
		state  []byte
		before *node
		action model.Action
	}
	var queue []*node
	for state := range sys.Initial {
		queue = append(queue, &node{state: slices.Clone(state)})
	}
	runTo := func(n *node) (*trace.Run, error) {
		var path []model.Action
		for ; n.before != nil; n = n.before {
			path = append(path, n.action)
		}
		r := trace.Begin(sys, n.state)
		for _, a := range slices.Backward(path) {
			if err := r.Do(a); err != nil {
				return nil, err
			}
		}
		return r, nil
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if seen[string(n.state)] {
			continue
		}
		seen[string(n.state)] = true
		v := sys.View(n.state)
		if watch.State != nil && watch.State(v) {
			return runTo(n)
		}
		for _, t := range sys.Transitions(n.state) {
			next := &node{t.Next, n, t.Action}
			if watch.HitsStep(sys, n.state, &t) {
				return runTo(next)
			}
			if !seen[string(t.Next)] {
				queue = append(queue, next)
			}
		}
	}
	return nil, errors.New("nothing hits the watch")
}

// found are the runs that were searched for before, as searches take a while.
var found = map[string]*trace.Run{}

// Find returns the run and the trace of a shortest violation.
func Find(t testing.TB, setting, property string) (*trace.Trace, *trace.Run) {
	t.Helper()
	key := setting + " " + property
	if found[key] == nil {
		r, err := search(System(t, setting), Watches[property])
		require.NoError(t, err)
		found[key] = r
	}
	r := trace.Begin(found[key].System, found[key].States[0])
	for i := range found[key].Steps {
		require.NoError(t, r.Do(found[key].Steps[i].Action))
	}
	return r.Record(trace.Header{Algorithm: "herald", Property: property, Kind: trace.Violation}), r
}

// Script takes actions by the beginnings of their texts.
func Script(t testing.TB, setting string, actions ...string) *trace.Run {
	t.Helper()
	sys := System(t, setting)
	var r *trace.Run
	for state := range sys.Initial {
		r = trace.Begin(sys, state)
		break
	}
	for _, want := range actions {
		var texts []string
		taken := false
		for _, tr := range r.Enabled() {
			text := trace.ActionText(tr.Action)
			if texts = append(texts, text); strings.HasPrefix(text, want) {
				r.Take(tr)
				taken = true
				break
			}
		}
		require.True(t, taken, "%q is not among %q", want, texts)
	}
	return r
}

// Setting returns the setting of a text.
func Setting(t testing.TB, text string) setting.Setting {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	return s
}

var update = flag.Bool("update", false, "write the golden files")

// Golden compares got with a file under testdata.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, got, 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "run the test with -update to make it")
	assert.Equal(t, string(want), string(got))
}

// settings are of every kind that changes what a layout has to show.
var Settings = []string{
	"n=3 start=settled timing=sync:2 crashes=1 restarts=1",
	"n=3 initiators=any timing=sync:1 losses=1 duplications=1",
	"n=3 initiators=any channels=fifo timing=sync:2 duplications=2",
	"n=4 start=cold:interleaved timing=async:1 crashes=2 restarts=1 channels=fifo",
	"n=3 timing=last-resort cuts=1 heals=1 joins=1",
	"n=6 start=coordinator-down timing=last-resort restarts=1",
}

// Lay lays out a run of a herald.
func Lay(t testing.TB, r *trace.Run, h trace.Header) *trace.Layout {
	t.Helper()
	h.Algorithm = "herald"
	l, err := trace.Lay(r.Record(h), r)
	require.NoError(t, err)
	return l
}

// Walk takes steps at random.
func Walk(sys *model.System, seed uint64, steps int) *trace.Run {
	rng := rand.New(rand.NewPCG(seed, 1))
	var initial [][]byte
	for state := range sys.Initial {
		initial = append(initial, bytes.Clone(state))
	}
	r := trace.Begin(sys, initial[rng.IntN(len(initial))])
	for range steps {
		enabled := r.Enabled()
		if len(enabled) == 0 {
			break
		}
		r.Take(enabled[rng.IntN(len(enabled))])
	}
	return r
}

// Accounts checks that a layout has all of a run's messages, from their sending
// to their end.
func Accounts(t *testing.T, l *trace.Layout, r *trace.Run) {
	t.Helper()
	require.Len(t, l.Rows, len(r.Steps)+1)
	sent, flying := len(r.Snapshots[0].InFlight), 0
	for i := range r.Steps {
		sent += len(r.Steps[i].Sent)
		if r.Steps[i].Action.Kind == model.Duplicates {
			sent++
		}
	}
	for _, a := range l.Arrows {
		require.GreaterOrEqual(t, a.End, a.Sent)
		require.True(t, a.End > a.Sent || a.Fate == trace.Refused, a)
		switch a.Fate {
		case trace.InFlight:
			flying++
			require.Equal(t, len(l.Rows), a.End)
		case trace.Delivered:
			require.Equal(t, a.Text, l.Rows[a.End].Action.Message)
			require.Equal(t, l.Columns[a.To].ID, l.Rows[a.End].Action.Process)
		}
	}
	require.Len(t, l.Arrows, sent)
	require.Equal(t, len(r.Snapshots[len(r.Snapshots)-1].InFlight), flying)
	require.NotPanics(t, func() {
		for i := range l.Rows {
			require.NotEmpty(t, l.Tell(i))
		}
	})
}
