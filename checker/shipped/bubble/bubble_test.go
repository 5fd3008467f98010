package bubble_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/model"
	"bullyproof/trace"
)

// check asks properties, whether one process leads at a time if there are none.
func check(t *testing.T, p *bubble.Protocol, setting string, opt checker.Options) *checker.Report {
	t.Helper()
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	if opt.Properties == nil {
		opt.Properties = []*checker.Property{checker.Uniqueness}
	}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	t.Logf("%s: %d states to depth %d in %v. %s", setting, r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	return r
}

func steps(r *checker.Report) (list []string) {
	for _, s := range r.Findings[0].Trace.Steps {
		list = append(list, trace.ActionText(s.Action))
	}
	return list
}

// A leader that pauses leads on after its lock is over.
func TestPauseIsFound(t *testing.T) {
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "candidate", Main: candidate}, {Name: "server", Main: server, Processes: 1}}}
	var first []string
	for _, workers := range []int{1, 2} {
		r := check(t, w.Protocol(), "n=3 timing=lockstep pauses=1 pausers=1", checker.Options{Workers: workers})
		require.Equal(t, checker.Violated, r.Findings[0].Verdict)
		assert.Equal(t, "P1 and P2 both believe themselves coordinator", r.Findings[0].Explanation)
		if first == nil {
			first = steps(r)
		}
		assert.Equal(t, first, steps(r), "for any number of workers")
	}
	assert.Contains(t, first, "P1 pauses")
	r := check(t, w.Protocol(), "n=3 timing=lockstep", checker.Options{MaxDepth: 30})
	assert.Equal(t, checker.Incomplete, r.Findings[0].Verdict)
}

// holder holds a lock for two ticks, again and again. All that it will do follows from the instant
// until which it waits.
func holder(env *bubble.Env) {
	var mu sync.Mutex // the values are read by another goroutine
	var wakes time.Time
	holds := false
	set := func(until time.Time, holding bool) {
		mu.Lock()
		defer mu.Unlock()
		wakes, holds = until, holding
	}
	env.State(func() any {
		mu.Lock()
		defer mu.Unlock()
		return []any{env.In(wakes), holds}
	})
	for env.Context().Err() == nil {
		answer, err := env.Call(env.Context(), env.N(), "take")
		if err == nil && answer == "yes" {
			env.Leads(true)
			until := time.Now().Add(2 * time.Second)
			set(until, true)
			sleep(env, until)
			env.Leads(false)
			set(time.Time{}, false)
			env.Send(env.N(), "give")
			continue
		}
		until := time.Now().Add(time.Second)
		set(until, false)
		sleep(env, until)
		set(time.Time{}, false)
	}
}

func sleep(env *bubble.Env, until time.Time) {
	select {
	case <-time.After(time.Until(until)):
	case <-env.Context().Done():
	}
}

// keeper gives a lock to one at a time. Bad gives it twice to P2.
func keeper(bad bool) func(*bubble.Env) {
	return func(env *bubble.Env) {
		var owner atomic.Int64
		env.State(func() any { return owner.Load() })
		for {
			p, err := env.Recv(env.Context())
			switch {
			case err != nil:
				return
			case p.Text == "give":
				owner.Store(0)
			case owner.Load() == 0 || bad && p.From == 2:
				owner.Store(int64(p.From))
				env.Answer(p, "yes")
			default:
				env.Answer(p, "no")
			}
		}
	}
}

// Where the programs name their values, all states are seen.
func TestStates(t *testing.T) {
	roles := func(bad bool) []bubble.Role {
		return []bubble.Role{{Name: "holder", Main: holder}, {Name: "keeper", Main: keeper(bad), Processes: 1, Timeless: true}}
	}
	w := &bubble.World{T: t, Roles: roles(false)}
	bubble.Test(t, w, "n=3 timing=lockstep channels=fifo")
	for _, setting := range []string{"n=3 timing=lockstep channels=fifo", "n=3 timing=sync:1 channels=fifo"} {
		r := check(t, w.Protocol(), setting, checker.Options{})
		assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
		assert.Less(t, r.Distinct, uint64(2000))
		assert.Contains(t, r.Coverage.Remark, "a history was taken to be another one, by the values that the process named")
	}
	r := check(t, (&bubble.World{T: t, Roles: roles(true)}).Protocol(), "n=3 timing=lockstep channels=fifo", checker.Options{})
	assert.Equal(t, checker.Violated, r.Findings[0].Verdict)
}

