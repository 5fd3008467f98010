package simulate_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/internal/test/anysetting"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// narrowed returns the keys of the words that say in which of its initial states a system begins,
// where its setting leaves that open; nil of one with one initial state.
func narrowed(t *testing.T, sys *model.System) (keys []string) {
	t.Helper()
	var origins []setting.Setting
	sys.Origins(func(o model.Origin) bool {
		origins = append(origins, o.Setting)
		return len(origins) < 100
	})
	words := func(s setting.Setting) map[string]string {
		all := make(map[string]string)
		for _, word := range strings.Fields(s.String()) {
			key, value, _ := strings.Cut(word, "=")
			all[key] = value
		}
		return all
	}
	open := words(sys.Setting())
	for _, o := range origins {
		fixed := words(o)
		for _, w := range setting.Words() {
			if open[w.Key] != fixed[w.Key] && !slices.Contains(keys, w.Key) {
				keys = append(keys, w.Key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// A run can be shown, kept, replayed, drawn, walked, shrunk and hunted in every setting, whichever
// of its words leave open where it begins. The table of words says what there is.
func TestRunsBeginWhereTheSettingLeavesOpen(t *testing.T) {
	props := []*checker.Property{
		checker.Uniqueness,
		checker.Sometimes("coup", "Somebody leads.", func(v *model.View) bool { return v.Elected(2) == 2 }),
		checker.EachEventuallyAlways("modest", "Nobody leads.", func(v *model.View, id model.ID) bool { return v.Elected(id) == model.None }),
	}
	asked, most := make(map[string]int), 1
	settings, shown := 0, 0
	keys := make(map[string]bool)
	for s := range anysetting.Pairs("n=3 timing=sync:1") {
		sys, err := model.New(upstart.Usurper{}, s)
		require.NoError(t, err, s.String())
		settings++
		open := narrowed(t, sys)
		for _, key := range open {
			keys[key] = true
		}
		if which := strings.Join(open, " "); len(open) == 0 || asked[which] >= most {
			continue
		} else {
			asked[which]++
		}
		shown += beginsAnywhere(t, sys, props)
	}
	var found []string
	for _, key := range setting.Starts() {
		assert.True(t, keys[key], "no setting leaves open what %s says", key)
		found = append(found, key)
	}
	assert.Len(t, keys, len(found), "these words are fixed by an initial state, and setting.Starts has %v: %v", found, keys)
	t.Logf("%d settings, %d ways to leave the beginning open (%v), %d runs shown", settings, len(asked), asked, shown)
}

// beginsAnywhere has a system's properties broken in every way, and returns how many runs it saw.
func beginsAnywhere(t *testing.T, sys *model.System, props []*checker.Property) (shown int) {
	t.Helper()
	in := sys.Setting().String()
	look := func(property string, tr *trace.Trace) {
		t.Helper()
		require.NotNil(t, tr, in)
		assert.NoError(t, tr.Origin.Narrows(sys.Setting()), in)
		data, err := tr.Encode()
		require.NoError(t, err, in)
		back, err := trace.Decode(data)
		require.NoError(t, err, in)
		p := props[slices.IndexFunc(props, func(p *checker.Property) bool { return p.Name == property })]
		run, err := trace.ReplayIn(back, sys, p.Watch())
		require.NoError(t, err, in)
		_, err = trace.Replay(back, func(_, _, _ string, origin setting.Setting) (*model.System, model.Watch, error) {
			sys, err := model.New(upstart.Usurper{}, origin)
			return sys, p.Watch(), err
		})
		require.NoError(t, err, in)
		layout, err := trace.Lay(back, run)
		require.NoError(t, err, in)
		var page bytes.Buffer
		require.NoError(t, render.Page(&page, layout, render.PageOptions{}))
		shown++
	}
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: props, MaxStates: 20_000})
	require.NoError(t, err, in)
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated || f.Verdict == checker.Found {
			look(f.Property.Name, f.Trace)
		}
	}
	require.NotNil(t, r.Finding(checker.Uniqueness.Name).Trace, in)
	walks, err := simulate.Run(t.Context(), sys, simulate.Options{Properties: props[:2], Walks: 20, Seed: 1})
	require.NoError(t, err, in)
	for _, f := range walks.Findings {
		look(f.Property.Name, f.Trace)
	}
	hunt, err := simulate.Hunt(t.Context(), sys, simulate.HuntOptions{Properties: props[:2], Steps: 2_000, Seed: 1})
	require.NoError(t, err, in)
	for _, f := range hunt.Findings {
		look(f.Property.Name, f.Trace)
	}
	assert.NotEmpty(t, walks.Findings, in)
	assert.NotEmpty(t, hunt.Findings, in)
	return shown
}
