package checker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, got, 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "run with -update to make it")
	assert.Equal(t, string(want), string(got))
}

func check(t *testing.T, sys *model.System, opt checker.Options) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	return r
}

// plainSearch finds, by a plain search of its own, how many states there are and
// in how many steps each property is first violated, or met; of those that have
// an occasion, also whether it came up, behind a question mark.
func plainSearch(sys *model.System, props []*checker.Property) (states int, steps map[string]int) {
	seen, steps := make(map[string]bool), make(map[string]int)
	type node struct {
		state string
		depth int
	}
	var queue []node
	add := func(state []byte, depth int) {
		if !seen[string(state)] {
			seen[string(state)] = true
			queue = append(queue, node{string(state), depth})
		}
	}
	note := func(p *checker.Property, depth int) {
		if old, ok := steps[p.Name]; !ok || depth < old {
			steps[p.Name] = depth
		}
	}
	sys.Initial(func(s []byte) bool { add(s, 0); return true })
	for i := 0; i < len(queue); i++ {
		from := sys.View([]byte(queue[i].state))
		for name, occasion := range plainOccasions {
			if occasion(from) {
				steps[name+"?"] = 0
			}
		}
		for _, p := range props {
			if w := p.Watch(); w.State != nil && w.State(from) {
				note(p, queue[i].depth)
			}
		}
		for _, t := range sys.Transitions([]byte(queue[i].state)) {
			if t.Misuse != "" {
				note(checker.Misuse, queue[i].depth+1)
				continue
			}
			steps["steady?"] = 0
			if t.Action.Kind == model.Restarts {
				steps["rises?"] = 0
			}
			for _, p := range props {
				if w := p.Watch(); w.HitsStep(sys, []byte(queue[i].state), &t) {
					note(p, queue[i].depth+1)
				}
			}
			add(t.Next, queue[i].depth+1)
		}
	}
	return len(seen), steps
}

// When the standard properties of states are a question.
var plainOccasions = map[string]func(v *model.View) bool{
	"uniqueness":         func(v *model.View) bool { return v.Leaders.Len() > 0 },
	"settled-uniqueness": func(v *model.View) bool { return v.Settled && v.Leaders.Len() > 0 },
	"agreement":          func(v *model.View) bool { return v.Settled && v.Up.Len() > 0 },
	"live-coordinator":   func(v *model.View) bool { return v.Settled && names(v) > 0 },
	"validity":           func(v *model.View) bool { return names(v) > 0 },
	"extreme":            func(v *model.View) bool { return v.Settled && names(v) > 0 },
	"rises":              func(*model.View) bool { return false }, // a step is
	"steady":             func(*model.View) bool { return false }, // any step is
	"three-down":         func(v *model.View) bool { return (v.Present &^ v.Up).Len() == 3 },
}

// names returns how many live processes name a coordinator.
func names(v *model.View) (n int) {
	for id := range v.Up.All() {
		if v.Elected(id) != model.None {
			n++
		}
	}
	return n
}

// A property without meaning in a setting is not asked there, and neither is an
// occasion.
func TestOccasions(t *testing.T) {
	calm := setting.Must("n=3 start=settled")
	assert.Len(t, checker.InSetting(checker.Standard(), calm), len(checker.Standard())-1)
	assert.NotContains(t, checker.InSetting(checker.Standard(), calm), checker.ReElection)
	assert.Equal(t, checker.Standard(), checker.InSetting(checker.Standard(), upstart.Settled(3)))
	assert.Equal(t, checker.Standard(), checker.InSetting(checker.Standard(), setting.Must("n=3 start=coordinator-down")))
	yes := func(*model.View) bool { return true }
	for want, p := range map[string]*checker.Property{
		`property "w": it is a witness, which takes no occasion: leave Given out`: checker.Sometimes("w", "W.", yes).Given("a state", yes),
		`property "a": Given: the function is nil`:                                checker.Always("a", "A.", yes).Given("a state", nil),
		`property "a": field Given is empty`:                                      checker.Always("a", "A.", yes).Given(" ", yes),
	} {
		_, err := checker.Check(context.Background(), upstart.System(&upstart.Protocol{}, calm), checker.Options{Properties: []*checker.Property{p}})
		assert.EqualError(t, err, want)
	}
	assert.Equal(t, "brief", checker.Always("brief", "", yes).Doc, "a property without words says its name")
	never := func(*model.View) bool { return false }
	r := check(t, upstart.System(&upstart.Protocol{}, calm), checker.Options{Properties: []*checker.Property{
		checker.LeadsTo("never", "What never is leads to anything.", never, never),
		checker.LeadsTo("never-given", "As it is given.", never, never).Given("a state", yes),
		checker.EachLeadsTo("never-each", "Of each.", func(v *model.View, id model.ID) bool { return id > 3 },
			func(*model.View, model.ID) bool { return false }),
		checker.Eventually("ev", "It is.", yes).Given("a coordinator among the absent", never),
	}})
	assert.Equal(t, "vacuous: there was never a state that triggers it", r.Finding("never").Line())
	assert.Equal(t, "holds, under weak fairness", r.Finding("never-given").Line())
	assert.Equal(t, checker.Vacuous, r.Finding("never-each").Verdict)
	assert.Equal(t, "a coordinator among the absent", r.Finding("ev").Why)
	assert.Equal(t, checker.Vacuous, r.Verdict())
	assert.Equal(t, "VACUOUS in this setting: protocol, 3 of 4 properties never came up (1 holds), in its only state.", r.Headline())
}

