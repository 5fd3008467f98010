//go:build controlled

package bubble

import (
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	mathrand "math/rand"
	randv2 "math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

// chance is programs whose outcome hangs on chance, each on another sort of it.
var chance = map[string]func() string{
	"selects": func() string {
		a, b := make(chan int, 8), make(chan int, 8)
		for i := range 8 {
			a <- i
			b <- i
		}
		var s strings.Builder
		for range 8 {
			select {
			case <-a:
				s.WriteString("a")
			case <-b:
				s.WriteString("b")
			}
		}
		return s.String()
	},
	"goroutines": func() string {
		return together(6, func(int) {})
	},
	"sleepers": func() string {
		return together(6, func(int) { time.Sleep(time.Second) })
	},
	"timers": func() string {
		out := make(chan int, 6)
		for i := range 6 {
			time.AfterFunc(time.Second, func() { out <- i })
		}
		s := ""
		for range 6 {
			s += fmt.Sprint(<-out)
		}
		return s
	},
	"the order of a map": func() string {
		m, s := map[string]int{}, ""
		for i := range 20 {
			m[fmt.Sprint(i)] = i
		}
		for k := range m {
			s += k + " "
		}
		return s
	},
	"math/rand":   func() string { return fmt.Sprint(mathrand.Int63(), randv2.Int()) },
	"crypto/rand": func() string { return rand.Text() },
	"a cache that the first one fills": func() string {
		cache.Do(func() {
			m := map[int]int{}
			for i := range 20 {
				m[i] = i
			}
			for range m {
				break // what this draws for the map the program does not see
			}
		})
		m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
		s := fmt.Sprint(randv2.Int(), " ")
		for k := range m {
			s += k
		}
		return s
	},
	"a mutex": func() string {
		var mu sync.Mutex
		return together(4, func(int) {
			for range 3 {
				mu.Lock()
				time.Sleep(time.Millisecond)
				mu.Unlock()
				time.Sleep(0)
			}
		})
	},
	"a channel without room": func() string {
		c, s := make(chan int), ""
		for i := range 4 {
			go func() {
				for range 3 {
					c <- i
				}
			}()
		}
		for range 12 {
			s += fmt.Sprint(<-c)
		}
		return s
	},
	"garbage": func() string {
		c := make(chan int, 3)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for j := range 8 {
					made := make([]*[300]int, 40)
					for k := range made {
						made[k] = new([300]int)
					}
					c <- 100*i + j + made[3][5]
				}
			})
		}
		go func() {
			all.Wait()
			close(c)
		}()
		s := ""
		for x := range c {
			s += fmt.Sprint(x, " ")
		}
		return s
	},
	"coroutines": func() string {
		return together(3, func(int) {
			next, stop := iter.Pull(func(yield func(int) bool) {
				for j := 0; j < 3 && yield(j); j++ {
				}
			})
			defer stop()
			for {
				if _, more := next(); !more {
					return
				}
				time.Sleep(time.Second)
			}
		})
	},
}

var cache sync.Once

// together has n goroutines run at once, and returns in which order they end.
func together(n int, f func(i int)) string {
	done := make(chan int, n)
	for i := range n {
		go func() {
			f(i)
			done <- i
		}()
	}
	s := ""
	for range n {
		s += fmt.Sprint(<-done)
	}
	return s
}

// inTurns runs f in a bubble whose goroutines take turns.
func inTurns(t *testing.T, w *World, took string, f func(*turns) string) (result string, chosen []choice, m made) {
	in := newTurns(w)
	for kind := range in.free {
		in.free[kind] = mostChoices
	}
	synctest.Test(t, func(*testing.T) {
		synctest.Wait()
		in.begin(1, w.Draws, w.Switches > 0)
		in.event(took)
		result = f(in)
		m = in.made()
		chosen = in.choices(m.n)
	})
	collect()
	return result, chosen, m
}

// A program has one outcome, whatever the collector does and other bubbles do.
func TestOneOutcome(t *testing.T) {
	t.Cleanup(func() { debug.SetGCPercent(100) })
	debug.SetGCPercent(10)
	for name, program := range chance {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for range 1000 {
				result, _, _ := inTurns(t, &World{}, "", func(*turns) string { return program() })
				seen[result] = true
			}
			assert.Len(t, seen, 1)
		})
	}
}

