package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A monitor that follows a file ends at the first line that breaks a property,
// whenever somebody writes it.
func TestMonitorFollows(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.ndjson")
	file, err := os.Create(name)
	require.NoError(t, err)
	defer func() { assert.NoError(t, file.Close()) }()
	type end struct {
		status int
		out    string
	}
	done := make(chan end)
	go func() {
		status, out := runApp(t.Context(), &watched{}, "monitor", name, "--follow")
		done <- end{status, out}
	}()
	for _, line := range []string{
		`{"process":1,"event":"observe","belief":{"elected":1,"epoch":1}}`,
		`{"process":2,"event":"observe","belief":{"elected":2,"epoch":2}}`,
		`{"process":3,"event":"observe","belief":{"elected":3,"epoch":2}}`,
	} {
		_, err := file.WriteString(line[:20])
		require.NoError(t, err)
		_, err = file.WriteString(line[20:] + "\n")
		require.NoError(t, err)
	}
	got := <-done
	assert.Equal(t, statusBad, got.status)
	assert.Contains(t, got.out, "- one-leader-per-epoch is broken after 3 lines\n")
}

// An interrupt ends it, and it tells what it has seen.
func TestMonitorInterrupted(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.ndjson")
	require.NoError(t, os.WriteFile(name, nil, 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, out := runApp(ctx, &watched{}, "monitor", name, "--follow")
	assert.Equal(t, statusIncomplete, status)
	assert.Contains(t, out, "? vacuous: the logs have no event\n")
}

const toldLine = `{"process":1,"event":"observe","belief":{"elected":1,"epoch":1}}` + "\n"

// A log that is rotated while it is followed is read on from the first line of what takes
// its place.
func TestMonitorNoticesRotation(t *testing.T) {
	next := `{"process":3,"event":"observe","belief":{"elected":3,"epoch":1}}` + "\n"
	for how, rotate := range map[string]func(t *testing.T, name string){
		"another file": func(t *testing.T, name string) {
			require.NoError(t, os.Rename(name, name+".1"))
			require.NoError(t, os.WriteFile(name, []byte(next), 0o666))
		},
		"cut": func(t *testing.T, name string) {
			require.NoError(t, os.Truncate(name, 0))
			require.NoError(t, os.WriteFile(name, []byte(next), 0o666))
		},
	} {
		t.Run(how, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "log.ndjson")
			require.NoError(t, os.WriteFile(name, []byte(toldLine+toldLine), 0o666))
			errors := &watched{}
			a := newApp(ours, strings.NewReader(""), io.Discard, errors)
			ctx, cancel := context.WithCancel(t.Context())
			lines := make(chan logLine)
			done := make(chan struct{})
			go func() {
				defer close(done)
				(&logs{a, []string{name}, true, new(logLines)}).read(ctx, 0, lines)
			}()
			<-lines
			<-lines
			rotate(t, name)
			l := <-lines
			require.NoError(t, l.err)
			assert.EqualValues(t, 3, l.event.Process)
			assert.Equal(t, 1, l.event.Line)
			cancel()
			<-done
			assert.Contains(t, errors.b.String(), "begins anew: another file has its name, or it was cut; lines may be missing")
		})
	}
}

// An interrupt ends a monitor that waits for its input.
func TestMonitorInterruptedWhileItWaits(t *testing.T) {
	for _, args := range [][]string{{"monitor", "-"}, {"monitor", "-", "--follow"}} {
		in, writer := io.Pipe()
		var out bytes.Buffer
		a := newApp(ours, in, &out, &watched{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan int)
		go func() { ended <- a.run(ctx, args) }()
		_, err := writer.Write([]byte(toldLine))
		require.NoError(t, err)
		cancel()
		status := <-ended
		if len(args) == 2 {
			assert.Equal(t, statusIncomplete, status, out.String())
		}
		assert.Regexp(t, `^(\? vacuous|\? incomplete: an interrupt came before the end of the logs; of 1 lines|\+ 1 lines)`, out.String())
	}
}

// A log without events says nothing, and one that tells of more processes than usual has
// them.
func TestMonitorTakesProcessesFromTheLog(t *testing.T) {
	dir := t.TempDir()
	empty, five := filepath.Join(dir, "empty"), filepath.Join(dir, "five")
	require.NoError(t, os.WriteFile(empty, []byte("[]"), 0o666))
	require.NoError(t, os.WriteFile(five, []byte(`{"process":5,"event":"start"}`+"\n"), 0o666))
	for _, args := range [][]string{{"monitor", empty}, {"monitor", empty, "--algorithm", "bully"}} {
		status, out := runApp(t.Context(), &watched{}, args...)
		assert.Equal(t, statusIncomplete, status, args)
		assert.Equal(t, "? vacuous: the logs have no event\n", out, args)
	}
	status, out := runApp(t.Context(), &watched{}, "histories", "--log", empty)
	assert.Equal(t, statusIncomplete, status)
	assert.Contains(t, out, "leader of 0 operations: vacuous")
	status, out = runApp(t.Context(), &watched{}, "monitor", five, "--algorithm", "bully")
	assert.Equal(t, statusFine, status, out)
	errors := &watched{}
	status, _ = runApp(t.Context(), errors, "monitor", five, "--algorithm", "bully", "--setting", "n=3")
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors.b.String(), "there are only 1 to 3 in this setting")
}
