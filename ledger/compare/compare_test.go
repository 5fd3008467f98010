package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/ledger/compare"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var update = flag.Bool("update", false, "write the golden files")

// upstarts are algorithms of which the polite one is right where everybody is
// told, and the others are not.
var upstarts = &ledger.Algorithm{
	Name: "upstart", Title: "Upstart", Source: "nobody, nowhere", Doc: "Whoever notices leads.",
	Assumptions: append(ledger.Said("section 1", ledger.Reliable, ledger.RightReports), ledger.Tacit(ledger.NoReturns, ledger.InOrder)...),
	Variants: []ledger.Variant{
		variant("polite", &upstart.Protocol{Polite: true}),
		variant("any", &upstart.Protocol{}),
		variant("modest", &upstart.Protocol{Modest: true}),
	},
	Mutants: []ledger.Mutant{{Name: "wild", Of: "polite", Setting: upstart.Settled(3), New: newOf(&upstart.Protocol{Wild: true})}},
	Properties: []*checker.Property{checker.Always("claimed", "Somebody leads.", func(v *model.View) bool {
		return !v.Settled || !v.Leaders.Empty()
	})},
}

func newOf(u *upstart.Protocol) func(setting.Setting) (*model.System, error) {
	return func(s setting.Setting) (*model.System, error) { return model.New(u, s) }
}

func variant(name string, u *upstart.Protocol) ledger.Variant {
	s := upstart.Settled(3)
	s.FIFO = true
	return ledger.Variant{Name: name, Doc: name, Assumes: "A complete graph.", Setting: s, New: newOf(u)}
}

func subjects(t testing.TB, names ...string) (list []compare.Subject) {
	t.Helper()
	for _, name := range names {
		s, err := compare.SubjectOf(upstarts, name)
		require.NoError(t, err)
		list = append(list, s)
	}
	return list
}

func faults(t testing.TB, texts ...string) []compare.Fault {
	t.Helper()
	list, err := compare.ParseFaults(texts...)
	require.NoError(t, err)
	return list
}

// compared is a small comparison.
func compared(t testing.TB) *compare.Comparison {
	t.Helper()
	c, err := compare.Run(t.Context(), subjects(t, "polite", "any", "modest"), compare.Options{
		Faults: faults(t, "none; crashes=1; losses=1"), N: []int{2, 3},
		Also: []compare.Also{{Name: "name", Doc: "How long is its name?", Ask: func(_ context.Context, s *compare.Subject, n int) (compare.Reply, error) {
			if s.Variant == "any" {
				return compare.Reply{}, errors.New("not today")
			}
			return compare.Reply{Text: strings.Repeat("*", len(s.Variant)), Verdict: checker.Holds}, nil
		}}},
	})
	require.NoError(t, err)
	return c
}

// Each cell is what a check of the same finds.
func TestCellsAreWhatChecksFind(t *testing.T) {
	c := compared(t)
	require.Len(t, c.Trials, 3*2*3)
	for i := range c.Trials {
		trial := &c.Trials[i]
		s := subjects(t, strings.TrimPrefix(trial.Subject, "upstart/"))[0]
		sys, err := s.In(trial.Setting)
		require.NoError(t, err)
		r, err := checker.Check(t.Context(), sys, checker.Options{Exhaustive: true, Properties: checker.InSetting(upstarts.Questions(), trial.Setting)})
		require.NoError(t, err)
		assert.Equal(t, r.Distinct, trial.States)
		require.Len(t, trial.Cells, len(r.Findings))
		for j := range r.Findings {
			f, cell := &r.Findings[j], &trial.Cells[j]
			assert.Equal(t, f.Property.Name, cell.Property)
			assert.Equal(t, f.Verdict, cell.Verdict, "%s of %s in %s", cell.Property, trial.Subject, trial.Setting)
			assert.False(t, cell.Foreign)
			if f.Trace != nil {
				require.NotNil(t, cell.Shown)
				assert.Len(t, cell.Shown.Trace.Steps, len(f.Trace.Steps))
			}
		}
	}
}

