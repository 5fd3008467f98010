package runtime

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// A process that is killed when its state is on the disk, and the event log does
// not tell of it yet, or of half of it, logs the rest when it is back: the log
// misses nothing, and says nothing twice.
func TestWhatWasStoredIsLogged(t *testing.T) {
	sys, err := model.NewFrom(&raft.Raft{}, "n=3 start=cold:interleaved initiators=none detector=off timing=async crashes=1 restarts=1")
	require.NoError(t, err)
	dir := t.TempDir()
	name := filepath.Join(dir, "events.ndjson")
	read, write := io.Pipe()
	config := Config{
		Self: 1, Network: "udp", Addresses: []string{"127.0.0.1:0", "127.0.0.1:9", "127.0.0.1:9"}, Key: secret,
		Tick: time.Millisecond, Dir: dir, EventFile: name, Events: eventlog.NewWriter(write),
	}
	p, err := New(sys, config)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Run(ctx) }()
	for events := eventlog.NewReader(read, "events"); ; { // until it has begun an election
		e, err := events.Next()
		require.NoError(t, err)
		if e.Kind == eventlog.Expire {
			stop()
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	require.NoError(t, <-done)

	_, was, err := openDisk(dir, 1, p.machine.Layout())
	require.NoError(t, err)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(whole[was.At:]), was.Unlogged)
	require.Contains(t, was.Unlogged, `"event":"send"`)
	config.Events = nil
	for _, size := range []int{int(was.At), int(was.At) + 10, len(whole) - 1, len(whole)} {
		require.NoError(t, os.WriteFile(name, whole[:size], 0o666))
		p, err := New(sys, config)
		require.NoError(t, err)
		require.NoError(t, p.Close())
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(whole), string(got), "%d of %d bytes", size, len(whole))
	}
	for _, other := range []string{"", "{}\n", string(whole) + "more\n", string(whole[:was.At]) + "more\n"} {
		require.NoError(t, os.WriteFile(name, []byte(other), 0o666))
		p, err := New(sys, config)
		require.NoError(t, err)
		require.NoError(t, p.Close())
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, other, string(got), "it is another log")
	}
}

// The bytes after the last end of a line go; a line is too long to be of a log.
func TestTornLog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "events.ndjson")
	for before, after := range map[string]string{
		"": "", "one": "", "one\n": "one\n", "one\ntw": "one\n", "one\ntwo\n": "one\ntwo\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(before), 0o666))
		f, err := openEventFile(name)
		require.NoError(t, err)
		require.NoError(t, f.write([]byte("end\n")))
		require.NoError(t, f.f.Close())
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, after+"end\n", string(got))
		assert.Equal(t, int64(len(got)), f.size)
	}
	require.NoError(t, os.WriteFile(name, make([]byte, 100_000), 0o666))
	_, err := openEventFile(name)
	assert.ErrorContains(t, err, "events.ndjson is no event log")
}
