package redsync_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/redlock"
	"bullyproof/checker/shipped"
	"bullyproof/examples/redsync"
	"bullyproof/model"
)

// waiting is the catalogue's Redlock with what redsync does and the document does not say: an
// instance answers a release, and a client waits for these answers before it goes on.
type waiting struct{ *redlock.Lock }

// The first two timers of the catalogue's Redlock.
const (
	retry model.Timer = iota
	answers
)

func (w waiting) Timeout(p *redlock.P, net *model.Net[redlock.M], t model.Timer) {
	if t == answers && p.Phase == redlock.Idle {
		w.again(p, net)
		return
	}
	w.Lock.Timeout(p, net, t)
	w.wait(p, net)
}

func (w waiting) Receive(p *redlock.P, net *model.Net[redlock.M], from model.Port, m redlock.M) {
	key, waits := p.Key, !net.IsSet(retry)
	switch {
	case m.Type == redlock.Del && !p.Silent:
		w.Lock.Receive(p, net, from, m)
		answer := redlock.M{Type: redlock.No, To: m.Type, Attempt: m.Attempt}
		if key != p.Key {
			answer.Type = redlock.Yes
		}
		net.Reply(answer)
	case m.Type >= redlock.Yes && m.To == redlock.Del:
		if p.Phase != redlock.Idle || !waits || m.Attempt != p.Attempt {
			return
		}
		if p.Yes = p.Yes.With(from.ID()); p.Yes.Len() == net.N()-2 {
			w.again(p, net)
		}
	default:
		w.Lock.Receive(p, net, from, m)
		if waits {
			w.wait(p, net)
		}
	}
}

// wait waits for the answers to a release that has just begun.
func (w waiting) wait(p *redlock.P, net *model.Net[redlock.M]) {
	if p.Phase == redlock.Idle && net.IsSet(retry) {
		net.StopTimer(retry)
		net.SetTimer(answers, 2)
	}
}

// again waits for the delay before a retry.
func (w waiting) again(p *redlock.P, net *model.Net[redlock.M]) {
	p.Yes = 0
	net.StopTimer(answers)
	net.SetTimer(retry, w.Delay+int(net.Self())-1)
}

// lockAndMutex is what the catalogue's Redlock and redsync have in common.
func lockAndMutex() shipped.Correspondence {
	return shipped.Correspondence{
		Left: func(a *model.Action) string { return step(a, a.Timer, a.Message) },
		Right: func(a *model.Action) string {
			return step(a, strings.Replace(a.Timer, "alarm", "answers", 1), ofMutex(a.Message))
		},
		SeenLeft: seen(ofLock), SeenRight: seen(func(key string) string { return key }),
	}
}

// step is what both call an action.
func step(a *model.Action, timer, message string) string {
	switch a.Kind {
	case model.Ticks:
		return "a tick passes"
	case model.Expires:
		return a.Process.Name() + " times out: " + timer
	case model.Delivers, model.Loses:
		what := map[model.ActionKind]string{model.Delivers: "receives", model.Loses: "misses"}[a.Kind]
		return fmt.Sprintf("%s %s %s from %s", a.Process.Name(), what, message, a.Port.ID().Name())
	}
	return a.Process.Name() + " " + a.Kind.Verb()
}

var command = regexp.MustCompile(`^(?:Answer (-?\d) to )?(\w+)\(P\d('?)\) #\d$`)

// ofMutex is how the model writes a message of redsync.
func ofMutex(text string) string {
	m := command.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	name := map[string]string{"SetNX": "Set", "Delete": "Del", "Touch": "Extend"}[m[2]]
	switch m[1] {
	case "":
	case "1":
		name = "Yes(" + name + ")"
	default:
		name = "No(" + name + ")"
	}
	return name + m[3]
}

var client = regexp.MustCompile(`Client (\d)`)

// ofLock is the key of an instance of the model as redsync writes it.
func ofLock(key string) string {
	m := client.FindStringSubmatch(key)
	if m == nil {
		return ""
	}
	if strings.Contains(key, "Attempt") {
		return "P" + m[1] + "'"
	}
	return "P" + m[1]
}

