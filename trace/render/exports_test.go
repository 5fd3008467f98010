package render_test

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/exporttest"
	"bullyproof/internal/test/heraldtest"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func itf(t testing.TB, l *trace.Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.ITF(&b, l))
	return b.Bytes()
}

func shiviz(t testing.TB, l *trace.Layout) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.ShiViz(&b, l))
	return b.String()
}

func TestExportGoldens(t *testing.T) {
	heraldtest.Golden(t, "herald-agreement.itf.json", itf(t, sample(t, "agreement")))
	heraldtest.Golden(t, "herald-agreement.shiviz.log", []byte(shiviz(t, sample(t, "agreement"))))
}

// The run is read back as it is.
func TestITF(t *testing.T) {
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			got, err := exporttest.ReadITF(itf(t, l))
			require.NoError(t, err)
			require.Equal(t, len(l.Rows), len(got.States))
			for i, state := range got.States {
				r := &l.Rows[i]
				processes := state["processes"].(map[any]any)
				require.Equal(t, len(l.Columns), len(processes))
				for k, c := range r.Cells {
					p := processes[int(l.Columns[k].ID)].(map[any]any)
					assert.Equal(t, c.Status.String(), p["status"])
					assert.Equal(t, int(c.Elected), p["elected"])
					assert.Equal(t, c.Participant, p["participant"])
					fields := map[any]any{}
					for _, f := range r.State.Processes[k].Fields {
						fields[f.Name] = f.Value
					}
					assert.Equal(t, fields, p["state"])
					assert.Equal(t, len(r.State.Processes[k].Timers), len(p["timers"].(map[any]any)))
				}
				assert.Equal(t, len(r.State.InFlight), len(state["inFlight"].([]any)))
				assert.Equal(t, r.State.Side.Len(), len(state["cut"].([]any)))
				assert.Equal(t, r.State.Settled, state["settled"])
				if i > 0 {
					assert.Equal(t, r.Action.Kind.String(), state["action"].(map[any]any)["kind"])
				}
			}
			if l.Lasso > 0 {
				assert.Equal(t, l.Lasso, got.Loop)
			} else {
				assert.Equal(t, -1, got.Loop)
			}
		})
	}
}

// One event's clock is below another's exactly if the layout says that it
// happened before it.
func TestShiVizClocks(t *testing.T) {
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			events, err := exporttest.ReadShiViz(shiviz(t, l))
			require.NoError(t, err)
			hosts := map[string]bool{}
			for _, e := range events {
				hosts[e.Host] = true
			}
			before := happensBefore(l, events)
			for i, e := range events {
				for k, f := range events {
					assert.Equal(t, before[[2]int{i, k}], below(e.Clock, f.Clock), "%v and %v", e, f)
				}
			}
			assert.LessOrEqual(t, len(hosts), len(l.Columns))
		})
	}
}

// below reports whether each entry of a is at most that of b, and one is less.
func below(a, b map[string]int) bool {
	for host, n := range a {
		if n > b[host] {
			return false
		}
	}
	return !maps.Equal(a, b)
}

// happensBefore returns the pairs of events of which the first happened before
// the second: at one process, by a message, or by both in turn.
func happensBefore(l *trace.Layout, events []exporttest.Event) map[[2]int]bool {
	before := map[[2]int]bool{}
	at := func(step int, column int) int {
		return slices.IndexFunc(events, func(e exporttest.Event) bool {
			return e.Step == step && e.Host == l.Columns[column].ID.Name()
		})
	}
	for i, e := range events {
		for k, f := range events[i+1:] {
			if e.Host == f.Host {
				before[[2]int{i, i + 1 + k}] = true
			}
		}
	}
	for k := range l.Arrows {
		a := &l.Arrows[k]
		if a.Fate != trace.Delivered {
			continue
		}
		origin := a
		for origin.Copy { // what it is a copy of was sent before
			origin = originOf(l, origin)
		}
		if from := at(origin.Sent, a.From); from >= 0 {
			before[[2]int{from, at(a.End, a.To)}] = true
		}
	}
	for m := range events {
		for i := range events {
			for k := range events {
				if before[[2]int{i, m}] && before[[2]int{m, k}] {
					before[[2]int{i, k}] = true
				}
			}
		}
	}
	return before
}

// originOf returns the message that a copy repeats: the one that goes the same
// way and was in flight when the copy was made.
func originOf(l *trace.Layout, a *trace.Arrow) *trace.Arrow {
	return &l.Arrows[slices.IndexFunc(l.Arrows, func(b trace.Arrow) bool {
		return b.From == a.From && b.To == a.To && b.Port == a.Port && b.Text == a.Text && b.Sent < a.Sent && b.End >= a.Sent
	})]
}

// Each rendering holds any text as text, and stays valid.
func FuzzTexts(f *testing.F) {
	f.Add(hostile)
	f.Add("end")
	f.Add("a\x00b\u202e\xff\n]]>\u2028 \U0001f600 漢字 ﷽")
	f.Add(strings.Repeat("x", 500))
	f.Add("#59; &#59; %% --> {\"p1\":1}")
	base := hostileLayout(f)
	scripts := bytes.Count(svg(f, base, render.SVGOptions{}), []byte("<script"))
	line := regexp.MustCompile(`^ *(sequenceDiagram|title .*|accDescr: .*|participant p\d as .*|Note over p\d(,p\d)?: .*|p\d-(>>|x|-\))p\d: .*|loop .*|rect .*|end)\n$`)
	ends := regexp.MustCompile(`(?i)\bend\b`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 { // time goes with length, and nothing else does
			return
		}
		shallow := *base
		l := &shallow
		l.Arrows, l.Rules = slices.Clone(l.Arrows), slices.Clone(l.Rules)
		l.Title, l.Story, l.Verdict, l.Property, l.Demand = text, text, text, text, text
		for i := range l.Arrows {
			l.Arrows[i].Kind, l.Arrows[i].Text = text, text
		}
		for i := range l.Rules {
			l.Rules[i] = trace.Rule{Name: text, Tag: text, Text: text}
		}
		drawing := svg(t, l, render.SVGOptions{})
		wellFormed(t, drawing)
		assert.Equal(t, scripts, bytes.Count(drawing, []byte("<script")))
		html := string(page(t, l))
		assert.Equal(t, 2, strings.Count(html, "<script"))
		assert.Equal(t, len(l.Rows), strings.Count(html, "<article "))
		_, err := exporttest.ReadITF(itf(t, l))
		assert.NoError(t, err)
		_, err = exporttest.ReadShiViz(shiviz(t, l))
		assert.NoError(t, err)
		for got := range strings.Lines(mermaid(t, l)) {
			assert.Regexp(t, line, got)
			_, words, _ := strings.Cut(got, ": ")
			assert.NotRegexp(t, ends, words)
		}
	})
}
