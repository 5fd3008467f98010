package clientgo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"bullyproof/algorithms/k8slease"
	"bullyproof/checker/shipped"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/examples/clientgo"
	"bullyproof/model"
)

// named is the catalogue's election of Kubernetes' clients with what client-go does and the model does
// otherwise, each a switch.
type named struct {
	*k8slease.Lease
	// AtOnce: who has acquired the lease renews it at once, and not after a RetryPeriod: renew begins
	// with a try.
	AtOnce bool
	// Asked: whether a lease is over is decided by the time at which the record was asked for ("now"),
	// and not by that of the answer.
	Asked bool
}

// The timers of the model.
const (
	request model.Timer = iota
	retry
	lease
	deadline
)

func (n named) Timeout(p *k8slease.P, net *model.Net[k8slease.M], t model.Timer) {
	if t == retry && due(net, deadline) {
		t = deadline
	}
	if t == deadline {
		net.StopTimer(deadline)
	}
	if t == retry {
		p.Late = p.Held // as the try begins
	}
	n.Lease.Timeout(p, net, t)
	net.StopTimer(request)
}

func (n named) Receive(p *k8slease.P, net *model.Net[k8slease.M], from model.Port, m k8slease.M) {
	if int(net.Self()) == net.N() {
		n.Lease.Receive(p, net, from, m)
		return
	}
	if due(net, deadline) {
		net.StopTimer(deadline)
		n.Timeout(p, net, deadline)
	}
	led, held := p.Leads, p.Held
	asked := n.Asked && m.Type == k8slease.Record && !m.Changed && p.Holder == m.Holder
	if asked {
		p.Held = p.Late
	}
	n.Lease.Receive(p, net, from, m)
	if asked {
		p.Held = held
	}
	if n.AtOnce && !led && p.Leads {
		net.StopTimer(retry)
		n.Timeout(p, net, retry)
		net.SetTimer(deadline, n.RenewDeadline+1) // it is seen a tick earlier than one that begins between two ticks
	}
	net.StopTimer(request)
}

// due reports whether a timer runs down in this tick.
func due(net *model.Net[k8slease.M], t model.Timer) bool {
	left, set := net.Left(t)
	return set && left == 0
}

// modelAndProgram is what the model and client-go have in common. Differences on purpose:
//
//   - The model asks for the record again after a RequestTimeout. Here a request has no limit, as in a
//     rest.Config without a Timeout.
//
//   - The model has a RetryPeriod of a tick. That of the program is a millisecond, so that its jitter is
//     within a tick, and what it then sends is seen at the end of the tick. So a deadline runs down between
//     two ticks, before the messages of the second one, and a lease a tick later.
//
//   - A client of the model that has stopped begins again with what it has observed. So does a
//     LeaderElector that runs again; RunOrDie makes a new one.
//
//   - In turns a select of the program may have two cases that are ready, and the first one is taken.
//
//   - Pauses are not compared: of what is late behind one the model has any order.
//
// Differences that change what is seen are in named.
func modelAndProgram() shipped.Correspondence {
	return shipped.Correspondence{
		Left: func(a *model.Action) string { return step(a, ofModel) },
		Right: func(a *model.Action) string {
			if slices.Contains(a.Choices, 1) {
				return ""
			}
			return step(a, ofProgram)
		},
		Only:     func(text string) bool { return text == aTick },
		Silent:   silent,
		SeenLeft: seen(ofStore), SeenRight: seen(ofServer),
	}
}

// silent reports of an action that the other side has not.
func silent(a *model.Action) bool {
	return a.Kind == model.Expires && (a.Timer == "LeaseDuration" || a.Timer == "clock")
}

// aTick changes nothing where nobody waits for anything but answers that do not come. There only the
// program has one, which counts ticks.
const aTick = "a tick passes"

// step is what both call an action.
func step(a *model.Action, message func(text string) string) string {
	switch a.Kind {
	case model.Ticks:
		return aTick
	case model.Expires:
		if silent(a) {
			return ""
		}
		return a.Process.Name() + " goes on"
	case model.Delivers, model.Loses:
		what := map[model.ActionKind]string{model.Delivers: "receives", model.Loses: "misses"}[a.Kind]
		return fmt.Sprintf("%s %s %s from %s", a.Process.Name(), what, message(a.Message), a.Port.ID().Name())
	}
	return a.Process.Name() + " " + a.Kind.Verb()
}

func ofModel(text string) string {
	switch {
	case strings.HasPrefix(text, "Get"):
		return "GET"
	case strings.HasPrefix(text, "Update("):
		return "PUT"
	}
	return "the answer"
}

func ofProgram(text string) string {
	switch {
	case strings.Contains(text, ": GET "):
		return "GET"
	case strings.HasPrefix(text, "request"):
		return "PUT"
	}
	return "the answer"
}

// seen is what both believe: which clients lead, and the holder and the term of the record.
func seen(record func(p model.ProcessSnapshot) string) func(s model.Snapshot) string {
	return func(s model.Snapshot) string {
		var all []string
		for i, p := range s.Processes {
			text := fmt.Sprintf("%s %v", p.ID.Name(), p.Status)
			switch {
			case i == len(s.Processes)-1:
				text += ", record of " + record(p)
			case p.Status == model.Up && p.Belief.Elected == p.ID:
				text += ", leads"
			}
			all = append(all, text)
		}
		return strings.Join(all, "; ")
	}
}