func TestSettings(t *testing.T) {
	s := subjects(t, "polite")[0]
	for _, c := range []struct{ words, want string }{
		{"", "n=3 start=coordinator-down channels=fifo timing=sync:1"},
		{"losses=1", "n=3 start=coordinator-down channels=fifo losses=1 timing=sync:1"},
		{"crashes=1 restarts=1", "n=3 start=settled channels=fifo timing=sync:1 crashes=1 restarts=1"},
		{"joins=1", "n=3 start=settled channels=fifo timing=sync:1 joins=1"},
		{"timing=async:1", "n=3 start=coordinator-down channels=fifo timing=async:1"},
	} {
		got, err := s.Under(compare.Fault{Words: c.words}, 3)
		require.NoError(t, err)
		assert.Equal(t, c.want, got.String(), c.words)
	}
	_, err := s.Under(compare.Fault{Words: "joins=3"}, 3)
	assert.ErrorContains(t, err, "joins=3 with n=3")
}

func TestParseFaults(t *testing.T) {
	list, err := compare.ParseFaults("crashes=1  restarts=1; none", "crashes=2")
	require.NoError(t, err)
	assert.Equal(t, []compare.Fault{
		{Name: "a crash and a restart", Words: "crashes=1 restarts=1"}, {Name: "an election"}, {Name: "crashes=2", Words: "crashes=2"},
	}, list)
	usual := compare.Usual()
	var texts []string
	for _, f := range usual {
		texts = append(texts, f.Words)
	}
	again, err := compare.ParseFaults(strings.Join(texts, ";"))
	require.NoError(t, err)
	assert.Equal(t, usual, again)
	for _, c := range []struct{ text, want string }{
		{"crashs=1", `setting has no word "crashs"`},
		{"n=4", "n is no fault: want -n"},
		{"topology=ring", "topology is what an algorithm needs"},
		{"losses=1;losses=1", `"a lost message" is there twice`},
		{"losses=x", "losses=x"},
	} {
		_, err := compare.ParseFaults(c.text)
		assert.ErrorContains(t, err, c.want, c.text)
	}
	_, err = compare.ParseFaults()
	assert.ErrorContains(t, err, "want from 1 to 64")
}

func FuzzParseFaults(f *testing.F) {
	f.Add("crashes=1 restarts=1; none")
	f.Add(";;n=3")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := compare.ParseFaults(text)
		if err != nil {
			return
		}
		again := ""
		for i, fault := range list {
			if i > 0 {
				again += ";"
			}
			again += fault.Words
		}
		same, err := compare.ParseFaults(again)
		require.NoError(t, err)
		assert.Equal(t, list, same)
	})
}

func TestBadOptions(t *testing.T) {
	polite := subjects(t, "polite")
	for _, c := range []struct {
		subjects []compare.Subject
		opt      compare.Options
		want     string
	}{
		{nil, compare.Options{}, "nothing to compare"},
		{append(polite, polite...), compare.Options{}, "upstart/polite is compared with itself"},
		{[]compare.Subject{{Algorithm: "x"}}, compare.Options{}, `subject "x": there is no In function`},
		{polite, compare.Options{N: []int{1}}, "n=1: want numbers from 2 to 16"},
		{polite, compare.Options{N: []int{3, 3}}, "n=3 comes after n=3"},
		{polite, compare.Options{Faults: []compare.Fault{}}, "0 faults"},
		{polite, compare.Options{Faults: []compare.Fault{{Name: "x"}, {Name: "x", Words: "losses=1"}}}, `"x" is there twice`},
	} {
		_, err := compare.Run(t.Context(), c.subjects, c.opt)
		assert.ErrorContains(t, err, c.want)
	}
	_, err := compare.SubjectOf(upstarts, "pollite")
	assert.ErrorContains(t, err, "did you mean polite?")
}