// The questions of the comparison: the standard ones, steps and witnesses.
var questions = append(checker.Election(),
	checker.AlwaysStep("steady", "Nobody changes from one coordinator to another.",
		func(e *model.Event) bool {
			from, to := e.From, e.To
			for id := range (from.Up & to.Up).All() {
				a, b := from.Elected(id), to.Elected(id)
				if a != b && a != model.None && b != model.None {
					return false
				}
			}
			return true
		}),
	checker.Always("three-down", "Where three are down, none is up.",
		func(v *model.View) bool { return (v.Present&^v.Up).Len() < 3 || v.Up.Empty() }).
		Given("a state in which three processes are down", func(v *model.View) bool { return (v.Present &^ v.Up).Len() == 3 }),
	checker.AlwaysStep("rises", "Whoever restarts is up.",
		func(e *model.Event) bool { return e.Kind != model.Restarts || e.To.Up.Has(e.Process) }).
		GivenStep("a restart", func(e *model.Event) bool { return e.Kind == model.Restarts }),
	checker.Sometimes("two-down", "Two processes are down at once.",
		func(v *model.View) bool { return (v.Present &^ v.Up).Len() == 2 }),
	checker.Sometimes("last-leads", "The lowest leads.",
		func(v *model.View) bool { return v.Leaders.Has(1) }),
	checker.SometimesStep("abdication", "A coordinator becomes a follower in one step.",
		func(e *model.Event) bool { return e.From.Leaders&^e.To.Leaders&e.To.Up != 0 }),
)

// Every verdict, every length of a trace and every count is that of a plain
// search, whatever the protocol, the setting and the number of workers.
func TestCheckAgreesWithPlainSearch(t *testing.T) {
	one, two := upstart.Settled(3), upstart.Settled(3)
	one.Restarts = 1
	two.Crashes, two.FIFO = 2, true
	down := setting.Must("n=3 start=coordinator-down timing=last-resort")
	lossy := upstart.Settled(3)
	lossy.Losses, lossy.MidSend = 1, true
	async := setting.Must("n=3 start=coordinator-down timing=async:1")
	cold := setting.Must("n=3 initiators=any:lazy joins=1")
	for _, s := range []setting.Setting{one, two, down, lossy, async, cold} {
		for _, u := range []*upstart.Protocol{{}, {Polite: true}, {Patient: true}, {Wild: true}} {
			name := fmt.Sprintf("%s %+v", s, *u)
			if !casecount.Takes(t, *deep, 2, name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				sys := upstart.System(u, s)
				states, steps := plainSearch(sys, questions)
				for _, workers := range []int{1, 2, 8} {
					r := check(t, sys, checker.Options{Properties: questions, Workers: workers})
					assert.True(t, r.Complete())
					assert.EqualValues(t, states, r.Distinct)
					compare(t, u, r, steps)
				}
				deep := check(t, sys, checker.Options{Properties: questions, Order: explore.DepthFirst})
				assert.EqualValues(t, states, deep.Distinct)
				for _, f := range deep.Findings {
					assert.Equal(t, verdictAlone(t, sys, f.Property), f.Verdict, f.Property.Name)
					assert.False(t, f.Shortest)
				}
			})
		}
	}
}

