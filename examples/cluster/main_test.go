package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cluster runs as long as it is told to, and leaves logs and nobody behind.
func TestLaunch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out, log bytes.Buffer
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	// It ends when somebody leads.
	watch := writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("elected=2 ")) {
			stop()
		}
		return out.Write(p)
	})
	require.NoError(t, run(ctx, []string{"-n", "2", "-start", "all", "-network", "udp", "-dir", dir, "bully"}, nil, watch, &log))
	assert.Contains(t, out.String(), `bully in "n=2 start=cold:interleaved`)
	assert.Contains(t, out.String(), "process 2 is process ")
	assert.Empty(t, log.String())
	for _, name := range []string{"events-1.ndjson", "events-2.ndjson", "process-1.json", "key"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestBadArguments(t *testing.T) {
	for args, says := range map[string]string{
		"":                             "0 arguments: want an algorithm",
		"bully raft":                   "2 arguments",
		"-id 6 bully":                  "-id 6: the processes are 1 to 5",
		"-id 1 bully":                  "-id needs -addresses, -key-file and -dir",
		"-start 1,9 bully":             "-start 1,9: want all, or some of 1 to 5",
		"-n 1 bully":                   "n=1",
		"bulli":                        `did you mean bully?`,
		"raft/figure2":                 "did you mean figure-2?",
		"-setting crashed=1 raft":      `setting has no word "crashed"`,
		"-setting topology=ring bully": "want topology=complete",
	} {
		err := run(context.Background(), strings.Fields(args), nil, new(bytes.Buffer), new(bytes.Buffer))
		assert.ErrorContains(t, err, says, args)
	}
}
