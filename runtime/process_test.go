package runtime_test

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/internal/test/partition"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/runtime"
	"bullyproof/runtime/eventlog"
)

// patience is how long a test waits for what is bound to happen, on a machine
// that is busy with other things.
const patience = time.Minute

var key = []byte("the key of the tests")

// A cluster is the processes of a system that runs here, over a network that can
// be cut.
type cluster struct {
	t       *testing.T
	sys     *model.System
	wires   *partition.Network
	network string
	dir     string
	events  chan eventlog.Event
	all     []eventlog.Event // that have been waited through
	nodes   map[model.ID]*node
}

// A node is a process that runs.
type node struct {
	*runtime.Process
	stop context.CancelFunc
	done chan error
}

func newCluster(t *testing.T, sys *model.System, network string) *cluster {
	wires, err := partition.New(network, sys.Setting().N)
	require.NoError(t, err)
	c := &cluster{
		t: t, sys: sys, wires: wires, network: network, dir: t.TempDir(),
		events: make(chan eventlog.Event, 1<<16), nodes: make(map[model.ID]*node),
	}
	t.Cleanup(func() {
		for id := range c.nodes {
			c.kill(id)
		}
		wires.Close()
	})
	return c
}

func (c *cluster) config(id model.ID) runtime.Config {
	out, in := io.Pipe()
	read := eventlog.NewReader(out, "events")
	go func() {
		for {
			e, err := read.Next()
			if err != nil {
				_ = out.CloseWithError(err)
				return
			}
			c.events <- e
		}
	}()
	return runtime.Config{
		Self: id, Network: c.network, Addresses: c.wires.Addresses(int(id)), Key: key,
		Tick: 20 * time.Millisecond, Silence: time.Second,
		Dir: filepath.Join(c.dir, id.String()), Events: eventlog.NewWriter(in),
	}
}

// run runs a process; change alters its configuration.
func (c *cluster) run(id model.ID, change func(*runtime.Config)) {
	config := c.config(id)
	if change != nil {
		change(&config)
	}
	p, err := runtime.New(c.sys, config)
	require.NoError(c.t, err)
	c.wires.Route(int(id), p.Addr().String())
	ctx, stop := context.WithCancel(context.Background())
	n := &node{p, stop, make(chan error, 1)}
	c.nodes[id] = n
	go func() { n.done <- p.Run(ctx) }()
}

// kill ends a process: all that it has is on its disk.
func (c *cluster) kill(id model.ID) {
	c.nodes[id].stop()
	assert.NoError(c.t, <-c.nodes[id].done)
	delete(c.nodes, id)
}

// await waits for an event, and returns it.
func (c *cluster) await(what string, is func(e *eventlog.Event) bool) eventlog.Event {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e := <-c.events:
			c.all = append(c.all, e)
			if is(&e) {
				return e
			}
		case <-deadline:
			require.FailNow(c.t, "waited in vain", "for %s; %d events came", what, len(c.all))
		}
	}
}

// elected waits until each of some processes follows one leader among them in
// one epoch.
func (c *cluster) elected(among model.Set) (leader model.ID, epoch uint64) {
	c.t.Helper()
	type belief struct {
		leader model.ID
		epoch  uint64
	}
	believes := make(map[model.ID]belief)
	c.await("a leader", func(e *eventlog.Event) bool {
		if !among.Has(e.Process) || e.Belief == nil {
			return false
		}
		believes[e.Process] = belief{*e.Belief.Elected, *e.Belief.Epoch}
		b := believes[e.Process]
		for id := range among.All() {
			if believes[id] != b {
				return false
			}
		}
		leader, epoch = b.leader, b.epoch
		return among.Has(leader)
	})
	return leader, epoch
}

func raftSystem(t *testing.T, n string) *model.System {
	sys, err := model.NewFrom(&raft.Raft{Heartbeats: true}, n+" start=cold:interleaved initiators=none detector=off timing=async crashes=1 restarts=1")
	require.NoError(t, err)
	return sys
}

// Three servers elect a leader, one more when it is killed, and the old one
// follows when it is back, with its term from the disk.
func TestElects(t *testing.T) {
	for _, network := range []string{"tcp", "udp"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, raftSystem(t, "n=3"), network)
			all := model.Upto(3)
			for id := range all.All() {
				c.run(id, nil)
			}
			first, term := c.elected(all)
			c.kill(first)
			second, later := c.elected(all.Without(first))
			assert.Greater(t, later, term)
			assert.NotEqual(t, first, second)

			c.run(first, nil)
			boot := c.await("a restart", func(e *eventlog.Event) bool { return e.Kind == eventlog.Boot && e.Process == first })
			assert.Equal(t, model.Restart, boot.Why)
			assert.GreaterOrEqual(t, *boot.Belief.Epoch, term, "its term is on the disk")
			c.elected(all)
			for _, n := range c.nodes {
				assert.Zero(t, n.Counters().Forged+n.Counters().Malformed)
			}
		})
	}
}

