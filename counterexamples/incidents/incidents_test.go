package incidents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/counterexamples/incidents"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var (
	update = flag.Bool("update", false, "search for the runs that are out of date, and write their files and the table")
	only   = flag.String("only", "", "with -update: the incident of this name alone, whether it is out of date or not")
	deep   = flag.Bool("deep", false, "search again for all of them")
)

// quick is the size of a search that every test repeats.
const quick = 3_000

func lookup(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	return ledger.Lookup(incidents.Algorithms, algorithm, variant, property, s)
}

// search asks about an incident's property in a variant.
func search(t *testing.T, c *incidents.Incident, variant string, most uint64) (*checker.Report, *checker.Finding) {
	t.Helper()
	s, err := setting.Parse(c.Setting)
	require.NoError(t, err)
	sys, _, err := lookup(c.Algorithm, variant, c.Property, s)
	require.NoError(t, err)
	p, err := c.Asked(incidents.Algorithms)
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), sys, checker.Options{
		Algorithm: c.Algorithm, Variant: variant, Properties: []*checker.Property{p}, MaxStates: most,
	})
	require.NoError(t, err)
	return r, r.Finding(p.Name)
}

func TestIncidentsAreValid(t *testing.T) {
	require.NoError(t, ledger.Validate(incidents.Algorithms))
	require.NoError(t, incidents.Catalogue.Validate(incidents.Algorithms))
}

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes the files, with -update")
	}
	records, err := incidents.Records()
	require.NoError(t, err)
	records = slices.DeleteFunc(records, func(r ledger.IncidentRecord) bool {
		return !slices.ContainsFunc(incidents.All, func(c incidents.Incident) bool { return c.Name == r.Name })
	})
	for i := range incidents.All {
		c := &incidents.All[i]
		at := slices.IndexFunc(records, func(r ledger.IncidentRecord) bool { return r.Name == c.Name })
		if *only != "" && *only != c.Name {
			continue
		}
		if *only == "" && at >= 0 && current(t, c, &records[at]) {
			continue
		}
		began := time.Now()
		rec := found(t, c)
		fmt.Printf("%s: %d states, %v\n", c.Name, rec.States+rec.Fixed, time.Since(began).Round(time.Second))
		if at >= 0 {
			records[at] = rec
		} else {
			records = append(records, rec)
		}
		write(t, records) // each by itself: the next call goes on from there
	}
	write(t, records)
	t.Log("written: run the tests again, since what they test is embedded")
}

// write writes the record and the page.
func write(t *testing.T, records []ledger.IncidentRecord) {
	t.Helper()
	slices.SortFunc(records, func(a, b ledger.IncidentRecord) int { return strings.Compare(a.Name, b.Name) })
	data, err := json.MarshalIndent(records, "", "\t")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join("testdata", "record.json"), append(data, '\n'), 0o666))
	known := slices.DeleteFunc(slices.Clone(incidents.All), func(c incidents.Incident) bool {
		return !slices.ContainsFunc(records, func(r ledger.IncidentRecord) bool { return r.Name == c.Name })
	})
	require.NoError(t, os.WriteFile(page, []byte(table(t, known, records)), 0o666))
}

// current reports whether what is on record of an incident is of this code, and of what
// its catalogue says.
func current(t *testing.T, c *incidents.Incident, rec *ledger.IncidentRecord) bool {
	t.Helper()
	if rec.Fingerprint != printed(t, c, rec) {
		return false
	}
	if c.Absent != "" {
		return true
	}
	tr, err := incidents.Runs.Open(c.Name)
	return err == nil && slices.Equal(told(t, c), sayings(tr))
}

// told returns what a recorded run of an incident has to say.
func told(t *testing.T, c *incidents.Incident) []string {
	t.Helper()
	in, err := setting.Parse(c.Setting)
	require.NoError(t, err)
	return []string{c.Algorithm, c.Faulty, c.Property, in.String(), c.Text}
}

// sayings returns what a run says.
func sayings(tr *trace.Trace) []string {
	return []string{tr.Algorithm, tr.Variant, tr.Property, tr.Setting.String(), tr.Story}
}