// every runs a program with all of its choices.
func every(t *testing.T, w *World, program func() string) (runs int, results map[string]int) {
	results = map[string]int{}
	for took := ""; ; {
		result, chosen, m := inTurns(t, w, took, func(*turns) string { return program() })
		require.False(t, m.wrong)
		require.Zero(t, m.beyond)
		runs++
		results[result]++
		last := len(chosen) - 1
		for last >= 0 && chosen[last].took == chosen[last].of-1 {
			last--
		}
		if last < 0 {
			return runs, results
		}
		next := make([]byte, last+1)
		for i := range next {
			next[i] = byte(chosen[i].took)
		}
		next[last]++
		took = string(next)
	}
}

// All choices of a program come to all of its outcomes.
func TestEveryChoice(t *testing.T) {
	order := func(start func(f func())) func() string {
		return func() string {
			var mu sync.Mutex
			s := ""
			for i := range 6 {
				start(func() {
					mu.Lock()
					defer mu.Unlock()
					s += fmt.Sprint(i)
				})
			}
			time.Sleep(2 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			return s
		}
	}
	for name, c := range map[string]struct {
		program  func() string
		outcomes int
	}{
		"selects":    {chance["selects"], 256},
		"goroutines": {order(func(f func()) { go f() }), 720},
		"timers":     {order(func(f func()) { time.AfterFunc(time.Second, f) }), 720},
	} {
		runs, results := every(t, &World{}, c.program)
		assert.Equal(t, c.outcomes, runs, name)
		assert.Len(t, results, c.outcomes, name)
	}
	lost := func() string { // each of two goroutines reads, and then writes, under a lock of its own
		var mu sync.Mutex
		var all sync.WaitGroup
		x := 0
		for range 2 {
			all.Go(func() {
				mu.Lock()
				y := x
				mu.Unlock()
				mu.Lock()
				x = y + 1
				mu.Unlock()
			})
		}
		all.Wait()
		return fmt.Sprint(x)
	}
	_, results := every(t, &World{}, lost)
	assert.Len(t, results, 1)
	assert.Contains(t, results, "2")
	_, results = every(t, &World{Switches: 1}, lost)
	assert.Len(t, results, 2)
	assert.Contains(t, results, "1", "an update is lost")
	runs, results := every(t, &World{Draws: 3}, func() string { return fmt.Sprint(randv2.IntN(1000), mathrand.Intn(8)) })
	assert.Equal(t, 9, runs)
	assert.Len(t, results, 9)
}

// checked asks whether at most one process leads, and that the answer is the same for any workers.
func checked(t *testing.T, w *World, setting string) *checker.Finding {
	t.Helper()
	var first *checker.Finding
	for _, workers := range []int{1, 2} {
		sys, err := model.NewFrom(w.Protocol(), setting)
		require.NoError(t, err)
		r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Uniqueness}, Workers: workers})
		require.NoError(t, err)
		t.Logf("%d states to depth %d in %v. %s", r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
		f := r.Findings[0]
		for _, other := range r.Findings[1:] {
			if other.Verdict == checker.Violated {
				f = other
			}
		}
		if first == nil {
			first = &f
			continue
		}
		assert.Equal(t, first.Verdict, f.Verdict)
		assert.Equal(t, first.Explanation, f.Explanation)
		if first.Trace != nil {
			assert.Len(t, f.Trace.Steps, len(first.Trace.Steps))
		}
	}
	return first
}

// waits waits for messages.
func waits(env *Env) { <-env.Context().Done() }

// The search takes both cases of a select, and the run says which.
func TestSelectIsSearched(t *testing.T) {
	elects := func(env *Env) {
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		b <- 2
		select {
		case <-a:
		case <-b:
			env.Leads(true)
		}
		<-env.Context().Done()
	}
	w := &World{T: t, Roles: []Role{{Name: "one", Main: elects}}}
	f := checked(t, w, "n=2 timing=lockstep")
	require.Equal(t, checker.Violated, f.Verdict)
	assert.Equal(t, "P1 and P2 both believe themselves coordinator", f.Explanation)
}

