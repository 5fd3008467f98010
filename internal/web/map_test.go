package web

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mapped returns the map of a page.
func mapped(t *testing.T, text string) (g stateMap) {
	t.Helper()
	data := regexp.MustCompile(`(?s)<script type="application/json" id="map-data">(.*?)</script>`).FindStringSubmatch(text)
	require.NotNil(t, data)
	require.NoError(t, json.Unmarshal([]byte(data[1]), &g))
	return g
}

// A map has the states that a search finds, as deep as it finds them, and something breaks
// in it where the search says so. The lit way is a shortest run to that.
func TestMap(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		of               *ledger.Algorithm
		variant, setting string
		loops            bool
	}{
		{bully.Algorithm, "coulouris-noretry", "n=3 start=settled timing=sync:1 crashes=2", false},
		{bully.Algorithm, "wikipedia-again", "n=2 start=settled timing=sync:1 crashes=1 restarts=1", false},
		{bully.Algorithm, "coulouris-keeps-waiting", "n=2 initiators=1 timing=sync:1", true},
		{bully.Algorithm, "coulouris", "n=3 start=coordinator-down timing=patient", true},
		{changroberts.Algorithm, "coulouris", "n=3 topology=ring arrangement=2-3-1 initiators=1,3 channels=fifo timing=patient", false},
	} {
		v, err := c.of.Variant(c.variant)
		require.NoError(t, err)
		in := setting.Must(c.setting)
		sys, err := v.In(in)
		require.NoError(t, err)
		report, err := checker.Check(t.Context(), sys, checker.Options{Properties: checker.InSetting(c.of.Questions(), in)})
		require.NoError(t, err)
		l := &link{algorithm: c.of.Name, variant: v.Name, setting: in, origin: in}
		_, text := get(t, s, l.chart())
		g := mapped(t, text)
		assert.Len(t, g.States, int(report.Distinct), c.setting)
		deepest, first := 0, -1
		for _, state := range g.States {
			deepest = max(deepest, state.Depth)
			if state.Kind == "bad" && first < 0 {
				first = state.Depth
			}
		}
		assert.Equal(t, report.Depth, deepest, c.setting)
		want := -1
		for _, f := range report.Findings {
			if f.Verdict == checker.Violated && f.Trace.Lasso == 0 && (want < 0 || len(f.Trace.Steps) < want) {
				want = len(f.Trace.Steps)
			}
		}
		assert.Equal(t, want, first, c.setting)
		lit, loops := 0, 0
		for _, step := range g.Steps {
			switch step.Kind {
			case "lit":
				lit++
				assert.Equal(t, g.States[step.From].Depth+1, g.States[step.To].Depth)
			case "loop":
				loops++
			}
		}
		if loops == 0 {
			assert.Equal(t, max(want, 0), lit, c.setting)
		}
		assert.Equal(t, c.loops, loops > 0, "%s: loops", c.setting)
	}
}

// A dot leads to its state, and the run of a link is on the map.
func TestMapLeadsToStates(t *testing.T) {
	s := newServer(t)
	in := setting.Must("n=2 start=settled timing=sync:1 crashes=1 restarts=1")
	_, text := get(t, s, (&link{algorithm: "bully", variant: "wikipedia-again", setting: in, origin: in}).chart())
	g := mapped(t, text)
	last := g.States[len(g.States)-1]
	answer, page := get(t, s, last.Link)
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	back := regexp.MustCompile(`<a href="(/map/[^"]+)">See all its states`).FindStringSubmatch(page)
	require.NotNil(t, back)
	_, text = get(t, s, html.UnescapeString(back[1]))
	here := 0
	for _, state := range mapped(t, text).States {
		if state.Here {
			here++
		}
	}
	assert.Equal(t, last.Depth+1, here)
}

// The folded map has fewer states, of which the same are settled, and something breaks in
// it as well. Where there are too many states, or no reduction, the page says so.
func TestMapFolds(t *testing.T) {
	s := newServer(t)
	in := setting.Must("n=3 start=settled timing=sync:1 crashes=1")
	l := &link{algorithm: "bully", variant: "coulouris", setting: in, origin: in}
	_, text := get(t, s, l.chart())
	_, other := get(t, s, l.chart()+"&folded=1")
	all, folded := mapped(t, text), mapped(t, other)
	assert.Less(t, len(folded.States), len(all.States))
	settled := func(g stateMap) (list []string) {
		for _, state := range g.States {
			if state.Kind == "settled" {
				list = append(list, state.Text)
			}
		}
		return list
	}
	assert.ElementsMatch(t, settled(all), settled(folded))
	has(t, text, "Fold it: ")
	has(t, other, "Unfold it: all ")

	in = setting.Must("n=7 start=settled timing=sync:1 crashes=6 restarts=2")
	_, text = get(t, s, (&link{algorithm: "bully", variant: "coulouris", setting: in, origin: in}).chart())
	has(t, text, "This setting has more states than a drawing has room for (300)")
	hasNot(t, text, "map-data")
}

