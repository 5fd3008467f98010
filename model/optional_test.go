package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// keeper is a herald with stable storage.
type keeper struct{ heralds }

func (keeper) Stable(*herald) {}

type (
	// wrapper is a decorator, and within one that embeds it.
	wrapper struct {
		model.Protocol[herald, claim]
	}
	within struct{ wrapper }

	// hidden embeds an interface that is not exported.
	hidden   struct{ protocol }
	protocol interface {
		model.Protocol[herald, claim]
	}

	byValue     struct{ heralds }
	needsSelf   struct{ heralds }
	oddSettle   struct{ heralds }
	oddWanted   struct{ heralds }
	oddFormat   struct{ heralds }
	oddRole     struct{ heralds }
	stores      struct{ heralds }
	pointerOnly struct{ heralds }
	endless     struct {
		heralds
		model.Protocol[herald, claim]
	}
	twice struct {
		heralds
		one
		two
	}
	one interface{ Stable(*herald) }
	two interface{ Stable(*herald) }
)

func (byValue) Stable(herald)                                   {}
func (needsSelf) Watches(*herald) model.Set                     { return 0 }
func (oddSettle) Settle(*herald, model.ID)                      {}
func (oddWanted) Wanted(model.Set) int                          { return 0 }
func (oddRole) Role(model.ID) string                            { return "" }
func (oddFormat) Format(fmt.Stringer) string                    { return "" }
func (*pointerOnly) Stable(*herald)                             {}
func (endless) Belief(*herald) model.Belief                     { return model.Belief{} }
func (endless) Names() model.Names                              { return heralds{}.Names() }
func (endless) Start(*herald, *model.Net[claim])                {}
func (endless) Suspect(*herald, *model.Net[claim], model.ID)    {}
func (endless) Timeout(*herald, *model.Net[claim], model.Timer) {}

func (endless) Init(*herald, *model.Net[claim], model.Boot)           {}
func (endless) Receive(*herald, *model.Net[claim], model.Port, claim) {}

func TestWrappingKeepsOptionalMethods(t *testing.T) {
	self := &endless{}
	self.Protocol = self
	for _, c := range []struct {
		name     string
		protocol model.Protocol[herald, claim]
		stable   bool
	}{
		{"without", heralds{}, false},
		{"with", keeper{}, true},
		{"embedded struct", struct{ keeper }{}, true},
		{"wrapped", wrapper{keeper{}}, true},
		{"wrapped by a pointer", &wrapper{&keeper{}}, true},
		{"wrapped twice", wrapper{wrapper{keeper{}}}, true},
		{"in an embedded struct", within{wrapper{keeper{}}}, true},
		{"by an interface that is not exported", hidden{keeper{}}, true},
		{"without, wrapped", wrapper{heralds{}}, false},
		{"wrapped by itself", self, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys, err := model.New(c.protocol, setting.Must("n=2 crashes=1 restarts=1"))
			require.NoError(t, err)
			assert.Equal(t, model.OptionalMethod{Method: "Stable", What: "stable storage", Has: c.stable}, sys.Optional()[0])
			_, has := model.As[interface{ Stable(*herald) }](c.protocol)
			assert.Equal(t, c.stable, has)
		})
	}
}

func (stores) Role(id model.ID, n int) string {
	if int(id) == n {
		return "store"
	}
	return "client"
}

// Processes have the roles that their protocol gives them, also if it is wrapped, and none
// otherwise. One that joins is also a process.
func TestRoles(t *testing.T) {
	for _, c := range []struct {
		protocol model.Protocol[herald, claim]
		want     []string
	}{
		{heralds{}, []string{"", "", ""}},
		{stores{}, []string{"client", "client", "store"}},
		{wrapper{stores{}}, []string{"client", "client", "store"}},
	} {
		sys, err := model.New(c.protocol, setting.Must("n=3 joins=1"))
		require.NoError(t, err)
		assert.Equal(t, c.want, []string{sys.Role(1), sys.Role(2), sys.Role(3)})
	}
}

