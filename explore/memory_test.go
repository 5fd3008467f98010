package explore

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A plenty is the memory of a process that takes nothing, on a machine that has
// all there is: what counts are the accounts of the search alone.
type plenty struct{}

func (*plenty) used() int64           { return 0 }
func (*plenty) room() (int64, string) { return math.MaxInt64, "" }
func (*plenty) free()                 {}

// A small is a process that takes so much, part of it garbage, on a machine that
// has so much left. It may take some more whenever somebody looks.
type small struct {
	live, garbage, left int64
	grows               int64
	asked, freed        int
}

func (s *small) used() int64 {
	s.live, s.left = s.live+s.grows, s.left-s.grows
	return s.live + s.garbage
}

func (s *small) free() {
	if s.left < math.MaxInt64 {
		s.left += s.garbage
	}
	s.garbage, s.freed = 0, s.freed+1
}

func (s *small) room() (int64, string) {
	s.asked++
	return s.left, "a small machine"
}

func TestMeter(t *testing.T) {
	const mib = 1 << 20
	for _, test := range []struct {
		name        string
		m           small
		limit, more int64
		left        int64
		reason      Reason
		freed       int
	}{
		{"no limit", small{live: 5 * mib, left: math.MaxInt64}, 0, mib, math.MaxInt64 - 6*mib, 0, 0},
		{"far below", small{live: 5 * mib, left: math.MaxInt64}, 100 * mib, mib, 94 * mib, 0, 0},
		{"over", small{live: 101 * mib, left: math.MaxInt64}, 100 * mib, 0, -mib, ByteLimit, 1},
		{"over with what is to come", small{live: 90 * mib, left: math.MaxInt64}, 100 * mib, 11 * mib, -mib, ByteLimit, 1},
		{"over with garbage", small{live: 50 * mib, garbage: 60 * mib, left: math.MaxInt64}, 100 * mib, mib, 49 * mib, 0, 1},
		{"the machine has less", small{live: 50 * mib, left: 10 * mib}, 100 * mib, 11 * mib, -mib, MachineLimit, 1},
		{"the machine has less, and there is garbage", small{live: 50 * mib, garbage: 20 * mib, left: 10 * mib}, 100 * mib, 11 * mib, 19 * mib, 0, 1},
		{"the machine has enough", small{live: 50 * mib, left: 20 * mib}, 0, 11 * mib, 9 * mib, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := meter{memory: &test.m, limit: test.limit}
			left, reason := m.fits(test.more)
			assert.Equal(t, test.left, left)
			assert.Equal(t, test.reason, reason)
			assert.Equal(t, test.freed, test.m.freed)
		})
	}
}

// The machine is asked again when the process has grown by a part of what was
// left: others take memory too.
func TestMeterAsksAgain(t *testing.T) {
	m := small{live: 1 << 30, left: 1 << 30}
	meter := meter{memory: &m}
	for range 100 {
		_, reason := meter.fits(0)
		require.Zero(t, reason)
	}
	require.Equal(t, 1, m.asked)
	m.live, m.left = m.live+1<<28, 0
	_, reason := meter.fits(0)
	assert.Zero(t, reason, "nothing is needed")
	_, reason = meter.fits(1)
	assert.Equal(t, MachineLimit, reason)
	assert.GreaterOrEqual(t, m.asked, 2)
}

// A search whose process cannot grow ends, and says why and what it knows.
func TestSearchWithinTheMachine(t *testing.T) {
	options := []Options{{}, {Order: DepthFirst}, {Graph: true}}
	if *deep {
		options = append(options, Options{Exact: true}, Options{ExpectStates: 1 << 40})
	}
	for _, opt := range options {
		for workers := 1; workers <= 2 && (workers == 1 || *deep); workers++ {
			opt.Workers, opt.memory = workers, &small{live: 1 << 20, grows: 1 << 20, left: 4 << 20}
			r := mustSearch(t, counter24{}, opt)
			assert.Equal(t, MachineLimit, r.Reason)
			assert.Equal(t, "a small machine", r.MemoryLimit)
			assert.Nil(t, r.Graph)
			assert.Greater(t, r.ProcessBytes, int64(1<<20))
			if opt.Order == BreadthFirst {
				assert.Positive(t, r.CompleteDepth)
				assert.Less(t, r.CompleteDepth, r.Depth)
			} else {
				assert.Equal(t, -1, r.CompleteDepth)
			}
		}
	}
}

// Memory that the system denies to a table, although there seemed to be enough,
// ends a search and not the program.
func TestTableIsRefusedMemory(t *testing.T) {
	opt, err := Options{Workers: 1, inside: inside{memory: new(plenty)}}.check()
	require.NoError(t, err)
	s := newSearch(counter24{}, opt)
	assert.False(t, s.enlarge(refusing{s.table}, 1))
	r := s.result()
	assert.Equal(t, MachineLimit, r.Reason)
	assert.Equal(t, "what the system promises to processes", r.MemoryLimit)
}

// A refusing is a table that gets no more memory.
type refusing struct{ growing }

func (refusing) Grow(uint64, int) bool { return false }

// A counter24 has 16 million states.
type counter24 struct{}

func (c counter24) Initial(yield func([]byte) bool) { yield(make([]byte, 3)) }
func (c counter24) NewExpander() Expander           { return c }
func (c counter24) Expand(state []byte, out *Successors) {
	n := uint32(state[0])<<16 | uint32(state[1])<<8 | uint32(state[2])
	for i := range uint32(2) {
		m := 2*n + i
		out.End(append(out.Begin(), byte(m>>16), byte(m>>8), byte(m)), Code(i))
	}
}

// TestMaxBytesCountsExpanders: what expanders hold is on no account of the search, and
// counts nevertheless.
func TestMaxBytesCountsExpanders(t *testing.T) {
	sys := &hoarder{expanding: cube{}}
	limit := roomFor(64 << 20)
	r := mustSearch(t, sys, Options{Workers: 1, MaxBytes: limit})
	assert.Equal(t, ByteLimit, r.Reason)
	assert.Less(t, int64(len(sys.held)*hoard), limit)
	assert.Less(t, r.TableBytes, int64(minMeasured), "the search itself takes little")
}

// TestGraphIsSparedOnce: where a graph is given up, its logs are dropped in the midst of
// a level, and from then on the limit counts again, before the level ends.
func TestGraphIsSparedOnce(t *testing.T) {
	sys := &hoarder{expanding: counter24{}}
	limit := roomFor(64 << 20)
	r := mustSearch(t, sys, Options{Workers: 1, MaxBytes: limit, Graph: true, GraphOptional: true})
	assert.Equal(t, ByteLimit, r.Reason)
	assert.Equal(t, ByteLimit, r.NoGraph)
	assert.Less(t, int64(len(sys.held)*hoard), limit)
}

// roomFor returns a limit that leaves so many bytes to a search, beside what the tests
// before it have left in the process, and the race detector takes.
func roomFor(bytes int64) int64 {
	p := newProcess(func() int64 { return 0 })
	p.free()
	return p.used() + bytes
}

// A hoarder is a system whose expander keeps bytes for each state.
type hoarder struct {
	expanding
	held [][]byte
}

type expanding interface {
	System
	Expander
}

const hoard = 1 << 12

func (h *hoarder) NewExpander() Expander { return h }

func (h *hoarder) Expand(state []byte, out *Successors) {
	h.held = append(h.held, make([]byte, hoard))
	h.expanding.Expand(state, out)
}

func TestUsedIsMeasured(t *testing.T) {
	assert.Positive(t, newProcess(func() int64 { return 0 }).used())
}
