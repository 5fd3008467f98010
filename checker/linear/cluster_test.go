package linear_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker/linear"
	"bullyproof/model"
	"bullyproof/runtime"
	"bullyproof/runtime/eventlog"
)

// Three processes that run elect 3, and without it 2. Clients that ask them
// meanwhile get answers that one order of the elections explains; one does not
// explain a forged line.
func TestCluster(t *testing.T) {
	sys, err := model.NewFrom(bully.Coulouris, "n=3 start=cold:interleaved timing=async crashes=1")
	require.NoError(t, err)
	read, write := io.Pipe()
	events := eventlog.NewWriter(write)
	logged, err := linear.NewLogged(time.Millisecond)
	require.NoError(t, err)
	var running sync.WaitGroup
	defer running.Wait()
	defer func() { _ = read.Close() }()
	addresses := freeAddresses(t, 3)
	stop := map[model.ID]context.CancelFunc{}
	for id := range model.Upto(3).All() {
		p, err := runtime.New(sys, runtime.Config{
			Self: id, Addresses: addresses, Key: []byte("known to all three"), Tick: 50 * time.Millisecond, Start: true, Events: events,
		})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stop[id] = cancel
		running.Go(func() { assert.NoError(t, p.Run(ctx)) })
	}
	log := eventlog.NewReader(read, "events")
	var last eventlog.Event
	follow := map[model.ID]model.ID{}
	until := func(leader model.ID, ids ...model.ID) {
		for {
			all := true
			for _, id := range ids {
				all = all && follow[id] == leader
			}
			if all {
				return
			}
			e, err := log.Next()
			require.NoError(t, err)
			require.NoError(t, logged.Add(&e))
			if e.Belief != nil && e.Belief.Elected != nil {
				follow[e.Process], last = *e.Belief.Elected, e
			}
		}
	}
	until(3, 1, 2, 3)
	stop[3]()
	until(2, 1, 2)
	h := logged.History()
	v, err := linear.Decide(h, 0)
	require.NoError(t, err)
	assert.NotEqual(t, linear.Undecided, v)
	assert.Equal(t, uint64(2), h.Operations[len(h.Operations)-1].Value)

	nobody := model.ID(9)
	last.Belief.Elected = &nobody
	require.NoError(t, logged.Add(&last))
	v, err = linear.Decide(logged.History(), 0)
	require.NoError(t, err)
	assert.Equal(t, linear.NotLinearizable, v)
}

// Clients of three processes that run write and read a register, and take and free
// a lock, through whoever leads. The coordinator crashes meanwhile. With a fence for
// everything the histories are linearizable, whatever the election does.
func TestClusterServes(t *testing.T) {
	sys, err := model.NewFrom(bully.Coulouris, "n=3 start=cold:interleaved timing=async crashes=1")
	require.NoError(t, err)
	for _, spec := range []*linear.Spec{linear.Register, linear.Lock} {
		t.Run(spec.Name, func(t *testing.T) {
			cluster := newServed(t, sys)
			cluster.await(3)
			record := linear.NewRecorder(spec, 0)
			const each = 20
			var clients sync.WaitGroup
			for client := 1; client <= 2; client++ {
				clients.Go(func() {
					for i := range each {
						ops := []linear.Op{linear.Write, linear.Read}
						if spec == linear.Lock {
							ops = []linear.Op{linear.Acquire, linear.Release}
						}
						for _, op := range ops {
							cluster.do(record, client, op, uint64(client*1000+i))
						}
						if client == 1 && i == each/2 {
							cluster.stop[2]()
							cluster.await(2)
						}
					}
				})
			}
			clients.Wait()
			h := record.History()
			v, err := linear.Decide(h, 0)
			require.NoError(t, err)
			assert.Equal(t, linear.Linearizable, v)
			served := map[int]bool{}
			for _, o := range h.Operations {
				served[o.Via] = true
			}
			assert.True(t, served[3] && served[2], "3 served, and after its crash 2: %v", served)
		})
	}
}

// served is a cluster with servers.
type served struct {
	servers []*linear.Server
	stop    []context.CancelFunc
	mu      sync.Mutex
	changed *sync.Cond
	changes int // of what anybody believes
	leads   model.Set
}

