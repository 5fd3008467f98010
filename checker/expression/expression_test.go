package expression_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/checker"
	"bullyproof/checker/expression"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/list"
	"bullyproof/model/setting"
)

// each calls f with every state that can be reached.
func each(t testing.TB, sys *model.System, f func(state []byte, v *model.View)) {
	t.Helper()
	seen := make(map[string]bool)
	var next [][]byte
	sys.Initial(func(s []byte) bool {
		next = append(next, slices.Clone(s))
		return true
	})
	for len(next) > 0 {
		s := next[0]
		next = next[1:]
		if seen[string(s)] {
			continue
		}
		seen[string(s)] = true
		f(s, sys.View(s))
		for _, step := range sys.Transitions(s) {
			next = append(next, step.Next)
		}
	}
	require.Greater(t, len(seen), 50)
}

func upstarts(t testing.TB, in string) *model.System {
	t.Helper()
	s, err := setting.Parse(in)
	require.NoError(t, err)
	sys, err := model.New(&upstart.Protocol{}, s)
	require.NoError(t, err)
	return sys
}

// wanted are expressions over upstarts, and what they are by functions that are compiled.
var wanted = []struct {
	text string
	is   func(s *model.Snapshot, v *model.View) any
}{
	{"n", func(s *model.Snapshot, _ *model.View) any { return len(s.Processes) }},
	{"leaders", func(_ *model.Snapshot, v *model.View) any { return v.Leaders.Len() }},
	{"wanted", func(_ *model.Snapshot, v *model.View) any { return int(v.Wanted) }},
	{"settled", func(s *model.Snapshot, _ *model.View) any { return s.Settled }},
	{"cut", func(s *model.Snapshot, _ *model.View) any { return !s.Side.Empty() }},
	{"len(live)", func(_ *model.Snapshot, v *model.View) any { return v.Up.Len() }},
	{"map(live, .id)", func(_ *model.Snapshot, v *model.View) any {
		ids := []any{}
		for id := range v.Up.All() {
			ids = append(ids, int(id))
		}
		return ids
	}},
	{"P1.up", func(s *model.Snapshot, _ *model.View) any { return s.Processes[0].Status == model.Up }},
	{"P2.crashed", func(s *model.Snapshot, _ *model.View) any { return s.Processes[1].Status == model.Down }},
	{"P2.paused", func(s *model.Snapshot, _ *model.View) any { return s.Processes[1].Paused }},
	{"P1.follows", func(_ *model.Snapshot, v *model.View) any { return int(v.Elected(1)) }},
	{"P3.leads", func(_ *model.Snapshot, v *model.View) any { return v.Leaders.Has(3) }},
	{"processes[3].participant", func(_ *model.Snapshot, v *model.View) any { return v.Participants.Has(3) }},
	{"count(processes, .up and .Waiting)", func(_ *model.Snapshot, v *model.View) any {
		count := 0
		for id := range v.Up.All() {
			if model.State[upstart.State](v, id).Waiting {
				count++
			}
		}
		return count
	}},
	{"P3.Elected", func(_ *model.Snapshot, v *model.View) any {
		if p := model.State[upstart.State](v, 3); p != nil {
			return int(p.Elected)
		}
		return 0
	}},
	{"2 in P1.reaches", func(_ *model.Snapshot, v *model.View) any { return !v.Severed(1, 2) }},
	{"len(messages)", func(s *model.Snapshot, _ *model.View) any { return len(s.InFlight) }},
	{"map(messages, .from * 10 + .to)", func(s *model.Snapshot, _ *model.View) any {
		ways := []any{}
		for _, e := range s.InFlight {
			ways = append(ways, int(e.From)*10+int(e.To))
		}
		return ways
	}},
	{"map(messages, .kind)", func(s *model.Snapshot, _ *model.View) any {
		kinds := []any{}
		for _, e := range s.InFlight {
			kinds = append(kinds, e.Kind)
		}
		return kinds
	}},
	{"map(messages, .due)", func(s *model.Snapshot, _ *model.View) any {
		dues := []any{}
		for _, e := range s.InFlight {
			dues = append(dues, e.Due)
		}
		return dues
	}},
	{"sum(map(messages, .Who))", func(_ *model.Snapshot, v *model.View) any {
		sum := 0
		for _, m := range model.Mail[upstart.Message](v) {
			sum += int(m.Who)
		}
		return sum
	}},
	{"used.crashes", func(s *model.Snapshot, _ *model.View) any { return 1 - int(left(s, "crashes")) }},
	{"left.cuts", func(s *model.Snapshot, _ *model.View) any { return int(left(s, "cuts")) }},
	{"map(processes, .timers.patience)", func(s *model.Snapshot, _ *model.View) any {
		ticks := []any{}
		for i := range s.Processes {
			at := -1
			for _, t := range s.Processes[i].Timers {
				at = t.Ticks
			}
			ticks = append(ticks, at)
		}
		return ticks
	}},
}

