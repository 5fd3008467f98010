package bubble

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
)

// explain says why an event of a repeat has another outcome than before.
func (w *world) explain(r *repeat) string {
	const again = 20
	n := r.path[r.events()-1]
	first, other := n.outcome.text(), r.diverged.text()
	count := map[string]int{}
	for range again {
		a := w.newRepeat(r.boot, r.path[:r.events()-1], n.event)
		if a.run(); a.failed == "" && a.diverged == nil {
			count[a.last.text()]++
		}
	}
	var why string
	switch {
	case len(count) == 1 && count[first] == 0:
		why = "each later repeat does the second: the first one left something behind, in a variable of a package, a sync.Once or a cache"
	case sorted(n.out) == sorted(r.diverged.out) && len(n.out) > 0:
		why = "the messages are the same in another order: goroutines that run at once send to one process, or range over a map sends them"
	case digits.ReplaceAllString(first, "#") == digits.ReplaceAllString(other, "#"):
		why = "they differ in numbers: the program draws at random, prints an address or counts in a variable of a package"
	default:
		why = "the program takes one of several ways: a select with two ready cases, the order of a map, timers of one instant, a random number, or goroutines that run at once"
	}
	return fmt.Sprintf("P%d is not deterministic: upon %s it %s, and in a repeat it %s; %s. %d more repeats have %d outcomes. It was after %s",
		r.boot.self, n.happened(), first, other, why, again, len(count), told(r.path[:r.events()-1]))
}

var digits = regexp.MustCompile(`[0-9a-fA-FxX-]*[0-9][0-9a-fA-F-]*`)

