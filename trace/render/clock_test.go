package render_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var stageData = regexp.MustCompile(`(?s)id="moves">(.*?)</script>`)

// A stage, the page's and the one in a picture that moves, shows each clock that is not right as
// long as it is not, and each timer as a ring that runs down.
func TestStageShowsClocks(t *testing.T) {
	words := map[string]int{}
	for _, name := range []string{"k8slease-rates", "paxoslease-rates", "chubby-clocks", "fredericksonlynch-slow-clock", "vault-clock-ahead"} {
		l := recorded(t, &counterexamples.All, algorithms.All, name)
		html, err := render.Stage(l)
		require.NoError(t, err)
		var stage struct {
			Rows   [][]struct{ K string }
			Timers [][][]int
		}
		require.NoError(t, json.Unmarshal([]byte(stageData.FindStringSubmatch(string(html))[1]), &stage))
		told, wrong := trace.Told(l), 0
		for i, row := range stage.Rows {
			for k, actor := range row {
				assert.Equal(t, told.Rows[i].Clocks[k] != "", actor.K != "", "%s, row %d", name, i)
				if actor.K != "" {
					wrong++
					words[actor.K]++
				}
			}
		}
		assert.Positive(t, wrong, name)
		var film strings.Builder
		require.NoError(t, render.Animated(&film, told))
		assert.Contains(t, film.String(), `class="pace"`, name)
		for k := range l.Columns {
			set := false
			for i := range stage.Timers {
				set = set || len(stage.Timers[i][k]) > 0
			}
			ring := regexp.MustCompile(`class="timer moves t` + string(rune('0'+k)) + `-0"`).MatchString(film.String())
			assert.Equal(t, set, ring, "%s, column %d", name, k)
		}
	}
	for _, word := range []string{"fast", "slow", "+9"} {
		assert.Positive(t, words[word], word)
	}
}

// A clock is wrong from when a timer is set until it expires, and the one that is ahead always.
func TestClocksOfARun(t *testing.T) {
	l := recorded(t, &counterexamples.All, algorithms.All, "vault-clock-ahead")
	for i := range l.Rows {
		assert.Equal(t, []string{"", "9 ahead", ""}, l.Rows[i].Clocks)
	}
	l = recorded(t, &counterexamples.All, algorithms.All, "fredericksonlynch-slow-clock")
	assert.Equal(t, "slow clock", l.Rows[0].Clocks[0], "P1 waits two ticks, not one")
	assert.Empty(t, l.Rows[len(l.Rows)-1].Clocks[0])
}
