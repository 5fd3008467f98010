package shipped_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/internal/test/garbage"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

var deep = flag.Bool("deep", false, "also put machines among three to the test")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// system makes the system of a protocol.
func system[P any, M model.Message](t *testing.T, p model.Protocol[P, M], setting string) *model.System {
	t.Helper()
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	return sys
}

// same checks that two systems are one except for how their states are written: in counts,
// verdicts and lengths of runs; and each run of the one is a run of the other, with the same
// texts.
func same(t *testing.T, flat, real *model.System, opt checker.Options) {
	t.Helper()
	a, err := checker.Check(context.Background(), flat, opt)
	require.NoError(t, err)
	b, err := checker.Check(context.Background(), real, opt)
	require.NoError(t, err)
	assert.Equal(t, a.Distinct, b.Distinct)
	assert.Equal(t, a.Generated, b.Generated)
	assert.Equal(t, a.Levels, b.Levels)
	assert.Equal(t, a.Coverage.Sent, b.Coverage.Sent)
	assert.Equal(t, a.Coverage.Received, b.Coverage.Received)
	assert.Equal(t, a.Coverage.Actions, b.Coverage.Actions)
	assert.Equal(t, a.Bound, b.Bound)
	require.Len(t, b.Findings, len(a.Findings))
	for i, f := range a.Findings {
		g := b.Findings[i]
		name := f.Property.Name
		require.Equal(t, f.Verdict, g.Verdict, "%s: %s", name, g.Why)
		require.Equal(t, f.Run == nil, g.Run == nil, name)
		if f.Run == nil {
			continue
		}
		assert.Len(t, g.Run.States, len(f.Run.States), name)
		follow(t, f.Trace, f.Run.States[0], flat, real)
		follow(t, g.Trace, g.Run.States[0], real, flat)
	}
}

// follow takes the steps of a run of one system in another one, and compares what
// processes believe on the way.
func follow(t *testing.T, tr *trace.Trace, begin []byte, of, in *model.System) {
	t.Helper()
	_, choices := of.Narrow(begin)
	sys, err := in.In(tr.Setting)
	require.NoError(t, err)
	here, err := sys.Begin(choices)
	require.NoError(t, err)
	for i, step := range tr.Steps {
		found := false
		for _, next := range sys.Transitions(here) {
			if found = trace.SameAction(step.Action, next.Action); found {
				here = next.Next
				break
			}
		}
		require.True(t, found, "step %d, %s, is not one of the other system", i+1, trace.ActionText(step.Action))
	}
}

func TestSameAsFlatRing(t *testing.T) {
	for _, setting := range []string{"n=3 topology=ring initiators=any channels=unordered", "n=3 topology=ring initiators=any channels=fifo"} {
		t.Run(setting, func(t *testing.T) {
			// Where the leader's id is kept, in its message or in the ring, is no matter.
			same(t, system(t, &changroberts.Protocol{}, setting), system(t, shipped.New(ringMachine{}, shipped.Constant("int")), setting), checker.Options{})
		})
	}
}

func TestSameAsFlatVotes(t *testing.T) {
	ask := checker.Options{Properties: []*checker.Property{checker.OneLeaderPerEpoch, checker.Uniqueness}}
	for _, setting := range []string{
		"n=3 initiators=none timing=async", "n=3 initiators=none timing=patient crashes=1 restarts=1 mail-down=lost mail-old=lost",
		"n=2 initiators=none timing=sync:1 crashes=1 restarts=1 losses=1", "n=2 initiators=none timing=async duplications=1 mid-send=yes crashes=1 restarts=1",
	} {
		for _, forgets := range []bool{false, true} {
			for name, opts := range map[string][]shipped.Option{"copied": nil, "replayed": {shipped.Replayed()}} {
				if name == "replayed" && !strings.HasPrefix(setting, "n=2") {
					continue
				}
				t.Run(fmt.Sprint(setting, " forgets=", forgets, " ", name), func(t *testing.T) {
					real := shipped.New(voters{Forgets: forgets}, opts...)
					same(t, system(t, flat{Forgets: forgets}, setting), system(t, real, setting), ask)
				})
			}
		}
	}
}

