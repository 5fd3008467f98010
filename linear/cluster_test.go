package linear_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/eventlog"
	"bullyproof/linear"
	"bullyproof/model"
	"bullyproof/runtime"
)

// Three processes that run elect 3, and without it 2. Whoever asks them meanwhile
// is told what one order of the elections explains; a line that is forged, is not.
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