func ofStore(p model.ProcessSnapshot) string {
	if field(p, "Holder") == "⊥" {
		return "nobody"
	}
	return "P" + field(p, "Holder") + ", term " + field(p, "Term")
}

var kept = regexp.MustCompile(`holderIdentity\\":\\"(P\d).*leaseTransitions\\":(\d+)`)

func ofServer(p model.ProcessSnapshot) string {
	m := kept.FindStringSubmatch(field(p, "disk"))
	if m == nil {
		return "nobody"
	}
	return fmt.Sprintf("%s, term %d", m[1], m[2][0]-'0'+1)
}

func field(p model.ProcessSnapshot, name string) string {
	for _, f := range p.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// The times of both: those of the model in ticks, and those of the program.
const (
	leaseTicks, deadlineTicks = 11, 6
	deadlineTime              = deadlineTicks*time.Second + 500*time.Microsecond
)

// again is a candidate that begins a tick after its start, and again a tick after it has stopped, with
// another identity after each start.
func again(lease int) func(*bubble.Env) {
	return func(env *bubble.Env) {
		env.Save("starts", env.Load("starts")+"'")
		config := clientgo.Config(env, time.Duration(lease-1)*time.Second, deadlineTime, time.Millisecond)
		config.Lock.(*resourcelock.LeaseLock).LockConfig.Identity += env.Load("starts")
		elector, err := leaderelection.NewLeaderElector(config)
		if err != nil {
			panic(err)
		}
		for time.Sleep(time.Second); env.Context().Err() == nil; time.Sleep(time.Second) {
			elector.Run(env.Context())
		}
	}
}

// beside explores the model beside the program.
func beside(t *testing.T, l model.Protocol[k8slease.P, k8slease.M], lease int, c shipped.Correspondence, faults string, depth int) *shipped.Beside {
	t.Helper()
	words := "n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost timing=lockstep " + faults
	left, err := model.NewFrom(l, words)
	require.NoError(t, err)
	w := &bubble.World{T: t, Roles: []bubble.Role{
		{Name: "candidate", Main: again(lease)},
		{Name: "server", Main: clientgo.Server, Processes: 1, Timeless: true},
	}}
	p := w.Protocol()
	right, err := model.NewFrom(p, words)
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), left, right, c, depth)
	require.NoError(t, err)
	t.Logf("%q: %d pairs to depth %d, all: %t; alone %q. %s", faults, b.Pairs, b.Depth, b.Whole, b.Alone, p.Remark())
	return b
}

func all() named {
	return named{&k8slease.Lease{Times: k8slease.Times{LeaseDuration: leaseTicks, RenewDeadline: deadlineTicks, RetryPeriod: 1, RequestTimeout: 9}}, true, true}
}

// Each run of the catalogue's model, with what is named, is one of client-go, and the other way round:
// in each state the same clients lead, and the record has the same holder.
func TestModelIsAsTheProgram(t *testing.T) {
	for _, c := range []struct {
		faults string
		depth  int
		pairs  int
	}{
		{"", 200, 438},
		{"crashes=1 crashers=1,2", 100, 1_656},
		{"crashes=1 restarts=1 crashers=1,2", 60, 10_896},
		{"losses=1", 100, 3_790},
	} {
		both := modelAndProgram()
		both.Left, both.Right = answers(both.Left), answers(both.Right)
		b := beside(t, all(), leaseTicks, both, c.faults, c.depth)
		assert.True(t, b.Difference == nil, "%q: %v", c.faults, b.Difference)
		assert.Equal(t, c.pairs, b.Pairs, c.faults)
	}
}

// answers leaves out that the server misses a request. The model's takes the client to have missed the
// answer then.
func answers(name func(*model.Action) string) func(*model.Action) string {
	return func(a *model.Action) string {
		if a.Kind == model.Loses && a.Process == 3 {
			return ""
		}
		return name(a)
	}
}

// Each difference has a shortest pair of runs.
func TestDifferences(t *testing.T) {
	var text strings.Builder
	for _, c := range []struct {
		name   string
		model  func(n *named)
		lease  int
		faults string
	}{
		{"The model begins to renew a RetryPeriod after it has acquired the lease (AtOnce)", func(n *named) { n.AtOnce = false }, leaseTicks, ""},
		{"It decides by the time of the answer whether a lease is over (Asked)", func(n *named) { n.Asked = false }, leaseTicks, "crashes=1 crashers=1"},
		{"Its store takes a client whose request it has missed to have missed the answer", func(*named) {}, leaseTicks, "losses=1"},
		{"A fault: the program has a longer lease", func(*named) {}, leaseTicks + 3, "crashes=1 crashers=1"},
	} {
		n := all()
		c.model(&n)
		b := beside(t, n, c.lease, modelAndProgram(), c.faults, 60)
		if assert.NotNil(t, b.Difference, c.name) {
			fmt.Fprintf(&text, "%s:\n%v\n", c.name, b.Difference)
		}
	}
	file := filepath.Join("testdata", "differences.txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), text.String())
}
