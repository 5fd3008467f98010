package trace_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/trace"
)

func text(t testing.TB, l *trace.Layout, opt trace.TextOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, l.WriteText(&b, opt))
	return b.Bytes()
}

func lay(t testing.TB, r *trace.Run, h trace.Header) *trace.Layout {
	t.Helper()
	h.Algorithm = "herald"
	l, err := trace.Lay(r.Record(h), r)
	require.NoError(t, err)
	return l
}

func TestDiagramsOfTheRaces(t *testing.T) {
	for _, property := range []string{"uniqueness", "agreement"} {
		tr, r := find(t, race, property)
		l, err := trace.Lay(tr, r)
		require.NoError(t, err)
		golden(t, "herald-"+property+".txt", text(t, l, trace.TextOptions{}))
		golden(t, "herald-"+property+"-ascii-60.txt", text(t, l, trace.TextOptions{ASCII: true, Width: 60}))
		golden(t, "herald-"+property+"-color-120.txt", text(t, l, trace.TextOptions{Color: true, Width: 120}))
		var b bytes.Buffer
		require.NoError(t, l.WriteSteps(&b))
		golden(t, "herald-"+property+".steps", b.Bytes())
	}
}

// Six processes fit into 80 columns.
func TestDiagramOfMany(t *testing.T) {
	for _, n := range []int{2, 4, 5, 6, 9} {
		var actions []string
		add := func(format string, ids ...any) { actions = append(actions, fmt.Sprintf(format, ids...)) }
		if n > 2 {
			add("%d suspects %d", n-2, n)
			add("%d->%d ELECTION", n-2, n-1)
			add("%d->%d ELECTION is dropped", n-2, n)
			add("%d->%d OK", n-1, n-2)
		} else {
			add("1 suspects 2")
		}
		add("%d->%d ELECTION is dropped", n-1, n)
		add("%d times out", n-1)
		add("%d restarts", n)
		for i := 1; i < n-1; i++ {
			add("%d->%d COORDINATOR", n, i)
			add("%d->%d COORDINATOR", n-1, i)
		}
		r := script(t, fmt.Sprintf("n=%d start=coordinator-down timing=last-resort restarts=1", n), actions...)
		l := lay(t, r, trace.Header{Title: fmt.Sprintf("a race of %d", n)})
		got := text(t, l, trace.TextOptions{})
		golden(t, fmt.Sprintf("herald-%d.txt", n), got)
		for line := range strings.Lines(string(got)) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), 80, line)
		}
	}
}

func TestDiagramOfFaults(t *testing.T) {
	for name, c := range map[string]struct {
		setting string
		actions []string
	}{
		"loss": {"n=3 initiators=1 timing=last-resort losses=1 duplications=1", []string{
			"1->2 ELECTION is duplicated", "1->3 ELECTION is lost", "1->2 ELECTION", "2->1 OK", "1->2 ELECTION",
		}},
		"cut": {"n=3 initiators=1:lazy timing=last-resort cuts=1 heals=1", []string{
			"1 starts", "the network cuts off {2}", "1->2 ELECTION is dropped", "1->3 ELECTION", "the network heals",
		}},
		"boot": {"n=3 start=cold:interleaved initiators=1 timing=last-resort joins=1 joiners=2", []string{
			"3 boots", "1 boots", "1->3 ELECTION", "2 joins", "1->2 ELECTION",
		}},
		"mid-send": {"n=3 initiators=1:lazy timing=last-resort crashes=1 mid-send=yes", []string{
			"1 starts an election, and crashes with send 1 out", "1->2 ELECTION", "2->3 ELECTION",
		}},
		"down-lost": {"n=3 start=settled timing=async:1 crashes=1 mail-down=lost suspicions=1", []string{
			"1 wrongly suspects 3", "1->2 ELECTION", "3 crashes", "1 times out too early",
		}},
		"delays": {"n=2 initiators=1 timing=sync:2 restarts=1 crashes=1 mail-old=lost", []string{
			"tick", "1->2 ELECTION", "2 crashes", "tick", "2 restarts", "2->1 COORD",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := script(t, c.setting, c.actions...)
			golden(t, "herald-"+name+".txt", text(t, lay(t, r, trace.Header{Title: name}), trace.TextOptions{}))
		})
	}
}

// The cycle of a lasso is bracketed.
func TestDiagramOfLasso(t *testing.T) {
	tr, r := find(t, race, "agreement")
	tr.Lasso = 6
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	golden(t, "herald-lasso.txt", text(t, l, trace.TextOptions{}))
}

