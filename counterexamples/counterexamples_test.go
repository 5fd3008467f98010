package counterexamples_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

var (
	update = flag.Bool("update", false, "search for the counterexamples that are out of date, and write their files")
	redraw = flag.Bool("redraw", false, "tell the recorded counterexamples again, and draw those whose drawings are kept, without a search")
	only   = flag.String("only", "", "with -update or -redraw: those of this algorithm, or of this name, alone, whether they are out of date or not")
)

// search returns a shortest run of those that meet the fewest silences, or nil where most
// states do not show one; 0 is without limit. A run of a safety property meets none, if there
// is such a run where a claim that names it is decided.
func search(t *testing.T, name, algorithm, variant, property string, s setting.Setting, most uint64) (found *trace.Trace, states uint64) {
	t.Helper()
	sys, _, err := algorithms.Lookup(algorithm, variant, property, s)
	require.NoError(t, err)
	a, err := algorithms.Find(algorithm)
	require.NoError(t, err)
	p, err := a.Property(property)
	require.NoError(t, err)
	opt := checker.Options{Algorithm: algorithm, Variant: variant, Properties: []*checker.Property{p}, MaxStates: most}
	if src := silences(t, a, name); src != nil && !p.Temporal() {
		said, err := src.System(s, src.Nothing(), silence.Strict)
		require.NoError(t, err)
		report, err := checker.Check(context.Background(), said, opt)
		if !errors.Is(err, model.ErrBeyondAtStart) {
			require.NoError(t, err)
			if f := report.Finding(property); f.Verdict == checker.Violated {
				return f.Trace, report.Distinct
			}
		}
	}
	report, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	f := report.Finding(property)
	require.NotNil(t, f, "the report lacks %s", property)
	if most > 0 && f.Verdict == checker.Incomplete {
		return nil, 0
	}
	require.True(t, f.Shortest || p.Watch().Run != nil)
	require.NotNil(t, f.Trace, "%s holds", property)
	return f.Trace, report.Distinct
}

// silences returns what the source of a claim that names a run does not say of events; nil if
// nothing is written of that.
func silences(t *testing.T, a *ledger.Algorithm, name string) *silence.Source {
	t.Helper()
	for i := range a.Claims() {
		c := &a.Claims()[i]
		if c.Story != name {
			continue
		}
		src, err := a.Silences(c.Source)
		if errors.Is(err, ledger.ErrNotSilent) {
			return nil
		}
		require.NoError(t, err)
		return src
	}
	return nil
}

// A shortest says how many states the search had that found a run, and of which code and
// system it was: another search would find no other run while these are the same.
type shortest struct {
	States      uint64 `json:"states"`
	Fingerprint string `json:"fingerprint"`
}

var recordFile = filepath.Join("testdata", "shortest.json")

// recorded returns what is on record of the searches.
func recorded(t *testing.T) map[string]shortest {
	t.Helper()
	all := make(map[string]shortest)
	data, err := os.ReadFile(recordFile)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &all), recordFile)
	}
	return all
}

// printed returns the fingerprint of a search.
func printed(t *testing.T, algorithm, variant, property string, s setting.Setting, states uint64) string {
	t.Helper()
	sys, _, err := algorithms.Lookup(algorithm, variant, property, s)
	require.NoError(t, err)
	a, err := algorithms.Find(algorithm)
	require.NoError(t, err)
	text, err := a.Fingerprint(sys, states)
	require.NoError(t, err)
	return text
}

// chosen reports whether a counterexample is one of those to be written.
func chosen(name, algorithm string) bool { return *only == "" || *only == name || *only == algorithm }

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes the files, with -update")
	}
	record := recorded(t)
	for _, a := range algorithms.All {
		for _, f := range a.Stories() {
			s, err := setting.Parse(f.Setting)
			require.NoError(t, err)
			v, err := a.Variant(f.Variant)
			require.NoError(t, err)
			old, known := record[f.Name]
			if !chosen(f.Name, a.Name) || *only == "" && known && old.Fingerprint == printed(t, a.Name, v.Name, f.Property, s, old.States) {
				continue
			}
			tr, states := search(t, f.Name, a.Name, v.Name, f.Property, s, 0)
			tr.Title, tr.Story = f.Title, f.Text
			require.NoError(t, tr.WriteFile(f.Name+".json"))
			record[f.Name] = shortest{states, printed(t, a.Name, v.Name, f.Property, s, states)}
			data, err := json.MarshalIndent(record, "", "\t")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(recordFile, append(data, '\n'), 0o666)) // the next call goes on from here
			fmt.Printf("%s: %d states\n", f.Name, states)
		}
	}
	t.Log("written: run the tests again, since what they test is embedded")
}