// printed returns the fingerprint of an incident's searches.
func printed(t *testing.T, c *incidents.Incident, rec *ledger.IncidentRecord) string {
	t.Helper()
	s, err := setting.Parse(c.Setting)
	require.NoError(t, err)
	at := slices.IndexFunc(incidents.Algorithms, func(a *ledger.Algorithm) bool { return a.Name == c.Algorithm })
	require.GreaterOrEqual(t, at, 0, c.Algorithm)
	a := incidents.Algorithms[at]
	of := func(variant string, states uint64) string {
		sys, _, err := lookup(c.Algorithm, variant, c.Property, s)
		require.NoError(t, err)
		text, err := a.Fingerprint(sys, states)
		require.NoError(t, err)
		return text
	}
	if c.Absent != "" {
		return of(c.Faulty, rec.States)
	}
	return of(c.Faulty, rec.States) + " " + of(c.Fixed, rec.Fixed)
}

// found searches for the run of an incident, and for one after the fix.
func found(t *testing.T, c *incidents.Incident) ledger.IncidentRecord {
	t.Helper()
	r, f := search(t, c, c.Faulty, 0)
	rec := ledger.IncidentRecord{Name: c.Name, States: r.Distinct}
	if c.Absent != "" {
		require.Equal(t, checker.Holds, f.Verdict, c.Name)
		rec.Fingerprint = printed(t, c, &rec)
		return rec
	}
	require.NotNil(t, f.Trace, "%s: %s is %v of %s", c.Name, c.Property, f.Verdict, c.Faulty)
	f.Trace.Title, f.Trace.Story = c.System+": "+c.Broke, c.Text
	rec.Steps, rec.Lasso = len(f.Trace.Steps), f.Trace.Lasso
	require.NoError(t, f.Trace.WriteFile(c.Name+".json"))
	r, f = search(t, c, c.Fixed, 0)
	require.Equal(t, checker.Holds, f.Verdict, "%s: %s of %s", c.Name, c.Property, c.Fixed)
	rec.Fixed = r.Distinct
	rec.Fingerprint = printed(t, c, &rec)
	return rec
}

// Every recorded run does what its incident says, and is as short as any. After the fix
// there is none.
func TestRecorded(t *testing.T) {
	if *update {
		t.Skip("what is embedded is not what was just written")
	}
	records, err := incidents.Records()
	require.NoError(t, err)
	for i := range incidents.All {
		c := &incidents.All[i]
		t.Run(c.Name, func(t *testing.T) {
			at := slices.IndexFunc(records, func(r ledger.IncidentRecord) bool { return r.Name == c.Name })
			require.GreaterOrEqual(t, at, 0, "it is not on record: .ci/records makes it")
			rec := &records[at]
			require.Equal(t, rec.Fingerprint, printed(t, c, rec), "it is out of date: .ci/records makes it again")
			if c.Absent == "" {
				replayed(t, c, rec)
			}
			if rec.States <= quick || *deep {
				r, f := search(t, c, c.Faulty, 0)
				assert.Equal(t, rec.States, r.Distinct)
				assert.Equal(t, c.Absent == "", f.Verdict == checker.Violated)
				if f.Trace != nil {
					assert.Len(t, f.Trace.Steps, rec.Steps)
				}
			}
			if c.Absent == "" && (rec.Fixed <= quick || *deep) {
				r, f := search(t, c, c.Fixed, 0)
				assert.Equal(t, rec.Fixed, r.Distinct)
				assert.Equal(t, checker.Holds, f.Verdict)
			}
		})
	}
}

func replayed(t *testing.T, c *incidents.Incident, rec *ledger.IncidentRecord) {
	t.Helper()
	tr, err := incidents.Runs.Open(c.Name)
	require.NoError(t, err, "it is not on record: .ci/records makes it")
	assert.Equal(t, told(t, c), sayings(tr), "it is out of date: .ci/records makes it again")
	assert.Len(t, tr.Steps, rec.Steps)
	assert.Equal(t, rec.Lasso, tr.Lasso)
	run, err := trace.Replay(tr, lookup)
	require.NoError(t, err)
	_, err = trace.Lay(tr, run)
	require.NoError(t, err)
}

// There is a file for each incident that has a run, and for nothing else.
func TestEveryRunIsAnIncident(t *testing.T) {
	if *update {
		t.Skip("what is embedded is not what was just written")
	}
	var names []string
	for i := range incidents.All {
		if incidents.All[i].Absent == "" {
			names = append(names, incidents.All[i].Name)
		}
	}
	slices.Sort(names)
	assert.Equal(t, names, incidents.Runs.Names())
}

var page = filepath.Join("..", "..", "docs", "incidents.md")

