package command

import (
	"context"
	"os"
	"path/filepath"
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
	assert.Contains(t, out, "? vacuous: none of 0 lines")
}