// verdictAlone is the verdict of a breadth-first check of one property alone.
func verdictAlone(t *testing.T, sys *model.System, p *checker.Property) checker.Verdict {
	f := check(t, sys, checker.Options{Properties: []*checker.Property{p}}).Finding(p.Name)
	if f == nil {
		require.Equal(t, checker.Misuse, p)
		return checker.Holds
	}
	return f.Verdict
}

// compare checks findings against the lengths that a plain search found.
func compare(t *testing.T, u *upstart.Protocol, r *checker.Report, steps map[string]int) {
	t.Helper()
	_, misused := steps["misuse"]
	assert.Equal(t, misused, r.Finding("misuse") != nil)
	for i := range r.Findings {
		f := &r.Findings[i]
		want, hit := steps[f.Property.Name]
		witness := f.Property.Witness()
		verdict := map[[2]bool]checker.Verdict{
			{true, false}: checker.Violated, {false, false}: checker.Holds,
			{true, true}: checker.Found, {false, true}: checker.NotFound,
		}[[2]bool{hit, witness}]
		if _, met := steps[f.Property.Name+"?"]; verdict == checker.Holds && plainOccasions[f.Property.Name] != nil && !met {
			verdict = checker.Vacuous
		}
		assert.Equal(t, verdict, f.Verdict, f.Property.Name)
		if !hit {
			assert.Nil(t, f.Trace)
			continue
		}
		assert.Len(t, f.Trace.Steps, want, f.Property.Name)
		assert.True(t, f.Shortest)
		replay(t, u, r, f)
	}
}

// replay has package trace execute a finding's trace again.
func replay(t *testing.T, u *upstart.Protocol, r *checker.Report, f *checker.Finding) {
	t.Helper()
	data, err := f.Trace.Encode()
	require.NoError(t, err)
	read, err := trace.Decode(data)
	require.NoError(t, err)
	assert.True(t, read.Setting.Equal(r.Setting))
	_, err = trace.Replay(read, func(_, _, property string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, err := model.New(u, s)
		return sys, f.Property.Watch(), err
	})
	assert.NoError(t, err)
}

// puppet is a protocol of processes that do nothing and believe what they are
// told at the start.
type puppet struct {
	model.Passive[upstart.State, upstart.Message]
	names  []model.ID
	wanted model.ID // None: the highest
}

func (q *puppet) Settle(p *upstart.State, self, _ model.ID, _ model.Set)                           { p.Elected = q.names[self-1] }
func (q *puppet) Receive(*upstart.State, *model.Net[upstart.Message], model.Port, upstart.Message) {}
func (q *puppet) Belief(p *upstart.State) model.Belief                                             { return model.Belief{Elected: p.Elected} }
func (q *puppet) Names() model.Names                                                               { return model.Names{Kinds: []string{"NOTHING"}} }
func (q *puppet) Format(upstart.Message) string                                                    { return "NOTHING" }

func (q *puppet) Wanted(live model.Set) model.ID {
	if live.Has(q.wanted) {
		return q.wanted
	}
	return live.Max()
}

