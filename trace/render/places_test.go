package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/exporttest"
	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// renamed gives the messages of a layout other kinds, and texts with a number.
func renamed(l *trace.Layout, kinds map[string]string) *trace.Layout {
	for i := range l.Arrows {
		a := &l.Arrows[i]
		a.Kind = kinds[a.Kind]
		a.Text = a.Kind + "(4)"
	}
	return l
}

// Kinds that begin alike are told apart by their last letters, and what a
// message carries stays in sight.
func TestShortNames(t *testing.T) {
	for _, c := range []struct {
		kinds map[string]string
		want  []string
	}{
		{map[string]string{"ELECTION": "election", "OK": "elected", "COORDINATOR": "elects"}, []string{"'n(4)", "'s(4)"}},
		{map[string]string{"ELECTION": "question", "OK": "answer", "COORDINATOR": "announcement"}, []string{"ques", "ann"}},
	} {
		r := heraldtest.Script(t, "n=4 start=coordinator-down timing=last-resort restarts=1", "P2 suspects P4", "P2->P3 ELECTION", "P2->P4 ELECTION is dropped",
			"P3->P2 OK", "P3->P4 ELECTION is dropped", "P3 times out (answer)", "P3->P1 COORDINATOR(3)", "P3->P2 COORDINATOR(3)")
		got := string(text(t, renamed(heraldtest.Lay(t, r, trace.Header{}), c.kinds), render.TextOptions{}))
		diagram, _, _ := strings.Cut(got, "In the end")
		for _, want := range c.want {
			assert.Contains(t, diagram, want)
		}
		for line := range strings.Lines(diagram) {
			assert.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 80)
		}
		assert.NotContains(t, diagram, "…")
	}
}

// The bracket of a lasso is whole, whatever stands beside it.
func TestLassoBesideLongNumbers(t *testing.T) {
	l := sample(t, "agreement")
	for l.Rows[len(l.Rows)-1].Step < 120 {
		l = repeated(l, 2)
	}
	l.Kind, l.Breaks, l.Lasso = trace.Violation, -1, 3
	var bracket []string
	inside := false
	for line := range strings.Lines(string(text(t, l, render.TextOptions{}))) {
		first := []rune(line)[0]
		inside = inside || first == '╭'
		if inside {
			bracket = append(bracket, string(first))
		}
		inside = inside && first != '╰'
	}
	require.Greater(t, len(bracket), 100)
	assert.Equal(t, "╭"+strings.Repeat("│", len(bracket)-2)+"╰", strings.Join(bracket, ""))
}

// Messages both ways round a ring to one process are told as such, and
// messages lost together are told together.
func TestBothWays(t *testing.T) {
	l := sample(t, "uniqueness")
	row := &l.Rows[1]
	row.At, row.Action.Process = 0, l.Columns[0].ID
	first := len(l.Arrows)
	l.Arrows = append(l.Arrows,
		trace.Arrow{From: 0, To: 1, Port: model.Next, Kind: "M", Text: "M", Sent: 1, End: 3, Fate: trace.Delivered},
		trace.Arrow{From: 0, To: 1, Port: model.Prev, Kind: "M", Text: "M", Sent: 1, End: 4, Fate: trace.Delivered},
		trace.Arrow{From: 0, To: 1, Port: model.Next, Kind: "N", Text: "N", Sent: 1, End: 4, Fate: trace.Discarded},
		trace.Arrow{From: 2, To: 1, Port: model.Next, Kind: "N", Text: "N", Sent: 1, End: 4, Fate: trace.Discarded})
	row.Sent = []int{first, first + 1}
	assert.Contains(t, l.Tell(1), `sends "M" to P2 both ways (step 3, step 4)`)
	l.Arrows[first+1].End = 3
	assert.Contains(t, l.Tell(1), `sends "M" to P2 both ways (step 3)`)
	row.Dropped = []int{first, first + 2, first + 3}
	assert.Contains(t, l.Tell(1), `Lost with it: "M" and "N" from P1 to P2; "N" from P3 to P2.`)
}

// A reader learns what the property demands, in every rendering that has words.
func TestDemand(t *testing.T) {
	l := sample(t, "uniqueness")
	for _, got := range []string{string(text(t, l, render.TextOptions{})), string(svg(t, l, render.SVGOptions{})), string(page(t, l)), string(itf(t, l))} {
		assert.NotContains(t, got, "uniqueness: ")
	}
	l.Demand = "There are no two."
	for _, got := range []string{string(text(t, l, render.TextOptions{})), string(svg(t, l, render.SVGOptions{})), string(page(t, l)), string(itf(t, l)),
		exporttest.Decode(mermaid(t, l))} {
		assert.Contains(t, got, "uniqueness: There are no two.")
	}
}

// The demand comes with a run that is executed again.
func TestReplayKnowsTheDemand(t *testing.T) {
	tr, _ := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	asked := func(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, watch, err := heraldtest.Lookup(algorithm, variant, property, s)
		watch.Demand = "There are no two."
		return sys, watch, err
	}
	r, err := trace.Replay(tr, asked)
	require.NoError(t, err)
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	assert.Equal(t, "There are no two.", l.Demand)
}

// A process that is down is not told to hold the state that it has lost.
func TestPageOfAProcessThatIsDown(t *testing.T) {
	got := string(page(t, sample(t, "agreement")))
	_, rest, _ := strings.Cut(got, `id="step-1"`)
	_, rest, _ = strings.Cut(rest, `aria-label="P3"`)
	crashed, _, _ := strings.Cut(rest, "</section>")
	assert.Contains(t, crashed, "<dt>Boss</dt><dd>⊥ <span class=\"was\">was 3</span>")
	assert.NotContains(t, crashed, "Waiting")
	_, rest, _ = strings.Cut(rest, `id="step-2"`)
	_, rest, _ = strings.Cut(rest, `aria-label="P3"`)
	down, _, _ := strings.Cut(rest, "</section>")
	assert.NotContains(t, down, "<dt>")
}
