package checker_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// rally is a parley in which two messages are sent to and fro without end,
// and a third one may be passed over.
var rally = &parley{rally: true, news: true}

const rallySetting = "n=2 initiators=1 timing=patient"

func TestFairnessByClass(t *testing.T) {
	sys := rally.system(t, rallySetting)
	learns := checker.Eventually("learns", "2 gets the news.", named(2, 1))
	const news = "NEWS from 1 to position 2"
	about := func(text string) func(string) bool {
		return func(class string) bool { return strings.Contains(class, text) }
	}
	for _, tt := range []struct {
		f          checker.Fairness
		text, want string
	}{
		{checker.WeakFairness.But(liveness.Unfair, class.Named(news)), "weak fairness, none to " + news, "V 2 1"},
		{checker.NoFairness.But(liveness.Weak, class.Named(news)), "no fairness, weak to " + news, "H"},
		{checker.NoFairness.But(liveness.Strong, class.Named(news)), "no fairness, strong to " + news, "H"},
		{checker.NoFairness.But(liveness.Weak, class.Where("news", about("NEWS"))), "no fairness, weak to news", "H"},
		{checker.NoFairness.But(liveness.Weak, class.Where("the ball", about("PING"))), "no fairness, weak to the ball", "V 2 1"},
		{checker.WeakFairness.But(liveness.Unfair, class.Mail()).But(liveness.Weak, class.Named(news)),
			"weak fairness, none to mail, weak to " + news, "H"},
	} {
		assert.Equal(t, tt.text, tt.f.String())
		p := learns.Under(tt.f)
		assert.Equal(t, "learns-fair", p.Name)
		assert.Equal(t, tt.want, answer(t, sys, built(rally), p), tt.text)
	}
}

// Fairness to what the system does not have is refused by name.
func TestFairnessToNobody(t *testing.T) {
	sys := rally.system(t, rallySetting)
	learns := checker.Eventually("learns", "2 gets the news.", named(2, 1))
	for _, tt := range []struct {
		f    checker.Fairness
		want string
	}{
		{checker.WeakFairness.But(liveness.Strong, class.Named("NEWS from 1 to position 3")),
			`property "learns-fair": unknown fairness class "NEWS from 1 to position 3": did you mean NEWS from 1 to position 2?`},
		{checker.WeakFairness.But(liveness.Strong, class.Named("the weather")),
			`property "learns-fair": unknown fairness class "the weather": want NEWS from 1 to position 2, PING from 1 to position 2 or PING from 2 to position 1`},
		{checker.WeakFairness.But(liveness.Strong, class.Where("tides", func(class string) bool { return class == "tide" })),
			`property "learns-fair": no fairness class is one of "tides": want some of NEWS from 1 to position 2, `},
		{checker.WeakFairness.But(liveness.Strong, class.Reports()), `no fairness class is one of "reports"`},
		{checker.WeakFairness.But(liveness.Strong, class.Class{}), `no fairness class is one of ""`},
	} {
		_, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{learns.Under(tt.f)}})
		assert.ErrorContains(t, err, tt.want)
	}
}

func TestFairnessInNames(t *testing.T) {
	assert.Equal(t, "e2", checker.E2.Under(checker.WeakFairness).Name)
	assert.Equal(t, "e2-unfair", checker.E2.Under(checker.NoFairness).Name)
	assert.Equal(t, "e2-strong", checker.E2.Under(checker.StrongFairness).Name)
	assert.Equal(t, "mine", checker.E2.Under(checker.StrongFairness).Named("mine").Name)
	assert.Same(t, checker.Agreement, checker.Agreement.Under(checker.NoFairness), "fairness means nothing to it")
	assert.Same(t, checker.E1, checker.E1.Under(checker.NoFairness))
	for _, p := range checker.Liveness() {
		for _, f := range []checker.Fairness{checker.NoFairness, checker.WeakFairness, checker.StrongFairness} {
			q, err := checker.Lookup(p.Under(f).Name)
			require.NoError(t, err)
			got, ok := q.Fairness()
			assert.True(t, ok)
			assert.Equal(t, f.String(), got.String())
		}
	}
	q, err := checker.Lookup("e1")
	require.NoError(t, err)
	_, ok := q.Fairness()
	assert.False(t, ok)
	for _, name := range []string{"agreement-strong", "e1-unfair", "e2-weak", "-strong", "e2-strong-strong"} {
		_, err := checker.Lookup(name)
		assert.ErrorContains(t, err, "unknown property", name)
	}
}