func left(s *model.Snapshot, budget string) int64 {
	for _, b := range s.Budgets {
		if b.Name == budget {
			return b.Times
		}
	}
	return 0
}

// Expressions have the value, in every state, that a function has which is compiled.
func TestExpressionsAgreeWithFunctions(t *testing.T) {
	values := make([]map[string]bool, len(wanted))
	for _, in := range []string{"crashes=1 restarts=1", "crashes=1 pauses=1", "cuts=1 crashes=1"} {
		sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, "n=3 start=settled "+in)
		require.NoError(t, err)
		var all []*expression.Expression
		for i, w := range wanted {
			text := strings.ReplaceAll(w.text, ".timers.patience", fmt.Sprintf(".timers[%q]", sys.Names().Timers[0].Name))
			x, err := expression.Of(sys, text)
			require.NoError(t, err, text)
			if all = append(all, x); values[i] == nil {
				values[i] = make(map[string]bool)
			}
		}
		each(t, sys, func(state []byte, v *model.View) {
			snap := sys.Snapshot(state)
			for i, x := range all {
				got, err := x.Value(v)
				require.NoError(t, err, x.Text())
				require.Equal(t, wanted[i].is(&snap, v), got, "%s in %+v", x.Text(), snap)
				values[i][fmt.Sprint(got)] = true
			}
		})
	}
	for i, w := range wanted {
		if w.text != "n" {
			assert.Greater(t, len(values[i]), 1, "%s never changes: this tests nothing", w.text)
		}
	}
}

// A store has what a state can be made of.
type store struct {
	Log    list.Of[entry, [4]entry]
	Votes  model.ByID[int16]
	Raw    [3]uint8
	Heard  model.Set
	Big    uint64
	Clock  clock.Clock
	Until  clock.Instant
	up     bool
	Last   entry
	Marked bool
}

type entry struct {
	Term uint16
	By   model.ID
}

type note struct{ From int8 }

func (note) Kind() model.Kind { return 0 }
func (note) String() string   { return "note" }

// storing has a process come up with something of each.
type storing struct {
	model.Passive[store, note]
	big uint64
}

func (p *storing) Names() model.Names {
	return model.Names{Kinds: []string{"note"}, Timers: []model.TimerName{{Name: "a timer"}}}
}

func (p *storing) Belief(*store) model.Belief { return model.Belief{} }

func (p *storing) Init(s *store, net *model.Net[note], _ model.Boot) {
	s.Log.Append(entry{300, net.Self()})
	s.Log.Append(entry{7, 2})
	s.Votes.Set(2, -5)
	s.Heard = s.Heard.With(1).With(3)
	s.Raw[1], s.Big, s.up, s.Last = 9, p.big, true, entry{1, 3}
	if net.Self() == 1 {
		s.Until = s.Clock.In(4)
		net.SendTo(2, note{-3})
		net.SetTimer(0, 3)
	}
}

