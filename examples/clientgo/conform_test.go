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
	// Ticker: if a try within a renewal has failed after a RetryPeriod or more, the next one follows at
	// once: a ticker has run down meanwhile.
	Ticker bool
	// Own: who reads the record that it has written takes it for a change, and its lease begins anew: it
	// compares with what it has read last. (Given has the client itself if it has read since it wrote.)
	Own bool
	// Acquire is how many ticks there are between the tries of a client that does not lead; 0 is a
	// RetryPeriod. It has the jitter: such a try is seen at the tick that comes, and so is the end of a
	// lease.
	Acquire int
	// Between: deadlines run down between two ticks, before the messages of the second one.
	Between bool
}

// The timers of the model.
const (
	request model.Timer = iota
	retry
	lease
	deadline
)

func (n named) Timeout(p *k8slease.P, net *model.Net[k8slease.M], t model.Timer) {
	if t == retry && n.Between && due(net, deadline) {
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
	if n.Between && due(net, deadline) {
		n.Timeout(p, net, deadline)
	}
	led, held, waits := p.Leads, p.Held, p.Waits != k8slease.None && p.Attempt == m.Attempt
	if n.Own && waits {
		switch {
		case m.Type == k8slease.Record:
			m.Changed = m.Changed || m.Holder == p.Self && p.Given == 0
			p.Given = model.SetOf(p.Self)
		case m.OK:
			p.Given = 0
		}
	}
	asked := n.Asked && m.Type == k8slease.Record && !m.Changed && p.Holder == m.Holder
	if asked {
		p.Held = p.Late
	}
	n.Lease.Receive(p, net, from, m)
	if asked {
		p.Held = held
	}
	failed := waits && p.Waits == k8slease.None
	switch {
	case n.AtOnce && !led && p.Leads:
		n.again(p, net)
		if n.Between {
			net.SetTimer(deadline, n.RenewDeadline+1) // it is seen a tick earlier than one that begins between two ticks
		}
	case n.Ticker && failed && p.Renews:
		n.again(p, net)
	case n.Acquire > 0 && failed && !p.Leads:
		net.SetTimer(retry, n.Acquire)
	}
	if left, set := net.Left(lease); n.Acquire > 0 && !p.Leads && set && left == n.LeaseDuration {
		net.SetTimer(lease, left+1)
	}
	net.StopTimer(request)
}

// again has a client try at once.
func (n named) again(p *k8slease.P, net *model.Net[k8slease.M]) {
	net.StopTimer(retry)
	n.Timeout(p, net, retry)
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
//   - A client of the model that has stopped begins again with what it has observed. So does a
//     LeaderElector that runs again; RunOrDie makes a new one.
//   - In turns a select of the program may have two cases that are ready, and a number that it draws is
//     one of two. The first is taken of each.
//   - The times are not quite the same (betweenTicks, onTicks).
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
	if a.Kind == model.Resumes {
		return a.Process.Name() + " resumes"
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

// times are those of the model, in ticks, and those of the program.
type times struct {
	model                  named
	lease, deadline, retry time.Duration
	tick                   time.Duration
	draws                  int
}

// inTicks are the times of the model.
func inTicks(lease, deadline int) *k8slease.Lease {
	return &k8slease.Lease{Times: k8slease.Times{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: 1, RequestTimeout: 9}}
}

// betweenTicks has a program whose RetryPeriod is a millisecond: its jitter is within a tick, and what it
// sends is seen at the end of the tick. A deadline runs down between two ticks, and a lease a tick later.
func betweenTicks() times {
	return times{
		model: named{Lease: inTicks(11, 6), AtOnce: true, Asked: true, Between: true},
		lease: 10 * time.Second, deadline: 6*time.Second + 500*time.Microsecond, retry: time.Millisecond, tick: time.Second,
	}
}

// onTicks has a program with a RetryPeriod of a tick and the least jitter, so that who acquires tries
// again after two. All other timers run down at a tick. The number that the jitter takes is a choice.
func onTicks() times {
	return times{
		model: named{Lease: inTicks(7, 4), AtOnce: true, Asked: true, Ticker: true, Own: true, Acquire: 2},
		lease: 13 * time.Second, deadline: 8 * time.Second, retry: 2 * time.Second, tick: 2 * time.Second, draws: 2,
	}
}

// again is a candidate that begins a tick after its start, and again a tick after it has stopped, with
// another identity after each start.
func (c times) again(env *bubble.Env) {
	env.Save("starts", env.Load("starts")+"'")
	config := clientgo.Config(env, c.lease, c.deadline, c.retry)
	config.Lock.(*resourcelock.LeaseLock).LockConfig.Identity += env.Load("starts")
	elector, err := leaderelection.NewLeaderElector(config)
	if err != nil {
		panic(err)
	}
	for time.Sleep(c.tick); env.Context().Err() == nil; time.Sleep(c.tick) {
		elector.Run(env.Context())
	}
}

// beside explores the model beside the program.
func (c times) beside(t *testing.T, both shipped.Correspondence, faults string, depth int) *shipped.Beside {
	t.Helper()
	words := "n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost timing=lockstep " + faults
	left, err := model.NewFrom(c.model, words)
	require.NoError(t, err)
	w := &bubble.World{T: t, Tick: c.tick, Draws: c.draws, Roles: []bubble.Role{
		{Name: "candidate", Main: c.again},
		{Name: "server", Main: clientgo.Server, Processes: 1, Timeless: true},
	}}
	p := w.Protocol()
	right, err := model.NewFrom(p, words)
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), left, right, both, depth)
	require.NoError(t, err)
	t.Logf("%q: %d pairs to depth %d, all: %t; alone %q. %s", faults, b.Pairs, b.Depth, b.Whole, b.Alone, p.Remark())
	return b
}

// Each run of the catalogue's model, with what is named, is one of client-go, and the other way round:
// in each state the same clients lead, and the record has the same holder.
func TestModelIsAsTheProgram(t *testing.T) {
	type comparison struct {
		times  times
		faults string
		depth  int
		pairs  int
	}
	list := []comparison{
		{betweenTicks(), "", 200, 438},
		{betweenTicks(), "crashes=1 crashers=1,2", 100, 1_656},
		{betweenTicks(), "crashes=1 restarts=1 crashers=1,2", 60, 10_896},
		{betweenTicks(), "losses=1", 100, 3_790},
	}
	if bubble.Controlled { // otherwise jitter has any length, and timers run at their own times in a pause
		list = append(list, comparison{onTicks(), "crashes=1 restarts=1 crashers=1,2", 50, 5_724}, comparison{onTicks(), "pauses=1 pausers=1,2", 60, 20_966})
	}
	for _, c := range list {
		both := modelAndProgram()
		both.Left, both.Right = answers(both.Left), answers(both.Right)
		b := c.times.beside(t, both, c.faults, c.depth)
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
	type difference struct {
		name   string
		times  times
		change func(c *times)
		faults string
	}
	file, list := "differences.txt", []difference{
		{"The model begins to renew a RetryPeriod after it has acquired the lease (AtOnce)", betweenTicks(), func(c *times) { c.model.AtOnce = false }, ""},
		{"It decides by the time of the answer whether a lease is over (Asked)", betweenTicks(), func(c *times) { c.model.Asked = false }, "crashes=1 crashers=1"},
		{"Its store takes a client whose request it has missed to have missed the answer", betweenTicks(), func(*times) {}, "losses=1"},
		{"A fault: the program has a longer lease", betweenTicks(), func(c *times) { c.lease += 3 * time.Second }, "crashes=1 crashers=1"},
	}
	if bubble.Controlled {
		file, list = "differences-in-turns.txt", []difference{
			{"The model waits for a RetryPeriod before each try of a renewal (Ticker)", onTicks(), func(c *times) { c.model.Ticker = false }, "pauses=1 pausers=1"},
			{"A client that reads the record that it has written takes it for no change (Own)", onTicks(), func(c *times) { c.model.Own = false }, "pauses=1 pausers=1"},
		}
	}
	var text strings.Builder
	for _, c := range list {
		c.change(&c.times)
		b := c.times.beside(t, modelAndProgram(), c.faults, 60)
		if assert.NotNil(t, b.Difference, c.name) {
			fmt.Fprintf(&text, "%s:\n%v\n", c.name, b.Difference)
		}
	}
	file = filepath.Join("testdata", file)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), text.String())
}
