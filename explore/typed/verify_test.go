package typed

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
)

// A listener is a testing.TB that keeps what it is told.
type listener struct {
	testing.TB
	said   string
	failed bool
}

func (l *listener) Helper()                  {}
func (l *listener) Context() context.Context { return context.Background() }
func (l *listener) Log(args ...any)          { l.said += fmt.Sprint(args...) }
func (l *listener) Error(args ...any)        { l.failed = true; l.Log(args...) }

// fatal is what Fatal panics with, to end the test.
type fatal struct{}

func (l *listener) Fatal(args ...any) { l.Error(args...); panic(fatal{}) }

// said returns what Verify says of a model, and whether it fails.
func said[S, A any](m Model[S, A], opt explore.Options, formulas ...Formula[S]) (said string, failed bool) {
	l := new(listener)
	func() {
		defer func() {
			if p := recover(); p != nil && p != (fatal{}) {
				panic(p)
			}
		}()
		Verify(l, m, opt, formulas...)
	}()
	return l.said, l.failed
}

// A door is open or closed, and may be locked when it is closed.
type door struct {
	Open, Locked bool
	Turns        uint8 // of the key, up to a limit
}

type doors struct{ turns uint8 }

func (doors) Initial(yield func(door) bool) { yield(door{}) }

func (m doors) Next(d door, yield func(string, door) bool) {
	if !d.Locked {
		yield("push", door{!d.Open, false, d.Turns})
	}
	if !d.Open && d.Turns < m.turns {
		yield("turn the key", door{false, !d.Locked, d.Turns + 1})
	}
}

func isLocked(d door) bool { return d.Locked }
func isOpen(d door) bool   { return d.Open }

