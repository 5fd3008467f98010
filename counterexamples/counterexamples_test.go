package counterexamples_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var (
	update = flag.Bool("update", false, "search for the counterexamples and write their files")
	redraw = flag.Bool("redraw", false, "tell and draw the recorded counterexamples again, without a search")
	only   = flag.String("only", "", "with -update or -redraw: those of this algorithm, or of this name, alone")
)

// search returns the shortest trace of what breaks a property.
// search returns a shortest run, or nil where most states do not show one; 0 is
// without limit.
func search(t *testing.T, algorithm, variant, property string, s setting.Setting, most uint64) *trace.Trace {
	t.Helper()
	sys, _, err := algorithms.Lookup(algorithm, variant, property, s)
	require.NoError(t, err)
	a, err := algorithms.Find(algorithm)
	require.NoError(t, err)
	p, err := a.Property(property)
	require.NoError(t, err)
	report, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: algorithm, Variant: variant, Properties: []*checker.Property{p},
		MaxStates: most,
	})
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Property == p {
			if most > 0 && f.Verdict == checker.Incomplete {
				return nil
			}
			require.True(t, f.Shortest || p.Watch().Run != nil)
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
	require.NoError(t, render.Text(&b, l, render.TextOptions{}))
	return b.String()
}

// chosen reports whether a counterexample is one of those to be written.
func chosen(name, algorithm string) bool { return *only == "" || *only == name || *only == algorithm }

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes the files, with -update")
	}
	for _, a := range algorithms.All {
		for _, f := range a.Stories() {
			if !chosen(f.Name, a.Name) {
				continue
			}
			s, err := setting.Parse(f.Setting)
			require.NoError(t, err)
			v, err := a.Variant(f.Variant)
			require.NoError(t, err)
			tr := search(t, a.Name, v.Name, f.Property, s, 0)
			tr.Title, tr.Story = f.Title, f.Text
			require.NoError(t, tr.WriteFile(f.Name+".json"))
		}
	}
	t.Log("written: run the tests again, since what they test is embedded")
}

// Every recorded counterexample does what it says, is drawn as it is, and is
// as short as any.
func TestRecorded(t *testing.T) {
	const quick = 3_000 // states in which most show that no shorter run exists; the others need -deep
	if *update || *redraw {
		t.Skip("what is embedded is not what was just written")
	}
	for _, name := range counterexamples.Names() {
		t.Run(name, func(t *testing.T) {
			tr, err := counterexamples.Open(name)
			require.NoError(t, err)
			shown, err := counterexamples.Diagram(name)
			require.NoError(t, err)
			assert.Equal(t, diagram(t, tr), shown, "run the test with -redraw")
			data, err := tr.Encode()
			require.NoError(t, err)
			onDisk, err := os.ReadFile(name + ".json")
			require.NoError(t, err)
			assert.Equal(t, string(onDisk), string(data), "the file is as Encode writes it")
			most := uint64(quick)
			if *deep {
				most = 0
			}
			if shortest := search(t, tr.Algorithm, tr.Variant, tr.Property, tr.Setting, most); shortest != nil {
				assert.Len(t, tr.Steps, len(shortest.Steps), "there is a shorter one")
			}
		})
	}
}

func TestEveryStoryIsRecorded(t *testing.T) {
	if *update || *redraw {
		t.Skip("what is embedded is not what was just written")
	}
	var names []string
	for _, a := range algorithms.All {
		for _, f := range a.Stories() {
			names = append(names, f.Name)
			tr, err := counterexamples.Open(f.Name + ".json")
			if !assert.NoError(t, err, "run the test with -update") {
				continue
			}
			assert.Equal(t, f.Title, tr.Title, "run the test with -redraw")
			assert.Equal(t, f.Text, tr.Story, "run the test with -redraw")
			assert.Equal(t, f.Property, tr.Property, "run the test with -update")
			in, err := setting.Parse(f.Setting)
			require.NoError(t, err)
			assert.Equal(t, in.String(), tr.Setting.String(), "run the test with -update")
			assert.Equal(t, a.Name, tr.Algorithm)
		}
	}
	slices.Sort(names)
	assert.Equal(t, names, counterexamples.Names())
}

func TestOpenSuggests(t *testing.T) {
	_, err := counterexamples.Open("bully-duplicate-cordinator")
	assert.EqualError(t, err, `unknown counterexample "bully-duplicate-cordinator": did you mean bully-duplicate-coordinator?`)
	_, err = counterexamples.Diagram("raft")
	assert.ErrorContains(t, err, `unknown counterexample "raft"`)
	_, err = counterexamples.Open(strings.Repeat("x", 1000))
	assert.Less(t, len(err.Error()), 400)
	for _, name := range []string{"", ".", "..", "../trace/doc.go", "README.md", "*"} {
		_, err := counterexamples.Open(name)
		assert.ErrorContains(t, err, "unknown counterexample")
	}
}
