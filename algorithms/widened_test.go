package algorithms_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/model"
	"bullyproof/trace"
)

// A wider system has the processes of another one, and more of them that take no step:
// in an asynchronous world a process can be slow for as long as a run is long.
type wider struct {
	small, large *model.System
	shift        model.ID // of the ids: the slow processes have the least or, where it is 0, the greatest
}

// widened returns an algorithm with n processes, and with more that are slow.
func widened(t *testing.T, name, world string, n, more int, least bool) *wider {
	t.Helper()
	a, err := algorithms.Find(name)
	require.NoError(t, err)
	in := func(n int) *model.System {
		s, err := a.Variants[0].Setting.With(fmt.Sprintf("n=%d %s", n, world))
		require.NoError(t, err)
		sys, err := a.Variants[0].In(s)
		require.NoError(t, err)
		return sys
	}
	w := &wider{small: in(n), large: in(n + more)}
	if least {
		w.shift = model.ID(more)
	}
	return w
}

// to is what a process of the small system is in the large one.
func (w *wider) to(id model.ID) model.ID {
	if id == model.None || id == model.Me {
		return id
	}
	return id + w.shift
}

// key says what happens in an action, without what depends on how many processes there are.
func (w *wider) key(a *model.Action, shift func(model.ID) model.ID) string {
	port := a.Port
	if id := port.ID(); id != model.None {
		port = model.Peer(shift(id))
	}
	return fmt.Sprint(a.Kind, shift(a.Process), port, a.Timer, shift(a.Who), a.Request, a.Crash)
}

// own says what is true of the processes of the small system in a state: who is up, whom each
// believes to lead, which timers are set, and which messages are on their way between them.
func (w *wider) own(s model.Snapshot, shift func(model.ID) model.ID, has func(model.ID) bool) string {
	var text []string
	for i := range s.Processes {
		if p := &s.Processes[i]; has(p.ID) {
			b := p.Belief
			text = append(text, fmt.Sprint(shift(p.ID), p.Status, p.Paused, shift(b.Elected), b.Participant, p.Timers))
		}
	}
	var mail []string
	for i := range s.InFlight {
		if e := &s.InFlight[i]; has(e.To) && has(e.Port.ID()) {
			mail = append(mail, fmt.Sprint(shift(e.Port.ID()), shift(e.To), e.Kind))
		}
	}
	slices.Sort(mail)
	return fmt.Sprint(text, mail)
}

func unmoved(id model.ID) model.ID { return id }

// alike reports whether own says the same of a state of each system.
func (w *wider) alike(small, large []byte) bool {
	n := model.ID(w.small.Setting().N)
	all := func(model.ID) bool { return true }
	old := func(id model.ID) bool { return id > w.shift && id <= n+w.shift }
	return w.own(w.small.Snapshot(small), w.to, all) == w.own(w.large.Snapshot(large), unmoved, old)
}

// follow returns the state to which the large system comes by what a transition of the small one
// does; nil if it cannot do that.
func (w *wider) follow(t *model.Transition, large []byte) []byte {
	key := w.key(&t.Action, w.to)
	for _, next := range w.large.Transitions(large) {
		if next.Misuse == "" && w.key(&next.Action, unmoved) == key && w.alike(t.Next, next.Next) {
			return next.Next
		}
	}
	return nil
}

// begin returns an initial state of the small system, and the large one's that is alike; nil if
// there is none.
func (w *wider) begin(draw func(n int) int) (small, large []byte) {
	first := slices.Collect(w.small.Initial)
	small = first[draw(len(first))]
	for state := range w.large.Initial {
		if w.alike(small, state) {
			return small, state
		}
	}
	return small, nil
}

// walk reports at which step of a random walk the large system cannot follow, 0 for the initial
// state; -1 if it can.
func (w *wider) walk(r *rand.Rand, steps int) int {
	small, large := w.begin(r.IntN)
	if large == nil {
		return 0
	}
	for i := range steps {
		next := slices.DeleteFunc(w.small.Transitions(small), func(t model.Transition) bool { return t.Misuse != "" })
		if len(next) == 0 {
			break
		}
		step := &next[r.IntN(len(next))]
		if large = w.follow(step, large); large == nil {
			return i + 1
		}
		small = step.Next
	}
	return -1
}