func TestElectionProperties(t *testing.T) {
	const none = model.None
	all := upstart.Settled(3)
	all.Crashes = 0
	absent := all
	absent.Joins, absent.Joiners = 1, model.SetOf(3)
	down := setting.Must("n=3 start=coordinator-down detector=off")
	for _, c := range []struct {
		about  string
		names  []model.ID // by process 1, 2 and 3
		wanted model.ID
		in     setting.Setting
		broken map[string]string
	}{
		{"all follow the highest", []model.ID{3, 3, 3}, none, all, nil},
		{"nobody names anybody", []model.ID{none, none, none}, none, all, map[string]string{
			"agreement": "P1, P2 and P3 name nobody",
		}},
		{"one is left out", []model.ID{3, none, 3}, none, all, map[string]string{
			"agreement": "P1 follows P3, which believes itself coordinator; P2 names nobody",
		}},
		{"two lead", []model.ID{2, 2, 3}, none, all, map[string]string{
			"uniqueness":         "P2 and P3 both believe themselves coordinator",
			"settled-uniqueness": "P2 and P3 both believe themselves coordinator",
			"agreement":          "P1 follows P2, which believes itself coordinator; P3 believes itself coordinator",
			"extreme":            "P1 names P2, although P3 is up; P2 names P2, although P3 is up",
		}},
		{"all lead", []model.ID{1, 2, 3}, none, all, map[string]string{
			"uniqueness":         "P1, P2 and P3 all believe themselves coordinator",
			"settled-uniqueness": "P1, P2 and P3 all believe themselves coordinator",
			"agreement":          "P1 believes itself coordinator; P2 believes itself coordinator; P3 believes itself coordinator",
			"extreme":            "P1 names P1, although P3 is up; P2 names P2, although P3 is up",
		}},
		{"a ring of followers", []model.ID{2, 3, 1}, none, all, map[string]string{
			"agreement": "P1 follows P2; P2 follows P3; P3 follows P1",
			"extreme":   "P1 names P2, although P3 is up; P3 names P1, although P3 is up",
		}},
		{"a ghost", []model.ID{9, 9, 9}, none, all, map[string]string{
			"validity":         "P1 names P9, which is no process that is there; P2 names P9, which is no process that is there; P3 names P9, which is no process that is there",
			"live-coordinator": "P1 names P9, which is not up; P2 names P9, which is not up; P3 names P9, which is not up",
			"extreme":          "P1 names P9, although P3 is up; P2 names P9, although P3 is up; P3 names P9, although P3 is up",
		}},
		{"a lower one is wanted", []model.ID{1, 1, 1}, 1, all, nil},
		{"a lower one was wanted", []model.ID{3, 3, 3}, 1, all, map[string]string{
			"extreme": "P1 names P3, although P1 is up; P2 names P3, although P1 is up; P3 names P3, although P1 is up",
		}},
		{"one that has yet to come", []model.ID{3, 3, none}, none, absent, map[string]string{
			"validity":         "P1 names P3, which is no process that is there; P2 names P3, which is no process that is there",
			"live-coordinator": "P1 names P3, which is not up; P2 names P3, which is not up",
			"extreme":          "P1 names P3, although P2 is up; P2 names P3, although P2 is up",
		}},
		{"the dead", []model.ID{3, 3, 3}, none, down, map[string]string{
			"live-coordinator": "P1 names P3, which is not up; P2 names P3, which is not up",
			"extreme":          "P1 names P3, although P2 is up; P2 names P3, although P2 is up",
		}},
		{"the living", []model.ID{2, 2, 3}, none, down, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			sys, err := model.New(&puppet{names: c.names, wanted: c.wanted}, c.in)
			require.NoError(t, err)
			// Depth 0: what the puppets do when another joins is not the question.
			r := check(t, sys, checker.Options{MaxDepth: 1, Properties: checker.Election()})
			got := make(map[string]string)
			for _, f := range r.Findings {
				if f.Verdict == checker.Violated && len(f.Trace.Steps) == 0 {
					got[f.Property.Name] = f.Explanation
				}
			}
			if c.broken == nil {
				c.broken = map[string]string{}
			}
			assert.Equal(t, c.broken, got)
		})
	}
}

// Nobody is left to disagree.
func TestElectionPropertiesOfTheDead(t *testing.T) {
	s := upstart.Settled(2)
	s.Crashes, s.Detector = 2, setting.DetectorOff
	sys, err := model.New(&puppet{names: []model.ID{2, 2}}, s)
	require.NoError(t, err)
	for _, p := range []*checker.Property{checker.Agreement, checker.Extreme, checker.LiveCoordinator, checker.Uniqueness} {
		sometimes := checker.Sometimes("all-dead-and-well", "Nobody is up, and the property holds.",
			func(v *model.View) bool { return v.Up.Empty() && !p.Watch().State(v) })
		r := check(t, sys, checker.Options{Properties: []*checker.Property{sometimes}})
		assert.Equal(t, checker.Found, r.Findings[0].Verdict, p.Name)
	}
}

// A bound that is declared is a part of the scope: what holds holds within it.
func TestBoundIsAScope(t *testing.T) {
	const capacity = "capacity=1: a link was full when CLAIM was to be sent"
	s := upstart.Settled(3)
	s.Restarts, s.Capacity, s.Duplications = 1, 1, 1
	sane := checker.Always("sane", "There are three processes.", func(v *model.View) bool { return v.N == 3 })
	four := checker.Sometimes("four", "There are four processes.", func(v *model.View) bool { return v.N == 4 })
	sys := upstart.System(&upstart.Protocol{Patient: true}, s)
	for _, opt := range []checker.Options{{}, {Order: explore.DepthFirst}, {Exact: true}} {
		opt.Properties = []*checker.Property{sane}
		r := check(t, sys, opt)
		assert.Equal(t, checker.Holds, r.Verdict())
		assert.True(t, r.Complete())
		assert.Empty(t, r.Why)
		assert.Equal(t, capacity, r.Bound)
		assert.Contains(t, r.Headline(), "HOLDS within its bound, in this setting: ")
		assert.Contains(t, r.Headline(), " states within the bound")
		var b strings.Builder
		require.NoError(t, r.WriteText(&b, render.TextOptions{Width: 1000}))
		assert.Contains(t, b.String(), "  The bound: "+capacity+".\n")
		assert.Contains(t, b.String(), " (all within the bound), ")
		data, err := json.Marshal(r)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"bound":"`+capacity)
		assert.Contains(t, string(data), `"complete":true`)

		opt.Properties, opt.MaxStates = []*checker.Property{sane}, 10
		assert.Equal(t, checker.Incomplete, check(t, sys, opt).Verdict(), "a limit is no bound")
		opt.Properties, opt.MaxStates = []*checker.Property{four}, 0
		assert.Equal(t, checker.NotFound, check(t, sys, opt).Findings[0].Verdict)
	}
}