// counts counts its boots on its disk, and asks P2 for an answer in each.
func counts(env *bubble.Env) {
	boots := len(env.Keys())
	env.Save(fmt.Sprint("boot", boots), "up")
	ctx, cancel := context.WithTimeout(env.Context(), 3*time.Second)
	defer cancel()
	answer, err := env.Call(ctx, 2, fmt.Sprint("boot ", boots))
	env.Save(fmt.Sprint("boot", boots), fmt.Sprint(answer, err))
	<-env.Context().Done()
}

func echoes(env *bubble.Env) {
	env.Serve(func(_ int, text string) string { return text })
}

// A disk outlives a crash, and an answer to a call of before the crash is no answer.
func TestCrash(t *testing.T) {
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "counts", Main: counts, Processes: 1}, {Name: "echoes", Main: echoes, Timeless: true}}}
	const setting = "n=2 timing=sync:2 crashes=1 restarts=1 crashers=1 losses=1"
	bubble.Test(t, w, setting)
	seen := map[string]bool{}
	disks := checker.Always("disks", "The disk is looked at.", func(v *model.View) bool { return true })
	p := w.Protocol()
	check(t, p, setting, checker.Options{Properties: []*checker.Property{disks}})
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	var visit func(state []byte)
	met := map[string]bool{}
	visit = func(state []byte) {
		if met[string(state)] {
			return
		}
		met[string(state)] = true
		for _, f := range sys.Snapshot(state).Processes[0].Fields {
			if f.Name == "disk" {
				seen[f.Value] = true
			}
		}
		for _, next := range sys.Transitions(state) {
			require.Empty(t, next.Misuse)
			visit(next.Next)
		}
	}
	sys.Initial(func(state []byte) bool { visit(state); return true })
	assert.Equal(t, map[string]bool{
		`boot0="up"`: true, `boot0="boot 0<nil>"`: true, `boot0="context deadline exceeded"`: true,
		`boot0="up" boot1="up"`: true, `boot0="up" boot1="boot 1<nil>"`: true, `boot0="up" boot1="context deadline exceeded"`: true,
		`boot0="boot 0<nil>" boot1="up"`: true, `boot0="boot 0<nil>" boot1="boot 1<nil>"`: true, `boot0="boot 0<nil>" boot1="context deadline exceeded"`: true,
		`boot0="context deadline exceeded" boot1="up"`: true, `boot0="context deadline exceeded" boot1="boot 1<nil>"`: true,
		`boot0="context deadline exceeded" boot1="context deadline exceeded"`: true,
	}, seen)
}

// A world that cannot be is refused with its system.
func TestWorldsThatCannotBe(t *testing.T) {
	idle := func(env *bubble.Env) { <-env.Context().Done() }
	one := []bubble.Role{{Name: "a", Main: idle}}
	for _, c := range []struct {
		w             bubble.World
		setting, want string
	}{
		{bubble.World{Roles: one}, "n=2 timing=sync:1", "the World has no T"},
		{bubble.World{T: t}, "n=2 timing=sync:1", "the World has no Roles"},
		{bubble.World{T: t, Roles: []bubble.Role{{Main: idle}}}, "n=2 timing=sync:1", `role 1 has the name ""`},
		{bubble.World{T: t, Roles: []bubble.Role{{Name: "a"}}}, "n=2 timing=sync:1", `role "a" has no Main`},
		{bubble.World{T: t, Roles: append(one, one...)}, "n=2 timing=sync:1", `two roles have the name "a"`},
		{bubble.World{T: t, Roles: []bubble.Role{{Name: "a", Main: idle}, {Name: "b", Main: idle}}}, "n=2 timing=sync:1", "two roles have 0 processes"},
		{bubble.World{T: t, Roles: []bubble.Role{{Name: "a", Main: idle, Processes: 3}}}, "n=2 timing=sync:1", "n=2: the roles have 3 processes (want n=3"},
		{bubble.World{T: t, Roles: []bubble.Role{{Name: "a", Main: idle, Processes: 2}, {Name: "b", Main: idle}}}, "n=2 timing=sync:1", "want n=3 at least"},
		{bubble.World{T: t, Roles: one, Tick: time.Nanosecond}, "n=2 timing=sync:1", "a Tick of 1ns"},
		{bubble.World{T: t, Roles: one, Horizon: 300}, "n=2 timing=sync:1", "a Horizon of 300 ticks"},
		{bubble.World{T: t, Roles: one}, "n=2 timing=async", "timing=async has no ticks"},
		{bubble.World{T: t, Roles: one}, "n=2 timing=sync:1 drift=10", "drift=10"},
		{bubble.World{T: t, Roles: one}, "n=3 topology=ring timing=sync:1", "topology=complete"},
	} {
		_, err := model.NewFrom(c.w.Protocol(), c.setting)
		assert.ErrorContains(t, err, c.want)
	}
}

