package linear

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
)

// served is what becomes of one call.
type served struct {
	server, client int
	op             Op
	value          uint64
	want           error
	deposed        bool // on the way
}

// Two servers lead, one after the other or both at once, with each fence.
func TestServer(t *testing.T) {
	write := func(server int, value uint64, want error) served { return served{server, 1, Write, value, want, false} }
	read := func(server int, want error) served { return served{server, 2, Read, 0, want, false} }
	acquire := func(server, client int, want error) served { return served{server, client, Acquire, 0, want, false} }
	for _, c := range []struct {
		name  string
		spec  *Spec
		fence Fence
		both  bool // the first one goes on believing itself coordinator
		calls []served
		want  Verdict
	}{
		{"one leads", Register, NoFence, false, []served{write(2, 5, nil), read(2, nil), read(1, ErrNotLeading)}, Linearizable},
		{"an old copy", Register, NoFence, true, []served{write(2, 5, nil), read(1, nil)}, NotLinearizable},
		{"an old write", Register, FenceWrites, true, []served{write(2, 5, nil), write(1, 6, ErrFenced), read(2, nil)}, Linearizable},
		{"an old copy, fenced writes", Register, FenceWrites, true, []served{write(2, 5, nil), read(1, nil)}, NotLinearizable},
		{"all fenced", Register, FenceAll, true, []served{write(2, 5, nil), read(1, ErrFenced), read(2, nil)}, Linearizable},
		{"two locks", Lock, NoFence, true, []served{acquire(1, 1, nil), acquire(2, 2, nil)}, NotLinearizable},
		{"one lock", Lock, FenceWrites, true, []served{acquire(1, 1, ErrFenced), acquire(2, 2, nil), acquire(2, 1, nil)}, Linearizable},
		{"deposed on the way", Register, NoFence, false, []served{{2, 1, Write, 5, ErrUnanswered, true}, read(2, ErrNotLeading), read(1, nil)}, Linearizable},
	} {
		t.Run(c.name, func(t *testing.T) {
			store, record := NewStore(c.fence, 0), NewRecorder(c.spec, 0)
			servers := []*Server{NewServer(1, store, false), NewServer(2, store, false)}
			servers[0].Believes(model.Belief{Elected: 1})
			servers[1].Believes(model.Belief{Elected: 2})
			if !c.both {
				servers[0].Believes(model.Belief{Elected: 2})
			}
			for _, call := range c.calls {
				s := servers[call.server-1]
				if call.deposed {
					s.onTheWay = func() {
						s.Believes(model.Belief{Elected: 1})
						servers[0].Believes(model.Belief{Elected: 1})
					}
				}
				assert.ErrorIs(t, s.Do(record, call.client, call.op, call.value), call.want)
				s.onTheWay = nil
			}
			v, err := Decide(record.History(), 0)
			require.NoError(t, err)
			assert.Equal(t, c.want, v, "%v", record.History().Operations)
		})
	}
}

// Epochs are tokens: a coordinator of an old epoch cannot even take over.
func TestServerEpochs(t *testing.T) {
	store, record := NewStore(FenceWrites, 0), NewRecorder(Lock, 0)
	old, young := NewServer(1, store, true), NewServer(2, store, true)
	young.Believes(model.Belief{Elected: 2, Epoch: 7})
	old.Believes(model.Belief{Elected: 1, Epoch: 6})
	assert.ErrorIs(t, old.Do(record, 1, Acquire, 0), ErrFenced)
	require.NoError(t, young.Do(record, 1, Acquire, 0))
	assert.ErrorContains(t, young.Do(record, 2, Release, 0), "client 2 does not have the lock: client 1 has, as far as P2 knows")
	assert.ErrorContains(t, young.Do(record, 2, Ask, 0), "want a read or a write")
	young.Believes(model.Belief{Elected: 2, Epoch: 8})
	require.NoError(t, young.Do(record, 1, Release, 0))
	require.NoError(t, young.Do(record, 2, Acquire, 0))
	h := record.History()
	require.Len(t, h.Operations, 3)
	assert.Equal(t, []uint64{7, 8}, []uint64{h.Operations[0].Token, h.Operations[2].Token})
	v, err := Decide(h, 0)
	require.NoError(t, err)
	assert.Equal(t, Linearizable, v)
}

// With a fence for everything the histories are linearizable under any
// coordinators; without one they are not always.
func TestServerAnyElection(t *testing.T) {
	broken := 0
	rapid.Check(t, func(t *rapid.T) {
		for _, f := range []Fence{FenceAll, NoFence} {
			spec := rapid.SampledFrom([]*Spec{Register, Lock}).Draw(t, "spec")
			store, record := NewStore(f, 0), NewRecorder(spec, 0)
			var servers []*Server
			for id := range model.Upto(3).All() {
				servers = append(servers, NewServer(id, store, false))
			}
			for i := range rapid.IntRange(10, 40).Draw(t, "calls") {
				s := servers[rapid.IntRange(0, 2).Draw(t, "server")]
				switch client := rapid.IntRange(1, 2).Draw(t, "client"); rapid.IntRange(0, 2).Draw(t, "what") {
				case 0:
					elected := model.ID(rapid.IntRange(1, 3).Draw(t, "elected"))
					if rapid.Bool().Draw(t, "itself") {
						elected = s.self
					}
					s.Believes(model.Belief{Elected: elected})
				case 1:
					_ = s.Do(record, client, map[*Spec]Op{Register: Write, Lock: Acquire}[spec], uint64(i+1))
				default:
					_ = s.Do(record, client, map[*Spec]Op{Register: Read, Lock: Release}[spec], 0)
				}
			}
			v, err := Decide(record.History(), 0)
			require.NoError(t, err)
			if f == FenceAll {
				require.Equal(t, Linearizable, v, "%v", record.History().Operations)
			} else if v == NotLinearizable {
				broken++
			}
		}
	})
	if !testing.Short() { // which draws few
		assert.NotZero(t, broken)
	}
}
