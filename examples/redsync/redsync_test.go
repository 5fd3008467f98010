package redsync_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lock "github.com/go-redsync/redsync/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/examples/redsync"
	"bullyproof/model"
	"bullyproof/trace"
)

const (
	world = "initiators=none detector=off mail-down=lost mail-old=lost "
	fifo  = "channels=fifo "
)

// canLead asks for a client that it can always lead.
func canLead(client model.ID) *checker.Property {
	return checker.CanAlwaysReach(strings.ToLower(client.Name())+"-can-lead", "It is always possible that "+client.Name()+" leads.",
		func(v *model.View) bool { return v.Leaders.Has(client) })
}

// check asks properties, to a depth; 0 is no limit.
func check(t *testing.T, m redsync.Clients, words string, depth int, properties ...*checker.Property) *checker.Report {
	t.Helper()
	sys, err := model.NewFrom(redsync.New(m), world+words)
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{Algorithm: "redsync", MaxDepth: depth, Properties: properties})
	require.NoError(t, err)
	t.Logf("%s: %d states to depth %d in %v. %s", words, r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	return r
}

// verdicts checks what each finding is.
func verdicts(t *testing.T, r *checker.Report, want ...checker.Verdict) {
	t.Helper()
	for i, f := range r.Findings {
		assert.Equal(t, want[i], f.Verdict, "%s: %s", f.Property.Name, f.Explanation)
	}
}

// golden compares the run of a finding with a file, or writes it.
func golden(t *testing.T, name string, f checker.Finding) {
	t.Helper()
	require.NotNil(t, f.Trace)
	var b strings.Builder
	for _, step := range f.Trace.Steps {
		fmt.Fprintln(&b, trace.ActionText(step.Action))
	}
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), b.String())
}

// In a bubble redsync is deterministic, and only a client's data matter.
func TestConforms(t *testing.T) {
	t.Parallel()
	m := redsync.Short(t)
	m.Extensions = 1
	shipped.Test(t, m, world+fifo+"n=3 timing=lockstep losses=1 crashes=1 restarts=1")
}

// A reported collects what a test says.
type reported struct {
	testing.TB
	text strings.Builder
}

func (r *reported) Helper()                        {}
func (r *reported) Errorf(format string, a ...any) { fmt.Fprintf(&r.text, format+"\n", a...) }

// Values that the code draws at random by itself are caught.
func TestRandomValues(t *testing.T) {
	t.Parallel()
	m := redsync.Short(t)
	m.Options = []lock.Option{lock.WithGenValueFunc(func() (string, error) { return rand.Text(), nil })}
	r := &reported{TB: t}
	shipped.Test(r, m, world+fifo+"n=3 timing=lockstep")
	assert.Contains(t, r.text.String(), "deterministic")
}

// One client leads at a time, and each can lead again: without faults, if an instance is down for
// good, and if a message is lost.
func TestOneLeader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words  string
		deep   bool
		states uint64
	}{
		{"n=5 timing=lockstep", false, 38_090},
		{"n=4 timing=lockstep losses=1", false, 22_438},
		{"n=5 timing=lockstep crashes=1 crashers=5", true, 95_014},
	} {
		if c.deep && !*deep {
			continue
		}
		r := check(t, redsync.Short(t), fifo+c.words, 0, checker.Uniqueness, canLead(1), canLead(2))
		verdicts(t, r, checker.Holds, checker.Holds, checker.Holds)
		assert.Equal(t, c.states, r.Distinct, c.words)
	}
}

// A leader that extends its lock once more leads alone as well.
func TestExtend(t *testing.T) {
	t.Parallel()
	m := redsync.Short(t)
	m.Extensions = 1
	r := check(t, m, fifo+"n=4 timing=lockstep losses=1", 0, checker.Uniqueness)
	verdicts(t, r, checker.Holds)
	assert.EqualValues(t, 30_040, r.Distinct)
}

// An instance that restarts without its key gives it to another client. It does not if it is
// silent for longer than keys live, or if the key is on disk.
func TestForgets(t *testing.T) {
	t.Parallel()
	const words = fifo + "n=5 timing=lockstep crashes=1 crashers=5 restarts=1"
	m := redsync.Short(t)
	m.TTL = 16
	r := check(t, m, words, 40, checker.Uniqueness)
	verdicts(t, r, checker.Violated)
	golden(t, "forgets.txt", r.Findings[0])
	for _, change := range []func(m *redsync.Clients){
		func(m *redsync.Clients) { m.Delayed = 17 },
		func(m *redsync.Clients) { m.Disk = true },
	} {
		m := m
		change(&m)
		verdicts(t, check(t, m, words, 40, checker.Uniqueness), checker.Incomplete)
	}
}

// A client that pauses after it has looked at Until leads on when its lock is over.
func TestPause(t *testing.T) {
	t.Parallel()
	const words = fifo + "n=5 timing=lockstep pauses=1 pausers=1"
	m := redsync.Short(t)
	if *deep {
		r := check(t, m, words, 0, checker.Uniqueness)
		verdicts(t, r, checker.Violated)
		golden(t, "pause.txt", r.Findings[0])
	}
	assert.Equal(t, model.SetOf(1, 2), follow(t, m, words, "pause.txt"))
}

// Unlock without a limit waits without end for an answer that is lost.
func TestUnlimited(t *testing.T) {
	t.Parallel()
	m := redsync.Short(t)
	m.Unlimited = true
	r := check(t, m, fifo+"n=3 timing=lockstep losses=1", 0, checker.Uniqueness, canLead(1))
	verdicts(t, r, checker.Holds, checker.Violated)
	golden(t, "unlimited.txt", r.Findings[1])
}

// Lock draws one value for all its tries. If messages outlast the limit of time of a try, the
// release of one try may come after the command of the next one, and deletes its key.
func TestTries(t *testing.T) {
	t.Parallel()
	const words = "n=3 timing=sync:3 channels=unordered"
	m := redsync.Short(t)
	m.Wait, m.Delay, m.Values, m.Tries = 1, 1, 4, 2
	if *deep {
		r := check(t, m, words, 23, checker.Uniqueness)
		verdicts(t, r, checker.Violated)
		golden(t, "tries.txt", r.Findings[0])
		// Attempts that draw a value each do not.
		m.Tries = 1
		verdicts(t, check(t, m, words, 23, checker.Uniqueness), checker.Incomplete)
		m.Tries = 2
	}
	assert.Equal(t, model.SetOf(1, 2), follow(t, m, words, "tries.txt"))
}

// follow takes the steps of a file, and returns who leads at the end.
func follow(t *testing.T, m redsync.Clients, words, name string) model.Set {
	t.Helper()
	sys, err := model.NewFrom(redsync.New(m), world+words)
	require.NoError(t, err)
	steps, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	here, err := sys.Begin(nil)
	require.NoError(t, err)
	for step := range strings.Lines(string(steps)) {
		found := false
		for _, next := range sys.Transitions(here) {
			if found = trace.ActionText(next.Action) == strings.TrimSpace(step); found {
				here = next.Next
				break
			}
		}
		require.True(t, found, step)
	}
	var leaders model.Set
	for _, p := range sys.Snapshot(here).Processes {
		if p.Belief.Elected == p.ID {
			leaders = leaders.With(p.ID)
		}
	}
	return leaders
}