// A property that one violates and the first keeps is a break, and nothing else is.
func TestBreaks(t *testing.T) {
	c := compared(t)
	breaks := c.Breaks()
	require.NotEmpty(t, breaks)
	count := 0
	for i := range c.Trials {
		trial := &c.Trials[i]
		for j := range trial.Cells {
			first := c.Trial("upstart/polite", trial.Fault, trial.N).Cell(trial.Cells[j].Property)
			if trial.Cells[j].Verdict == checker.Violated && first.Verdict == checker.Holds {
				count++
			}
		}
	}
	assert.Len(t, breaks, count)
	for _, b := range breaks {
		assert.NotEqual(t, "upstart/polite", b.Subject)
		assert.Equal(t, b.Fault.Words == "losses=1", b.Outside)
	}
	assert.False(t, c.Undecided())
}

// Without a premise breaks exactly what a check finds violated in that setting
// and not with all premises.
func TestPremises(t *testing.T) {
	c, err := compare.Run(t.Context(), subjects(t, "polite"), compare.Options{Faults: faults(t, "none")})
	require.NoError(t, err)
	require.Len(t, c.Premises, 4)
	for i := range c.Premises {
		w := &c.Premises[i]
		assert.Equal(t, "n=3 start=settled channels=fifo timing=sync:1 crashes=1", w.Before.Setting.String())
		assert.False(t, w.Assumption.Premise.HoldsIn(w.Trial.Setting))
		assert.Equal(t, 3, w.Trial.N)
		for _, cell := range w.Broken() {
			assert.NotEqual(t, checker.Violated, w.Before.Cell(cell.Property).Verdict)
			sys, err := subjects(t, "polite")[0].In(w.Trial.Setting)
			require.NoError(t, err)
			p, err := upstarts.Property(cell.Property)
			require.NoError(t, err)
			r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{p}})
			require.NoError(t, err)
			assert.Equal(t, checker.Violated, r.Findings[0].Verdict, cell.Property)
		}
	}
	var broken []string
	for _, cell := range c.Premises[0].Broken() {
		broken = append(broken, cell.Property)
	}
	assert.Contains(t, broken, "agreement", "a lost claim is not said again")
}

// A limit leaves cells incomplete, and the comparison comes nevertheless.
func TestLimits(t *testing.T) {
	c, err := compare.Run(t.Context(), subjects(t, "polite", "any"), compare.Options{
		Faults: faults(t, "crashes=1"), Check: checker.Options{MaxStates: 5, Workers: 1},
	})
	require.NoError(t, err)
	assert.True(t, c.Undecided())
	assert.NotEmpty(t, c.Trials[0].Why)
	assert.NotEmpty(t, c.Costs[0].Why)
	assert.NotEmpty(t, c.Differences[0].Why)
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, render.TextOptions{}, false))
	assert.Contains(t, b.String(), "incomplete")
	assert.Contains(t, b.String(), "the search ended at the limit of 5 states")
	// A depth is visited whole, and the note has the number that the table has.
	require.Greater(t, c.Trials[0].States, uint64(5))
	assert.Contains(t, b.String(), fmt.Sprintf("limit of 5 states, with the whole of its last depth: %d\n", c.Trials[0].States))
	assert.Regexp(t, fmt.Sprintf(`states +%d\+`, c.Trials[0].States), b.String())
}

// The verdicts of an interrupted comparison stay.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	s := subjects(t, "polite", "any")
	in := s[1].In
	s[1].In = func(set setting.Setting) (*model.System, error) {
		if seen++; seen == 1 {
			cancel()
		}
		return in(set)
	}
	c, err := compare.Run(ctx, s, compare.Options{Faults: faults(t, "crashes=1;none")})
	require.NoError(t, err)
	assert.True(t, c.Interrupted)
	assert.True(t, c.Undecided())
	assert.Equal(t, checker.Holds, c.Trials[0].Cell("agreement").Verdict)
	last := c.Trials[len(c.Trials)-1]
	assert.Equal(t, checker.Incomplete, last.Cell("agreement").Verdict)
	assert.Equal(t, "interrupted before it began", last.Why)
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, render.TextOptions{}, false))
	assert.Contains(t, b.String(), "Interrupted: cells that had not begun by then are incomplete.")
	require.NoError(t, c.WritePage(&b))
	require.NoError(t, c.WriteMarkdown(&b))
}

