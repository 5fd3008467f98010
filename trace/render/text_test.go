package render_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func text(t testing.TB, l *trace.Layout, opt render.TextOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, l, opt))
	return b.Bytes()
}

func TestDiagramsOfTheRaces(t *testing.T) {
	for _, property := range []string{"uniqueness", "agreement"} {
		tr, r := heraldtest.Find(t, heraldtest.Race, property)
		l, err := trace.Lay(tr, r)
		require.NoError(t, err)
		heraldtest.Golden(t, "herald-"+property+".txt", text(t, l, render.TextOptions{}))
		heraldtest.Golden(t, "herald-"+property+"-ascii-60.txt", text(t, l, render.TextOptions{ASCII: true, Width: 60}))
		heraldtest.Golden(t, "herald-"+property+"-color-120.txt", text(t, l, render.TextOptions{Color: true, Width: 120}))
		var b bytes.Buffer
		require.NoError(t, render.Steps(&b, l))
		heraldtest.Golden(t, "herald-"+property+".steps", b.Bytes())
	}
}

// Six processes fit into 80 columns.
func TestDiagramOfMany(t *testing.T) {
	for _, n := range []int{2, 4, 5, 6, 9} {
		var actions []string
		add := func(format string, ids ...any) { actions = append(actions, fmt.Sprintf(format, ids...)) }
		if n > 2 {
			add("P%d suspects P%d", n-2, n)
			add("P%d->P%d ELECTION", n-2, n-1)
			add("P%d->P%d ELECTION is dropped", n-2, n)
			add("P%d->P%d OK", n-1, n-2)
		} else {
			add("P1 suspects P2")
		}
		add("P%d->P%d ELECTION is dropped", n-1, n)
		add("P%d times out", n-1)
		add("P%d restarts", n)
		for i := 1; i < n-1; i++ {
			add("P%d->P%d COORDINATOR", n, i)
			add("P%d->P%d COORDINATOR", n-1, i)
		}
		r := heraldtest.Script(t, fmt.Sprintf("n=%d start=coordinator-down timing=last-resort restarts=1", n), actions...)
		l := heraldtest.Lay(t, r, trace.Header{Title: fmt.Sprintf("a race of %d", n)})
		got := text(t, l, render.TextOptions{})
		heraldtest.Golden(t, fmt.Sprintf("herald-%d.txt", n), got)
		for line := range strings.Lines(string(got)) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), 80, line)
		}
	}
}

// A run in which a process pauses, and one more does to its end.
const paused = "n=3 initiators=1:lazy timing=last-resort pauses=2"

var pausedRun = []string{"P1 starts an election", "P2 pauses", "P1->P3 ELECTION", "P2 resumes", "P1->P2 ELECTION", "P1 pauses"}

// A paused process is drawn otherwise than one that is up, and the legend says so.
func TestPauses(t *testing.T) {
	l := heraldtest.Lay(t, heraldtest.Script(t, paused, pausedRun...), trace.Header{})
	assert.True(t, l.Rows[2].Cells[1].Paused)
	assert.False(t, l.Rows[2].Cells[1].Changed, "it believes what it did")
	assert.False(t, l.Rows[4].Cells[1].Paused)
	assert.Contains(t, string(text(t, l, render.TextOptions{})), "║ paused")
	assert.Contains(t, string(text(t, l, render.TextOptions{ASCII: true})), `" paused`)
	drawn := string(svg(t, l, render.SVGOptions{}))
	assert.Contains(t, drawn, "paused: its messages and timers wait")
	assert.Equal(t, 3, strings.Count(drawn, `class="band none" stroke-dasharray="4 4"`), "two pauses, and the legend")
}

// A process that has a role has it behind its name, where there is room.
func TestRoles(t *testing.T) {
	l := heraldtest.Lay(t, heraldtest.Script(t, paused, pausedRun...), trace.Header{})
	assert.Empty(t, l.Columns[0].Role, "a herald is nothing in particular")
	l.Columns[0].Role, l.Columns[1].Role, l.Columns[2].Role = "client", strings.Repeat("client ", 9), "<store>"
	got := string(text(t, l, render.TextOptions{}))
	assert.Contains(t, got, "P1 (client)   P2            P3 (<store>)")
	drawn := string(svg(t, l, render.SVGOptions{}))
	assert.Contains(t, drawn, ">P1 (client)</text>")
	assert.Contains(t, drawn, ">P2</text>")
	assert.Contains(t, drawn, ">P3 (&lt;store&gt;)</text>")
	var b strings.Builder
	require.NoError(t, render.Mermaid(&b, l))
	assert.Contains(t, b.String(), "participant p1 as P1 (client)")
	stage, err := render.Stage(l)
	require.NoError(t, err)
	assert.Contains(t, string(stage), `"roles":["client",`)
}

