package web

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// Each choice is in a part of the stage, and what a part says it takes is a choice.
func TestStageTakesEachChoice(t *testing.T) {
	for _, c := range []struct{ algorithm, setting string }{
		{"bully", "n=3 start=settled timing=sync:1 crashes=1 restarts=1 losses=1 duplications=1 cuts=1 heals=1 pauses=1 suspicions=1 requests=1 mid-send=yes"},
		{"bully", "n=3 start=settled timing=async crashes=1 cuts=1 cut-by=one-way heals=owed pauses=1 joins=1"},
		{"raft", ""},
		{"changroberts", "n=3 topology=ring arrangement=1-3-2 initiators=all:lazy losses=1"},
		{"sentinel", ""},
	} {
		t.Run(c.algorithm+" "+c.setting, func(t *testing.T) {
			sub, err := findSubject(algorithms.All, c.algorithm, "")
			require.NoError(t, err)
			in := sub.usual
			if c.setting != "" {
				in = setting.Must(c.setting)
			}
			sys, err := sub.build(in)
			require.NoError(t, err)
			starts, _, err := initial(sys, 1)
			require.NoError(t, err)
			s := newServer(t)
			m := newRoot(sys, starts[0].state, nil)
			kinds := make(map[model.ActionKind]bool)
			for step := 0; ; step++ {
				run := m.run()
				layout, err := trace.Lay(run.Record(trace.Header{}), run)
				require.NoError(t, err)
				groups := s.groups(m, layout, nil, nil)
				var offered, taken []string
				for _, g := range groups {
					for i := range g.Items {
						offered = append(offered, g.Items[i].Code)
						kinds[g.Items[i].action.Kind] = true
					}
				}
				ids := make(map[string]bool)
				stage := newStage(m, layout, groups)
				apart(t, stage)
				for _, h := range stage.all() {
					assert.False(t, ids[h.ID], h.ID)
					ids[h.ID] = true
					taken = append(taken, strings.Fields(h.Do)...)
				}
				slices.Sort(offered)
				slices.Sort(taken)
				assert.Equal(t, offered, slices.Compact(taken))
				next := s.tree.ahead(m).moments
				if step == 12 || len(next) == 0 {
					break
				}
				m = next[(5*step)%len(next)]
			}
			assert.Greater(t, len(kinds), 1)
		})
	}
}

// apart fails the test if the label of a message lies on that of another one.
func apart(t *testing.T, s *stage) {
	t.Helper()
	var boxes [][3]float64 // left, right, and base line
	for _, m := range s.Messages {
		width := 6.6 * float64(utf8.RuneCountInString(m.Text))
		left := m.X + m.Beside.X - width/2
		switch m.Beside.Anchor {
		case "start":
			left = m.X + m.Beside.X
		case "end":
			left = m.X + m.Beside.X - width
		}
		if m.Beside.Hidden {
			continue
		}
		box := [3]float64{left, left + width, m.Y + m.Beside.Y}
		for _, b := range boxes {
			assert.False(t, box[0] < b[1] && b[0] < box[1] && math.Abs(box[2]-b[2]) < 10, "the label of %s lies on another one", m.ID)
		}
		boxes = append(boxes, box)
	}
}

// A clock that is not right has a sign beside its process and words for who does not see it:
// one that is ahead always, and one that is slow from when a timer is late.
func TestStageShowsClocks(t *testing.T) {
	s := newServer(t)
	_, text := get(t, s, recordedAt(t, "vault-clock-ahead"))
	has(t, text, `<g class="pace there" aria-hidden="true">`)
	has(t, text, "+9</text>")
	has(t, text, "P2 node no coordinator, 9 ahead")
	_, text = get(t, s, "/explore/fredericksonlynch/variable-speeds?setting=n=4+topology=ring+arrangement=1-2-4-3+timing=sync:1+drift=20&path=k~k")
	has(t, text, "slow</text>")
	hasNot(t, text, "fast</text>")
	has(t, text, "P1 in an election, slow clock")
	_, text = get(t, s, recordedAt(t, duplicate))
	hasNot(t, text, `class="pace`)
}