// Where there are too many states to draw each, those are one dot in which the same processes are
// up and each follows the same one. Dots and lines are those of all states, and lead to one.
func TestMapByBelief(t *testing.T) {
	s := newServer(t)
	in := setting.Must("n=3 start=settled timing=sync:1 crashes=1 restarts=1")
	l := &link{algorithm: "bully", variant: "coulouris", setting: in, origin: in}
	_, text := get(t, s, l.chart())
	merged := mapped(t, text)
	has(t, text, "There are 21,062 states in ")
	has(t, text, fmt.Sprintf("They are drawn as %d dots.", len(merged.States)))

	sys, err := bully.Algorithm.Variants[0].In(in)
	require.NoError(t, err)
	type key struct {
		up      model.Set
		follows [4]model.ID
	}
	of := func(state []byte) (k key) {
		v := sys.View(state)
		k.up = v.Up
		for id := range v.Up.All() {
			k.follows[id] = v.Elected(id)
		}
		return k
	}
	dots, lines := make(map[key]int), make(map[[2]key]bool)
	known := make(map[string]bool)
	var list [][]byte
	add := func(state []byte) {
		if !known[string(state)] {
			known[string(state)] = true
			list = append(list, slices.Clone(state))
			dots[of(state)]++
		}
	}
	sys.Initial(func(state []byte) bool { add(state); return true })
	for i := 0; i < len(list); i++ {
		sys.EachTransition(list[i], func(tr model.Transition) {
			add(tr.Next)
			if from, to := of(list[i]), of(tr.Next); from != to {
				lines[[2]key{from, to}] = true
			}
		})
	}
	require.Len(t, list, 21_062)
	assert.Len(t, merged.States, len(dots))
	assert.Len(t, merged.Steps, len(lines))
	total := 0
	for _, n := range dots {
		total += n
	}
	counted, bad := 0, 0
	for _, dot := range merged.States {
		var n int
		_, err := fmt.Sscanf(strings.ReplaceAll(dot.Text[strings.LastIndex(dot.Text, "(")+1:], ",", ""), "%d", &n)
		require.NoError(t, err, dot.Text)
		counted += n
		if dot.Kind == "bad" {
			bad++
		}
	}
	assert.Equal(t, total, counted)
	assert.Positive(t, bad)
	_, where := followed(t, s, merged.States[len(merged.States)-1].Link)
	assert.NotEmpty(t, where)
}

// Where there are too many states to draw, a table has them by layers, as far as they are
// counted, and the page leads to the search of all. It counts as a map does.
func TestMapCounts(t *testing.T) {
	s := newServer(t)
	for text, want := range map[string]string{
		"n=3 start=settled timing=sync:1 crashes=1 restarts=1": "There are 21,062 states in ",
		"n=4 start=settled timing=sync:1 crashes=2 restarts=2": "There are more than 30,000 states. The table has the ",
	} {
		in := setting.Must(text)
		_, page := get(t, s, (&link{algorithm: "bully", variant: "coulouris", setting: in, origin: in}).chart())
		has(t, page, want)
		has(t, page, `<details><summary>The layers`)
		has(t, page, `<a href="`+html.EscapeString(Check("bully", "coulouris", in))+`">Check this setting</a>`)
		hasNot(t, page, "Settled")
	}
	for _, text := range []string{"n=3 start=settled timing=sync:1", "n=3 start=settled timing=sync:1 crashes=1"} {
		sys, err := bully.Algorithm.Variants[0].In(setting.Must(text))
		require.NoError(t, err)
		state, err := begin(sys, nil)
		require.NoError(t, err)
		root := newRoot(sys, state, bully.Algorithm.Questions())
		all := (&visit{link: new(link), root: root, now: root}).reach()
		require.NotNil(t, all)
		_, drawn := all.drawn().count()
		counted := look(root).layers
		require.Len(t, counted, len(drawn))
		for i := range drawn {
			assert.Equal(t, drawn[i].States, counted[i].States, "layer %d", i)
		}
	}
}