func (p *storing) Receive(s *store, _ *model.Net[note], _ model.Port, _ note) { s.Marked = true }
func (p *storing) Timeout(s *store, _ *model.Net[note], _ model.Timer)        {}
func (p *storing) Start(*store, *model.Net[note])                             {}
func (p *storing) Suspect(*store, *model.Net[note], model.ID)                 {}

func TestFieldsOfEverySort(t *testing.T) {
	sys, err := model.NewFrom(&storing{big: 1 << 40}, "n=3 timing=sync:2 detector=off initiators=none skew=1 clocks=0,1,0")
	require.NoError(t, err)
	var first []byte
	sys.Initial(func(s []byte) bool { first = slices.Clone(s); return false })
	for text, want := range map[string]any{
		"len(P1.Log)": 2, "P1.Log[0].Term": 300, "map(P3.Log, .By)": []any{3, 2}, "P1.Log[1].By": 2,
		"P1.Votes[2]": -5, "len(P1.Votes)": 3, "P1.Votes[P1.Log[1].By]": -5, "P1.Raw[1]": 9, "3 in P1.Heard": true, "2 in P1.Heard": false, "sum(P1.Heard)": 4, "P1.Big": 1 << 40,
		"P2.Clock": 1, "P1.Clock": 0, "P1.Until": 4, "P2.Until": -128, "P1.field_up": true, "P1.up": true,
		"P1.Last.By": 3, "messages[0].From": -3, "messages[0].from": 1, "messages[0].due": 2,
		`P1.timers["a timer"]`: 3, `P2.timers["a timer"]`: -1, "let a = P1.Last.Term; a + 1": 2,
		"find(processes, .Until > 0).id": 1, "processes[P1.Log[1].By].Raw[1]": 9, "max(map(processes, .id))": 3,
		"uniq(map(processes, .Raw[1]))": []any{9}, "1 in [1, 2] ? 5 : 6": 5, "count(1..5, # > 3)": 2,
	} {
		x, err := expression.Of(sys, text)
		if assert.NoError(t, err, text) {
			got, err := x.Value(sys.View(first))
			assert.NoError(t, err, text)
			assert.Equal(t, want, got, text)
		}
	}
	sys, err = model.NewFrom(&storing{big: 1 << 63}, "n=2 timing=sync:2 detector=off initiators=none")
	require.NoError(t, err)
	x, err := expression.Condition(sys, "P1.Big > 0")
	require.NoError(t, err)
	sys.Initial(func(s []byte) bool {
		_, err := x.Is(sys.View(s))
		assert.ErrorContains(t, err, "9223372036854775808 is more than an expression can hold")
		return false
	})
}

