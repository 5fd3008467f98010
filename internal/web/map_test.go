package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/raft"
	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
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
		deepest, first := int32(0), int32(-1)
		for _, state := range g.States {
			deepest = max(deepest, state.Depth)
			if state.Kind == "bad" && first < 0 {
				first = state.Depth
			}
		}
		assert.EqualValues(t, report.Depth, deepest, c.setting)
		want := -1
		for _, f := range report.Findings {
			if f.Verdict == checker.Violated && f.Trace.Lasso == 0 && (want < 0 || len(f.Trace.Steps) < want) {
				want = len(f.Trace.Steps)
			}
		}
		assert.EqualValues(t, want, first, c.setting)
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
	page, _ := followed(t, s, g.To+itoa(int(last.First)))
	back := regexp.MustCompile(`<a href="(/map/[^"]+)">See all its states`).FindStringSubmatch(page)
	require.NotNil(t, back)
	_, text = get(t, s, html.UnescapeString(back[1]))
	here := 0
	for _, state := range mapped(t, text).States {
		if state.Here != "" {
			here++
		}
	}
	assert.EqualValues(t, last.Depth+1, here)
}

// small are settings of which every state is looked at by hand.
var small = []struct {
	of      *ledger.Algorithm
	setting string
}{
	{bully.Algorithm, "n=3 start=settled channels=unordered timing=sync:1 crashes=1"},
	{bully.Algorithm, "n=2 start=settled timing=sync:1 crashes=1 restarts=1 pauses=1"},
	{bully.Algorithm, "n=3 start=coordinator-down timing=patient"},
	{raft.Algorithm, "n=2 timing=sync:1 channels=fifo"},
	{changroberts.Algorithm, "n=3 topology=ring arrangement=2-3-1 initiators=1,3 channels=fifo timing=patient"},
}

// begun returns the beginning of the runs of an algorithm's first variant.
func begun(t *testing.T, of *ledger.Algorithm, text string) *moment {
	t.Helper()
	sys, err := of.Variants[0].In(setting.Must(text))
	require.NoError(t, err)
	v := &visit{subject: &subject{algorithm: of}}
	asked, _ := v.asked()
	sys, err = checker.Remembered(sys, asked...)
	require.NoError(t, err)
	list, _, err := initial(sys, 1)
	require.NoError(t, err)
	return newRoot(sys, list[0].state, asked)
}

// A plainState is a state that was found by taking every transition.
type plainState struct {
	*moment // at which it was found
	broken  bool
	next    []*plainState
}

// plainly finds all states, the nearest first.
func plainly(root *moment) (list []*plainState) {
	known := map[string]*plainState{string(root.state): {moment: root, broken: root.broken != 0}}
	list = []*plainState{known[string(root.state)]}
	for i := 0; i < len(list); i++ {
		from := list[i]
		root.sys.EachTransition(from.state, func(t model.Transition) {
			if t.Misuse != "" {
				from.broken = true
				return
			}
			m := from.take(&t)
			to := known[string(m.state)]
			if to == nil {
				to = &plainState{moment: m}
				known[string(m.state)], list = to, append(list, to)
			}
			to.broken = to.broken || m.broken != 0
			from.next = append(from.next, to)
		})
	}
	return list
}

// wordsBy says in words of a snapshot what a level is about.
func (p *plainState) wordsBy(by int) string {
	var parts, lead []string
	up := 0
	processes := slices.SortedFunc(slices.Values(p.snap.Processes), func(a, b model.ProcessSnapshot) int { return int(a.ID) - int(b.ID) })
	for i := range processes {
		one := &processes[i]
		switch {
		case one.Status != model.Up:
			parts = append(parts, one.ID.Name()+" is "+statusText(one))
			continue
		case belief(one) == "believes itself coordinator":
			lead = append(lead, one.ID.Name())
		}
		up++
		text := one.ID.Name() + " " + belief(one)
		if one.Paused {
			text += " and pauses"
		}
		if by == levelFinest && one.Belief.Participant {
			text += ", is in an election"
		}
		if by == levelFinest && one.Belief.Epoch > 0 {
			text += fmt.Sprintf(", in epoch %d", one.Belief.Epoch)
		}
		parts = append(parts, text)
	}
	switch by {
	case levelLeaders:
		return fmt.Sprint(lead, p.view.Up)
	case levelNumbers:
		return fmt.Sprint(len(lead), up)
	}
	return strings.Join(parts, ", ")
}