// sorted returns messages in an order of their own.
func sorted(out []sent) string {
	var parts []string
	for _, m := range out {
		parts = append(parts, fmt.Sprint(m.to, m.Message))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// How long Test takes for each of its parts, and how many steps its runs at random have.
const (
	testTime  = 3 * time.Second
	testSteps = 250
)

// Test checks in a go test that the processes of a world can be explored, in a setting given as
// text ("n=3 timing=lockstep crashes=1"): that the outcome of a program is always the same, that one
// which is Timeless is so, and that histories with equal values (Env.State) go on in the same way. It
// searches for some seconds, takes runs at random, and repeats the longest history of each process
// 1,000 times or for some seconds. It takes less than 20 seconds, tells how far it is, and fails with
// the first event that has two outcomes, with its likely cause, with what is wrong with the program
// beyond that, and with the goroutines that have not ended.
// It is a test and no proof; every search goes on to compare.
func Test(t testing.TB, w *World, setting string) {
	t.Helper()
	in := newWorld(w)
	in.audits = true
	sys, err := model.NewFrom(newProtocol(in), setting)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	began := time.Now()
	for _, part := range []func(*model.System) string{in.searched, in.walked, in.repeated} {
		wrong := part(sys)
		t.Logf("%v: %s", time.Since(began).Round(100*time.Millisecond), in.remark())
		if wrong != "" {
			t.Errorf("bubble: %s", wrong)
			return
		}
	}
	if in.spent.leaves.Load() > 0 {
		t.Errorf("bubble: after %d of %d repeats there were goroutines that had not ended, %v after the end of their context: %s",
			in.spent.leaves.Load(), in.spent.runs.Load(), in.Stop, in.left)
	}
}

// searched searches for a while, breadth first.
func (w *world) searched(sys *model.System) (wrong string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	nothing := checker.Always("nothing", "Nothing is asked.", func(*model.View) bool { return true })
	r, err := checker.Check(ctx, sys, checker.Options{
		Properties: []*checker.Property{nothing}, MaxTime: testTime, Workers: 1,
		Progress: func(explore.Progress) {
			if w.wentWrong() != "" {
				cancel()
			}
		},
	})
	if wrong := w.wentWrong(); wrong != "" {
		return wrong
	}
	if err != nil {
		return err.Error()
	}
	for _, f := range r.Findings {
		if f.Property.Name == checker.Misuse.Name {
			return f.Explanation
		}
	}
	return ""
}

// walked takes runs at random, which have longer histories.
func (w *world) walked(sys *model.System) (wrong string) {
	draw := rand.New(rand.NewPCG(1, 2))
	var states [][]byte
	sys.Initial(func(state []byte) bool {
		states = append(states, slices.Clone(state))
		return len(states) < 100
	})
	known, idle := int64(0), 0 // runs at random that brought nothing new
	for began := time.Now(); time.Since(began) < testTime/2 && idle < 20; idle++ {
		if n := w.spent.nodes.Load(); n > known {
			known, idle = n, 0
		}
		state := states[draw.IntN(len(states))]
		for range testSteps {
			next := sys.Transitions(state)
			if len(next) == 0 {
				break
			}
			t := next[draw.IntN(len(next))]
			if wrong := cmp.Or(w.wentWrong(), t.Misuse); wrong != "" {
				return wrong
			}
			state = t.Next
		}
	}
	return ""
}

// repeated repeats the longest history of each process, and of one that is timeless with other times.
func (w *world) repeated(*model.System) (wrong string) {
	longest := w.longest()
	for _, n := range longest {
		if _, wrong := w.again(n, 1000, testTime/time.Duration(len(longest))); wrong != "" {
			return wrong
		}
		if w.role(n.boot.self, n.boot.n).Timeless {
			if wrong := w.late(n); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// again repeats a history so many times, or as often as it goes within a time, and returns how often. It
// ends with the first repeat that comes to something else.
func (w *world) again(n *node, times int, atMost time.Duration) (done int, wrong string) {
	for began := time.Now(); done < times && time.Since(began) < atMost; done++ {
		r := w.repeat(n.before, n.boot, n.event)
		switch {
		case r.failed != "":
			return done, r.failed
		case !r.last.equal(&n.outcome):
			r.diverged, r.path = &r.last.outcome, append(r.path, n)
			return done, w.explain(r)
		case r.last.wake != n.wake:
			return done, fmt.Sprintf("P%d is not deterministic: after %s it goes on by itself %s, and in a repeat %s", n.boot.self, told(n.path()), soon(n.wake), soon(r.last.wake))
		case !slices.Equal(r.last.chosen, n.chosen):
			return done, fmt.Sprintf("P%d is not deterministic: after %s it has had the choices [%s], and in a repeat [%s]", n.boot.self, told(n.path()), texts(n.chosen), texts(r.last.chosen))
		case r.last.named != n.named:
			return done, fmt.Sprintf("P%d is not deterministic: after %s it names other values by Env.State in a repeat", n.boot.self, told(n.path()))
		}
	}
	return done, ""
}

// Repeat repeats the longest history of each process, of all that searches with p have met, so many
// times. It logs what a repeat takes, and fails with the first that comes to something else.
func (p *Protocol) Repeat(t testing.TB, times int) {
	t.Helper()
	for _, n := range p.world.longest() {
		began := time.Now()
		done, wrong := p.world.again(n, times, math.MaxInt64)
		if wrong != "" {
			t.Errorf("bubble: repeat %d of P%d: %s", done+1, n.boot.self, wrong)
			return
		}
		t.Logf("P%d: %d events, repeated %d times with one outcome, %v each", n.boot.self, n.length, done, (time.Since(began) / time.Duration(max(done, 1))).Round(time.Microsecond))
	}
}

// longest returns the longest history of each process, up to ties.
func (w *world) longest() []*node {
	of := map[int]*node{}
	for i := range w.nodes {
		for _, n := range w.nodes[i].of {
			if o := of[n.boot.self]; o == nil || n.length > o.length || n.length == o.length && n.id[0] < o.id[0] {
				of[n.boot.self] = n
			}
		}
	}
	return slices.SortedFunc(maps.Values(of), func(a, b *node) int { return a.boot.self - b.boot.self })
}

// late repeats the history of a timeless process with time before each message.
func (w *world) late(n *node) (wrong string) {
	for _, ticks := range [...]int{1, w.Horizon, 40 * w.Horizon} {
		path := slices.Clone(n.path())
		for i, m := range path {
			path[i] = &node{boot: m.boot, event: m.event, length: m.length, result: m.result}
			if i > 0 {
				path[i].event.after = ticks
			}
		}
		r := w.newRepeat(n.boot, path[:len(path)-1], path[len(path)-1].event)
		r.run()
		got := r.diverged
		if got == nil && r.failed == "" && !r.last.equal(&n.outcome) {
			got = &r.last.outcome
		}
		switch {
		case r.failed != "":
			return r.failed
		case got != nil:
			m := path[r.events()-1]
			return fmt.Sprintf("role %q is Timeless, and P%d reads the clock or has a timer: upon %s it %s, and with %d ticks before each message it %s",
				w.role(n.boot.self, n.boot.n).Name, n.boot.self, n.path()[r.events()-1].happened(), m.text(), ticks, got.text())
		}
	}
	return ""
}