func TestProgressNamesWhatIsLookedAt(t *testing.T) {
	var heads []string
	_, err := compare.Run(t.Context(), subjects(t, "polite"), compare.Options{
		Faults: faults(t, "crashes=1"), Check: checker.Options{ProgressEvery: 1},
		Progress: func(what string, _ explore.Progress) { heads = append(heads, what) },
	})
	require.NoError(t, err)
	assert.Contains(t, heads, "upstart/polite, a crash, n=3")
}

// A mutant is a subject, and misuse a row.
func TestMisuse(t *testing.T) {
	c, err := compare.Run(t.Context(), subjects(t, "polite", "wild"), compare.Options{Faults: faults(t, "crashes=1")})
	require.NoError(t, err)
	cell := c.Trial("upstart/wild", c.Faults[0], 3).Cell("misuse")
	require.NotNil(t, cell)
	assert.Equal(t, checker.Violated, cell.Verdict)
	var b bytes.Buffer
	require.NoError(t, c.WriteText(&b, render.TextOptions{}, true))
	assert.Regexp(t, `misuse +- +broken`, b.String())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got), "%s is not as recorded: go test ./ledger/compare -update writes it, git diff shows it", file)
}

func TestWriters(t *testing.T) {
	c := compared(t)
	var text, marked bytes.Buffer
	require.NoError(t, c.WriteText(&text, render.TextOptions{}, false))
	golden(t, "compare.txt", text.Bytes())
	for _, line := range strings.Split(text.String(), "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80, line)
	}
	require.NoError(t, c.WriteMarkdown(&marked))
	golden(t, "compare.md", marked.Bytes())
	for _, line := range strings.Split(marked.String(), "\n") {
		assert.False(t, strings.HasPrefix(line, "|") && !strings.HasSuffix(line, "|"), line)
	}
	data, err := json.Marshal(c)
	require.NoError(t, err)
	var o struct {
		Schema int
		Trials []struct {
			Subject, Fault, Setting string
			Cells                   []struct{ Property, Verdict string }
		}
	}
	require.NoError(t, json.Unmarshal(data, &o))
	assert.Equal(t, compare.Schema, o.Schema)
	require.Len(t, o.Trials, len(c.Trials))
	for i, trial := range o.Trials {
		assert.Equal(t, c.Trials[i].Setting.String(), trial.Setting)
		assert.Equal(t, c.Trials[i].Fault.Name, trial.Fault)
		require.Len(t, trial.Cells, len(c.Trials[i].Cells))
		for j, cell := range trial.Cells {
			assert.Equal(t, c.Trials[i].Cells[j].Verdict.String(), cell.Verdict)
		}
	}
}

// A directory has the three files, and every link leads to a file. Its traces
// replay.
func TestDirectory(t *testing.T) {
	c := compared(t)
	dir := filepath.Join(t.TempDir(), "new", "one")
	page, err := c.WriteDir(dir)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "index.html"), page)
	links := 0
	for _, file := range []struct{ name, before, after string }{
		{"index.html", `href="runs/`, `"`}, {"compare.md", `](runs/`, `)`}, {"compare.json", `"page": "runs/`, `"`},
	} {
		data, err := os.ReadFile(filepath.Join(dir, file.name))
		require.NoError(t, err)
		for _, part := range strings.Split(string(data), file.before)[1:] {
			name, _, _ := strings.Cut(part, file.after)
			assert.FileExists(t, filepath.Join(dir, "runs", filepath.FromSlash(name)), file.name)
			links++
		}
	}
	assert.Greater(t, links, 30)
	traces, err := filepath.Glob(filepath.Join(dir, "runs", "*.json"))
	require.NoError(t, err)
	for _, name := range traces {
		run, err := trace.Load(name)
		require.NoError(t, err, name)
		_, err = trace.Replay(run, func(a, v, p string, s setting.Setting) (*model.System, model.Watch, error) {
			return ledger.Lookup([]*ledger.Algorithm{upstarts}, a, v, p, s)
		})
		assert.NoError(t, err, name)
	}
	_, err = c.WriteDir(page)
	assert.Error(t, err, "a file is no directory")
}

