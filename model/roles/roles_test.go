package roles_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/thorough"
	"bullyproof/model"
	"bullyproof/model/roles"
	"bullyproof/model/setting"
)

// most is how many states are compared.
const most = 4_000

// search returns what a check of all states has seen, nil if there are too many.
func search(t *testing.T, sys *model.System) *checker.Report {
	t.Helper()
	r, err := checker.Check(t.Context(), sys, checker.Options{
		Properties: []*checker.Property{checker.Uniqueness, checker.Agreement}, Exhaustive: true, MaxStates: most, Workers: 1,
	})
	require.NoError(t, err)
	if !r.Complete() {
		return nil
	}
	return r
}

// idle is a role that nobody has. Its timers come first.
type idle[M model.Message] struct {
	model.Passive[int8, M]
	names model.Names
}

func (idle[M]) Receive(*int8, *model.Net[M], model.Port, M) {}

func (idle[M]) Belief(*int8) model.Belief { return model.Belief{} }

func (p idle[M]) Names() model.Names { return p.names }

// mostTimers is how many timers a process has at most.
const mostTimers = 16

// idlers returns a role with as many timers as another one leaves.
func idlers[P any, M model.Message](p model.Protocol[P, M]) idle[M] {
	names := model.Names{Kinds: p.Names().Kinds}
	for i := range mostTimers - len(p.Names().Timers) {
		names.Timers = append(names.Timers, model.TimerName{Name: fmt.Sprintf("idle %d", i)})
	}
	return idle[M]{names: names}
}

// alike compares a protocol with itself in two roles and with itself beside a role that nobody
// has, and reports whether it did.
func alike[P any, M model.Message](t *testing.T, p model.Protocol[P, M], s setting.Setting, second model.Set) bool {
	t.Helper()
	plain, err := model.New(p, s)
	if err != nil {
		return false
	}
	both, err := model.New(roles.Two(roles.Role[P, M]{Protocol: p}, roles.Role[P, M]{Protocol: p}, second), s)
	require.NoError(t, err)
	one := search(t, plain)
	if one == nil {
		return false
	}
	systems := []*model.System{both}
	if _, ok := model.As[interface{ Wanted(model.Set) model.ID }](p); !ok { // which counts of the first role
		last, err := model.New(roles.Two(roles.Role[int8, M]{Protocol: idlers(p)}, roles.Role[P, M]{Protocol: p}, model.Upto(model.ID(s.N))), s)
		require.NoError(t, err)
		systems = append(systems, last)
	}
	for _, sys := range systems {
		two := search(t, sys)
		require.NotNil(t, two, s.String())
		same(t, s, one, two)
	}
	return true
}

// same compares what two searches have seen.
func same(t *testing.T, s setting.Setting, one, two *checker.Report) {
	t.Helper()
	assert.Equal(t, one.Distinct, two.Distinct, s.String())
	assert.Equal(t, one.Generated, two.Generated, s.String())
	assert.Equal(t, one.Depth, two.Depth, s.String())
	for i := range one.Findings {
		a, b := &one.Findings[i], &two.Findings[i]
		require.Equal(t, a.Verdict, b.Verdict, s.String())
		if a.Trace != nil {
			assert.Len(t, b.Trace.Steps, len(a.Trace.Steps), s.String())
		}
	}
}

// A protocol in two roles does what it does in one: as many states and transitions, the same
// verdicts, and runs as short.
func TestTwoOfOneKindAreOne(t *testing.T) {
	compared, seeds := 0, uint64(100)
	if thorough.On {
		seeds = 400
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 8))
		s := anyprotocol.Setting(r)
		s.Anonymous = false
		if s.Validate() != nil {
			continue
		}
		if alike(t, anyprotocol.Draw(r, s).Protocol(), s, model.Set(r.IntN(1<<s.N))) {
			compared++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	assert.Greater(t, uint64(compared), seeds/4)
}

// A picker makes its choice when its one timer expires, and says so by its one rule.
type picker struct {
	model.Passive[int8, message]
	choice model.ChoiceName
	rule   string
	beyond bool // it sets a timer of the other role
}

func (p picker) Init(_ *int8, net *model.Net[message], _ model.Boot) {
	if p.beyond {
		net.SetTimer(1, 1)
	}
	net.SetTimer(0, int(net.Self()))
}

func (picker) Timeout(state *int8, net *model.Net[message], t model.Timer) {
	net.Rule(0)
	*state = int8(10*int(t) + net.Pick(0))
}

func (picker) Receive(*int8, *model.Net[message], model.Port, message) {}

func (picker) Belief(*int8) model.Belief { return model.Belief{} }

func (p picker) Names() model.Names {
	return model.Names{
		Kinds: []string{"ask", "granted"}, Timers: []model.TimerName{{Name: p.rule}}, Rules: []string{p.rule}, Choices: []model.ChoiceName{p.choice},
	}
}

// Each role has its own timers, rules and choices, by their own numbers and names.
func TestNamesAreThoseOfTheRole(t *testing.T) {
	waits := picker{choice: model.ChoiceName{Name: "wait", Outcomes: []string{"short", "long"}}, rule: "waits"}
	turns := picker{choice: model.ChoiceName{Name: "turn", Outcomes: []string{"left", "right", "back"}}, rule: "turns"}
	two := func() (*model.System, error) {
		return model.NewFrom(roles.Two(roles.Role[int8, message]{Protocol: waits}, roles.Role[int8, message]{Protocol: turns}, model.SetOf(2)),
			"n=2 initiators=none detector=off timing=async")
	}
	sys, err := two()
	require.NoError(t, err)
	for state := range sys.Initial {
		var told []string
		for _, tr := range sys.Transitions(state) {
			s := model.State[roles.State[int8, int8]](sys.View(tr.Next), tr.Action.Process)
			told = append(told, fmt.Sprintf("%d %s %v %v %v", tr.Action.Process, tr.Action.Timer, tr.Rules, tr.Action.Outcomes, *s))
		}
		assert.Equal(t, []string{
			"1 waits [waits] [wait=short] {false 0 0}", "1 waits [waits] [wait=long] {false 1 0}",
			"2 turns [turns] [turn=left] {true 0 0}", "2 turns [turns] [turn=right] {true 0 1}", "2 turns [turns] [turn=back] {true 0 2}",
		}, told)
	}

	// A timer of the other role is none of this one.
	turns.beyond = true
	_, err = two()
	assert.ErrorContains(t, err, "timer 1: the protocol names 1 timers")
}

// The timers of both roles count together.
func TestTooManyTimers(t *testing.T) {
	few := picker{choice: model.ChoiceName{Name: "a", Outcomes: []string{"x"}}, rule: "r"}
	full := idlers(few)
	s := setting.Must("n=2 initiators=none")
	_, err := model.New(roles.Two(roles.Role[int8, message]{Protocol: full}, roles.Role[int8, message]{Protocol: few}, model.SetOf(2)), s)
	require.NoError(t, err)
	full.names.Timers = append(full.names.Timers, model.TimerName{Name: "one more"})
	_, err = model.New(roles.Two(roles.Role[int8, message]{Protocol: full}, roles.Role[int8, message]{Protocol: few}, model.SetOf(2)), s)
	assert.ErrorContains(t, err, "names 17 timers; at most 16 are right")
}