// No width makes a diagram fail, and no length makes it take for ever.
func TestDiagramOfAnySize(t *testing.T) {
	tr, r := find(t, race, "agreement")
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	for width := -1; width < 300; width++ {
		require.NotEmpty(t, text(t, l, trace.TextOptions{Width: width}))
	}
	start := time.Now()
	require.NotEmpty(t, text(t, repeated(l, 2_000), trace.TextOptions{}))
	require.Less(t, time.Since(start), time.Minute)
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
		sys, err := model.New[relayState, relayMessage](relay{}, parse(t, setting))
		require.NoError(t, err)
		for seed := range uint64(20) {
			r := walk(sys, seed, 20)
			l := lay(t, r, trace.Header{Title: name})
			accounts(t, l, r)
			if seed == 3 {
				golden(t, name+".txt", text(t, l, trace.TextOptions{}))
				var b bytes.Buffer
				require.NoError(t, l.WriteSteps(&b))
				golden(t, name+".steps", b.Bytes())
			}
		}
	}
}

// settings are of every kind that changes what a layout has to show.
var settings = []string{
	"n=3 start=settled timing=sync:2 crashes=1 restarts=1",
	"n=3 initiators=any timing=sync:1 losses=1 duplications=1",
	"n=3 initiators=any channels=fifo timing=sync:2 duplications=2",
	"n=4 start=cold:interleaved timing=async:1 crashes=2 restarts=1 channels=fifo",
	"n=3 timing=last-resort cuts=1 heals=1 joins=1",
	"n=6 start=coordinator-down timing=last-resort restarts=1",
}

// Whatever happens in a run, its layout accounts for each message, and its
// diagram stays within 80 columns.
func TestLayoutOfRandomRuns(t *testing.T) {
	for _, setting := range settings {
		t.Run(setting, func(t *testing.T) {
			sys := system(t, setting)
			for seed := range uint64(30) {
				r := walk(sys, seed, 60)
				l := lay(t, r, trace.Header{})
				accounts(t, l, r)
				texts := map[string]bool{}
				for _, tr := range r.Enabled() {
					text := trace.ActionText(tr.Action)
					require.False(t, texts[text], "two actions are %q", text)
					texts[text] = true
				}
				for _, opt := range []trace.TextOptions{{}, {ASCII: true}} {
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

// walk takes steps at random.
func walk(sys *model.System, seed uint64, steps int) *trace.Run {
	rng := rand.New(rand.NewPCG(seed, 1))
	var initial [][]byte
	for state := range sys.Initial {
		initial = append(initial, bytes.Clone(state))
	}
	r := trace.Begin(sys, initial[rng.IntN(len(initial))])
	for range steps {
		enabled := r.Enabled()
		if len(enabled) == 0 {
			break
		}
		r.Take(enabled[rng.IntN(len(enabled))])
	}
	return r
}

// accounts checks that a layout has all of a run's messages, from their sending
// to their end.
func accounts(t *testing.T, l *trace.Layout, r *trace.Run) {
	t.Helper()
	require.Len(t, l.Rows, len(r.Steps)+1)
	sent, flying := len(r.Snapshots[0].InFlight), 0
	for i := range r.Steps {
		sent += len(r.Steps[i].Sent)
		if r.Steps[i].Action.Kind == model.Duplicates {
			sent++
		}
	}
	for _, a := range l.Arrows {
		require.GreaterOrEqual(t, a.End, a.Sent)
		require.True(t, a.End > a.Sent || a.Fate == trace.Refused, a)
		switch a.Fate {
		case trace.InFlight:
			flying++
			require.Equal(t, len(l.Rows), a.End)
		case trace.Delivered:
			require.Equal(t, a.Text, l.Rows[a.End].Action.Message)
			require.Equal(t, l.Columns[a.To].ID, l.Rows[a.End].Action.Process)
		}
	}
	require.Len(t, l.Arrows, sent)
	require.Equal(t, len(r.Snapshots[len(r.Snapshots)-1].InFlight), flying)
	require.NotPanics(t, func() {
		for i := range l.Rows {
			require.NotEmpty(t, l.Tell(i))
		}
	})
}

func TestLayRefuses(t *testing.T) {
	tr, r := find(t, race, "uniqueness")
	r.Snapshots[3].InFlight = append(r.Snapshots[3].InFlight, model.Envelope{From: 1, To: 2, Port: 1, Text: "GHOST"})
	_, err := trace.Lay(tr, r)
	assert.EqualError(t, err, "trace: step 3: 1->2 GHOST is in flight, but nobody sent it")
	r.Snapshots[3].InFlight = nil
	r.Steps[1].Sent = append(r.Steps[1].Sent, r.Steps[1].Sent[0])
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "trace: step 2: ELECTION from 2 to 3 is no longer in flight, and nothing happened to it")
	r.Steps[1].Sent = nil
	r.Snapshots[2].InFlight = nil
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "trace: step 3: 2->3 ELECTION is dropped (due in 1): no such message is in flight")
	tr.Steps = tr.Steps[:1]
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "the run has 7 steps and the trace 1")
}