// seen is what both believe: which clients lead, and the key of each instance.
func seen(key func(text string) string) func(s model.Snapshot) string {
	return func(s model.Snapshot) string {
		var all []string
		for _, p := range s.Processes {
			text := fmt.Sprintf("%s %v", p.ID.Name(), p.Status)
			switch {
			case p.Status != model.Up:
			case p.ID > 2:
				text += ", key " + key(field(p, "Key"))
			case p.Belief.Elected == p.ID:
				text += ", leads"
			}
			all = append(all, text)
		}
		return strings.Join(all, "; ")
	}
}

func field(p model.ProcessSnapshot, name string) string {
	for _, f := range p.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// explore explores the model and the program.
func explore(t *testing.T, l model.Protocol[redlock.P, redlock.M], m redsync.Clients, words string, depth int) *shipped.Beside {
	t.Helper()
	left, err := model.NewFrom(l, world+fifo+words)
	require.NoError(t, err)
	right, err := model.NewFrom(redsync.New(m), world+fifo+words)
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), left, right, lockAndMutex(), depth)
	require.NoError(t, err)
	t.Logf("%s: %d pairs to depth %d, all: %t; alone %q", words, b.Pairs, b.Depth, b.Whole, b.Alone)
	return b
}

var (
	deep   = flag.Bool("deep", false, "also search what takes ten minutes")
	update = flag.Bool("update", false, "write the files of testdata")
)

// Each run of the catalogue's Redlock, with what is named, is one of redsync, and the other way
// round. In each state the same clients lead, and the instances have the same keys.
func TestModelIsAsTheProgram(t *testing.T) {
	t.Parallel()
	const faults = " losses=1 crashes=1 restarts=1 pauses=1 pausers=1,2"
	for _, c := range []struct {
		words             string
		depth, extensions int
		deep              bool
		pairs             int
		whole             bool
	}{
		{"n=3 timing=lockstep", 0, 0, false, 456, true},
		{"n=3 timing=lockstep", 0, 1, false, 652, true},
		{"n=4 timing=lockstep", 0, 0, false, 2_870, true},
		{"n=3 timing=sync:1" + faults, 9, 1, false, 4_060, false},
		{"n=5 timing=lockstep" + faults, 9, 0, false, 10_542, false},
		{"n=5 timing=lockstep", 0, 0, true, 38_090, true},
		{"n=5 timing=sync:1", 16, 0, true, 140_360, false},
		{"n=3 timing=lockstep pauses=1 pausers=1,2", 0, 0, true, 7_326, true},
		{"n=3 timing=lockstep pauses=1 pausers=1", 0, 1, true, 8_516, true},
		{"n=3 timing=sync:1" + faults, 12, 1, true, 17_260, false},
		{"n=5 timing=lockstep" + faults, 13, 0, true, 48_268, false},
	} {
		if c.deep && !*deep {
			continue
		}
		l := waiting{&redlock.Lock{TTL: 8, Drift: 2, Delay: 2, Extensions: uint8(c.extensions)}}
		m := redsync.Short(t)
		m.Extensions = c.extensions
		b := explore(t, l, m, c.words, c.depth)
		assert.Nil(t, b.Difference, "%s: %v", c.words, b.Difference)
		assert.Equal(t, c.pairs, b.Pairs, c.words)
		assert.Equal(t, c.whole, b.Whole, c.words)
	}
}

// Each named difference is one without the name, and so is a fault on either side.
func TestFaultsAreDifferences(t *testing.T) {
	t.Parallel()
	l := &redlock.Lock{TTL: 8, Drift: 2, Delay: 2}
	short := redsync.Short(t)
	half, late, disk := *l, short, short
	half.Quorum, late.Drift, disk.Disk = 1, 1, true
	for name, c := range map[string]struct {
		model   model.Protocol[redlock.P, redlock.M]
		program redsync.Clients
		words   string
		missing string
	}{
		"a model whose clients do not wait for answers to a release": {l, short, "n=3 timing=lockstep", "a tick passes"},
		"a model with a quorum of one":                               {waiting{&half}, short, "n=4 timing=lockstep", "P1 times out: check"},
		"a program with another drift":                               {waiting{l}, late, "n=3 timing=lockstep", "P1 times out: validity"},
		"a program whose instances have disks":                       {waiting{l}, disk, "n=3 timing=lockstep crashes=1 crashers=3 restarts=1", ""},
	} {
		b := explore(t, c.model, c.program, c.words, 0)
		if assert.NotNil(t, b.Difference, name) {
			assert.Equal(t, c.missing, b.Difference.Missing, "%s: %v", name, b.Difference)
		}
	}
}