// A page has each id once, however many runs it draws, and links to where it is
// told.
func TestPageIDs(t *testing.T) {
	c := compared(t)
	require.NotEmpty(t, c.Differences)
	c.Title, c.Site = "Side by side", &render.Site{Name: "Home", Home: "../index.html"}
	c.Of = func(algorithm string) string { return "../" + algorithm + ".html" }
	var b bytes.Buffer
	require.NoError(t, c.WritePage(&b))
	ids := make(map[string]int)
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(b.String(), -1) {
		ids[m[1]]++
	}
	for id, times := range ids {
		assert.Equal(t, 1, times, id)
	}
	for _, want := range []string{"<h1>Side by side</h1>", `<a class="brand" href="../index.html">Home</a>`, `<a href="../upstart.html">upstart</a>`} {
		assert.Contains(t, b.String(), want)
	}
}

// A page says first what is compared, then how much is kept; each figure is explained
// beside the table, and the rest is folded. No row is empty of answers.
func TestPageTells(t *testing.T) {
	c := compared(t)
	c.Glossary = "words.html"
	var b bytes.Buffer
	require.NoError(t, c.WritePage(&b))
	page := b.String()
	before := 0
	for _, want := range []string{
		"3 algorithms among 2 and 3 processes", "What holds under each fault", "1 of 11 break</td>", `<td class="none">10 of 11 hold <small>1 vacuous</small></td>`, `href="words.html#vacuous"`,
		`<details class="part" id="fault-1"><summary><h2>No fault</h2>`, "Properties that upstart/polite keeps and others break",
	} {
		at := strings.Index(page[before:], want)
		require.GreaterOrEqual(t, at, 0, want)
		before += at
	}
	assert.Contains(t, page, `<a href="#in-fault-3">A lost message</a>`)
	assert.Contains(t, page, `<div id="in-fault-3">`)
	assert.Regexp(t, `<td class="bad" title="[^"]+">\d+ steps, n=3`, page)
	assert.Regexp(t, `<small>2 processes; [^<=]+: n=2 `, page)
	for _, row := range regexp.MustCompile(`<tr><th scope="row".*</tr>`).FindAllString(page, -1) {
		assert.Regexp(t, `<td[^>]*>(<a |<span )?[^–<]`, row)
	}
	assert.NotContains(t, page, "breaks 1/")
	assert.LessOrEqual(t, strings.Count(page, "<svg "), 6)
}

// A question that cannot be asked is told once, and not in a row of dashes.
func TestPageOfWhatIsNotApplicable(t *testing.T) {
	ring, err := compare.SubjectOf(changroberts.Algorithm, "")
	require.NoError(t, err)
	repaired := ring
	repaired.Variant = "repaired"
	repaired.Setting, err = ring.Setting.With("topology=ring:repaired")
	require.NoError(t, err)
	c, err := compare.Run(t.Context(), []compare.Subject{ring, repaired}, compare.Options{Faults: faults(t, "cuts=1")})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, c.WritePage(&b))
	assert.Contains(t, b.String(), "changroberts/repaired is not applicable: cuts=1 on a repaired ring: a message there does not name its sender, so a cut has no meaning</li>")
	_, part, _ := strings.Cut(b.String(), `id="in-fault-1"`)
	part, _, _ = strings.Cut(part, "</details>")
	assert.Equal(t, 1, strings.Count(part, `<th scope="row"`))
}