func TestDiagramOfFaults(t *testing.T) {
	for name, c := range map[string]struct {
		setting string
		actions []string
	}{
		"loss": {"n=3 initiators=1 timing=last-resort losses=1 duplications=1", []string{
			"P1->P2 ELECTION is duplicated", "P1->P3 ELECTION is lost", "P1->P2 ELECTION", "P2->P1 OK", "P1->P2 ELECTION",
		}},
		"cut": {"n=3 initiators=1:lazy timing=last-resort cuts=1 heals=1", []string{
			"P1 starts an election", "the network cuts off P2", "P1->P2 ELECTION is dropped", "P1->P3 ELECTION", "the network heals",
		}},
		"boot": {"n=3 start=cold:interleaved initiators=1 timing=last-resort joins=1 joiners=2", []string{
			"P3 boots", "P1 boots", "P1->P3 ELECTION", "P2 joins", "P1->P2 ELECTION",
		}},
		"mid-send": {"n=3 initiators=1:lazy timing=last-resort crashes=1 mid-send=yes", []string{
			"P1 starts an election, and crashes with send 1 out", "P1->P2 ELECTION", "P2->P3 ELECTION",
		}},
		"down-lost": {"n=3 start=settled timing=async:1 crashes=1 mail-down=lost suspicions=1", []string{
			"P1 wrongly suspects P3", "P1->P2 ELECTION", "P3 crashes", "P1 times out too early",
		}},
		"delays": {"n=2 initiators=1 timing=sync:2 restarts=1 crashes=1 mail-old=lost", []string{
			"tick", "P1->P2 ELECTION", "P2 crashes", "tick", "P2 restarts", "P2->P1 COORD",
		}},
		"pause": {paused, pausedRun},
	} {
		t.Run(name, func(t *testing.T) {
			r := heraldtest.Script(t, c.setting, c.actions...)
			heraldtest.Golden(t, "herald-"+name+".txt", text(t, heraldtest.Lay(t, r, trace.Header{Title: name}), render.TextOptions{}))
		})
	}
}

// The cycle of a lasso is bracketed.
func TestDiagramOfLasso(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	tr.Lasso = 6
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	heraldtest.Golden(t, "herald-lasso.txt", text(t, l, render.TextOptions{}))
}

// No width makes a diagram fail, and no length makes it take too long.
func TestDiagramOfAnySize(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	for width := -1; width < 300; width++ {
		require.NotEmpty(t, text(t, l, render.TextOptions{Width: width}))
	}
	require.NotEmpty(t, text(t, repeated(l, 500), render.TextOptions{}))
}

// repeated returns a layout with the same rows and messages again and again.
func repeated(l *trace.Layout, times int) *trace.Layout {
	long := *l
	for range times {
		rows, arrows := len(long.Rows)-1, len(long.Arrows)
		for _, row := range l.Rows[1:] {
			row.Step += rows
			row.Sent = shift(row.Sent, arrows)
			row.Dropped = shift(row.Dropped, arrows)
			if row.Arrow >= 0 {
				row.Arrow += arrows
			}
			long.Rows = append(long.Rows, row)
		}
		for _, a := range l.Arrows {
			a.Sent, a.End = a.Sent+rows, a.End+rows
			long.Arrows = append(long.Arrows, a)
		}
	}
	return &long
}

func shift(list []int, by int) []int {
	moved := make([]int, len(list))
	for i, k := range list {
		moved[i] = k + by
	}
	return moved
}