// cover has the large system follow every step from the first so many states of the small one, and
// returns a transition that it cannot follow; nil if it can.
func (w *wider) cover(most int) *model.Transition {
	small, large := w.begin(func(int) int { return 0 })
	seen, queue := map[string]bool{string(small): true}, [][2][]byte{{small, large}}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, step := range w.small.Transitions(queue[0][0]) {
			if step.Misuse != "" || seen[string(step.Next)] || len(seen) == most {
				continue
			}
			next := w.follow(&step, queue[0][1])
			if next == nil {
				return &step
			}
			seen[string(step.Next)] = true
			queue = append(queue, [2][]byte{step.Next, next})
		}
	}
	return nil
}

// end follows a run of the small system, and returns the end of that of the large one.
func (w *wider) end(t *testing.T, steps []trace.Step) *model.View {
	t.Helper()
	small, large := w.begin(func(int) int { return 0 })
	for _, step := range steps {
		next := w.small.Transitions(small)
		at := slices.IndexFunc(next, func(t model.Transition) bool { return reflect.DeepEqual(t.Action, step.Action) })
		require.GreaterOrEqual(t, at, 0, "%+v", step.Action)
		large = w.follow(&next[at], large)
		require.NotNil(t, large, "%+v", step.Action)
		small = next[at].Next
	}
	return w.large.View(large)
}

// whereSlowIsNothing are worlds in which no process of an algorithm does anything else because
// others are slow: the Bully asks those above, and Kabashi's coordinator is the least.
var whereSlowIsNothing = []struct {
	name, world string
	least       bool
}{
	{"bully", "start=coordinator-down timing=async crashes=0 restarts=0", true},
	{"bully", "start=settled timing=async crashes=1 restarts=1", true},
	{"kabashi", "start=coordinator-down timing=async crashes=0 restarts=0", false},
	{"kabashi", "start=settled timing=async crashes=1 restarts=1", false},
}

// In an asynchronous world with perfect reports of crashes, each run of the Bully is one of any
// larger number of processes: those below may be slow. So is each of Kabashi's, where those above
// may be. So two coordinators at once among three are two among any number.
func TestRunsAreRunsOfMore(t *testing.T) {
	for _, c := range whereSlowIsNothing {
		for more := 1; more <= 3; more++ {
			t.Run(fmt.Sprintf("%s/%s/%d", c.name, c.world, more), func(t *testing.T) {
				t.Parallel()
				w := widened(t, c.name, c.world, 3, more, c.least)
				for seed := range casecount.Numbers(t, *play.Deep, 10, 400) {
					require.Negative(t, w.walk(rand.New(rand.NewPCG(seed, 5)), 40), "walk %d", seed)
				}
				most := 300
				if *play.Deep {
					most = 10_000
				}
				require.Nil(t, w.cover(most))
				found, err := checker.Check(t.Context(), w.small, checker.Options{Properties: []*checker.Property{checker.Uniqueness}, FailFast: true})
				require.NoError(t, err)
				f := found.Finding(checker.Uniqueness.Name)
				require.Equal(t, checker.Violated, f.Verdict)
				assert.Greater(t, w.end(t, f.Trace.Steps).Leaders.Len(), 1)
			})
		}
	}
}

// A run of servers that count a majority is none of more servers, nor is one of the Bully where
// those above are slow, or one of Kabashi's where those below are: the walks see that.
func TestRunsThatAreNotRunsOfMore(t *testing.T) {
	for _, c := range []struct {
		name, world string
		least       bool
	}{
		{"raft", "start=cold timing=async crashes=0 restarts=0", true},
		{"bully", "start=cold timing=async crashes=0 restarts=0", false},
		{"kabashi", "start=coordinator-down timing=async crashes=0 restarts=0", true},
	} {
		w, stuck := widened(t, c.name, c.world, 3, 1, c.least), 0
		for seed := range uint64(40) {
			if w.walk(rand.New(rand.NewPCG(seed, 6)), 40) >= 0 {
				stuck++
			}
		}
		assert.Positive(t, stuck, c.name)
	}
}