// A bound on events is a part of the scope.
func TestEventsAreABound(t *testing.T) {
	w := &bubble.World{T: t, Events: 4, Roles: []bubble.Role{{Name: "holder", Main: func(env *bubble.Env) {
		env.Leads(env.ID() == 1)
		for env.Context().Err() == nil {
			env.Send(3-env.ID(), "hello")
			time.Sleep(time.Second)
		}
	}}}}
	r := check(t, w.Protocol(), "n=2 timing=lockstep", checker.Options{})
	assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
	assert.Contains(t, fmt.Sprintf("%+v", r.Bound), "more than 4 events of a process")
}

// Two worlds can be explored side by side.
func TestTogether(t *testing.T) {
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "counts", Main: counts, Processes: 1}, {Name: "echoes", Main: echoes, Timeless: true}}}
	one, err := model.NewFrom(w.Protocol(), "n=2 timing=sync:1")
	require.NoError(t, err)
	two, err := model.NewFrom(w.Protocol(), "n=2 timing=sync:1")
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), one, two, shipped.Correspondence{
		Left: func(a *model.Action) string { return trace.ActionText(*a) }, Right: func(a *model.Action) string { return trace.ActionText(*a) },
		SeenLeft: func(s model.Snapshot) string { return fmt.Sprint(s.InFlight) }, SeenRight: func(s model.Snapshot) string { return fmt.Sprint(s.InFlight) },
	}, 0)
	require.NoError(t, err)
	assert.Nil(t, b.Difference)
	assert.Greater(t, b.Pairs, 4)
}

// Instants in messages are on the clock of who reads them, and there are as many messages as there are
// ages of them.
func TestInstants(t *testing.T) {
	instants := func(text string, each func(time.Time) time.Time) string {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return text
		}
		return each(at).Format(time.RFC3339)
	}
	began := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	w := &bubble.World{T: t, Instants: instants}
	w.Roles = []bubble.Role{
		{Name: "beats", Processes: 1, Main: func(env *bubble.Env) {
			env.Leads(true)
			if w.Instants != nil {
				env.State(func() any { return nil })
			}
			for {
				env.Send(2, time.Now().Format(time.RFC3339))
				sleep(env, time.Now().Add(time.Second))
				if env.Context().Err() != nil {
					return
				}
			}
		}},
		{Name: "hears", Processes: 1, Main: func(env *bubble.Env) {
			if w.Instants != nil {
				env.State(func() any { return nil })
			}
			for {
				p, err := env.Recv(env.Context())
				if err != nil {
					return
				}
				at, err := time.Parse(time.RFC3339, p.Text)
				if age := time.Since(at); err != nil || age > 2*time.Second || age < -2*time.Second {
					panic(fmt.Sprintf("a beat of %v at %v", at.Sub(began), time.Since(began)))
				}
			}
		}},
	}
	const setting = "n=2 timing=lockstep crashes=1 restarts=1 crashers=1 initiators=none"
	r := check(t, w.Protocol(), setting, checker.Options{})
	assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
	assert.Less(t, r.Distinct, uint64(200))

	w.Instants = nil
	r = check(t, w.Protocol(), setting, checker.Options{MaxDepth: 30})
	last := r.Findings[len(r.Findings)-1]
	require.Equal(t, checker.Violated, last.Verdict)
	assert.Contains(t, last.Explanation, "P2 panics: a beat of ", "P1 has restarted, and so has its clock")
}