func TestVerify(t *testing.T) {
	never := Always("never open and locked", func(d door) bool { return !d.Open || !d.Locked })
	stuck := NoDeadlock[door]("always a way on", nil)
	opens := AlwaysEventually("opens again and again", isOpen)
	locks := Eventually("locked some day", isLocked)
	last := Always("two turns at most", func(d door) bool { return d.Turns < 3 })
	missed := LeadsTo("nine turns open it", func(d door) bool { return d.Turns == 9 }, isOpen)
	push := Fair(liveness.Weak, "push", func(_ door, action string, _ door) bool { return action == "push" })
	kick := Fair(liveness.Strong, "kick", func(_ door, action string, _ door) bool { return action == "kick" })
	few := Constraint("two turns", func(d door) bool { return d.Turns < 3 })
	for _, test := range []struct {
		name     string
		formulas []Formula[door]
		opt      explore.Options
		failed   bool
		want     string
	}{
		{"holds", []Formula[door]{never, Sometimes("locked", isLocked)}, explore.Options{Exhaustive: true}, false,
			"complete: 6 distinct states, 8 generated, depth 3"},
		{"deadlock", []Formula[door]{stuck, last}, explore.Options{}, true, `
always a way on: violated, in 3 steps:
  0. {Open:false Locked:false Turns:0}
  1. turn the key  Locked: false → true, Turns: 0 → 1
  2. turn the key  Locked: true → false, Turns: 1 → 2
  3. turn the key  Locked: false → true, Turns: 2 → 3
two turns at most: violated, in 3 steps
complete: 6 distinct states, 8 generated, depth 3`},
		{"it is expected to fail", []Formula[door]{stuck.Expect(Violated), never}, explore.Options{}, false, "complete: "},
		{"it is expected to fail and does not", []Formula[door]{never.Expect(Violated)}, explore.Options{}, true,
			"\nnever open and locked: holds, where violated was expected\ncomplete: "},
		{"stuttering", []Formula[door]{opens, FairNext[door]()}, explore.Options{}, true, `
opens again and again: violated, in 3 steps:
  0. {Open:false Locked:false Turns:0}
  1. turn the key  Locked: false → true, Turns: 0 → 1
  2. turn the key  Locked: true → false, Turns: 1 → 2
  3. turn the key  Locked: false → true, Turns: 2 → 3
and then nothing happens any more
complete: `},
		{"lasso", []Formula[door]{locks, push}, explore.Options{}, true, `
locked some day: violated, in 2 steps:
  0. {Open:false Locked:false Turns:0}
  1. push  Open: false → true
  2. push  Open: true → false
and again from step 1 on, without end: state 2 is state 0
complete: `},
		{"vacuous", []Formula[door]{missed}, explore.Options{}, true,
			"\nnine turns open it: vacuous: nothing breaks it, and what it is about never comes up\n"},
		{"vacuous, as expected", []Formula[door]{missed.Expect(Vacuous)}, explore.Options{}, false, "complete: "},
		{"limit", []Formula[door]{never, missed, Sometimes("far", func(d door) bool { return d.Turns == 3 })}, explore.Options{MaxDepth: 2}, true, `
never open and locked: incomplete: the search ended early (limit on depth); no behavior of up to 2 steps breaks it
nine turns open it: incomplete: the search ended early (limit on depth); it takes all states to answer a question about infinite behaviors
far: incomplete: the search ended early (limit on depth); no behavior of up to 2 steps gets there
limit on depth: `},
		{"constraint", []Formula[door]{last, few, locks, FairNext[door]()}, explore.Options{}, true, `
two turns at most: violated, in 3 steps:
  0. {Open:false Locked:false Turns:0}
  1. turn the key  Locked: false → true, Turns: 0 → 1
  2. turn the key  Locked: true → false, Turns: 1 → 2
  3. turn the key  Locked: false → true, Turns: 2 → 3
locked some day: violated, in 2 steps
complete: 5 distinct states, 8 generated, depth 3; some transitions lead outside the constraint, and what holds does so within it`},
		{"a constraint that bounds what holds", []Formula[door]{never, few}, explore.Options{}, false, "; some transitions lead outside the constraint, and what holds does so within it"},
		{"fair to nothing", []Formula[door]{never, opens.Expect(Violated), push, kick}, explore.Options{}, false,
			`; no transition is in the set "kick", to which behaviors are said to be fair`},
		{"no question", []Formula[door]{few}, explore.Options{}, true, "explore: none of 1 formulas asks anything"},
		{"one name twice", []Formula[door]{never, never}, explore.Options{}, true, `explore: two formulas are named "never open and locked"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opt.Workers = 1
			text, failed := said(doors{3}, test.opt, test.formulas...)
			assert.Equal(t, test.failed, failed)
			assert.Contains(t, text, test.want)
		})
	}
}

// moody gives another answer each time.
type moody struct{ asked *int }

func (m moody) Initial(yield func(uint8) bool) { yield(0) }

func (m moody) Next(s uint8, yield func(int, uint8) bool) {
	*m.asked++
	yield(0, s+uint8(*m.asked))
}

func TestVerifyNamesNondeterminism(t *testing.T) {
	text, failed := said(moody{new(int)}, explore.Options{}, Always("p", func(uint8) bool { return true }))
	assert.True(t, failed)
	assert.Contains(t, text, "the model is not deterministic: asked twice, 0 has another transition number 0 (of 1, then of 1)")
}

// nobody has no initial state.
type nobody struct{ doors }

func (nobody) Initial(func(door) bool) {}

func TestNothingIsVacuous(t *testing.T) {
	c, err := Check(context.Background(), nobody{}, explore.Options{}, Always("p", isOpen), Eventually("q", isOpen), Sometimes("r", isOpen))
	require.NoError(t, err)
	assert.Equal(t, []Verdict{Vacuous, Vacuous, NotFound}, []Verdict{c.Answers[0].Verdict, c.Answers[1].Verdict, c.Answers[2].Verdict})
	assert.Nil(t, c.Answer("s"))
}

// fragile panics in one state.
type fragile struct{ doors }

var errJammed = errors.New("the lock is jammed")

func (m fragile) Next(d door, yield func(string, door) bool) {
	if d.Turns == 2 && d.Open {
		panic(errJammed)
	}
	m.doors.Next(d, yield)
}

func TestPanicComesWithTheWayToIt(t *testing.T) {
	for _, opt := range []explore.Options{{}, {Exact: true}, {Order: explore.DepthFirst}, {Workers: 1, Graph: true}} {
		_, err := Check(context.Background(), fragile{doors{3}}, opt, Always("p", func(door) bool { return true }))
		require.ErrorIs(t, err, errJammed)
		var p *explore.PanicError
		require.ErrorAs(t, err, &p)
		assert.NotEmpty(t, p.State)
		assert.NotEmpty(t, p.Path)
		assert.ErrorContains(t, err, "verify_test.go", "the stack")
		if opt.Order == explore.BreadthFirst {
			assert.Len(t, p.Path, 4)
			assert.ErrorContains(t, err, `the model or a formula panicked: the lock is jammed
the way to the state is
  0. {Open:false Locked:false Turns:0}
  1. turn the key  Locked: false → true, Turns: 0 → 1
  2. turn the key  Locked: true → false, Turns: 1 → 2
  3. push          Open: false → true
`)
		}
	}
	_, err := Check(context.Background(), doors{1}, explore.Options{}, AlwaysStep("s", func(_ door, action string, _ door) bool {
		return action == "push" || len(action) > 100/len(action[:0])
	}))
	assert.ErrorContains(t, err, "integer divide by zero")
	text, failed := said(fragile{doors{3}}, explore.Options{}, Always("p", func(door) bool { return true }))
	assert.True(t, failed)
	assert.Contains(t, text, "the lock is jammed")
}

type shelf struct {
	Books [2]colour
	Dust  struct{ Deep bool }
	notes int8
	_     uint8
}

func TestBehaviorSaysWhatChanges(t *testing.T) {
	b := Behavior[shelf, colour]{Loop: NoLoop, Steps: []Step[shelf, colour]{
		{}, {Action: 2, State: shelf{Books: [2]colour{0, 1}, notes: 3}}, {State: shelf{Books: [2]colour{0, 1}, notes: 3}},
		{Action: 1, State: shelf{Dust: struct{ Deep bool }{true}}},
	}}
	assert.Equal(t, `  0. {Books:[red red] Dust:{Deep:false} notes:0 _:0}
  1. blue   Books[1]: red → green, notes: 0 → 3
  2. red    unchanged
  3. green  Books[1]: green → red, Dust.Deep: false → true, notes: 3 → 0
`, b.String())
	n := Behavior[colour, int]{Steps: []Step[colour, int]{{0, 1}, {7, 2}, {8, 1}}, Loop: 0}
	assert.Equal(t, "  0. green\n  1. 7  green → blue\n  2. 8  blue → green\nand again from step 1 on, without end: state 2 is state 0\n", n.String())
	assert.Equal(t, 2, n.Len())
	assert.Zero(t, Behavior[colour, int]{}.Len())
	assert.Empty(t, Behavior[colour, int]{}.String())
}

func TestStatesNeedAGraph(t *testing.T) {
	c, err := Check(context.Background(), doors{3}, explore.Options{}, Always("p", func(door) bool { return true }))
	require.NoError(t, err)
	assert.ErrorContains(t, c.States(nil), "there is no graph")
}

func TestVerdictStrings(t *testing.T) {
	assert.Equal(t, "incomplete holds violated found not found vacuous Verdict(6)", fmt.Sprint(Incomplete, Holds, Violated, Found, NotFound, Vacuous, Verdict(6)))
}