func TestCheckIsIncomplete(t *testing.T) {
	s := upstart.Settled(3)
	s.Restarts = 1
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, release := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer release()
	over := make(chan struct{}) // long after the limit of time
	time.AfterFunc(20*time.Millisecond, func() { close(over) })
	holds := []*checker.Property{checker.Always("sane", "There are three processes.", func(v *model.View) bool {
		<-over
		return v.N == 3
	})}
	for _, c := range []struct {
		name string
		ctx  context.Context
		in   setting.Setting
		opt  checker.Options
		why  string
	}{
		{"states", context.Background(), s, checker.Options{MaxStates: 10}, "the search ended at the limit of 10 states"},
		{"depth", context.Background(), s, checker.Options{MaxDepth: 3}, "runs of more than 3 steps were not followed"},
		{"bytes", context.Background(), s, checker.Options{MaxBytes: 1}, "the search ended at the limit of 1 B of memory"},
		{"time", context.Background(), s, checker.Options{MaxTime: 1}, "the search ended at the limit of time, after "},
		{"deadline", late, s, checker.Options{}, "the search ended at the limit of time, after "},
		{"cancelled", cancelled, s, checker.Options{}, "the search was cancelled"},
		{"depth first", context.Background(), s, checker.Options{MaxStates: 10, Order: explore.DepthFirst}, "the search ended at the limit of 10 states"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opt.Properties = holds
			r, err := checker.Check(c.ctx, upstart.System(&upstart.Protocol{Patient: true}, c.in), c.opt)
			require.NoError(t, err)
			assert.Contains(t, r.Why, c.why)
			assert.Equal(t, checker.Incomplete, r.Verdict())
			assert.False(t, r.Complete())
			assert.Equal(t, checker.Incomplete, r.Findings[0].Verdict)
			assert.Equal(t, r.Why, r.Findings[0].Why)
			assert.Contains(t, r.Headline(), "INCOMPLETE")
		})
	}
}

// A violation stands even if not all was seen; a witness that was not found
// may be there.
func TestCheckIncompleteAndViolated(t *testing.T) {
	never := checker.Sometimes("never", "There are four.", func(v *model.View) bool { return v.N == 4 })
	r := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{
		Properties: []*checker.Property{checker.Uniqueness, never}, MaxDepth: 3,
	})
	assert.Equal(t, checker.Violated, r.Verdict())
	assert.Equal(t, checker.Violated, r.Finding("uniqueness").Verdict)
	assert.Equal(t, checker.Incomplete, r.Finding("never").Verdict)
	assert.Equal(t, "VIOLATED in this setting: protocol, 1 of 2 properties (1 undecided, since runs of more than 3 steps were not followed).", r.Headline())
}

func TestCheckEndsWhenAllIsDecided(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	opt := checker.Options{Properties: []*checker.Property{checker.Uniqueness}}
	early := check(t, sys, opt)
	assert.Equal(t, explore.TargetsHit, early.Reason)
	assert.Empty(t, early.Why)
	assert.False(t, early.Complete())
	opt.Exhaustive = true
	full := check(t, sys, opt)
	assert.True(t, full.Complete())
	assert.Greater(t, full.Distinct, early.Distinct)
	assert.Equal(t, full.Findings[0].Trace, early.Findings[0].Trace)
}