// await returns when a process believes itself coordinator.
func (c *served) await(id model.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.leads.Has(id) {
		c.changed.Wait()
	}
}

func newServed(t *testing.T, sys *model.System) *served {
	c := &served{}
	c.changed = sync.NewCond(&c.mu)
	store := linear.NewStore(linear.FenceAll, 0)
	addresses := freeAddresses(t, 3)
	var running sync.WaitGroup
	t.Cleanup(running.Wait)
	for id := range model.Upto(3).All() {
		server := linear.NewServer(id, store, false)
		p, err := runtime.New(sys, runtime.Config{
			Self: id, Addresses: addresses, Key: []byte("known to all three"), Tick: 20 * time.Millisecond, Start: true,
			Believes: func(b model.Belief) {
				server.Believes(b)
				c.mu.Lock()
				defer c.mu.Unlock()
				c.changes++
				if c.leads = c.leads.Without(id); b.Elected == id {
					c.leads = c.leads.With(id)
				}
				c.changed.Broadcast()
			},
		})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		c.servers, c.stop = append(c.servers, server), append(c.stop, cancel)
		running.Go(func() { assert.NoError(t, p.Run(ctx)) })
	}
	return c
}

// do has a client ask one server after the other, until one serves it. Where none
// does it waits for anybody to believe something else.
func (c *served) do(r *linear.Recorder, client int, op linear.Op, value uint64) {
	for {
		c.mu.Lock()
		before := c.changes
		c.mu.Unlock()
		for _, s := range c.servers {
			err := s.Do(r, client, op, value)
			if err == nil || !errors.Is(err, linear.ErrNotLeading) && !errors.Is(err, linear.ErrFenced) {
				return // done, or not to be had: somebody else holds the lock, say
			}
		}
		c.mu.Lock()
		for c.changes == before {
			c.changed.Wait()
		}
		c.mu.Unlock()
	}
}

// freeAddresses returns addresses of this machine at which nobody listens now.
func freeAddresses(t *testing.T, n int) (list []string) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list
}

// Histories of logs.
func TestLogged(t *testing.T) {
	const whole = `{"process":1,"event":"boot","why":"cold","time":"2026-01-01T00:00:00.000Z"}
{"process":2,"event":"boot","why":"cold","time":"2026-01-01T00:00:00.000Z"}
`
	const elected = `{"process":2,"event":"observe","belief":{"elected":2},"time":"2026-01-01T00:00:01.000Z"}
{"process":1,"event":"observe","belief":{"elected":2},"time":"2026-01-01T00:00:01.100Z"}
`
	const inversion = `{"process":2,"event":"observe","belief":{"elected":2},"time":"2026-01-01T00:00:01.000Z"}
{"process":1,"event":"observe","belief":{"elected":1},"time":"2026-01-01T00:00:01.010Z"}
{"process":2,"event":"observe","belief":{"elected":2},"time":"2026-01-01T00:00:01.020Z"}
`
	const early = `{"process":1,"event":"observe","belief":{"elected":2},"time":"2026-01-01T00:00:00.500Z"}
`
	for _, c := range []struct {
		name, log string
		slack     time.Duration
		want      linear.Verdict
	}{
		{"in order", whole + elected, 0, linear.Linearizable},
		{"back to the old one", whole + inversion, 0, linear.NotLinearizable},
		{"or not, for what the clocks say", whole + inversion, 5 * time.Millisecond, linear.Linearizable},
		{"named before it was elected", whole + early + elected, 0, linear.NotLinearizable},
		{"elected before the log began", early + elected, 0, linear.Linearizable},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := linear.NewLogged(c.slack)
			require.NoError(t, err)
			require.NoError(t, l.Read(eventlog.NewReader(strings.NewReader(c.log), "log")))
			v, err := linear.Decide(l.History(), 0)
			require.NoError(t, err)
			assert.Equal(t, c.want, v, "%v", l.History().Operations)
		})
	}
	l, err := linear.NewLogged(0)
	require.NoError(t, err)
	err = l.Read(eventlog.NewReader(strings.NewReader(`{"process":1,"event":"observe","belief":{"elected":2}}`), "log"))
	assert.EqualError(t, err, "log:1: the event has no time, and a history is about that")
	_, err = linear.NewLogged(-1)
	assert.ErrorContains(t, err, "want 0 to an hour")
}
