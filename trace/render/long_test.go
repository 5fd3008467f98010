package render_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// longRun returns a run of so many steps: a recorded one, whose loop goes round and round.
func longRun(t *testing.T, name string, steps int) *trace.Trace {
	t.Helper()
	recorded, err := counterexamples.All.Open(name)
	require.NoError(t, err)
	require.Positive(t, recorded.Lasso, "a run without end")
	run := *recorded
	run.Kind, run.Property, run.Lasso = trace.Plain, "", 0
	for len(run.Steps) < steps {
		run.Steps = append(run.Steps, recorded.Steps[recorded.Lasso-1:]...)
	}
	run.Steps = run.Steps[:steps]
	return &run
}

// A stage of a long run's way from its file to a drawing.
type longStage struct {
	name string
	do   func() error
}

// longStages are all there are, in the order in which they are made.
func longStages(run *trace.Trace) []longStage {
	var data []byte
	var again *trace.Run
	var l *trace.Layout
	find := func(a, v, p string, s setting.Setting) (*model.System, model.Watch, error) {
		return ledger.Lookup(algorithms.All, a, v, p, s)
	}
	draw := func(f func(io.Writer, *trace.Layout) error) func() error {
		return func() error { return f(io.Discard, l) }
	}
	return []longStage{
		{"encode", func() (err error) { data, err = run.Encode(); return err }},
		{"decode", func() (err error) { run, err = trace.Decode(data); return err }},
		{"replay", func() (err error) { again, err = trace.Replay(run, find); return err }},
		{"lay", func() (err error) { l, err = trace.Lay(run, again); return err }},
		{"text", draw(func(w io.Writer, l *trace.Layout) error { return render.Text(w, l, render.TextOptions{}) })},
		{"wide text", draw(func(w io.Writer, l *trace.Layout) error { return render.Text(w, l, render.TextOptions{Width: 200}) })},
		{"steps", draw(render.Steps)},
		{"svg", draw(func(w io.Writer, l *trace.Layout) error { return render.SVG(w, l, render.SVGOptions{}) })},
		{"html", draw(func(w io.Writer, l *trace.Layout) error { return render.Page(w, l, render.PageOptions{}) })},
		{"mermaid", draw(render.Mermaid)},
		{"itf", draw(render.ITF)},
		{"shiviz", draw(render.ShiViz)},
	}
}

// A run that is told in parts has a text of sixty lines at most, or one of which nothing but
// faults, choices and changes of who leads is drawn; and no line is wider than what is asked for.
// Its page has a place for each of its chapters.
func TestTextOfLongRuns(t *testing.T) {
	print := func(l *trace.Layout, opt render.TextOptions) string {
		var b bytes.Buffer
		require.NoError(t, render.Text(&b, l, opt))
		return b.String()
	}
	parts, longer := 0, 0
	for runs, catalogue := range map[*trace.Collection][]*ledger.Algorithm{&counterexamples.All: algorithms.All, &incidents.Runs: incidents.Algorithms} {
		for _, name := range runs.Names() {
			l := recorded(t, runs, catalogue, name)
			at := slices.IndexFunc(incidents.All, func(c incidents.Incident) bool { return c.Name == name })
			if at >= 0 {
				l.Chapters = incidents.All[at].Chapters
			}
			least := trace.ToldShort(l, func(*trace.Layout) bool { return false })
			if least == l {
				continue
			}
			parts++
			text := print(l, render.TextOptions{})
			if lines := strings.Count(text, "\n"); lines > 60 {
				longer++
				assert.Equal(t, print(least, render.TextOptions{}), text, name)
				assert.LessOrEqual(t, lines, 80, name)
			}
			var page strings.Builder
			require.NoError(t, render.Page(&page, l, render.PageOptions{}))
			for _, c := range trace.Told(l).Chapters {
				assert.Contains(t, page.String(), fmt.Sprintf(`id="step-%d"`, c.First), "%s: other pages lead to where %q begins", name, c.Title)
			}
			for _, opt := range []render.TextOptions{{Width: 76, ASCII: true}, {Width: 80}, {Width: 200}} {
				for line := range strings.Lines(print(l, opt)) {
					assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(line)), opt.Width, "%s: %s", name, line)
				}
			}
		}
	}
	assert.Greater(t, parts, 20)
	assert.Less(t, longer, 6)
}

// recorded lays a recorded run out.
func recorded(t *testing.T, runs *trace.Collection, catalogue []*ledger.Algorithm, name string) *trace.Layout {
	t.Helper()
	tr, err := runs.Open(name)
	require.NoError(t, err)
	run, err := trace.Replay(tr, func(a, v, p string, s setting.Setting) (*model.System, model.Watch, error) {
		return ledger.Lookup(catalogue, a, v, p, s)
	})
	require.NoError(t, err, name)
	l, err := trace.Lay(tr, run)
	require.NoError(t, err, name)
	return l
}

// Twice the steps are twice the work, of memory that is asked for; and with -deep, runs
// as long as a file takes are read, executed and drawn in each form, which nobody
// would see the end of if the work grew with the square.
func TestLongRuns(t *testing.T) {
	looked := 0
	for name, most := range map[string]int{
		"bully-retries-for-ever":     37_000,         // many messages, 16 MiB
		"garciamolina-content-alone": trace.MaxSteps, // ticks, most of them
	} {
		n := 500
		asked := map[string][]uint64{}
		for _, steps := range []int{n, 2 * n} {
			for _, stage := range longStages(longRun(t, name, steps)) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				require.NoError(t, stage.do(), "%s: %s", name, stage.name)
				runtime.ReadMemStats(&after)
				asked[stage.name] = append(asked[stage.name], after.TotalAlloc-before.TotalAlloc)
			}
		}
		for stage, bytes := range asked {
			assert.Less(t, bytes[1], 3*bytes[0]+1<<16, "%s, %s: %d bytes of %d steps, %d of %d", name, stage, bytes[0], n, bytes[1], 2*n)
			looked++
		}
		if !*deep {
			continue
		}
		for _, stage := range longStages(longRun(t, name, most)) {
			require.NoError(t, stage.do(), "%s: %s", name, stage.name)
			looked++
		}
	}
	t.Logf("%d stages", looked)
}