func TestCheckMisuse(t *testing.T) {
	r := check(t, upstart.System(&upstart.Protocol{Wild: true}, upstart.Settled(3)), checker.Options{})
	f := r.Finding("misuse")
	require.NotNil(t, f)
	assert.Equal(t, checker.Violated, f.Verdict)
	assert.Equal(t, checker.Violated, r.Verdict())
	assert.Len(t, f.Trace.Steps, 2)
	assert.Contains(t, f.Explanation, "P1 suspects P3: send to 99: nobody is there")
	assert.Nil(t, check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{}).Finding("misuse"))
	asked := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{Properties: []*checker.Property{checker.Misuse}})
	assert.Empty(t, asked.Findings)
	assert.Equal(t, checker.Holds, asked.Verdict())
}

func TestCheckExact(t *testing.T) {
	r := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{Exact: true})
	assert.True(t, r.Exact)
	assert.Zero(t, r.CollisionProbability)
}

func TestCheckProgress(t *testing.T) {
	var seen []explore.Progress
	s := upstart.Settled(3)
	s.Restarts, s.Crashes = 1, 2
	check(t, upstart.System(&upstart.Protocol{Patient: true}, s), checker.Options{
		ProgressEvery: 1, Progress: func(s explore.Progress) { seen = append(seen, s) },
	})
	assert.NotEmpty(t, seen)
}

// Snapshots say what is violated as soon as it is known, and in how many steps at least.
func TestProgressTellsViolations(t *testing.T) {
	s := upstart.Settled(4)
	s.Crashes = 3
	down := func(v *model.View) int { return int(v.N) - v.Up.Len() }
	calm := checker.Always("calm", "No process is down.", func(v *model.View) bool { return down(v) == 0 })
	pair := checker.Always("pair", "At most one process is down.", func(v *model.View) bool { return down(v) <= 1 })
	for _, c := range []struct {
		asked []*checker.Property
		want  string
	}{
		{[]*checker.Property{calm}, "calm violated in 1 step"},
		{[]*checker.Property{pair, calm}, "2 violated, calm in 1 step"},
	} {
		told, waited := make(chan string, 1), false
		last := checker.Always("last", "The search waits for a snapshot with three processes down.", func(v *model.View) bool {
			if down(v) == 3 && !waited {
				assert.Equal(t, c.want, <-told)
				waited = true
			}
			return true
		})
		check(t, upstart.System(&upstart.Protocol{}, s), checker.Options{
			Properties: append(c.asked, last), Workers: 1, ProgressEvery: 1, Progress: func(s explore.Progress) {
				if s.Depth >= 3 {
					select {
					case told <- s.Found:
					default:
					}
				}
			},
		})
		assert.True(t, waited, "three are down in some state")
	}
}

