package linear

import (
	"bytes"
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/river"
	"bullyproof/internal/prose"
	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/thorough"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// Runs that are not linearizable, as short as they can be, and what mends them.
func TestCheck(t *testing.T) {
	sys := small(t)
	for _, c := range []struct {
		work    Workload
		verdict Verdict
		steps   int
	}{
		{Workload{Spec: Instant}, NotLinearizable, 2},
		{Workload{Spec: Instant, Settled: true}, NotLinearizable, 8},
		{Workload{Spec: Leader}, NotLinearizable, 4},
		{Workload{Spec: Leader, Claims: true}, NotLinearizable, 6},
		{Workload{Spec: Register}, NotLinearizable, 8},
		{Workload{Spec: Register, Fence: FenceWrites}, NotLinearizable, 8},
		{Workload{Spec: Lock}, NotLinearizable, 9},
	} {
		t.Run(c.work.Usual().String(), func(t *testing.T) {
			r, err := Check(context.Background(), sys, c.work, Options{})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, r.Why)
			assert.Equal(t, c.steps, r.Run.Steps)
			assert.Len(t, r.Run.Of.Steps, r.Run.Steps-len(r.Run.Exchanges))
			v, err := Decide(r.Run.History, 0)
			require.NoError(t, err)
			assert.Equal(t, NotLinearizable, v)
			assert.NoError(t, r.Run.Trace(trace.Header{Algorithm: "kabashi"}).Validate())
			for _, o := range r.Run.History.Operations {
				assert.Equal(t, o.Client > 0, o.Via > 0, "%v", o)
			}
		})
	}
}

// Without faults there is one coordinator, and all that it says is so.
func TestWithoutFaults(t *testing.T) {
	sys := faultless(t)
	for _, work := range workloads {
		r, err := Check(context.Background(), sys, work, Options{})
		require.NoError(t, err)
		assert.Equal(t, Linearizable, r.Verdict, "%v: %s", r.Workload, r.Why)
		assert.NotZero(t, r.Histories)
		assert.Nil(t, r.Run)
	}
}