// Orders has the search take every order of goroutines, and without it the report says what it left
// out; Draws does the same of random numbers.
func TestOrdersAndDrawsAreSearched(t *testing.T) {
	last := func(env *Env) {
		order := together(2, func(int) {})
		env.Leads(env.ID() == 1 || order == "10")
		<-env.Context().Done()
	}
	w := &World{T: t, Roles: []Role{{Name: "one", Main: last}}}
	assert.Equal(t, checker.Holds, checked(t, w, "n=2 timing=lockstep").Verdict)
	p := w.Protocol()
	sys, err := model.NewFrom(p, "n=2 timing=lockstep")
	require.NoError(t, err)
	sys.Initial(func([]byte) bool { return true })
	assert.Contains(t, p.Remark(), "Not tried: ")
	assert.Contains(t, p.Remark(), "another goroutine could be next (Orders)")
	w = &World{T: t, Orders: 9, Roles: w.Roles}
	assert.Equal(t, checker.Violated, checked(t, w, "n=2 timing=lockstep").Verdict)

	draws := func(env *Env) {
		time.Sleep(time.Duration(randv2.IntN(3)) * time.Second)
		env.Leads(true)
		time.Sleep(time.Second)
		env.Leads(false)
		<-env.Context().Done()
	}
	w = &World{T: t, Draws: 3, Roles: []Role{{Name: "one", Main: draws}}}
	assert.Equal(t, checker.Violated, checked(t, w, "n=2 timing=lockstep").Verdict, "both draw the same")
	seen := map[string]bool{}
	sys, err = model.NewFrom(w.Protocol(), "n=2 timing=lockstep")
	require.NoError(t, err)
	sys.Initial(func(state []byte) bool {
		for _, f := range sys.Snapshot(state).Processes[0].Fields {
			seen[f.Name+"="+f.Value] = true
		}
		return true
	})
	for _, chose := range []string{"chose=draw 1 of 3", "chose=draw 2 of 3", "chose=draw 3 of 3"} {
		assert.Contains(t, seen, chose)
	}
}

// A choice that a program has between two things that the world sees is searched where it is made.
func TestChoiceBetween(t *testing.T) {
	late := func(env *Env) {
		time.Sleep(2 * time.Second)
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		b <- 2
		wait := time.Second
		select {
		case <-a:
		case <-b:
			wait = 3 * time.Second
		}
		time.Sleep(wait)
		env.Leads(env.ID() == 1 || wait > time.Second)
		<-env.Context().Done()
	}
	f := checked(t, &World{T: t, Roles: []Role{{Name: "one", Main: late}}}, "n=2 timing=lockstep")
	require.Equal(t, checker.Violated, f.Verdict)
	ticks := 0
	for _, s := range f.Trace.Steps {
		if s.Action.Kind == model.Ticks {
			ticks++
		}
	}
	assert.Equal(t, 5, ticks, "P2 leads after its choice of the longer wait")
}

// A panic in any goroutine is a finding with its run.
func TestPanicAnywhere(t *testing.T) {
	for name, dies := range map[string]func(){
		"oh no":                        func() { panic("oh no") },
		"oh 3":                         func() { panic(fmt.Errorf("oh %d", 3)) },
		"index out of range [3]":       func() { _ = strings.Fields("")[3] },
		"invalid memory address or ni": func() { var e *Env; e.ID() },
	} {
		w := &World{T: t, Roles: []Role{{Name: "one", Processes: 1, Main: func(env *Env) {
			time.Sleep(2 * time.Second)
			go dies()
			<-env.Context().Done()
		}}, {Name: "other", Main: waits}}}
		f := checked(t, w, "n=2 timing=lockstep")
		require.Equal(t, checker.Violated, f.Verdict, name)
		assert.Contains(t, f.Explanation, "P1 panics: ", name)
		assert.Contains(t, f.Explanation, name)
		assert.Contains(t, f.Explanation, "controlled_test.go:")
	}
}

// Timers that run down in a pause are late, and who wakes up sees how late it is.
func TestClockJumpsInAPause(t *testing.T) {
	careful := func(env *Env) {
		for range 2 {
			until := time.Now().Add(2 * time.Second)
			env.Leads(true)
			time.Sleep(time.Second)
			if env.Leads(false); time.Now().After(until) {
				panic(errors.New("it woke up late"))
			}
			time.Sleep(time.Second)
		}
		<-env.Context().Done()
	}
	w := &World{T: t, Roles: []Role{{Name: "one", Processes: 1, Main: careful}, {Name: "other", Main: waits}}}
	assert.Equal(t, checker.Holds, checked(t, w, "n=2 timing=lockstep").Verdict)
	f := checked(t, w, "n=2 timing=lockstep pauses=1 pausers=1")
	require.Equal(t, checker.Violated, f.Verdict)
	assert.Contains(t, f.Explanation, "it woke up late")
}

// A program that asks outside of its bubble is a finding.
func TestOutside(t *testing.T) {
	n := 0
	w := &World{T: t, Roles: []Role{{Name: "one", Processes: 1, Main: func(env *Env) {
		n++
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		if n%2 == 0 {
			b <- 1
		}
		select {
		case <-a:
		case <-b:
		}
		for range 3 {
			time.Sleep(time.Second)
			env.Send(2, "hello")
		}
	}}, {Name: "other", Main: waits}}}
	f := checked(t, w, "n=2 timing=lockstep")
	require.Equal(t, checker.Violated, f.Verdict)
	assert.Contains(t, f.Explanation, "P1 is not deterministic, though its goroutines take turns")
}
