package web

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// The explorer's way to trouble is that of a search: a shortest run to each property
// that breaks, and none to the others. The button takes that way.
func TestAhead(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		of      *ledger.Algorithm
		setting string
	}{
		{bully.Algorithm, "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1"},
		{bully.Algorithm, "n=3 start=coordinator-down channels=unordered timing=sync:1"},
		{changroberts.Algorithm, "n=3 topology=ring arrangement=2-3-1 initiators=1,3 channels=fifo timing=patient"},
	} {
		in, err := setting.Parse(c.setting)
		require.NoError(t, err)
		v := &c.of.Variants[0]
		sys, err := v.In(in)
		require.NoError(t, err)
		asked := slices.Clone(c.of.Questions())
		for _, own := range c.of.Properties { // the page watches all
			if !slices.Contains(asked, own) {
				asked = append(asked, own)
			}
		}
		report, err := checker.Check(t.Context(), sys, checker.Options{Properties: asked})
		require.NoError(t, err)
		_, page := followed(t, s, with(Start(c.of.Name, v.Name, in), "ahead", "1"))
		_, text := get(t, s, page)
		want := make(map[string]string)
		for _, f := range report.Findings {
			if f.Verdict == checker.Violated && !f.Property.Temporal() {
				want[f.Property.Name] = fmt.Sprint(len(f.Trace.Steps))
			}
		}
		found := make(map[string]string)
		for _, m := range regexp.MustCompile(`name="way" value="([^"]+)">[^<]*<span class="dim">(\d+) step`).FindAllStringSubmatch(text, -1) {
			found[m[1]] = m[2]
		}
		assert.Equal(t, want, found, c.setting)
		if len(want) == 0 {
			has(t, text, "Nothing more can break from here")
			has(t, text, "from here on, nothing can break")
		}
		for name, steps := range want {
			end, where := followed(t, s, with(page, "way", name))
			assert.Regexp(t, `<p class="broken"><strong>`+name, end)
			has(t, end, "step "+steps)
			assert.Contains(t, where, "ahead=1")
		}
	}
}

// A choice says what it leads to, and the page that is asked for without that does not.
func TestAheadOfChoices(t *testing.T) {
	s := newServer(t)
	v := &bully.Algorithm.Variants[0]
	start := Start("bully", v.Name, v.Setting)
	_, text := get(t, s, start)
	hasNot(t, text, "from here")
	toggle := regexp.MustCompile(`<a href="([^"]+)" id="ahead">Show me the trouble`).FindStringSubmatch(text)
	require.NotNil(t, toggle)
	_, text = get(t, s, html.UnescapeString(toggle[1]))
	has(t, text, "uniqueness can break 6 steps from here, 3 more properties later") // P3 crashes
	has(t, text, "Do not look ahead")
}

// Where there are too many states the page says within how many steps it has looked, and the
// button takes the way to what it found. A property that is not there is refused.
func TestAheadWithin(t *testing.T) {
	thorough.Only(t)
	s := newServer(t)
	in, err := setting.Parse("n=4 start=settled channels=unordered timing=sync:1 crashes=2 restarts=2")
	require.NoError(t, err)
	large := with(Start("bully", "coulouris", in), "ahead", "1")
	_, text := get(t, s, large)
	said := regexp.MustCompile(`The shortest way to break within (\d+) steps:`).FindStringSubmatch(text)
	require.NotNil(t, said)
	has(t, text, "There are too many states to look farther.")
	far, err := strconv.Atoi(said[1])
	require.NoError(t, err)
	has(t, text, fmt.Sprintf("within %d steps: uniqueness can break ", far-1))
	steps := regexp.MustCompile(`name="way" value="uniqueness">[^<]*<span class="dim">(\d+) step`).FindStringSubmatch(text)
	require.NotNil(t, steps)
	end, _ := followed(t, s, with(large, "way", "uniqueness"))
	assert.Regexp(t, `<p class="broken"><strong>uniqueness`, end)
	has(t, end, "step "+steps[1])

	answer, text := get(t, s, with(large, "way", "validity"))
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
	has(t, text, "it cannot break from here within ")
	answer, text = get(t, s, "/explore/bully/coulouris?ahead=yes")
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
	has(t, text, "want 1")
	answer, _ = get(t, s, "/explore/bully/coulouris?way=unknown")
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
}

// A survey of few states or few steps says of what it sees what one of all states says, and
// nothing of what is farther away.
func TestAheadSeesAsFarAsItSays(t *testing.T) {
	seen := 0
	for _, c := range small {
		root := begun(t, c.of, c.setting)
		all := newSurvey(root.world, root.state, mostSurveyed, mostArcs)
		require.True(t, all.whole())
		compare := func(few *survey, of string) {
			require.False(t, few.whole(), of)
			require.Len(t, few.looks.of, len(few.states), of)
			require.Len(t, few.index, len(few.states), of)
			for i, state := range few.states {
				j := all.index[string(state)]
				require.Equal(t, all.depth[j], few.depth[i], of)
				for k := range root.safety {
					want := all.breaking(k, j)
					if want > few.sees(int32(i)) {
						want = never
					}
					if want > 0 {
						seen++
					}
					assert.Equal(t, want, few.breaking(k, int32(i)), "%s: %s", of, root.safety[k].Name)
				}
			}
		}
		for most := 2; most < len(all.states); most += 1 + most/3 {
			few := newSurvey(root.world, root.state, most, mostArcs)
			require.Len(t, few.states, most)
			compare(few, fmt.Sprintf("%s, %d states", c.setting, most))
		}
		for arcs := 1; arcs < len(all.arcs)*2/3; arcs += 1 + arcs/3 {
			few := newSurvey(root.world, root.state, mostSurveyed, arcs)
			compare(few, fmt.Sprintf("%s, %d steps", c.setting, arcs))
			compare(newSurvey(root.world, root.state, max(2, len(few.states)/2), arcs), fmt.Sprintf("%s, %d states and %d steps", c.setting, len(few.states)/2, arcs))
		}
	}
	assert.Greater(t, seen, 300)
}

// As many ways as 16 processes can be cut in two fit a survey.
func TestAheadOfManyWays(t *testing.T) {
	thorough.Only(t)
	s := newServer(t)
	in, err := setting.Parse("n=16 start=settled timing=sync:1 crashes=3 cuts=2 heals=2")
	require.NoError(t, err)
	_, text := get(t, s, with(Start("bully", "coulouris", in), "ahead", "1"))
	has(t, text, "Within 1 step nothing more can break from here")
	_, text = get(t, s, strings.Replace(Start("bully", "coulouris", in), "/explore/", "/map/", 1))
	has(t, text, "there are more")
}