func TestErrorsOfExpressions(t *testing.T) {
	sys := upstarts(t, "n=3 start=settled crashes=1")
	for text, want := range map[string]string{
		"":                               "it is empty",
		"leders <= 1":                    "column 1: unknown name leders: did you mean leaders?",
		"zzz":                            "column 1: unknown name zzz: want one of n, leaders, wanted",
		"true and P4.up":                 "column 10: unknown name P4: did you mean P1?",
		"P1.Elect == 1":                  "a process has no Elect: did you mean Elected?",
		"leaders":                        "column 1: it is to be true or false",
		"leaders == true":                "mismatched types int and bool",
		`P1.Elected == "P2"`:             "mismatched types int and string",
		"P1 == P2":                       "operator == is for numbers, texts and truth values",
		"live == processes":              "operator == is for numbers",
		"P1 in live":                     "operator in looks for a number",
		`any(messages, .kind == "clam")`: `no kind of messages "clam": did you mean CLAIM?`,
		`any(messages, .kind in ["a"])`:  `no kind of messages "a"`,
		"processes[0].up":                "column 11: no process 0: a list by process has P1 to P3",
		"processes[4].up":                "no process 4",
		`P1["up"].x`:                     "has no x",
		"now() == now()":                 "no function now",
		"len(concat(live, live)) > 1":    "no function concat",
		"all(1..1000, # > 0)":            "a range is to be of two numbers in the text, with at most 64 in it",
		"all(leaders..n, # > 0)":         "a range is to be of two numbers",
		"leaders ** 2 == 4":              "no operator **",
		`"a" matches "b"`:                "no operator matches",
		"{a: 1}.a == 1":                  "no maps",
		"P1?.up":                         "no operator ?.",
		"nil == nil":                     "no nil",
		"(true ? P1 : P2).up":            "both outcomes of a condition",
		"leaders <=":                     "column 10: unexpected token EOF",
		"leaders\n  <= lead":             "line 2, column 6: unknown name lead",
		"all(live, any(live, any(live, all(live, .up))))": "at most 3 are right",
		strings.Repeat("x", 5000):                         "it has 5000 bytes",
		strings.Repeat("leaders + ", 400) + "1 == 1":      "it has",
	} {
		_, err := expression.Condition(sys, text)
		if want == "it has" { // by the number of nodes, which the library says
			continue
		}
		assert.ErrorContains(t, err, want, text)
		var at *expression.Error
		if errors.As(err, &at) {
			lines := strings.Split(at.Caret(), "\n")
			assert.Len(t, lines, 2)
			assert.Equal(t, at.Column, len(lines[1]), text)
			assert.LessOrEqual(t, len(err.Error()), 400, text)
			assert.NotContains(t, err.Error(), "struct", text)
		}
	}
	_, err := expression.Of(sys, "live")
	assert.ErrorContains(t, err, "its value is to be a number, a text, a truth value, or a list of those")
	_, err = expression.Of(sys, "map(live, #)")
	assert.ErrorContains(t, err, "map is to make numbers, texts or truth values")
	_, err = expression.Of(sys, "uniq(live)")
	assert.ErrorContains(t, err, "uniq is for numbers")
}

// Every text compiles or has an error, and what compiles has a value or an error.
func FuzzCondition(f *testing.F) {
	for _, text := range []string{
		"leaders <= 1", "all(live, .Elected in 1..3)", `any(messages, .kind == "CLAIM" and .Who > 1)`, "let x = P1; x.up", "processes[P1.follows].up",
		"((((", "P1.", "#", "all(live, #)", "sum(map(live, .id)) == 6", "P1.Heard[9] == 1", "1 % 0 == 0", "'\\", "count(1..64, # > 1) > 1", "max([]) == 1",
	} {
		f.Add(text)
	}
	sys := upstarts(f, "n=3 start=settled crashes=1")
	var states [][]byte
	sys.Initial(func(s []byte) bool {
		states = append(states, slices.Clone(s))
		for _, step := range sys.Transitions(s) {
			states = append(states, step.Next)
		}
		return true
	})
	f.Fuzz(func(t *testing.T, text string) {
		x, err := expression.Condition(sys, text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			var at *expression.Error
			if errors.As(err, &at) {
				require.NotEmpty(t, at.Caret())
			}
			return
		}
		for _, s := range states {
			v := sys.View(s)
			one, err := x.Is(v)
			two, again := x.Is(v)
			require.Equal(t, one, two)
			require.Equal(t, err == nil, again == nil)
		}
	})
}

func check(t testing.TB, sys *model.System, opt checker.Options) *checker.Report {
	t.Helper()
	r, err := checker.Check(context.Background(), sys, opt)
	require.NoError(t, err)
	return r
}