// A map of merged states is that of somebody who folds all states by hand, in number, in what breaks
// and what is settled, in the ways between the groups, and in how far each is away.
func TestMapMerges(t *testing.T) {
	for _, c := range small {
		root := begun(t, c.of, c.setting)
		all, s := plainly(root), newSurvey(root.world, root.state, mostSurveyed, mostArcs)
		require.NoError(t, s.err)
		require.Len(t, s.states, len(all), c.setting)
		for by := levelFinest; by < len(levels); by++ {
			want, ways := make(map[string]class), make(map[[2]string]int)
			for _, p := range all {
				name := p.wordsBy(by)
				of, known := want[name]
				i := s.index[string(p.state)]
				assert.EqualValues(t, p.depth, s.depth[i])
				if !known {
					of.first, of.firstBroken, of.firstSettled = int32(p.depth), never, never
				}
				if of.states++; p.broken {
					if of.broken++; of.firstBroken == never {
						of.firstBroken = int32(p.depth)
					}
				}
				if p.ended() {
					if of.settled++; of.firstSettled == never {
						of.firstSettled = int32(p.depth)
					}
				}
				want[name] = of
				for _, to := range p.next {
					if way := [2]string{name, to.wordsBy(by)}; way[0] != way[1] {
						ways[way]++
					}
				}
			}
			g, got, passages := s.by(by), make(map[string]class), make(map[[2]string]int)
			name := func(i int32) string {
				p := all[slices.IndexFunc(all, func(p *plainState) bool { return bytes.Equal(p.state, s.states[g.classes[i].first]) })]
				return p.wordsBy(by)
			}
			depth := func(i int32) int32 {
				if i == never {
					return never
				}
				return s.depth[i]
			}
			for i, of := range g.classes {
				of.first, of.firstBroken, of.firstSettled, of.way = depth(of.first), depth(of.firstBroken), depth(of.firstSettled), 0
				got[name(int32(i))] = of
				if by <= 2 {
					assert.Equal(t, name(int32(i)), s.words(by, &g.classes[i]))
				}
			}
			for _, w := range g.ways {
				passages[[2]string{name(w.from), name(w.to)}] = w.steps
			}
			assert.Equal(t, want, got, "%s by %s", c.setting, levels[by].name)
			assert.Equal(t, ways, passages, "%s by %s", c.setting, levels[by].name)
			assert.Len(t, g.classes, len(want))
		}
	}
}

// An algorithm has a map in its own setting, whose parts lead to pages: one of four, and in a deep
// test each, with more faults as well.
func TestMapOfEveryAlgorithm(t *testing.T) {
	thorough.Only(t)
	s := newServer(t)
	for _, a := range algorithms.All {
		if !casecount.Takes(t, *deep, 4, a.Name) {
			continue
		}
		sub, err := findSubject(algorithms.All, a.Name, "")
		require.NoError(t, err)
		list := []setting.Setting{sub.usual}
		if *deep {
			list = hard(t, sub)
		}
		for _, in := range list {
			t.Run(a.Name+" "+in.String(), func(t *testing.T) { mapLeads(t, s, a.Name, sub.name, in) })
		}
	}
}

// mapLeads fails the test unless a setting has a map in which what is believed in a group is
// believed in its first state, and in those of its list.
func mapLeads(t *testing.T, s *Server, algorithm, variant string, in setting.Setting) {
	at := strings.Replace(Start(algorithm, variant, in), "/explore/", "/map/", 1)
	_, text := get(t, s, at)
	if first := firstStart.FindStringSubmatch(text); first != nil {
		_, text = get(t, s, html.UnescapeString(first[1]))
	}
	hasNot(t, text, `class="error"`)
	g := mapped(t, text)
	require.NotEmpty(t, g.States, algorithm)
	if !g.Merged {
		assert.LessOrEqual(t, len(g.States), mostDrawn, algorithm)
		return
	}
	assert.LessOrEqual(t, len(g.States), mostAtOnce, algorithm)
	for i, state := range g.States {
		assert.True(t, i == 0 || slices.ContainsFunc(g.Steps, func(w mapStep) bool { return int(w.To) == i }), "%s: %s", algorithm, state.Text)
	}
	last := g.States[len(g.States)-1]
	words, _, _ := strings.Cut(last.Text, "; ")
	page, _ := followed(t, s, g.To+itoa(int(last.First)))
	assert.Equal(t, itoa(int(last.Depth)), regexp.MustCompile(`step <strong>(\d+)`).FindStringSubmatch(page)[1], algorithm)
	_, list := get(t, s, g.Among+itoa(len(g.States)-1))
	has(t, list, html.EscapeString(prose.Capital(words)))
	links := regexp.MustCompile(`<td>\d+</td><td><a href="([^"]+)"`).FindAllStringSubmatch(list, -1)
	require.Len(t, links, min(last.States, perPage), algorithm)
	back := regexp.MustCompile(`<a href="(/map/[^"]+)">See all its states`)
	page, _ = followed(t, s, html.UnescapeString(links[len(links)-1][1]))
	_, again := get(t, s, html.UnescapeString(back.FindStringSubmatch(page)[1]))
	for _, state := range mapped(t, again).States {
		if state.Here == "now" {
			there, _, _ := strings.Cut(state.Text, "; ")
			assert.Equal(t, words, there, algorithm)
		}
	}
}