// A leader that is cut off leads on by itself, and is one of the others again
// when the cut heals.
func TestPartition(t *testing.T) {
	t.Parallel()
	c := newCluster(t, raftSystem(t, "n=3"), "tcp")
	all := model.Upto(3)
	for id := range all.All() {
		c.run(id, nil)
	}
	first, term := c.elected(all)
	c.wires.Isolate(int(first))
	_, later := c.elected(all.Without(first))
	assert.Greater(t, later, term)
	assert.Equal(t, first, c.nodes[first].Belief().Elected)
	c.wires.Heal()
	_, last := c.elected(all)
	assert.GreaterOrEqual(t, last, later)
}

// A packet of somebody without the key is counted, and does nothing.
func TestStrangers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, raftSystem(t, "n=3"), "tcp")
	all := model.Upto(3)
	for id := range all.All() {
		c.run(id, nil)
	}
	c.elected(all)
	target := c.nodes[1]
	for _, junk := range []string{
		"GET / HTTP/1.1\r\n\r\n",
		"\x00\x57" + string(make([]byte, 87)), // a frame, and no packet
		"\xff\xff",                            // too long
		"\x00\x00",
	} {
		conn, err := net.Dial("tcp", target.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, junk)
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		_, err = io.ReadAll(conn) // until it is closed
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
	counters := target.Counters()
	assert.Equal(t, [3]uint64{2, 1, 1}, [3]uint64{counters.Malformed, counters.Forged, counters.Refused})
	c.elected(all)
}

// The failure detector reports a process that is silent to those who watch it.
// A handler that then does what no world can carry out ends its process, and the
// error says what it did.
func TestDetector(t *testing.T) {
	t.Parallel()
	for _, wild := range []bool{false, true} {
		sys, err := model.NewFrom(&upstart.Protocol{Wild: wild}, "n=2 start=cold:interleaved crashes=1 timing=async")
		require.NoError(t, err)
		c := newCluster(t, sys, "tcp")
		c.run(1, nil)
		c.run(2, func(c *runtime.Config) { c.Start = true })
		c.await("P1 follows P2", func(e *eventlog.Event) bool { return e.Process == 1 && *e.Belief.Elected == 2 })
		c.kill(2)
		if wild {
			assert.ErrorContains(t, <-c.nodes[1].done, "runtime: process 1: send to 99: nobody is there")
			delete(c.nodes, 1)
			continue
		}
		e := c.await("1 claims", func(e *eventlog.Event) bool { return e.Process == 1 && e.Kind == eventlog.Suspect })
		assert.Equal(t, model.ID(2), e.Who)
		assert.Equal(t, model.ID(1), *e.Belief.Elected)
	}
}

// A passer passes a token on, once around a ring, and remembers by which port it
// came.
type passer struct {
	model.Passive[passed, token]
}

type passed struct{ By model.Port }

type token struct{}

func (token) Kind() model.Kind { return 0 }
func (token) String() string   { return "TOKEN" }

func (passer) Names() model.Names { return model.Names{Kinds: []string{"TOKEN"}} }

func (passer) Start(p *passed, net *model.Net[token]) { net.Send(model.Next, token{}) }

func (passer) Receive(p *passed, net *model.Net[token], from model.Port, m token) {
	if p.By == 0 && net.Self() != 1 {
		net.Send(from.Opposite(), m)
	}
	p.By = from
}

func (passer) Belief(*passed) model.Belief { return model.Belief{} }

// On a ring messages go to neighbours, who know by which port they came.
func TestRing(t *testing.T) {
	t.Parallel()
	for _, topology := range []string{"ring", "biring"} {
		sys, err := model.NewFrom(passer{}, "n=3 topology="+topology+" arrangement=1-3-2 start=cold:interleaved timing=async")
		require.NoError(t, err)
		c := newCluster(t, sys, "tcp")
		for id := range model.Upto(3).All() {
			c.run(id, func(c *runtime.Config) { c.Start = id == 1 })
		}
		var way []model.ID
		c.await("a round", func(e *eventlog.Event) bool {
			if e.Kind == eventlog.Receive {
				way = append(way, e.Process)
				assert.Equal(t, model.Prev, e.From)
			}
			return e.Kind == eventlog.Receive && e.Process == 1
		})
		assert.Equal(t, []model.ID{3, 2, 1}, way)
	}
}

// The logs of sender and receiver call a message by one id, and the receiver's
// clock is later.
func TestEventsMatch(t *testing.T) {
	t.Parallel()
	c := newCluster(t, raftSystem(t, "n=3"), "tcp")
	all := model.Upto(3)
	for id := range all.All() {
		c.run(id, nil)
	}
	c.elected(all)
	for id := range all.All() {
		c.kill(id)
	}
	for len(c.events) > 0 {
		c.all = append(c.all, <-c.events)
	}
	sent := make(map[string]eventlog.Event)
	seq := make(map[model.ID]uint64)
	for _, e := range c.all {
		seq[e.Process]++
		assert.Equal(t, seq[e.Process], e.Seq)
		if e.Kind == eventlog.Send {
			assert.NotContains(t, sent, e.ID)
			sent[e.ID] = e
		}
	}
	received := 0
	for _, e := range c.all {
		if e.Kind == eventlog.Receive {
			received++
			from := sent[e.ID]
			assert.Equal(t, e.Message, from.Message)
			assert.Equal(t, e.From.ID(), from.Process)
			assert.Equal(t, e.Process, from.To.ID())
			assert.Greater(t, e.Clock, from.Clock)
		}
	}
	assert.Positive(t, received)
}
