package counterexamples_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/model"
	"bullyproof/trace"
)

var update = flag.Bool("update", false, "search for the counterexamples and write their files")

// A finding is a counterexample that is to be recorded.
type finding struct {
	name                         string
	algorithm, variant, property string
	setting                      string
	title, story                 string
}

// findings are what the package records, one for each name.
var findings = []finding{
	{
		name:      "bully-duplicate-coordinator",
		algorithm: "bully", variant: "coulouris", property: "uniqueness",
		setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		title:   "two coordinators at one instant",
		story: "The coordinator crashes, and is back just as the process that noticed gives up waiting for its answer. " +
			"Both announce themselves.",
	},
	{
		name:      "bully-lasting-disagreement",
		algorithm: "bully", variant: "coulouris", property: "agreement",
		setting: "n=3 start=settled timing=sync:1 crashes=1 restarts=1",
		title:   "a disagreement that nothing ends",
		story: "Two announcements are on their way to 1 at the same time, and 1 follows whichever comes last. It comes from 2, " +
			"which by then follows 3. Since 2 is up, no failure detector ever gives 1 a reason to think again.",
	},
}

// search returns the shortest trace of a finding.
func search(t *testing.T, algorithm, variant, property string, s model.Setting) *trace.Trace {
	t.Helper()
	sys, _, err := algorithms.Lookup(algorithm, variant, property, s)
	require.NoError(t, err)
	p, err := checker.Lookup(property)
	require.NoError(t, err)
	report, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: algorithm, Variant: variant, Properties: []*checker.Property{p}, Exact: true,
	})
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Property == p {
			require.True(t, f.Shortest)
			require.NotNil(t, f.Trace, "%s holds", property)
			return f.Trace
		}
	}
	require.Fail(t, "the report lacks "+property)
	return nil
}

func diagram(t *testing.T, tr *trace.Trace) string {
	t.Helper()
	run, err := trace.Replay(tr, algorithms.Lookup)
	require.NoError(t, err)
	l, err := trace.Lay(tr, run)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteText(&b, trace.TextOptions{}))
	return b.String()
}

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes the files, with -update")
	}
	for _, f := range findings {
		s, err := model.ParseSetting(f.setting)
		require.NoError(t, err)
		tr := search(t, f.algorithm, f.variant, f.property, s)
		tr.Title, tr.Story = f.title, f.story
		require.NoError(t, tr.WriteFile(f.name+".json"))
		require.NoError(t, os.WriteFile(f.name+".txt", []byte(diagram(t, tr)), 0o666))
	}
	t.Log("written: run the tests again, since what they test is embedded")
}

// Every recorded counterexample does what it says, is drawn as it is, and is
// as short as any.
func TestRecorded(t *testing.T) {
	if *update {
		t.Skip("what is embedded is not what was just written")
	}
	for _, name := range counterexamples.Names() {
		t.Run(name, func(t *testing.T) {
			tr, err := counterexamples.Open(name)
			require.NoError(t, err)
			shown, err := counterexamples.Diagram(name)
			require.NoError(t, err)
			assert.Equal(t, diagram(t, tr), shown, "run the test with -update")
			data, err := tr.Encode()
			require.NoError(t, err)
			onDisk, err := os.ReadFile(name + ".json")
			require.NoError(t, err)
			assert.Equal(t, string(onDisk), string(data), "the file is as Encode writes it")
			shortest := search(t, tr.Algorithm, tr.Variant, tr.Property, tr.Setting)
			assert.Len(t, tr.Steps, len(shortest.Steps), "there is a shorter one")
		})
	}
}

func TestEveryFindingIsRecorded(t *testing.T) {
	var names []string
	for _, f := range findings {
		names = append(names, f.name)
	}
	assert.Equal(t, names, counterexamples.Names())
	for _, f := range findings {
		tr, err := counterexamples.Open(f.name + ".json")
		require.NoError(t, err)
		assert.Equal(t, f.title, tr.Title, "run the test with -update")
		assert.Equal(t, f.story, tr.Story, "run the test with -update")
		assert.Equal(t, f.property, tr.Property)
	}
}

func TestOpenSuggests(t *testing.T) {
	_, err := counterexamples.Open("bully-duplicate-cordinator")
	assert.EqualError(t, err, `unknown counterexample "bully-duplicate-cordinator": did you mean bully-duplicate-coordinator?`)
	_, err = counterexamples.Diagram("raft")
	assert.EqualError(t, err, `unknown counterexample "raft": want one of bully-duplicate-coordinator, bully-lasting-disagreement`)
	_, err = counterexamples.Open(strings.Repeat("x", 1000))
	assert.Less(t, len(err.Error()), 250)
	for _, name := range []string{"", ".", "..", "../trace/doc.go", "README.md", "*"} {
		_, err := counterexamples.Open(name)
		assert.ErrorContains(t, err, "unknown counterexample")
	}
}