// The map of a large setting says where its search ended, and has the run of a link on it,
// beyond what was searched as well. No parameter of it is taken for another.
func TestMapOfTheFirst(t *testing.T) {
	thorough.Only(t)
	s := newServer(t)
	in := setting.Must("n=4 start=settled channels=unordered timing=sync:1 crashes=2 restarts=2")
	at := (&link{algorithm: "bully", variant: "coulouris", setting: in, origin: in}).chart()
	_, text := get(t, s, at)
	has(t, text, "The first 200,000 states, up to ")
	has(t, text, "there are more, none of them within ")
	g := mapped(t, text)
	assert.True(t, g.Merged)
	total := 0
	for _, state := range g.States {
		total += state.States
	}
	assert.Equal(t, mostSurveyed, total)
	for parameter, want := range map[string]string{
		"by=nothing":             "unknown by",
		"by=states":              "too many to draw",
		"to=200000":              "not a number from 0 to 199999",
		"by=numbers&of=900":      "is not a number from 0 to",
		"by=numbers&of=0&page=0": "want a number from 1 up",
	} {
		answer, text := get(t, s, at+"&"+parameter)
		assert.Equal(t, http.StatusBadRequest, answer.StatusCode, parameter)
		has(t, text, want)
	}

	root := begun(t, bully.Algorithm, "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1")
	v := &visit{link: &link{algorithm: "bully", variant: "coulouris"}, root: root, now: root, end: root}
	few := &charted{visit: v, all: newSurvey(root.world, root.state, 10, mostArcs), level: levelNumbers}
	before := len(few.drawing().States)
	all := newSurvey(root.world, root.state, mostSurveyed, mostArcs)
	g2 := all.by(levelNumbers)
	v.path = all.way(g2.classes[len(g2.classes)-1].first)
	for _, a := range v.path {
		next, err := v.end.after(a)
		require.NoError(t, err)
		v.end, v.at = next, v.at+1
	}
	v.now = v.end
	m := few.drawing()
	assert.Greater(t, len(m.States), before)
	last := m.States[len(m.States)-1]
	assert.Equal(t, "now", last.Here)
	assert.Zero(t, last.States)
	assert.EqualValues(t, never, last.First)
}

// While a survey goes on its page says how far it is, and where it is stopped the map has what
// was found.
func TestSurveyStops(t *testing.T) {
	s := newServer(t)
	s.glance = 0
	const address = "/map/raft/figure-2?setting=n=5+crashes=2+restarts=2+timing=sync:2"
	_, text := get(t, s, address)
	has(t, text, "so far.")
	again := regexp.MustCompile(`data-again="([^"]*)"`).FindStringSubmatch(text)
	require.NotNil(t, again, text)
	stop := regexp.MustCompile(`id="stop" href="([^"]*)"`).FindStringSubmatch(text)
	require.NotNil(t, stop, text)
	going := s.surveys.last
	answer, _ := get(t, s, html.UnescapeString(stop[1]))
	assert.Equal(t, http.StatusSeeOther, answer.StatusCode)
	assert.False(t, going.found.whole())
	assert.NotEmpty(t, going.found.states)
	s.glance = time.Minute
	_, text = get(t, s, html.UnescapeString(again[1]))
	has(t, text, "The search was stopped there: there are more")
	has(t, text, `id="map"`)

	// Another world ends the survey of the one before.
	s.glance = 0
	get(t, s, strings.Replace(address, "crashes=2", "crashes=1", 1))
	before := s.surveys.last
	s.glance = time.Minute
	_, text = get(t, s, "/map/bully/coulouris")
	has(t, text, `id="map"`)
	<-before.ended
	assert.False(t, before.found.whole())
}