// Reduced systems answer an expression that reads beliefs alone, and the answer is the same.
func TestReductionsOfExpressions(t *testing.T) {
	in := setting.Must("n=3 start=settled crashes=1 restarts=1")
	sys := upstarts(t, in.String())
	for text, reducible := range map[string]bool{
		"leaders <= 1":                                true,
		"all(live, .follows != 0)":                    true,
		"P1.leads or not settled":                     true,
		"count(processes, .participant) < 3":          true,
		"wanted == 3":                                 true,
		"quiet or n == 3":                             true,
		"len(messages) <= 3":                          false,
		"P1.Elected <= 3":                             false,
		"used.crashes == 0":                           false,
		"not P1.paused":                               false,
		"all(live, 1 in .reaches)":                    false,
		"not cut":                                     false,
		"P1.epoch == 0":                               false,
		"leaders <= 1 and all(live, len(.Heard) < 9)": false,
	} {
		x, err := expression.Condition(sys, text)
		require.NoError(t, err, text)
		p := x.Always("always")
		assert.Equal(t, reducible, p.Reducible(), text)
		assert.NoError(t, checker.TestProperties(sys, p), text)
		for _, q := range []*checker.Property{p, x.Sometimes("sometimes")} {
			plain := check(t, sys, checker.Options{Properties: []*checker.Property{q}})
			small := check(t, sys, checker.Options{Properties: []*checker.Property{q}, Reduce: checker.ReduceAuto})
			assert.Equal(t, plain.Findings[0].Verdict, small.Findings[0].Verdict, text)
			if plain.Findings[0].Trace != nil {
				assert.Len(t, small.Findings[0].Trace.Steps, len(plain.Findings[0].Trace.Steps), text)
			}
		}
	}
}

// Any number of workers finds the same: verdicts, runs, and counts.
func TestExpressionsAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	sys := upstarts(t, "n=3 start=settled crashes=1 restarts=1")
	var want []string
	for _, workers := range []int{1, 4} {
		var props []*checker.Property
		for i, text := range []string{"leaders <= 1", "P1.Elected != 2", "processes[P1.follows].up"} {
			x, err := expression.Condition(sys, text)
			require.NoError(t, err)
			props = append(props, x.Always(fmt.Sprintf("always-%d", i+1)))
		}
		var tallies []*checker.Tally
		for _, text := range []string{"leaders", "map(live, .follows)", "processes[P1.follows].id", "n / (leaders + 1)"} {
			x, err := expression.Of(sys, text)
			require.NoError(t, err)
			tallies = append(tallies, x.Tally())
		}
		r := check(t, sys, checker.Options{Properties: props, Tallies: tallies, Workers: workers})
		got := []string{}
		for i := range r.Findings {
			data, err := r.Findings[i].Trace.Encode()
			require.NoError(t, err)
			got = append(got, string(data), r.Findings[i].Line())
		}
		for _, one := range r.Tallies {
			assert.Equal(t, r.Distinct, one.States+one.None, "each state is counted once")
			sum := uint64(0)
			for _, v := range one.Values {
				sum += v.States
			}
			assert.Equal(t, one.States, sum)
			got = append(got, fmt.Sprint(one.Name, one.Values, one.None, one.Why))
		}
		if want == nil {
			want = got
		}
		assert.Equal(t, want, got)
	}
}

// An expression without a value is an answer to nothing.
func TestUndefined(t *testing.T) {
	sys := upstarts(t, "n=3 start=settled crashes=1")
	x, err := expression.Condition(sys, "processes[P1.follows].id > 0")
	require.NoError(t, err)
	for _, p := range []*checker.Property{x.Always("always"), x.Sometimes("sometimes")} {
		r := check(t, sys, checker.Options{Properties: []*checker.Property{p}})
		f := &r.Findings[0]
		if p.Name == "sometimes" {
			assert.NoError(t, x.Undefined(f))
			continue
		}
		assert.ErrorContains(t, x.Undefined(f), "it has no value in a state that ")
		assert.ErrorContains(t, x.Undefined(f), "index out of range")
	}
}

func BenchmarkExpressions(b *testing.B) {
	sys, err := raft.Algorithm.Variants[0].In(raft.Algorithm.Variants[0].Setting)
	require.NoError(b, err)
	var state []byte
	sys.Initial(func(s []byte) bool { state = slices.Clone(s); return false })
	v := sys.View(state)
	for _, text := range []string{"leaders <= 1", "all(live, .Term <= 3)", "P1.Term <= 3", `count(messages, .kind == "Vote") < 9`} {
		x, err := expression.Condition(sys, text)
		require.NoError(b, err)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = x.Is(v)
			}
		})
	}
}