// A question to which liveness has no answer gets none, and the reason.
func TestLivenessUndecided(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	wild := upstart.System(&upstart.Protocol{Wild: true}, upstart.Settled(3))
	for _, tt := range []struct {
		about string
		ctx   context.Context
		sys   *model.System
		opt   checker.Options
		want  string
	}{
		{"states", context.Background(), upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{MaxStates: 3}, "the search ended at the limit of 3 states"},
		{"depth", context.Background(), upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{MaxDepth: 2}, "runs of more than 2 steps were not followed"},
		{"cancelled", cancelled, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{}, "the search was cancelled"},
		{"graph", context.Background(), upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{MaxGraphStates: 3},
			"it takes the graph of all states, which is kept for at most 3 states (MaxGraphStates, --max-graph-states)"},
		{"depth first", context.Background(), upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{Order: explore.DepthFirst},
			"it takes the graph of all states, which a depth-first search does not keep"},
		{"misuse", context.Background(), wild, checker.Options{}, "a handler does what no world can carry out"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			tt.opt.Properties = append(checker.Liveness(), checker.E1, checker.Validity,
				checker.CanAlwaysReach("quiet", "It ends.", func(v *model.View) bool { return v.Quiet }))
			r, err := checker.Check(tt.ctx, tt.sys, tt.opt)
			require.NoError(t, err)
			for _, f := range r.Findings {
				if f.Property == checker.Validity || f.Property == checker.Misuse {
					continue
				}
				assert.Equal(t, checker.Incomplete, f.Verdict, f.Property.Name)
				assert.Contains(t, f.Why, tt.want)
				assert.Contains(t, f.Line(), "undecided: ")
			}
			assert.NotEqual(t, checker.Holds, r.Verdict())
		})
	}
}

// The limit of time also holds for looking through the graph.
func TestLivenessTakesTime(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	slow := checker.Always("slow", "Each state takes a while.", func(v *model.View) bool {
		time.Sleep(time.Millisecond)
		return true
	})
	r := check(t, sys, checker.Options{Properties: []*checker.Property{slow, checker.E2, checker.E1}, MaxTime: time.Nanosecond})
	for _, f := range r.Findings {
		assert.Equal(t, checker.Incomplete, f.Verdict, f.Property.Name)
	}
}

// Where the graph alone is missing, what takes no graph is decided, by all states.
func TestSafetyWithoutGraph(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	want := check(t, sys, checker.Options{Properties: checker.Election()})
	got := check(t, sys, checker.Options{MaxGraphStates: 3, Exhaustive: true})
	assert.Equal(t, want.Distinct, got.Distinct)
	assert.True(t, got.Complete())
	assert.Empty(t, got.Why)
	for _, f := range want.Findings {
		assert.Equal(t, f.Line(), got.Finding(f.Property.Name).Line())
	}
	got = check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(2)), checker.Options{Algorithm: "upstart", MaxGraphStates: 1})
	assert.Equal(t, checker.Incomplete, got.Verdict())
	assert.Equal(t, "INCOMPLETE: upstart, nothing wrong in all 4 states, but not everything is decided: "+
		"it takes the graph of all states, which is kept for at most 1 state (MaxGraphStates, --max-graph-states).", got.Headline())
	var b bytes.Buffer
	require.NoError(t, still(got).WriteText(&b, render.TextOptions{}))
	golden(t, "report-no-graph.txt", b.Bytes())
}

// More questions than a graph has marks for take several searches, and have the
// same answers.
func TestMoreMarksThanOneGraph(t *testing.T) {
	const doc = "As its name says."
	s := setting.Must("n=14 start=settled crashes=1 detector=off")
	sys, err := model.New(&upstart.Protocol{}, s)
	require.NoError(t, err)
	each := func(name string) *checker.Property {
		return checker.EachLeadsTo(name, doc,
			func(v *model.View, id model.ID) bool { return !v.Up.Has(id) },
			func(v *model.View, id model.ID) bool { return v.Leaders.Has(id) })
	}
	r := check(t, sys, checker.Options{Properties: []*checker.Property{each("a"), checker.Uniqueness, each("b"), checker.E1, each("c"), checker.Termination}})
	var names, verdicts []string
	for _, f := range r.Findings {
		names, verdicts = append(names, f.Property.Name), append(verdicts, f.Verdict.String())
	}
	assert.Equal(t, []string{"a", "uniqueness", "b", "e1", "c", "termination"}, names)
	assert.Equal(t, []string{"violated", "holds", "violated", "holds", "violated", "holds"}, verdicts)
	assert.EqualValues(t, 15, r.Distinct)

	s.N = 15
	sys, err = model.New(&upstart.Protocol{}, s)
	require.NoError(t, err)
	f := check(t, sys, checker.Options{Properties: []*checker.Property{checker.E1}}).Finding("e1")
	assert.Equal(t, "undecided: the beliefs of 15 processes are more than a graph keeps: of at most 14", f.Line())
}
