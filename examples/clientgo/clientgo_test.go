//go:debug randseednop=0

package clientgo_test

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"

	"bullyproof/checker"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/examples/clientgo"
	"bullyproof/model"
	"bullyproof/trace"
)

var update = flag.Bool("update", false, "write the runs of testdata")

func TestMain(m *testing.M) {
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// world has a lease of 4 seconds, a deadline of 3, and a retry after 1.
func world(t *testing.T) *bubble.World {
	return &bubble.World{T: t, Roles: []bubble.Role{
		{Name: "candidate", Main: clientgo.Candidate(4*time.Second, 3*time.Second, time.Second)},
		{Name: "server", Main: clientgo.Server, Processes: 1, Timeless: true},
	}}
}

func check(t *testing.T, w *bubble.World, words string, opt checker.Options) *checker.Report {
	t.Helper()
	return search(t, w.Protocol(), words, opt)
}

func search(t *testing.T, p *bubble.Protocol, words string, opt checker.Options) *checker.Report {
	t.Helper()
	sys, err := model.NewFrom(p, words)
	require.NoError(t, err)
	opt.Algorithm, opt.Properties = "client-go", []*checker.Property{checker.Uniqueness}
	if !bubble.Controlled {
		opt.Workers = 1 // all draw from one source
	}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	t.Logf("%s: %d states to depth %d in %v. %s", words, r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	for _, f := range r.Findings {
		assert.NotEqual(t, checker.Misuse.Name, f.Property.Name)
		t.Logf("%s: %s %s", f.Property.Name, f.Verdict, f.Explanation)
	}
	return r
}

// In a bubble client-go is deterministic, its jitter aside, which has a seed.
func TestConforms(t *testing.T) {
	bubble.Test(t, world(t), "n=3 timing=lockstep channels=fifo losses=1 pauses=1 crashes=1")
}

// A leader that pauses leads on after its lease is over, and another one leads.
func TestPause(t *testing.T) {
	r := check(t, world(t), "n=3 timing=lockstep channels=fifo pauses=1 pausers=1", checker.Options{})
	require.Equal(t, checker.Violated, r.Findings[0].Verdict)
	var b strings.Builder
	for _, s := range r.Findings[0].Trace.Steps {
		b.WriteString(trace.ActionText(s.Action) + "\n")
	}
	file := filepath.Join("testdata", "pause.txt")
	if bubble.Controlled {
		file = filepath.Join("testdata", "turns.txt") // jitter has another seed, and timers are late in a pause
	}
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), b.String())
}

// Without a fault, and if a message is lost, there is one leader as long as no process has more than
// so many events. The longest history of each process has one outcome, however often it is repeated.
func TestOneLeader(t *testing.T) {
	for words, events := range map[string]int{"n=3 timing=lockstep channels=fifo": 60, "n=3 timing=lockstep channels=fifo losses=1": 20} {
		w := world(t)
		w.Events = events
		p := w.Protocol()
		r := search(t, p, words, checker.Options{})
		assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
		if bubble.Controlled {
			p.Repeat(t, 1000)
		} else {
			p.Repeat(t, 100)
		}
	}
}

// A candidate with a short lease leaves a long one of another alone (kubernetes #47671).
func TestOtherLease(t *testing.T) {
	w := clientgo.OtherLease(t)
	w.Events = 30
	r := check(t, w, "n=3 timing=lockstep channels=fifo", checker.Options{})
	assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
}