// table is the page of the documentation.
func table(t *testing.T, list []incidents.Incident, records []ledger.IncidentRecord) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Incidents\n\n" + incidents.Head(list) + "The test of package `incidents` writes this page (`-update`), executes each run again, and searches again.\n\n")
	require.NoError(t, incidents.Write(&b, list, records, "../counterexamples/incidents"))
	return b.String()
}

// The head counts the rows with a run, and whose their fixes are.
func TestHead(t *testing.T) {
	found, origins := 0, map[string]int{}
	for i := range incidents.All {
		if c := &incidents.All[i]; c.Absent == "" {
			found++
			origins[c.Origin.String()]++
		}
	}
	head := incidents.Head(incidents.All)
	assert.Contains(t, head, fmt.Sprintf("%d of the %d rows have a run", found, len(incidents.All)))
	assert.Contains(t, head, fmt.Sprintf("The other %d rows have no run", len(incidents.All)-found))
	sum := 0
	for _, origin := range []string{"merged", "proposed", "advised", "ours"} {
		assert.Positive(t, origins[origin], origin)
		assert.Contains(t, head, fmt.Sprintf("- *%s* (%d): ", origin, origins[origin]))
		sum += origins[origin]
	}
	assert.Equal(t, found, sum)
}

func TestTableDocument(t *testing.T) {
	if *update {
		t.Skip("what is embedded is not what was just written")
	}
	records, err := incidents.Records()
	require.NoError(t, err)
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, string(want), table(t, incidents.All, records), "the page is out of date: .ci/records makes it again")
	for i := range incidents.All {
		if c := &incidents.All[i]; c.Fixed != "" {
			assert.Contains(t, string(want), "breaks `"+c.Property+"` of `"+c.Algorithm+"/"+c.Faulty+"` in `"+c.Setting+
				"`. The property holds of `"+c.Algorithm+"/"+c.Fixed+"` there.", c.Name)
		}
	}
}

// bracket is that of a loop at the left of a text.
var bracket = regexp.MustCompile(`(?m)^[│╭╰]`)

// A run that somebody divided has four to six chapters, from its start on, each with a
// title and a sentence; and of a long run the text is short and has all of them.
func TestLongRunsAreTold(t *testing.T) {
	divided := 0
	for i := range incidents.All {
		c := &incidents.All[i]
		if len(c.Chapters) == 0 {
			continue
		}
		divided++
		t.Run(c.Name, func(t *testing.T) {
			tr, err := incidents.Runs.Open(c.Name)
			require.NoError(t, err)
			run, err := trace.Replay(tr, lookup)
			require.NoError(t, err)
			l, err := trace.Lay(tr, run)
			require.NoError(t, err)
			l.Chapters = c.Chapters
			assert.GreaterOrEqual(t, len(c.Chapters), 4)
			assert.LessOrEqual(t, len(c.Chapters), 6)
			var text, whole bytes.Buffer
			require.NoError(t, render.Text(&text, l, render.TextOptions{}))
			require.NoError(t, render.Text(&whole, l, render.TextOptions{Full: true}))
			words := strings.Join(strings.Fields(bracket.ReplaceAllString(text.String(), "")), " ")
			untitled := *l
			untitled.Title = ""
			var brief, page, film bytes.Buffer
			require.NoError(t, render.Text(&brief, &untitled, render.TextOptions{Width: 200}))
			require.NoError(t, render.Page(&page, &untitled, render.PageOptions{}))
			require.NoError(t, render.Animated(&film, &untitled))
			for _, told := range []string{brief.String(), page.String(), film.String()} {
				assert.True(t, strings.Contains(told, fmt.Sprintf(" is violated in %d steps", len(tr.Steps))), "a title counts steps, not rows")
			}
			first := -1
			for _, chapter := range c.Chapters {
				assert.Greater(t, chapter.First, first)
				assert.Less(t, chapter.First, len(l.Rows))
				first = chapter.First
				assert.Contains(t, words, chapter.Title)
				assert.Contains(t, words, chapter.Text)
			}
			assert.Zero(t, c.Chapters[0].First)
			assert.Less(t, 2*strings.Count(text.String(), "\n"), strings.Count(whole.String(), "\n"))
			assert.LessOrEqual(t, strings.Count(text.String(), "\n"), 80)
		})
	}
	assert.GreaterOrEqual(t, divided, 6)
}