// Every recorded counterexample does what it says, and is as short as any.
func TestRecorded(t *testing.T) {
	const quick = 3_000 // states in which most show that no shorter run exists; the others need -deep
	if *update || *redraw {
		t.Skip("what is embedded is not what was just written")
	}
	record := recorded(t)
	for _, name := range counterexamples.Names() {
		t.Run(name, func(t *testing.T) {
			tr, err := counterexamples.Open(name)
			require.NoError(t, err)
			layout(t, name) // which replays it
			data, err := tr.Encode()
			require.NoError(t, err)
			onDisk, err := os.ReadFile(name + ".json")
			require.NoError(t, err)
			assert.Equal(t, string(onDisk), string(data), "the file is as Encode writes it")
			most := uint64(quick)
			if *deep {
				most = 0
			}
			if least, _ := search(t, name, tr.Algorithm, tr.Variant, tr.Property, tr.Setting, most); least != nil {
				assert.Len(t, tr.Steps, len(least.Steps), "there is a shorter one")
			} else {
				old := record[name]
				assert.Equal(t, old.Fingerprint, printed(t, tr.Algorithm, tr.Variant, tr.Property, tr.Setting, old.States),
					"it is out of date: .ci/records makes it again")
			}
		})
	}
}

// Where a claim fails in all readings by a run that meets nothing that its source does not say,
// the recorded run of a safety property is such a one.
func TestRunsMeetNoSilence(t *testing.T) {
	thorough.Only(t)
	if *update || *redraw {
		t.Skip("what is embedded is not what was just written")
	}
	seen := 0
	for _, a := range algorithms.All {
		if len(a.Silent) == 0 {
			continue
		}
		l, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
		require.NoError(t, err)
		for i, j := range l.Entries[0].Judgements {
			c := &a.Claims()[i]
			at := slices.IndexFunc(j.Trees, func(r ledger.TreeRuling) bool {
				return r.If == "" && r.Fails == r.Readings && r.Steps > 0 && r.Whichever == ""
			})
			if at < 0 || c.Story == "" {
				continue
			}
			tr, err := counterexamples.Open(c.Story)
			require.NoError(t, err)
			p, err := a.Property(tr.Property)
			require.NoError(t, err)
			if p.Temporal() {
				continue
			}
			seen++
			src := silences(t, a, c.Story)
			require.NotNil(t, src, c.Story)
			said, err := src.System(tr.Setting, src.Nothing(), silence.Strict)
			require.NoError(t, err)
			report, err := checker.Check(t.Context(), said, checker.Options{Properties: []*checker.Property{p}, MaxStates: 3_000_000})
			require.NoError(t, err, "%s/%s: the run %s begins with what the source does not say: want one in %s", a.Name, c.Name, c.Story, j.Trees[at].Setting)
			f := report.Finding(p.Name)
			if assert.Equal(t, checker.Violated, f.Verdict, "%s/%s: no run in %v meets nothing that the source does not say: want one in %s", a.Name, c.Name, tr.Setting, j.Trees[at].Setting) {
				assert.Len(t, tr.Steps, len(f.Trace.Steps), c.Story)
			}
		}
	}
	assert.NotZero(t, seen)
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
			if !assert.NoError(t, err, "it is not on record: .ci/records makes it") {
				continue
			}
			assert.Equal(t, f.Title, tr.Title, "run the test with -redraw")
			assert.Equal(t, f.Text, tr.Story, "run the test with -redraw")
			assert.Equal(t, f.Property, tr.Property, "it is not on record: .ci/records makes it")
			in, err := setting.Parse(f.Setting)
			require.NoError(t, err)
			assert.Equal(t, in.String(), tr.Setting.String(), "it is not on record: .ci/records makes it")
			assert.Equal(t, a.Name, tr.Algorithm)
		}
	}
	slices.Sort(names)
	assert.Equal(t, names, counterexamples.Names())
}

func TestOpenSuggests(t *testing.T) {
	_, err := counterexamples.Open("bully-duplicate-cordinator")
	assert.EqualError(t, err, `unknown counterexample "bully-duplicate-cordinator": did you mean bully-duplicate-coordinator?`)
	_, err = counterexamples.Open(strings.Repeat("x", 1000))
	assert.Less(t, len(err.Error()), 400)
	for _, name := range []string{"", ".", "..", "../trace/doc.go", "README.md", "*"} {
		_, err := counterexamples.Open(name)
		assert.ErrorContains(t, err, "unknown counterexample")
	}
}