// A conforming machine is one that Test finds nothing wrong with.
func TestMachinesConform(t *testing.T) {
	shipped.Test(t, ringMachine{}, "n=3 topology=ring initiators=any")
	n := "n=2"
	if *deep {
		n = "n=3"
	}
	shipped.Test(t, voters{}, n+" initiators=none timing=async crashes=1 restarts=1")
}

// cast is a voter with methods of a protocol that know no state beside one that does.
type cast struct{ voters }

func (cast) Role(model.ID, int) string        { return "voter" }
func (cast) Wanted(live model.Set) model.ID   { return live.Min() }
func (cast) Fits(s setting.Setting) (e error) { return }

// The methods of a machine that know no state are not taken for those of its state.
func TestMethodsWithoutStates(t *testing.T) {
	sys := system(t, shipped.New(cast{}), "n=2 initiators=none timing=async crashes=1 restarts=1")
	assert.Equal(t, "voter", sys.Role(1))
	for _, m := range sys.Optional() {
		switch m.Method {
		case "Stable", "Wanted", "Role", "Fits":
			assert.True(t, m.Has, m.Method)
		}
	}
}

// A report says what the states are, and how they are made again.
func TestRemark(t *testing.T) {
	for want, opts := range map[string][]shipped.Option{
		"Values are copied": nil, "Values are made again by replays": {shipped.Replayed()},
	} {
		sys := system(t, shipped.New(voters{}, opts...), "n=2 initiators=none timing=async")
		r, err := checker.Check(context.Background(), sys, checker.Options{})
		require.NoError(t, err)
		assert.Contains(t, r.Coverage.Remark, "Processes run a shipped_test.process as it ships: ")
		assert.Contains(t, r.Coverage.Remark, want)
	}
}

// Any number of workers counts the same, and names the same run.
func TestWorkers(t *testing.T) {
	var runs []string
	for _, workers := range []int{1, 2, 4} {
		sys := system(t, shipped.New(voters{Forgets: true}), "n=3 initiators=none timing=async crashes=1 restarts=1")
		r, err := checker.Check(context.Background(), sys, checker.Options{Workers: workers, Properties: []*checker.Property{checker.OneLeaderPerEpoch}})
		require.NoError(t, err)
		require.Equal(t, checker.Violated, r.Findings[0].Verdict)
		text := fmt.Sprint(r.Distinct, r.Generated)
		for _, s := range r.Findings[0].Trace.Steps {
			text += "\n" + trace.ActionText(s.Action)
		}
		runs = append(runs, text)
	}
	assert.Equal(t, runs[0], runs[1])
	assert.Equal(t, runs[0], runs[2])
}

// A reported collects what a test says.
type reported struct {
	testing.TB
	text strings.Builder
}

func (r *reported) Helper()                        {}
func (r *reported) Errorf(format string, a ...any) { fmt.Fprintf(&r.text, format+"\n", a...) }

// fault is a voter with something wrong with it.
type fault struct {
	voters
	what string
}

// counter is what a handler remembers outside of its value.
var counter int

func (f fault) Receive(p *process, net *shipped.Net[letter], from model.Port, l letter) {
	switch f.what {
	case "clock":
		l.Term += rand.IntN(2)
	case "outside":
		counter++
		l.Term += counter % 2
	case "goroutine":
		go func() { select {} }()
	}
	f.voters.Receive(p, net, from, l)
}

func TestFaultsAreCaught(t *testing.T) {
	tests := map[string]struct {
		opts []shipped.Option
		want string
	}{
		"clock":     {nil, "deterministic"},
		"outside":   {nil, "deterministic"},
		"goroutine": {nil, "leaves a goroutine behind, bullyproof/checker/shipped_test.fault.Receive.func1"},
		"vote":      {[]shipped.Option{shipped.LeaveOut("shipped_test.disk.Voted")}, "on two values with the same dump"},
		"votes":     {[]shipped.Option{shipped.LeaveOut("shipped_test.voter.votes")}, "handlers have to be deterministic"},
		"name":      {[]shipped.Option{shipped.LeaveOut("shipped_test.voter.nothing")}, "nothing in a shipped_test.process or its messages is a shipped_test.voter.nothing"},
	}
	for name, test := range tests {
		r := &reported{TB: t}
		shipped.Test(r, fault{what: name}, "n=2 initiators=none timing=async crashes=1 restarts=1", test.opts...)
		assert.Contains(t, r.text.String(), test.want, name)
	}
}
