package runtime_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/runtime"
)

// alone is a configuration of process 1 whose peers are not there.
func alone(t *testing.T) runtime.Config {
	return runtime.Config{
		Self: 1, Addresses: []string{"127.0.0.1:0", "127.0.0.1:9", "127.0.0.1:9"}, Key: key, Tick: time.Second, Dir: t.TempDir(),
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	for says, change := range map[string]func(c *runtime.Config){
		"process 4: the processes are 1 to 3":       func(c *runtime.Config) { c.Self = 4 },
		"process ⊥: the processes are 1 to 3":       func(c *runtime.Config) { c.Self = 0 },
		"2 addresses for 3 processes":               func(c *runtime.Config) { c.Addresses = c.Addresses[:2] },
		`address "nowhere": want host:port`:         func(c *runtime.Config) { c.Addresses[1] = "nowhere" },
		`address "here": want host:port`:            func(c *runtime.Config) { c.Listen = "here" },
		`network "ipx": want "tcp" or "udp"`:        func(c *runtime.Config) { c.Network = "ipx" },
		"key of 5 bytes: want 16 or more":           func(c *runtime.Config) { c.Key = []byte("short") },
		"tick 0s: want 1ms to 1h0m0s":               func(c *runtime.Config) { c.Tick = 0 },
		"heartbeat -1s and silence 0s":              func(c *runtime.Config) { c.Heartbeat = -time.Second },
		"silence 1s: two heartbeats (2s) or more":   func(c *runtime.Config) { c.Silence = time.Second },
		"boot 3: want cold, join or restart":        func(c *runtime.Config) { c.Boot = 3 },
		"has stable storage, and there is no direc": func(c *runtime.Config) { c.Dir = "" },
		"not a directory": func(c *runtime.Config) {
			c.Dir = filepath.Join(c.Dir, "file")
			_ = os.WriteFile(c.Dir, nil, 0o666)
		},
		"torn, or no stable storage": func(c *runtime.Config) {
			_ = os.WriteFile(filepath.Join(c.Dir, "process-1.json"), []byte("{"), 0o666)
		},
	} {
		c := alone(t)
		change(&c)
		_, err := runtime.New(raftSystem(t, "n=3"), c)
		assert.ErrorContains(t, err, says)
	}
}

func TestSettingsThatAreNotRun(t *testing.T) {
	for setting, says := range map[string]string{
		"n=3 topology=ring:repaired start=cold":      "who repairs a ring",
		"n=3 topology=ring:anonymous start=cold":     "have no ids to authenticate",
		"n=3 topology=ring start=cold channels=fifo": "datagrams overtake each other",
	} {
		sys, err := model.NewFrom(passer{}, setting)
		require.NoError(t, err)
		c := alone(t)
		c.Network = "udp"
		_, err = runtime.New(sys, c)
		assert.ErrorContains(t, err, says, setting)
	}
	_, err := runtime.New(raftSystem(t, "n=3 requests=1"), alone(t))
	assert.ErrorContains(t, err, "requests=1: nobody asks a process of a cluster for anything yet; want requests=0")
}

// timely is a passer whose processes have a clock.
type timely struct {
	model.Passive[clock.Clock, token]
}

func (timely) Belief(*clock.Clock) model.Belief { return model.Belief{} }
func (timely) Names() model.Names               { return passer{}.Names() }
func (timely) Receive(*clock.Clock, *model.Net[token], model.Port, token) {
}

func TestClocksAreRefused(t *testing.T) {
	sys, err := model.NewFrom(timely{}, "n=3")
	require.NoError(t, err)
	_, err = runtime.New(sys, alone(t))
	assert.ErrorContains(t, err, "the protocol reads clocks")
}

func TestAddressIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	c := alone(t)
	c.Listen = l.Addr().String()
	_, err = runtime.New(raftSystem(t, "n=3"), c)
	assert.ErrorContains(t, err, "address already in use")
}

// A process that is over answers so, and one that waits for its context ends
// with it.
func TestOver(t *testing.T) {
	var log bytes.Buffer
	c := alone(t)
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	p, err := runtime.New(raftSystem(t, "n=3"), c)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Run(ctx) }()
	require.NoError(t, p.Start(ctx))
	stop()
	require.NoError(t, <-done)
	assert.ErrorContains(t, p.Start(context.Background()), "does not run any more")
	assert.Contains(t, log.String(), `msg="comes up" process=1 why=cold`)
	require.NoError(t, p.Close())
}

// A second process in the place of one that runs is refused, wherever it is to
// listen, and the files are as they were: also the event log, in which the one
// that runs is in the middle of a line.
func TestSecondIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "as needed")
	events := filepath.Join(t.TempDir(), "events.ndjson")
	first := alone(t)
	first.Dir, first.EventFile = dir, events
	p, err := runtime.New(raftSystem(t, "n=3"), first)
	require.NoError(t, err)
	const half = `{"process":1,"event":`
	require.NoError(t, os.WriteFile(events, []byte(half), 0o666))
	for what, test := range map[string]struct {
		says   string
		change func(c *runtime.Config)
	}{
		"directory": {"it runs already with this directory", func(c *runtime.Config) { c.Dir = dir }},
		"log":       {"event log: " + events + ": it is locked by another process", func(c *runtime.Config) {}},
		"address":   {"address already in use", func(c *runtime.Config) { c.Listen = p.Addr().String() }},
		"datagrams": {"address already in use", func(c *runtime.Config) {
			taken, err := net.ListenPacket("udp", "127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, taken.Close()) })
			c.Network, c.Listen = "udp", taken.LocalAddr().String()
		}},
	} {
		second := alone(t)
		second.EventFile = events
		test.change(&second)
		_, err := runtime.New(raftSystem(t, "n=3"), second)
		assert.ErrorContains(t, err, test.says, what)
		log, err := os.ReadFile(events)
		require.NoError(t, err)
		assert.Equal(t, half, string(log), what)
		assert.NoFileExists(t, filepath.Join(second.Dir, "process-1.json"), what)
	}

	require.NoError(t, p.Close())
	again, err := runtime.New(raftSystem(t, "n=3"), first)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

// A process that fails for want of its address leaves its own files as they were.
func TestAddressComesFirst(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	c := alone(t)
	c.Listen, c.EventFile = l.Addr().String(), filepath.Join(c.Dir, "events.ndjson")
	require.NoError(t, os.WriteFile(c.EventFile, []byte("half a li"), 0o666))
	_, err = runtime.New(raftSystem(t, "n=3"), c)
	require.ErrorContains(t, err, "address already in use")
	log, err := os.ReadFile(c.EventFile)
	require.NoError(t, err)
	assert.Equal(t, "half a li", string(log))
}
