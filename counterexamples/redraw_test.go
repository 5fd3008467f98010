package counterexamples_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// With -redraw, and with -update after TestUpdate, what is recorded is executed
// once more, and told in the words that its algorithm has for it now.
func TestRedraw(t *testing.T) {
	if !*update && !*redraw {
		t.Skip("writes the files, with -redraw")
	}
	for _, name := range onDisk(t, ".json") {
		tr, err := trace.Load(name + ".json")
		require.NoError(t, err)
		if !chosen(name, tr.Algorithm) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tr := again(t, tr)
			retell(t, name, tr)
			require.NoError(t, tr.WriteFile(name+".json"))
		})
	}
}

// again returns a trace of the same actions, with what they do now.
func again(t *testing.T, tr *trace.Trace) *trace.Trace {
	t.Helper()
	sys, _, err := algorithms.Lookup(tr.Algorithm, tr.Variant, "", tr.Origin)
	require.NoError(t, err)
	initial, err := sys.Begin(tr.Choices)
	require.NoError(t, err)
	var actions []model.Action
	for i := range tr.Steps {
		actions = append(actions, tr.Steps[i].Action)
	}
	now, err := trace.Record(trace.Begin(sys, initial), actions, tr.Header)
	require.NoError(t, err, "run the test with -update")
	now.Setting, now.Lasso = tr.Setting, tr.Lasso
	return now
}

// retell gives a trace the words of the story of its name, if it is still a
// trace of that.
func retell(t *testing.T, name string, tr *trace.Trace) {
	t.Helper()
	a, err := algorithms.Find(tr.Algorithm)
	require.NoError(t, err)
	for _, story := range a.Stories() {
		if story.Name == name {
			require.Equal(t, story.Property, tr.Property, "run the test with -update")
			in, err := setting.Parse(story.Setting)
			require.NoError(t, err)
			require.Equal(t, in.String(), tr.Setting.String(), "run the test with -update")
			tr.Title, tr.Story = story.Title, story.Text
		}
	}
}
