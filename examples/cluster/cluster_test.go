package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/raft"
	"bullyproof/internal/test/partition"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

// TestMain is also the program of the processes that tests start.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, supervised) {
		main()
		return
	}
	os.Exit(m.Run())
}

// supervised is the flag of a process that ends with its standard input.
const supervised = "-supervised"

// patience is how long a test waits for what is bound to happen, on a machine
// that is busy with other things.
const patience = time.Minute

// A machines is a cluster: processes of this machine, over a network that can be
// cut.
type machines struct {
	t       *testing.T
	args    []string // of each process
	n       int
	wires   *partition.Network
	dir     string
	ctx     context.Context
	events  chan eventlog.Event
	running map[int]*process
	tails   map[int]bool
}

// A process is one that runs; it ends when its standard input does, which the end
// of the test sees to, whatever comes of it.
type process struct {
	*exec.Cmd
	life io.Closer
	said *bytes.Buffer // that went wrong
}

func newCluster(t *testing.T, n int, args ...string) *machines {
	wires, err := partition.New("tcp", n)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	c := &machines{
		t: t, args: args, n: n, wires: wires, dir: t.TempDir(), ctx: ctx,
		events: make(chan eventlog.Event, 1<<16), running: make(map[int]*process), tails: make(map[int]bool),
	}
	require.NoError(t, os.WriteFile(c.key(), []byte("the key of the tests\n"), 0o600))
	t.Cleanup(func() {
		for id := range c.running {
			c.signal(id, syscall.SIGCONT)
			c.stop(id)
		}
		stop()
		wires.Close()
	})
	return c
}

func (c *machines) key() string { return filepath.Join(c.dir, "key") }

// run starts a process.
func (c *machines) run(id int) {
	c.t.Helper()
	args := append([]string{
		"-id", strconv.Itoa(id), "-n", strconv.Itoa(c.n), "-addresses", strings.Join(c.wires.Addresses(id), ","),
		"-key-file", c.key(), "-dir", c.dir, supervised,
	}, c.args...)
	p := &process{Cmd: exec.Command(os.Args[0], args...), said: new(bytes.Buffer)}
	p.Stderr = p.said
	var err error
	p.life, err = p.StdinPipe()
	require.NoError(c.t, err)
	out, err := p.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, p.Start())
	c.running[id] = p
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(c.t, err, p.said)
	c.wires.Route(id, strings.TrimSpace(strings.TrimPrefix(line, "listens at ")))
	if !c.tails[id] {
		c.tails[id] = true
		c.tail(id)
	}
}

// tail passes on the events of a process as they are written.
func (c *machines) tail(id int) {
	f, err := os.Open(filepath.Join(c.dir, fmt.Sprintf("events-%d.ndjson", id)))
	require.NoError(c.t, err)
	r := eventlog.NewReader(eventlog.Tail(c.ctx, f, 5*time.Millisecond), f.Name())
	go func() {
		defer f.Close()
		for {
			e, err := r.Next()
			if err != nil {
				return
			}
			c.events <- e
		}
	}()
}

// stop has a process end by itself.
func (c *machines) stop(id int) {
	p := c.running[id]
	delete(c.running, id)
	assert.NoError(c.t, p.life.Close())
	assert.NoError(c.t, p.Wait(), p.said)
}

// kill ends a process with a SIGKILL.
func (c *machines) kill(id int) {
	p := c.running[id]
	delete(c.running, id)
	require.NoError(c.t, p.Process.Kill())
	var exit *exec.ExitError
	assert.True(c.t, errors.As(p.Wait(), &exit))
	_ = p.life.Close()
}

func (c *machines) signal(id int, s os.Signal) {
	assert.NoError(c.t, c.running[id].Process.Signal(s))
}

// await waits for an event.
func (c *machines) await(what string, is func(e *eventlog.Event) bool) {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e := <-c.events:
			if is(&e) {
				return
			}
		case <-deadline:
			require.FailNow(c.t, "waited in vain", "for %s", what)
		}
	}
}

// elected waits until each of some processes follows one leader among them, in
// one epoch.
func (c *machines) elected(among model.Set) (leader int, epoch uint64) {
	c.t.Helper()
	type belief struct {
		leader model.ID
		epoch  uint64
	}
	believes := make(map[model.ID]belief)
	c.await("a leader of "+among.String(), func(e *eventlog.Event) bool {
		if !among.Has(e.Process) || e.Belief == nil {
			return false
		}
		b := belief{*e.Belief.Elected, *e.Belief.Epoch}
		believes[e.Process] = b
		for id := range among.All() {
			if believes[id] != b {
				return false
			}
		}
		leader, epoch = int(b.leader), b.epoch
		return among.Has(b.leader)
	})
	return leader, epoch
}

// Five servers of Raft elect a leader whatever happens to the one that leads: it
// is killed and comes back with what its disk has, it is paused, it is cut off.
func TestRaftSurvives(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 5, "-tick", "40ms", "raft/figure-2")
	all := model.Upto(5)
	for id := 1; id <= 5; id++ {
		c.run(id)
	}
	leader, term := c.elected(all)
	next := func(what string, among model.Set) {
		t.Helper()
		was, before := leader, term
		leader, term = c.elected(among)
		assert.Greater(t, term, before, what)
		if !among.Has(model.ID(was)) {
			assert.NotEqual(t, was, leader, what)
		}
		t.Logf("%s: %d leads in term %d", what, leader, term)
	}
	others := func(id int) model.Set { return all.Without(model.ID(id)) }

	killed := leader
	c.kill(killed)
	next("killed", others(killed))
	c.run(killed)
	leader, term = c.elected(all)

	paused := leader
	c.signal(paused, syscall.SIGSTOP)
	next("paused", others(paused))
	c.signal(paused, syscall.SIGCONT)
	leader, term = c.elected(all)

	cut := leader
	c.wires.Isolate(cut)
	next("cut off", others(cut))
	c.wires.Heal()
	c.elected(all)

	logs := c.logs()
	accepted(t, variant(t, raft.Algorithm, "figure-2"), logs)
	place := forge(t, logs[cut-1])
	r := validated(t, variant(t, raft.Algorithm, "figure-2"), logs)
	require.Equal(t, validate.Refused, r.Verdict, r.Why)
	require.NotEmpty(t, r.Refusals)
	assert.Equal(t, place, r.Refusals[0].Place, r.Refusals[0].Why)
}

// Five processes of the Bully algorithm elect the highest, the next one when it is
// killed, and the highest again when it is back.
func TestBullySurvivesAKill(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 5, "-tick", "500ms", "-silence", "1s", "-start", "all", "bully/coulouris")
	all := model.Upto(5)
	for id := 1; id <= 5; id++ {
		c.run(id)
	}
	leader, _ := c.elected(all)
	assert.Equal(t, 5, leader)
	c.kill(5)
	leader, _ = c.elected(all.Without(5))
	assert.Equal(t, 4, leader)
	c.run(5)
	leader, _ = c.elected(all)
	assert.Equal(t, 5, leader)
	accepted(t, variant(t, bully.Algorithm, "coulouris"), c.logs())
}
