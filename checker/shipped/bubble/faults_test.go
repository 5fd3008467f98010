package bubble_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/model"
)

// A reported collects what a test says.
type reported struct {
	testing.TB
	text strings.Builder
}

func (r *reported) Helper()                        {}
func (r *reported) Logf(string, ...any)            {}
func (r *reported) Errorf(format string, a ...any) { fmt.Fprintf(&r.text, format+"\n", a...) }

// outlives is a variable of a package, which outlives a repeat.
var outlives struct {
	sync.Mutex
	n int
}

// faults are programs of P1, each with one thing wrong with it. P2 waits for messages.
var faults = map[string]struct {
	main func(env *bubble.Env)
	want []string
}{
	"a select with two ready cases": {func(env *bubble.Env) {
		a, b := make(chan int, 9), make(chan int, 9)
		for range 9 {
			a <- 1
			b <- 2
		}
		text := ""
		for range 9 {
			select {
			case <-a:
				text += "a"
			case <-b:
				text += "b"
			}
		}
		env.Send(2, text)
	}, []string{"P1 is not deterministic: upon its boot it sends", "a select with two ready cases"}},
	"the order of a map": {func(env *bubble.Env) {
		for k := range map[string]int{"x": 1, "y": 2, "z": 3, "u": 4, "v": 5} {
			env.Send(2, k)
		}
	}, []string{"P1 is not deterministic", "in another order"}},
	"a random number": {func(env *bubble.Env) {
		time.Sleep(3 * time.Second)
		env.Send(2, fmt.Sprint(rand.Uint64()))
	}, []string{"P1 is not deterministic: upon 2 ticks without a message", "draws at random"}},
	"a random time": {func(env *bubble.Env) {
		for range 9 { // one alone may be drawn alike each time
			time.Sleep(rand.N(9 * time.Second))
			env.Send(2, "now")
		}
	}, []string{"P1 is not deterministic"}},
	"goroutines at once": {func(env *bubble.Env) {
		for i := range 4 {
			env.Go(func() {
				time.Sleep(time.Second)
				env.Send(2, string(rune('a'+i)))
			})
		}
		<-env.Context().Done()
	}, []string{"P1 is not deterministic", "goroutines that run at once send to one process"}},
	"timers of one instant": {func(env *bubble.Env) {
		text := make(chan string, 9)
		for i := range 9 {
			time.AfterFunc(time.Second, func() { text <- fmt.Sprint(i) })
		}
		all := ""
		for range 9 {
			all += <-text
		}
		env.Send(2, all)
	}, []string{"P1 is not deterministic"}},
	"a variable that outlives a repeat": {func(env *bubble.Env) {
		outlives.Lock()
		first := outlives.n == 0
		outlives.n++
		outlives.Unlock()
		if first {
			env.Send(2, "first")
		}
	}, []string{"P1 is not deterministic: upon its boot it sends \"first\" to P2, returns, and in a repeat it returns", "the first one left something behind"}},
	"a panic": {func(env *bubble.Env) {
		time.Sleep(2 * time.Second)
		all := make([]int, env.N())
		all[env.N()] = 1
	}, []string{"P1 panics: runtime error: index out of range [2] with length 2, in bullyproof/checker/shipped/bubble_test.", "faults_test.go:"}},
	"a panic in a goroutine": {func(env *bubble.Env) {
		env.Go(func() { panic("oh no") })
		<-env.Context().Done()
	}, []string{"P1 panics: oh no, in bullyproof/checker/shipped/bubble_test."}},
	"a message to nobody": {func(env *bubble.Env) { env.Send(7, "hello") }, []string{"P1 panics: bubble: a message to process 7: the processes are 1 to 2, in bullyproof/checker/shipped/bubble_test."}},
	"a goroutine that stays": {func(env *bubble.Env) {
		go stays()
		<-env.Context().Done()
	}, []string{"there were goroutines that had not ended", "of P1, bullyproof/checker/shipped/bubble_test.stays (select (no cases)"}},
	"a mutex that stays locked": {func(env *bubble.Env) {
		locks()
	}, []string{"P1 does not come to rest within 1s of real time upon its boot: bullyproof/checker/shipped/bubble.(*Env).main (sync.Mutex.Lock at faults_test.go:"}},
	"a clock of a timeless program": {func(env *bubble.Env) {
		began := time.Now()
		env.Serve(func(int, string) string { return fmt.Sprint(time.Since(began) > time.Minute) })
	}, []string{`role "one" is Timeless, and P1 reads the clock or has a timer: upon "request #1: old?" from P2`}},
	"values that leave something out": {func(env *bubble.Env) {
		var n atomic.Int64
		env.State(func() any { return n.Load() % 2 })
		env.Serve(func(int, string) string { return fmt.Sprint(n.Add(1) > 4) })
	}, []string{"the values that P1 names by Env.State are equal after two histories, and it", "name what else decides what it does"}},
	"an instant among values": {func(env *bubble.Env) {
		now := time.Now()
		env.State(func() any { return now })
		<-env.Context().Done()
	}, []string{"P1 names values by Env.State that are no state", "use Env.In"}},
}

func stays() { select {} }

func locks() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// asks asks P1 six times.
func asks(env *bubble.Env) {
	for range 6 {
		if _, err := env.Call(env.Context(), 1, "old?"); err != nil {
			return
		}
	}
}

// dies panics in a goroutine that nobody catches, as it gets the third message.
func dies(env *bubble.Env) {
	n := 0
	env.Serve(func(int, string) string {
		if n++; n == 3 {
			go func() { panic("nobody catches this") }()
		}
		return fmt.Sprint("message ", n)
	})
}