// On a ring a message that goes from the last process to the first crosses the
// page; on a repaired one states do not tell who sent what is in flight.
func TestDiagramOfRings(t *testing.T) {
	for name, setting := range map[string]string{
		"ring":     "n=3 topology=ring arrangement=1-3-2 initiators=3 timing=last-resort",
		"repaired": "n=4 topology=ring:repaired arrangement=1-4-2-3 initiators=2 timing=last-resort crashes=1",
	} {
		sys, err := model.New[heraldtest.RelayState, heraldtest.RelayMessage](heraldtest.Relay{}, heraldtest.Setting(t, setting))
		require.NoError(t, err)
		for seed := range uint64(20) {
			r := heraldtest.Walk(sys, seed, 20)
			l := heraldtest.Lay(t, r, trace.Header{Title: name})
			heraldtest.Accounts(t, l, r)
			if seed == 3 {
				heraldtest.Golden(t, name+".txt", text(t, l, render.TextOptions{}))
				var b bytes.Buffer
				require.NoError(t, render.Steps(&b, l))
				heraldtest.Golden(t, name+".steps", b.Bytes())
			}
		}
	}
}

// The diagram of every run stays within 80 columns.
func TestDiagramsOfRandomRuns(t *testing.T) {
	for _, setting := range heraldtest.Settings {
		t.Run(setting, func(t *testing.T) {
			sys := heraldtest.System(t, setting)
			for seed := range uint64(10) {
				r := heraldtest.Walk(sys, seed, 60)
				l := heraldtest.Lay(t, r, trace.Header{})
				for _, opt := range []render.TextOptions{{}, {ASCII: true}} {
					for line := range strings.Lines(string(text(t, l, opt))) {
						line = strings.TrimRight(line, "\n")
						require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
						require.True(t, !opt.ASCII || strings.IndexFunc(line, func(r rune) bool { return r > 126 }) < 0, line)
					}
				}
			}
		})
	}
}

// A source's names for its messages may be long, strange or much alike.
func TestDiagramOfStrangeNames(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	for old, strange := range map[string]string{
		"ELECTION":       "ÉLECTION-avec-un-nom-très-long-qui-ne-finit-pas-et-qui-ne-tient-pas-dans-la-marge",
		"COORDINATOR(3)": "{kind:COORDINATOR id:3}",
	} {
		for i := range r.Steps {
			if a := &r.Steps[i].Action; a.Message == old {
				a.Message = strange
			}
			for k := range r.Steps[i].Sent {
				if e := &r.Steps[i].Sent[k]; e.Text == old {
					e.Text, e.Kind = strange, "kind"
				}
			}
		}
		for i := range r.Snapshots {
			for k := range r.Snapshots[i].InFlight {
				if e := &r.Snapshots[i].InFlight[k]; e.Text == old {
					e.Text = strange
				}
			}
		}
	}
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	heraldtest.Golden(t, "strange.txt", text(t, l, render.TextOptions{}))
	heraldtest.Golden(t, "strange-ascii.txt", text(t, l, render.TextOptions{ASCII: true}))
}

func TestHeadings(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "takeover")
	for _, c := range []struct {
		header     trace.Header
		head, tail string
	}{
		{trace.Header{Algorithm: "a"}, "a: a run of 7 steps\n", "In the end: P2 and P3 both"},
		{trace.Header{Algorithm: "a", Variant: "v", Title: "once"}, "a/v: once\n", "In the end: P2 and P3 both"},
		{trace.Header{Algorithm: "a", Kind: trace.Witness, Property: "p"}, "a: p is reached in 7 steps\n", "p is met in step 7: P2 and P3 both"},
		{trace.Header{Algorithm: "a", Kind: trace.Violation, Property: "p"}, "a: p is violated in 7 steps\n", "p breaks in step 7: P2 and P3 both"},
	} {
		r := trace.Run{System: r.System, States: r.States[:8], Snapshots: r.Snapshots[:8], Steps: r.Steps[:7]}
		tr := trace.Trace{Header: c.header, Setting: tr.Setting, Origin: tr.Origin, Steps: tr.Steps[:7]}
		l, err := trace.Lay(&tr, &r)
		require.NoError(t, err)
		got := string(text(t, l, render.TextOptions{}))
		assert.True(t, strings.HasPrefix(got, c.head), got)
		assert.Contains(t, got, c.tail)
		var b bytes.Buffer
		require.NoError(t, render.Steps(&b, l))
		assert.Equal(t, 7, strings.Count(b.String(), "\n"))
	}
}
