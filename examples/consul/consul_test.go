package consul_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/examples/consul"
	"bullyproof/model"
	"bullyproof/trace"
)

var update = flag.Bool("update", false, "write the runs of testdata")

func world(t *testing.T, limits consul.Limits) *bubble.World {
	return &bubble.World{T: t, Tick: tick, Roles: []bubble.Role{
		{Name: "client", Main: consul.Client(limits)},
		{Name: "server", Main: consul.Server, Processes: 1},
	}}
}

// A message takes a tick. All times of the client are multiples of it.
const tick = 2500 * time.Millisecond

// A client may be cut off.
const setting = "n=3 timing=lockstep channels=fifo cuts=1"

func check(t *testing.T, limits consul.Limits, depth int) (*checker.Finding, *bubble.Protocol) {
	t.Helper()
	p := world(t, limits).Protocol()
	sys, err := model.NewFrom(p, setting)
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{Algorithm: "consul", Properties: []*checker.Property{checker.Uniqueness}, MaxDepth: depth})
	require.NoError(t, err)
	t.Logf("%d states to depth %d in %v. %s", r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	require.Len(t, r.Findings, 1)
	return &r.Findings[0], p
}

func TestConforms(t *testing.T) {
	bubble.Test(t, world(t, consul.Limits{}), setting)
}

// A client that is cut off leads on, and the next one has the lock (hashicorp/consul 18271).
func TestCutOff(t *testing.T) {
	f, p := check(t, consul.Limits{}, 0)
	require.Equal(t, checker.Violated, f.Verdict)
	p.Repeat(t, 1000)
	var b strings.Builder
	for _, s := range f.Trace.Steps {
		b.WriteString(trace.ActionText(s.Action) + "\n")
	}
	file := filepath.Join("testdata", "cut.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), b.String())
}

// A client with limits learns in time that it is cut off: the server answers within 5 seconds, and no
// answer for 12.5 is a failure, by which the client takes the lock to be lost. With a limit of a minute it
// learns it too late.
func TestLimits(t *testing.T) {
	for answer, want := range map[time.Duration]checker.Verdict{12500 * time.Millisecond: checker.Incomplete, time.Minute: checker.Violated} {
		f, _ := check(t, consul.Limits{Wait: 5 * time.Second, Answer: answer}, 80)
		assert.Equal(t, want, f.Verdict, "%v: %s", answer, f.Explanation)
	}
}
