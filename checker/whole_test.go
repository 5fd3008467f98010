package checker_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// found returns the finding about one property.
func found(t *testing.T, sys *model.System, p *checker.Property) *checker.Finding {
	t.Helper()
	f := check(t, sys, checker.Options{Properties: []*checker.Property{p}}).Finding(p.Name)
	require.NotNil(t, f)
	return f
}

// A replay judges the run itself, by what is enabled in its states: what was
// recorded under another property, or cut short, is no evidence.
func TestReplayJudgesWholeRuns(t *testing.T) {
	const doc = "As its name says."
	learns := checker.Eventually("learns", doc, named(2, 1))
	unfair := found(t, rally.system(t, rallySetting), learns.Under(checker.NoFairness)).Trace
	ball := &parley{rally: true, busy: true}
	flux := found(t, ball.system(t, rallySetting), checker.EventuallyAlways("calm", doc, idle(2))).Trace
	waits := &parley{news: true, vow: true, quitsy: true}
	over := found(t, waits.system(t, rallySetting), checker.E2).Trace
	clock := &parley{rally: true, timer: true}
	zeno := found(t, clock.system(t, "n=2 initiators=1 timing=async:1"), checker.Eventually("expires", doc, named(1, 1))).Trace

	for _, tt := range []struct {
		about  string
		q      *parley
		tr     *trace.Trace
		p      *checker.Property
		change func(tr *trace.Trace)
		want   string // "" for evidence
	}{
		{"as recorded", rally, unfair, learns.Under(checker.NoFairness), nil, ""},
		{"under another fairness", rally, unfair, learns, nil,
			`learns-unfair is not broken: under weak fairness it does not go on like this: "NEWS from 1 to position 2" is passed over without end`},
		{"of another property, which holds in it", rally, unfair, checker.EventuallyAlways("learns", doc, idle(2)).Under(checker.NoFairness), nil,
			"is not broken: what it demands comes true in this run"},
		{"a cycle that does not close", rally, unfair, learns.Under(checker.NoFairness), func(tr *trace.Trace) { tr.Steps = tr.Steps[:1] },
			"the lasso does not close"},
		{"a run that goes on", rally, unfair, learns.Under(checker.NoFairness), func(tr *trace.Trace) { tr.Lasso = 0 },
			`the run does not end there: "PING from 1 to position 2" is owed`},
		{"from some time on", ball, flux, checker.EventuallyAlways("calm", doc, idle(2)), nil, ""},
		{"again and again", ball, flux, checker.AlwaysEventually("calm", doc, idle(2)), nil, "what it demands comes true in this run"},
		{"leads to", ball, flux, checker.LeadsTo("calm", doc, inElection(2), idle(2)), nil, "what it demands comes true in this run"},
		{"what is over", waits, over, checker.E2, nil, ""},
		{"before it is over", waits, over, checker.E2, func(tr *trace.Trace) { tr.Steps = nil }, `"NEWS from 1 to position 2" is owed`},
		{"a lasso of what is not about runs that go on", ball, flux, checker.CanAlwaysReach("calm", doc, idle(2)), nil,
			"it is not about runs without end"},
		{"nobody owes an expiry that comes too early", clock, zeno, checker.Eventually("expires", doc, named(1, 1)), nil, ""},
	} {
		t.Run(tt.about, func(t *testing.T) {
			tr := *tt.tr
			if tt.change != nil {
				tt.change(&tr)
			}
			_, err := trace.Replay(&tr, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
				sys, err := model.New(tt.q, s)
				return sys, tt.p.Watch(), err
			})
			if tt.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.want)
			}
		})
	}
}

// Under synchrony a cycle in which no time passes is none, whoever recorded it.
func TestReplayRefusesZeno(t *testing.T) {
	sys := rally.system(t, "n=2 initiators=1 timing=sync:1")
	var initial []byte
	sys.Initial(func(s []byte) bool { initial = append(initial, s...); return false })
	learns := checker.Eventually("learns", "2 gets the news.", named(2, 1)).Under(checker.NoFairness)
	run := trace.Begin(sys, initial)
	for len(run.Steps) < 3 {
		for _, e := range run.Enabled() {
			if e.Action.Kind == model.Delivers && e.Action.Message == "PING" {
				run.Take(e)
				break
			}
		}
	}
	tr := run.Record(trace.Header{Algorithm: "rally", Property: learns.Name, Kind: trace.Violation})
	tr.Lasso = 2
	_, err := trace.Replay(tr, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		return sys, learns.Watch(), nil
	})
	assert.ErrorContains(t, err, "no time passes between step 2 and the last")
}