// A store that is asked for every answer makes one register, and one lock, of
// whatever an election does; one that is asked for writes makes one lock.
func TestFences(t *testing.T) {
	s := kabashi.Algorithm.Variants[0].Setting
	s.N, s.Crashes, s.Restarts = 2, 1, 1
	sys, err := kabashi.Algorithm.Variants[0].In(s)
	require.NoError(t, err)
	for _, c := range []struct {
		work Workload
		want Verdict
	}{
		{Workload{Spec: Register}, NotLinearizable},
		{Workload{Spec: Register, Fence: FenceWrites}, NotLinearizable},
		{Workload{Spec: Register, Fence: FenceAll}, Linearizable},
		{Workload{Spec: Lock}, NotLinearizable},
		{Workload{Spec: Lock, Fence: FenceWrites}, Linearizable},
		{Workload{Spec: Lock, Fence: FenceAll}, Linearizable},
	} {
		r, err := Check(context.Background(), sys, c.work, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%v: %s", r.Workload, r.Why)
	}
}

// A search that ends early says so, and so do walks.
func TestUndecided(t *testing.T) {
	r, err := Check(context.Background(), small(t), Workload{Spec: Lock, Fence: FenceAll}, Options{MaxStates: 1000})
	require.NoError(t, err)
	assert.Equal(t, Undecided, r.Verdict)
	assert.Contains(t, r.Why, "limit on states; no history of a run of up to ")

	r, err = Check(context.Background(), small(t), Workload{Spec: Lock, Fence: FenceAll}, Options{Walks: 50, Steps: 30})
	require.NoError(t, err)
	assert.Equal(t, Undecided, r.Verdict)
	assert.Equal(t, "50 random walks prove nothing", r.Why)
}

// Walks find what is easily found, and the run replays.
func TestWalks(t *testing.T) {
	r, err := Check(context.Background(), small(t), Workload{Spec: Leader}, Options{Walks: 500, Steps: 60})
	require.NoError(t, err)
	require.Equal(t, NotLinearizable, r.Verdict)
	assert.False(t, explained(r.Run.History))
}

// A protocol without epochs has no tokens of its own.
func TestNoEpochs(t *testing.T) {
	r, err := Check(context.Background(), faultless(t), Workload{Spec: Register, Fence: FenceAll, Epochs: true}, Options{})
	require.NoError(t, err)
	assert.Equal(t, Vacuous, r.Verdict)
	assert.Contains(t, r.Why, "numbers no elections")
}

// A client that sleeps when its lease ends leads beside its successor: what it
// writes does harm, unless the store looks at the numbers of the leases.
func TestLease(t *testing.T) {
	thorough.Only(t)
	v, err := river.Algorithm.Variant("stops-first")
	require.NoError(t, err)
	s, err := setting.Parse("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost pauses=1 pausers=1")
	require.NoError(t, err)
	sys, err := v.In(s)
	require.NoError(t, err)
	for _, c := range []struct {
		work    Workload
		verdict Verdict
	}{
		{Workload{Spec: Register}, NotLinearizable},
		{Workload{Spec: Register, Fence: FenceWrites, Epochs: true}, NotLinearizable},
		{Workload{Spec: Lock}, NotLinearizable},
		{Workload{Spec: Lock, Fence: FenceWrites, Epochs: true}, Undecided},
	} {
		r, err := Check(context.Background(), sys, c.work, Options{MaxStates: 300_000})
		require.NoError(t, err)
		assert.Equal(t, c.verdict, r.Verdict, r.Why)
	}
}

// Workloads that mean nothing are refused.
func TestBadWorkloads(t *testing.T) {
	for want, work := range map[string]Workload{
		"it has no specification":                  {},
		"5 clients; 1 to 4 are possible":           {Spec: Lock, Clients: 5},
		"-1 operations of each client; 1 to 4":     {Spec: Lock, Operations: -1},
		"a register is always served by whoever":   {Spec: Register, Claims: true},
		"Fence(7) is no fence":                     {Spec: Register, Fence: 7},
		"fencing is for the register and the lock": {Spec: Leader, Fence: FenceAll},
		"epochs are tokens for a fence":            {Spec: Register, Epochs: true},
	} {
		_, err := New(faultless(t), work)
		assert.ErrorContains(t, err, want)
	}
}

// The page is porcupine's.
func TestWritePage(t *testing.T) {
	r, err := Check(context.Background(), small(t), Workload{Spec: Leader}, Options{})
	require.NoError(t, err)
	var b bytes.Buffer
	v, err := r.Run.History.WritePage(&b, 0)
	require.NoError(t, err)
	assert.Equal(t, NotLinearizable, v)
	assert.Contains(t, b.String(), "ask -\\u003e 2")
}

// A recorder keeps what clients tell it.
func TestRecorder(t *testing.T) {
	r := NewRecorder(Lock, 0)
	first := r.Call(1, Acquire, 0)
	first.Via(3)
	first.Granted(7)
	r.Call(2, Acquire, 0).Refused()
	r.Call(2, Acquire, 0).Failed()
	r.Call(1, Release, 0).Return(0)
	r.Call(2, Acquire, 0)
	h := r.History()
	var texts []string
	for _, o := range h.Operations {
		texts = append(texts, o.String())
	}
	assert.Equal(t, []string{
		"client 1: acquire -> given, token 7 via 3", "client 2: acquire -> refused",
		"client 1: release -> done", "client 2: acquire -> ?",
	}, texts)
	v, err := Decide(h, 0)
	require.NoError(t, err)
	assert.Equal(t, Linearizable, v)
}

// A run is drawn with its clients: each step of theirs has a row in its place, what passes
// goes from lane to lane within it, and the last is where the property breaks.
func TestClientsAreDrawn(t *testing.T) {
	thorough.Only(t)
	sys := small(t)
	for _, work := range workloads {
		r, err := Check(t.Context(), sys, work, Options{})
		require.NoError(t, err)
		if r.Run == nil {
			continue
		}
		t.Run(r.Workload.String(), func(t *testing.T) {
			of, err := trace.Lay(r.Run.Of.Record(trace.Header{Algorithm: "kabashi"}), r.Run.Of)
			require.NoError(t, err)
			l, err := r.Run.Layout(trace.Header{Algorithm: "kabashi"})
			require.NoError(t, err)
			require.Len(t, l.Rows, r.Run.Steps+1)
			assert.Equal(t, r.Run.Steps, l.Breaks)
			assert.Len(t, l.Columns, 3+r.Run.Clients)
			told, served := []string{}, []trace.Exchange{}
			for i := range l.Rows {
				row := &l.Rows[i]
				assert.Equal(t, i, row.Step)
				assert.Len(t, row.Cells, len(l.Columns))
				if e := row.Exchange; e != nil {
					served = append(served, *e)
					assert.Equal(t, prose.Capital(e.Text)+".", l.Tell(i))
				} else {
					told = append(told, l.Tell(i))
				}
				if row.Arrow >= 0 {
					a := &l.Arrows[row.Arrow]
					assert.Equal(t, i, a.End)
					assert.Equal(t, row.At, a.To)
					assert.Equal(t, row.Exchange != nil, a.Sent == i)
				}
				for _, k := range row.Sent {
					assert.Equal(t, i, l.Arrows[k].Sent)
				}
			}
			assert.Equal(t, r.Run.Exchanges, served)
			require.Len(t, told, len(of.Rows))
			for i := range of.Rows {
				assert.Equal(t, stepNumber.ReplaceAllString(of.Tell(i), ""), stepNumber.ReplaceAllString(told[i], ""))
			}
			var text, page bytes.Buffer
			require.NoError(t, render.Text(&text, l, render.TextOptions{Width: 80}))
			assert.Regexp(t, `P1 +P2 +P3 +client 1`, text.String())
			require.NoError(t, render.Page(&page, l, render.PageOptions{}))
			assert.Contains(t, page.String(), "Jump to the violation")
		})
	}
}

// stepNumber is where a sentence about a run names a step, whose number counts those of clients.
var stepNumber = regexp.MustCompile(`step \d+`)