func TestCheckRefuses(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	always := func(*model.View) bool { return true }
	many := upstart.System(&upstart.Protocol{}, upstart.Settled(17))
	for _, c := range []struct {
		sys  *model.System
		opt  checker.Options
		want string
	}{
		{many, checker.Options{}, "n=17: an exhaustive search takes from 2 to 16 processes"},
		{sys, checker.Options{Properties: []*checker.Property{nil}}, "a property is nil"},
		{sys, checker.Options{Properties: []*checker.Property{{Name: "x", Doc: "y"}}}, `property "x": it asks nothing`},
		{sys, checker.Options{Properties: []*checker.Property{checker.Always("Bad Name", "y", always)}}, `name "Bad Name": want a word`},
		{sys, checker.Options{Properties: []*checker.Property{{Name: "x"}}}, `property "x": field Doc is empty`},
		{sys, checker.Options{Properties: []*checker.Property{checker.Always("x", "a\nb", always)}}, `field Doc has a line break`},
		{sys, checker.Options{Properties: []*checker.Property{checker.Always("misuse", "y", always)}}, `property "misuse": the name is taken`},
		{sys, checker.Options{Properties: []*checker.Property{checker.Validity, checker.Validity}}, `property "validity" is asked for twice`},
		{sys, checker.Options{Workers: -1}, "-1 workers"},
		{sys, checker.Options{MaxDepth: -1}, "depth limit -1"},
	} {
		_, err := checker.Check(context.Background(), c.sys, c.opt)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestGaps(t *testing.T) {
	cold := setting.Must("n=2 initiators=none crashes=1")
	quiet, err := model.New(&puppet{names: []model.ID{2, 2}}, cold)
	require.NoError(t, err)
	for _, c := range []struct {
		about string
		sys   *model.System
		want  []string
	}{
		{"a protocol that does nothing", quiet, []string{
			"message NOTHING was never sent",
			"a process never acted on a report of the failure detector",
		}},
		{"what a cold start does is counted", upstart.System(&upstart.Protocol{}, setting.Must("n=2 initiators=2")), []string{
			`rule "a lower claim: ignore" never ran`,
			"a timer never expired",
		}},
		{"rules and timers that do not run", upstart.System(&upstart.Protocol{}, upstart.Settled(3)), []string{
			`rule "a lower claim: ignore" never ran`,
			"a timer never expired",
		}},
		{"all that can run", upstart.System(&upstart.Protocol{Polite: true, Patient: true}, upstart.Settled(3)), nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			var got []string
			for _, g := range check(t, c.sys, checker.Options{}).Gaps {
				got = append(got, g.String())
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// A search without a settled state says that nothing was demanded of any.
func TestGapOfSettledStates(t *testing.T) {
	r := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{MaxDepth: 1, Properties: []*checker.Property{
		checker.Agreement,
	}})
	for _, g := range r.Gaps {
		assert.NotEqual(t, "state", g.Kind, "the start is settled")
	}
	down := setting.Must("n=3 start=coordinator-down")
	r = check(t, upstart.System(&upstart.Protocol{}, down), checker.Options{MaxDepth: 1})
	assert.Contains(t, fmt.Sprint(r.Gaps), "a settled state was never reached")
}

// still makes a report that says the same at each run.
func still(r *checker.Report) *checker.Report {
	r.Duration, r.PeakBytes, r.Workers = 1500*time.Millisecond, 3<<20, 2
	return r
}

func TestReportText(t *testing.T) {
	s := upstart.Settled(3)
	for name, r := range map[string]*checker.Report{
		"violated":   check(t, upstart.System(&upstart.Protocol{}, s), checker.Options{Algorithm: "upstart", Variant: "rude"}),
		"holds":      check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(2)), checker.Options{Algorithm: "upstart", Exact: true, Properties: checker.Election()}),
		"vacuous":    check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(2)), checker.Options{Algorithm: "upstart", Exact: true}),
		"incomplete": check(t, upstart.System(&upstart.Protocol{Polite: true}, s), checker.Options{Algorithm: "upstart", MaxStates: 8}),
		"witness": check(t, upstart.System(&upstart.Protocol{Polite: true, Patient: true}, s), checker.Options{Algorithm: "upstart", Order: explore.DepthFirst,
			Properties: append([]*checker.Property{
				checker.Sometimes("four", "There are four processes.", func(v *model.View) bool { return v.N == 4 }),
			}, questions[6:]...)}),
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, still(r).WriteText(&b, render.TextOptions{}))
			golden(t, "report-"+name+".txt", b.Bytes())
			b.Reset()
			require.NoError(t, r.WriteText(&b, render.TextOptions{Color: true, Width: 200}))
			assert.Contains(t, b.String(), "\x1b[")
		})
	}
}

func TestReportJSON(t *testing.T) {
	r := still(check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{Algorithm: "upstart", Variant: "rude"}))
	data, err := json.MarshalIndent(r, "", "  ")
	require.NoError(t, err)
	golden(t, "report.json", append(data, '\n'))
}

// A property of steps has words for the step.
func TestExplainedStep(t *testing.T) {
	calm := checker.AlwaysStep("calm", "", func(e *model.Event) bool { return e.Kind != model.Suspects }).
		ExplainedStep(func(e *model.Event) string {
			return fmt.Sprintf("%s hears that %s is down", e.Process.Name(), e.Who.Name())
		})
	f := check(t, upstart.System(&upstart.Protocol{}, oneDetects()), checker.Options{Properties: []*checker.Property{calm, checker.Validity}}).Finding("calm")
	assert.Equal(t, "violated in 2 steps: P2 hears that P3 is down", f.Line())
	l, err := f.Layout()
	require.NoError(t, err)
	assert.Equal(t, "calm breaks in step 2: P2 hears that P3 is down", l.Verdict)
	var b bytes.Buffer
	require.NoError(t, f.WritePage(&b))
	assert.Contains(t, b.String(), "P2 hears that P3 is down")
	b.Reset()
	require.NoError(t, new(checker.Finding).WritePage(&b))
	assert.Empty(t, b.String())
}

