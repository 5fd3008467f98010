package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/casecount"
)

// childSearch is the environment variable that has TestMain be a search.
const childSearch = "EXPLORE_CHILD_SEARCH"

// childOptions are those of the options that children are given.
type childOptions struct {
	Order        Order
	Exact, Graph bool
	States       uint32 // 0 for 2^32
	MaxBytes     int64
	ExpectStates uint64
	Dir          string // of a search on disk
}

// A childResult is what a process said that did nothing but search.
type childResult struct {
	Reason            Reason
	MemoryLimit       string
	Peak              int64 // of its resident memory, as the kernel saw it
	Distinct          uint64
	Depth             int
	ProcessBytes      int64
	CompleteDepth     int
	Hit, GraphIsThere bool
}

func TestMain(m *testing.M) {
	text, child := os.LookupEnv(childSearch)
	if !child {
		casecount.Lower(deep)
		os.Exit(m.Run())
	}
	var c childOptions
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	opt := Options{
		Order: c.Order, Exact: c.Exact, Graph: c.Graph, MaxBytes: c.MaxBytes, ExpectStates: c.ExpectStates,
		Targets: 1, Exhaustive: true, Disk: Disk{Dir: c.Dir},
	}
	r, err := Search(context.Background(), garbage{c.States}, opt)
	if err != nil {
		panic(err)
	}
	_, hit := r.Hit(0)
	if hit { // the trace is within the limit, too
		if _, err := r.Path(0); err != nil {
			panic(err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	var peak int64
	_, text, _ = strings.Cut(string(status), "\nVmHWM:")
	if _, err := fmt.Sscan(text, &peak); err != nil {
		panic(err)
	}
	out, err := json.Marshal(childResult{
		r.Reason, r.MemoryLimit, peak << 10, r.Distinct, r.Depth, r.ProcessBytes, r.CompleteDepth, hit, r.Graph != nil,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
}

// child has a process search, started by a shell that may limit it first.
func child(t *testing.T, limit string, opt childOptions) (r childResult) {
	t.Helper()
	text, err := json.Marshal(opt)
	require.NoError(t, err)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command("sh", "-c", limit+` exec "$0"`, self)
	cmd.Env = append(os.Environ(), childSearch+"="+string(text))
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		require.NoError(t, err, "%.2000s", exit.Stderr)
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &r), "%s", out)
	return r
}

// A garbage has so many states (0: 2^32) of 24 bytes, and makes garbage with
// each transition.
type garbage struct{ states uint32 }

func (g garbage) Initial(yield func([]byte) bool) { yield(make([]byte, 24)) }
func (g garbage) NewExpander() Expander           { return g }

func (g garbage) Expand(state []byte, out *Successors) {
	n := uint32(state[0])<<24 | uint32(state[1])<<16 | uint32(state[2])<<8 | uint32(state[3])
	if n == 77 {
		out.Hit(0, 0)
	}
	for i := range uint32(3) {
		m := 3*n + i
		if g.states > 0 {
			m %= g.states
		}
		next := make([]byte, 24) // garbage
		next[0], next[1], next[2], next[3] = byte(m>>24), byte(m>>16), byte(m>>8), byte(m)
		out.Add(next, Code(i))
		out.Label(i)
	}
}

// TestMaxBytesBoundsTheProcess has other processes search up to a limit.
func TestMaxBytesBoundsTheProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const limit = 64 << 20
	children := map[string]childOptions{
		"breadth-first": {},
		"graph is made": {Graph: true, States: 300_000},
	}
	if *deep {
		maps.Copy(children, map[string]childOptions{
			"exact":              {Exact: true},
			"graph":              {Graph: true},
			"depth-first":        {Order: DepthFirst},
			"exact depth-first":  {Exact: true, Order: DepthFirst},
			"graph is too large": {Graph: true, States: 600_000},
			"exact graph":        {Graph: true, Exact: true, States: 200_000},
			"expecting much":     {ExpectStates: 1 << 40},
			"disk":               {Dir: t.TempDir(), States: 5_000_000},
		})
	}
	for name, opt := range children {
		t.Run(name, func(t *testing.T) {
			opt.MaxBytes = limit
			r := child(t, "", opt)
			t.Logf("%+v", r)
			assert.LessOrEqual(t, r.Peak, int64(limit*11/10))
			assert.InDelta(t, r.Peak, r.ProcessBytes, limit/10)
			if opt.States == 0 {
				assert.Equal(t, ByteLimit, r.Reason)
				assert.GreaterOrEqual(t, r.Peak, int64(limit*3/4), "it stopped too early")
			}
			assert.Equal(t, opt.Graph && opt.States > 0 && r.Reason == Complete, r.GraphIsThere)
			assert.True(t, opt.Dir == "" || r.Reason == Complete, "what has no room is on disk: %s", r.Reason)
			assert.True(t, r.GraphIsThere || name != "graph is made")
			if opt.Order == BreadthFirst {
				assert.True(t, r.Hit, "what was found is kept")
				assert.Positive(t, r.CompleteDepth)
			}
		})
	}
}

// TestNoLimitIsTheMachines has other processes search in less address space
// than that takes.
func TestNoLimitIsTheMachines(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	for name, opt := range map[string]childOptions{
		"depth-first": {Order: DepthFirst}, "breadth-first": {}, "exact": {Exact: true}, "graph": {Graph: true}, "expecting much": {ExpectStates: 1 << 40},
	} {
		t.Run(name, func(t *testing.T) {
			r := child(t, "ulimit -v 2000000;", opt)
			t.Logf("%+v", r)
			assert.Equal(t, MachineLimit, r.Reason)
			assert.Equal(t, "the limit of address space (ulimit -v), 1953 MiB", r.MemoryLimit)
			// Not the peak: a table that was made large at the start is not resident
			// where nothing has been written to it.
			assert.GreaterOrEqual(t, r.ProcessBytes, int64(100<<20), "it stopped too early")
		})
	}
}