// "A participant has elected = ⊥ or elected = P, where P is the best at the end
// of the run."
func TestE1ByHand(t *testing.T) {
	for _, tt := range []struct {
		about string
		u     *upstart.Protocol
		text  string
		want  string // the explanation; "" if it holds
	}{
		{"nobody names anybody new", &upstart.Protocol{}, "n=3 start=settled", ""},
		{"what was named before the run does not count", &upstart.Protocol{Modest: true}, "n=3 start=settled crashes=1", ""},
		{"a lower one claims, and is best in the end", &upstart.Protocol{}, "n=2 start=settled crashes=1", ""},
		{"a lower one claims, and is not", &upstart.Protocol{}, "n=3 start=settled crashes=1",
			"P1 names itself in step 2, but at the end P2 is the best live process"},
		{"at a cold start, what is named at once counts", &upstart.Protocol{}, "n=3 initiators=1",
			"P1 names itself in step 0, but at the end P3 is the best live process"},
		{"the best one claims", &upstart.Protocol{}, "n=3 initiators=3", ""},
		{"the best one claims and crashes before it is over", &upstart.Protocol{}, "n=2 initiators=2 crashes=1",
			"P2 names itself in step 0, but at the end P1 is the best live process"},
		{"nobody is left", &upstart.Protocol{Modest: true}, "n=2 start=settled crashes=2", ""},
	} {
		t.Run(tt.about, func(t *testing.T) {
			s, err := setting.Parse(tt.text)
			require.NoError(t, err)
			f := found(t, upstart.System(tt.u, s), checker.E1)
			assert.Equal(t, tt.want, f.Explanation)
			assert.Equal(t, tt.want != "", f.Verdict == checker.Violated)
			if f.Trace != nil {
				assert.True(t, f.Shortest)
				data := replayed(t, built(tt.u), f)
				tr, err := trace.Decode(data)
				require.NoError(t, err)
				tr.Steps = tr.Steps[:len(tr.Steps)-1]
				_, err = trace.Replay(tr, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
					sys, err := model.New(tt.u, s)
					return sys, checker.E1.Watch(), err
				})
				assert.ErrorContains(t, err, "e1 is not broken: the end of the run is not settled")
			}
		})
	}
}

func TestCanAlwaysReach(t *testing.T) {
	const doc = "As its name says."
	leads := checker.CanAlwaysReach("leads", doc, func(v *model.View) bool { return v.Leaders.Has(2) })
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(2))
	f := found(t, sys, leads)
	assert.Equal(t, checker.Violated, f.Verdict)
	assert.Len(t, f.Trace.Steps, 1, "P2 crashes, and does not come back")
	assert.Equal(t, "violated in 1 step. It says: As its name says.", f.Line())
	replayed(t, built(&upstart.Protocol{}), f)

	back := upstart.Settled(2)
	back.Crashes, back.Restarts = 2, 2
	assert.Equal(t, checker.Holds, found(t, upstart.System(&upstart.Protocol{}, back), checker.CanAlwaysReach("settles", doc,
		func(v *model.View) bool { return v.Settled })).Verdict)

	// A run to where it is within reach is no evidence.
	f.Trace.Steps = nil
	_, err := trace.Replay(f.Trace, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, err := model.New(&upstart.Protocol{}, s)
		return sys, leads.Watch(), err
	})
	assert.ErrorContains(t, err, "0 steps lead to what is to be reached")
}

func TestPropertyOfRunsThatAsksNothing(t *testing.T) {
	sys := rally.system(t, rallySetting)
	for _, p := range []*checker.Property{
		checker.Eventually("nothing", "It asks nothing.", nil), checker.LeadsTo("nothing", "It asks nothing.", idle(1), nil),
		checker.EachEventually("nothing", "It asks nothing.", nil), checker.CanAlwaysReach("nothing", "It asks nothing.", nil),
	} {
		_, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
		assert.EqualError(t, err, `property "nothing": it asks nothing: a function is nil`)
	}
}

// A reciter is a parley that begins with whatever it is told to, which nothing
// that can be seen of its type and fields says.
type reciter struct {
	parley
	start func(p *parleyer, net *model.Net[word])
}

func (r *reciter) Start(p *parleyer, net *model.Net[word]) { r.start(p, net) }

// Verify keeps a run without end, begins with it the next time, and removes
// it when it is evidence no more.
func TestVerifyKeepsLassos(t *testing.T) {
	t.Chdir(t.TempDir())
	learns := checker.Eventually("learns", "2 gets the news.", named(2, 1))
	dumb := &reciter{start: (&parley{rally: true}).Start}
	s := verifyOf(&standIn{}, dumb, rallySetting, only(learns))
	assert.True(t, s.failed)
	assert.Contains(t, s.said(), "learns breaks: steps 1 to 2 repeat without end")
	file := keptFor(t, "learns")
	tr, err := trace.Load(file)
	require.NoError(t, err)
	assert.Equal(t, 1, tr.Lasso)
	s = verifyOf(&standIn{}, dumb, rallySetting, only(learns))
	assert.Contains(t, s.said(), "still so: replayed")
	assert.Contains(t, s.said(), "steps 1 to 2 repeat without end")
	// The same steps are possible, and no fair run.
	s = verifyOf(&standIn{}, &reciter{start: rally.Start}, rallySetting, only(learns))
	assert.False(t, s.failed, s.said())
	assert.NoFileExists(t, file)
	_, err = os.Stat("testdata")
	assert.NoError(t, err)
}