func TestWriteTracesDrawsARunOnce(t *testing.T) {
	twin := checker.Always("twin", "Uniqueness by another name.", func(v *model.View) bool { return v.Leaders.Len() <= 1 })
	r := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{
		Algorithm: "upstart", Properties: []*checker.Property{checker.Uniqueness, checker.Agreement, twin, checker.Validity},
	})
	var b bytes.Buffer
	require.NoError(t, r.WriteTraces(&b, render.TextOptions{}))
	assert.Contains(t, b.String(), "upstart: uniqueness is violated in 3 steps\n")
	assert.Contains(t, b.String(), "upstart: agreement is violated in 5 steps\n")
	assert.Contains(t, b.String(), "\nupstart: twin breaks by the run above (uniqueness).\n")
	assert.NotContains(t, b.String(), "validity")
}

// A search that goes on without its graph has one clock, and says what is known of liveness.
func TestLivenessGivenUpHasOneClock(t *testing.T) {
	var shown []explore.Progress
	s := upstart.Settled(5) // small searches show no progress
	s.Crashes, s.Restarts = 3, 2
	r, err := checker.Check(context.Background(), upstart.System(&upstart.Protocol{}, s), checker.Options{
		MaxGraphStates: 5, MaxStates: 5_000, Workers: 1,
		Progress: func(s explore.Progress) { shown = append(shown, s) }, ProgressEvery: time.Nanosecond,
	})
	require.NoError(t, err)
	require.Contains(t, r.GaveUp, "liveness was given up at 5 states (MaxGraphStates, --max-graph-states)")
	var before time.Duration
	for _, s := range shown {
		assert.GreaterOrEqual(t, s.Elapsed, before, "the clock goes on")
		before = s.Elapsed
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Property == checker.E2 {
			assert.Equal(t, "undecided: "+r.GaveUp, f.Line())
		}
	}
	assert.Contains(t, r.Why, "the search ended at the limit of 5,000 states")
}

// A demand on steps says nothing of a system that has none.
func TestAlwaysStepWithoutSteps(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=2 start=settled")
	require.NoError(t, err)
	never := checker.AlwaysStep("never", "No step is ever taken.", func(*model.Event) bool { return false })
	r := check(t, sys, checker.Options{Properties: []*checker.Property{never}})
	require.EqualValues(t, 1, r.Distinct)
	assert.Equal(t, checker.Vacuous, r.Verdict())
	assert.Equal(t, "vacuous: there was never a step", r.Findings[0].Line())
}

// TestEstimate: where a search ends early, the growth of its levels tells how many states
// there are, roughly, from a fifth of them on.
func TestEstimate(t *testing.T) {
	for _, setting := range []string{"n=3 crashes=2 restarts=2", "n=4 crashes=2", "n=3 timing=sync:2 crashes=2 restarts=1"} {
		sys, err := model.NewFrom(&upstart.Protocol{}, setting+" start=settled")
		require.NoError(t, err)
		opt := checker.Options{Properties: []*checker.Property{checker.Validity}}
		whole := check(t, sys, opt)
		_, ok := whole.Estimate()
		assert.False(t, ok, "all states are known")
		require.Greater(t, whole.Distinct, uint64(500), setting)
		opt.MaxStates = whole.Distinct / 5
		r := check(t, sys, opt)
		require.Equal(t, explore.StateLimit, r.Reason)
		states, ok := r.Estimate()
		require.True(t, ok, setting)
		assert.InEpsilon(t, math.Log(float64(whole.Distinct)), math.Log(float64(states)), math.Log(12)/math.Log(float64(whole.Distinct)), "%s: %d of %d", setting, states, whole.Distinct)
		var b strings.Builder
		require.NoError(t, r.WriteText(&b, render.TextOptions{Width: 1000}))
		assert.Contains(t, b.String(), "Estimate: the system has about ")
		opt.MaxStates = 3
		_, ok = check(t, sys, opt).Estimate()
		assert.False(t, ok, "too few levels")
	}
}

// A property that panics says which one it is, and what is nil as a rule.
func TestPanicOfAPropertyNamesIt(t *testing.T) {
	waits := checker.AlwaysStep("waits", "A process that acts waits.", func(e *model.Event) bool {
		return model.State[upstart.State](e.To, e.Process).Waiting
	})
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 start=settled crashes=1 timing=sync:1")
	require.NoError(t, err)
	defer func() {
		p, ok := recover().(*explore.PanicError)
		require.True(t, ok)
		assert.Contains(t, fmt.Sprint(p.Value), "property waits: runtime error: ")
		assert.Contains(t, fmt.Sprint(p.Value), "model.State is nil for a process that is not up, and for the process of a step at none")
	}()
	_, _ = checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{waits}})
	t.Error("it did not panic")
}