// A crash leaves the stable storage of the wrapped protocol.
func TestWrappingKeepsWhatStableDoes(t *testing.T) {
	in := setting.Must("n=2 crashes=1 restarts=1")
	plain, err := model.New(keeper{}, in)
	require.NoError(t, err)
	wrapped, err := model.New(wrapper{keeper{}}, in)
	require.NoError(t, err)
	queue, seen := [][]byte{}, map[string]bool{}
	for state := range plain.Initial {
		queue = append(queue, append([]byte(nil), state...))
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if seen[string(queue[0])] {
			continue
		}
		seen[string(queue[0])] = true
		want := plain.Transitions(queue[0])
		require.Equal(t, want, wrapped.Transitions(queue[0]))
		for _, tr := range want {
			queue = append(queue, tr.Next)
		}
	}
}

func TestMistypedOptionalMethods(t *testing.T) {
	for _, c := range []struct {
		protocol model.Protocol[herald, claim]
		want     []string
	}{
		{byValue{}, []string{"byValue", "method Stable is a func(model_test.herald)", "want a func(*model_test.herald)"}},
		{needsSelf{}, []string{"method Watches", "want a func(*model_test.herald, model.ID) model.Set"}},
		{oddSettle{}, []string{"method Settle", "want a func(*model_test.herald, model.ID, model.ID, model.Set)"}},
		{oddWanted{}, []string{"method Wanted is a func(model.Set) int"}},
		{oddRole{}, []string{"method Role", "want a func(model.ID, int) string"}},
		{oddFormat{}, []string{"method Format", "want a func(model_test.claim) string"}},
		{pointerOnly{}, []string{"method Stable has a pointer receiver", "use a *model_test.pointerOnly"}},
		{wrapper{byValue{}}, []string{"byValue", "method Stable"}},
		{wrapper{pointerOnly{}}, []string{"pointer receiver"}},
		{twice{one: keeper{}, two: keeper{}}, []string{"twice", "two values with a method Stable"}},
		{nil, []string{"no protocol"}},
	} {
		_, err := model.New(c.protocol, setting.Must("n=2"))
		for _, part := range c.want {
			assert.ErrorContains(t, err, part)
		}
	}
}

func TestNewFrom(t *testing.T) {
	sys, err := model.NewFrom(keeper{}, "n=2 crashes=1")
	require.NoError(t, err)
	want, err := model.New(keeper{}, setting.Must("n=2 crashes=1"))
	require.NoError(t, err)
	assert.True(t, want.Setting().Equal(sys.Setting()))
	_, err = model.NewFrom(keeper{}, "n=2 crash=1")
	assert.ErrorContains(t, err, `"crash"`)
	_, err = model.NewFrom(byValue{}, "n=2")
	assert.ErrorContains(t, err, "method Stable")
}

// Variants of one protocol get numbers of their own for timers and rules, and none
// writes into the names of another.
func TestNamesOfVariants(t *testing.T) {
	timers := append(make([]model.TimerName, 0, 8), model.TimerName{Name: "T"})
	base := model.Names{Kinds: []string{"HERE"}, Timers: timers, Rules: append(make([]string, 0, 8), "1: claim")}
	one, cool := base.WithTimer(model.TimerName{Name: "cool-down"})
	one, rule := one.WithRule("2: keep silent")
	other, beat := base.WithTimer(model.TimerName{Name: "beat", Periodic: true})
	other, again := other.WithRule("3: say it again")
	other, last := other.WithTimer(model.TimerName{Name: "last"})
	assert.Equal(t, []model.Timer{1, 1, 2}, []model.Timer{cool, beat, last})
	assert.Equal(t, []model.Rule{1, 1}, []model.Rule{rule, again})
	assert.Equal(t, "cool-down", one.Timers[cool].Name)
	assert.Equal(t, "beat", other.Timers[beat].Name)
	assert.Equal(t, "2: keep silent", one.Rules[rule])
	assert.Equal(t, "3: say it again", other.Rules[again])
	assert.Len(t, base.Timers, 1)
	assert.Len(t, base.Rules, 1)
	more, kind := base.WithKind("THERE")
	assert.Equal(t, "THERE", more.Kinds[kind])
	assert.Len(t, base.Kinds, 1)
}