// dying names the file for the last history; the test of that name then ends its program.
const dying = "BULLYPROOF_TEST_DYING"

func TestDying(t *testing.T) {
	if os.Getenv(dying) == "" {
		t.Skip("TestLastWords runs it")
	}
	w := &bubble.World{T: t, Last: os.Getenv(dying), Roles: []bubble.Role{{Name: "one", Main: dies, Processes: 1}, {Name: "other", Main: asks}}}
	check(t, w.Protocol(), "n=2 timing=lockstep", checker.Options{Workers: 1})
}

// The history after which a program ended the test is in a file.
func TestLastWords(t *testing.T) {
	if bubble.Controlled {
		t.Skip("a panic anywhere is a finding there (TestPanicAnywhere)")
	}
	file := filepath.Join(t.TempDir(), "last")
	program, err := os.Executable()
	require.NoError(t, err)
	run := exec.CommandContext(t.Context(), program, "-test.run=^TestDying$")
	run.Env = append(os.Environ(), dying+"="+file)
	out, err := run.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "nobody catches this")
	last, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "P1, one, after 0 restarts\nits boot\n\"request #1: old?\" from P2 after a tick\n\"request #1: old?\" from P2 after 2 ticks\n\"request #1: old?\" from P2 after 2 ticks\n", string(last))
}

func TestFaultsAreNamed(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			want := fault.want
			if bubble.Controlled {
				if strings.HasPrefix(want[0], "P1 is not deterministic") && name != "a variable that outlives a repeat" {
					want = nil // nothing is left to chance
				}
				if name == "a mutex that stays locked" {
					want = []string{"there were goroutines that had not ended", "(*Env).main (sync.Cond.Wait (durable) at faults_test.go:"}
				}
			}
			outlives.n = 0
			w := &bubble.World{T: t, Limit: time.Second, Roles: []bubble.Role{
				{Name: "one", Main: fault.main, Processes: 1, Timeless: strings.Contains(name, "timeless")}, {Name: "other", Main: asks},
			}}
			r := &reported{TB: t}
			bubble.Test(r, w, "n=2 timing=lockstep")
			for _, want := range want {
				assert.Contains(t, r.text.String(), want)
			}
			if want == nil {
				assert.Empty(t, r.text.String())
			}
		})
	}
}

// A repeat that comes to something else than the first time is named, and one that does not is none.
func TestRepeat(t *testing.T) {
	for name, c := range map[string]struct {
		main func(env *bubble.Env)
		want string
	}{
		"a message": {func(env *bubble.Env) { env.Send(2, fmt.Sprint("message ", outlives.n)) }, `upon its boot it sends "message 0" to P2, returns, and in a repeat it sends "message 1" to P2`},
		"a time": {func(env *bubble.Env) {
			time.Sleep(time.Second)
			env.Send(2, "here")
			time.Sleep(time.Duration(outlives.n+1) * time.Second)
			env.Send(2, "there")
		}, "after its boot; a tick without a message it goes on by itself in 1 ticks, and in a repeat in 2 ticks"},
		"a value": {func(env *bubble.Env) {
			env.State(func() any { return outlives.n })
			<-env.Context().Done()
		}, "after its boot it names other values by Env.State in a repeat"},
	} {
		w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "one", Main: c.main, Processes: 1}, {Name: "other", Main: asks}}}
		p := w.Protocol()
		outlives.n = 0
		sys, err := model.NewFrom(p, "n=2 timing=lockstep")
		require.NoError(t, err)
		sys.Initial(func([]byte) bool { return true })
		r := &reported{TB: t}
		p.Repeat(r, 20)
		assert.Empty(t, r.text.String(), name)
		outlives.n = 1
		p.Repeat(r, 20)
		assert.Contains(t, r.text.String(), "bubble: repeat 1 of P1: P1 is not deterministic: ", name)
		assert.Contains(t, r.text.String(), c.want, name)
	}
	outlives.n = 0
}

// A server that names its holder, and not what is left of the lease, is found: after two histories that
// end alike what is left is the same, so the audit takes some that end otherwise.
func TestLeaseWithoutItsRest(t *testing.T) {
	worker := func(env *bubble.Env) {
		var waits atomic.Int32
		env.State(func() any { return waits.Load() })
		ask := func(what string) bool {
			waits.Add(1)
			answer, err := env.Call(env.Context(), 3, what)
			return err == nil && answer == "yes"
		}
		for env.Context().Err() == nil {
			waits.Store(0)
			for got := ask("acquire"); got; got = ask("renew") {
				waits.Store(10)
				sleep(env, time.Now().Add(time.Second))
			}
			waits.Store(20)
			sleep(env, time.Now().Add(3*time.Second))
		}
	}
	server := func(env *bubble.Env) {
		var holder atomic.Int32
		until := time.Time{}
		env.State(func() any { return []any{holder.Load(), env.In(until) > 0} })
		env.Serve(func(from int, what string) string {
			free := !time.Now().Before(until)
			if !free && int(holder.Load()) != from || free && what == "renew" {
				return "no"
			}
			holder.Store(int32(from))
			until = time.Now().Add(5 * time.Second)
			return "yes"
		})
	}
	r := &reported{TB: t}
	bubble.Test(r, &bubble.World{T: t, Roles: []bubble.Role{{Name: "worker", Main: worker}, {Name: "server", Main: server, Processes: 1}}}, "n=3 timing=lockstep losses=1")
	assert.Contains(t, r.text.String(), "the values that P3 names by Env.State are equal after two histories")
}
