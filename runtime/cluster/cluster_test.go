package cluster

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
)

var catalogue = algorithms.All

// TestMain is also the program of the processes that tests start.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--supervised") {
		Main(catalogue...)
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for what is bound to happen, on a machine
// that is busy with other things.
const patience = time.Minute

// called runs a command line until its context is done. It calls seen with all
// that it says.
func called(ctx context.Context, args string, seen func(all string)) (status int, said, wrong string) {
	var out, log bytes.Buffer
	p := Program{Out: writerFunc(func(b []byte) (int, error) {
		n, err := out.Write(b)
		seen(out.String())
		return n, err
	}), Err: &log}
	status = p.status(ctx, strings.Fields(args), catalogue)
	return status, out.String(), log.String()
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A cluster runs as long as it is told to, and leaves logs and nobody behind.
func TestLaunch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "key"), []byte("the key of an earlier run"), 0o600))
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	// It ends when somebody leads.
	status, said, wrong := called(ctx, "-n 2 -start all -network udp -dir "+dir+" bully", func(all string) {
		if strings.Contains(all, "elected=2 ") {
			stop()
		}
	})
	assert.Equal(t, 0, status)
	assert.Contains(t, said, `bully in "n=2 start=cold:interleaved`)
	assert.Contains(t, said, "P2 is process ")
	assert.Contains(t, said, "elected=2 ")
	assert.Empty(t, wrong)
	for _, name := range []string{"events-1.ndjson", "events-2.ndjson", "process-1.json"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
	key, err := os.ReadFile(filepath.Join(dir, "key"))
	require.NoError(t, err)
	assert.Equal(t, "the key of an earlier run", string(key))
}

// A cluster ends by itself when its time is over.
func TestTimeIsOver(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	status, said, wrong := called(ctx, "-for 10ms -n 2 -dir "+t.TempDir()+" bully", func(string) {})
	assert.NoError(t, ctx.Err())
	assert.Equal(t, 0, status)
	assert.Contains(t, said, "the event logs are ")
	assert.Empty(t, wrong)
}

// A process that cannot go on is one that failed; when all are over, so is the
// cluster.
func TestProcessFails(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	status, said, wrong := called(ctx, "-n 2 -network ipx -dir "+t.TempDir()+" bully", func(string) {})
	assert.Equal(t, 1, status)
	assert.Contains(t, said, `network "ipx": want "tcp" or "udp"`)
	assert.Contains(t, wrong, "process 1 has ended: exit status 2\n")
	assert.Contains(t, wrong, ": 2 of 2 processes could not go on\n")
	assert.NoError(t, ctx.Err())
}

func TestBadArguments(t *testing.T) {
	for args, says := range map[string]string{
		"":                             "0 arguments: want an algorithm",
		"bully raft":                   "2 arguments",
		"-id 6 bully":                  "id 6: the processes are 1 to 5",
		"-id 1 bully":                  "needs addresses, a key file and a directory",
		"-start 1,9 bully":             "start 1,9: want all, or some of 1 to 5",
		"-n 1 bully":                   "n=1",
		"bulli":                        `did you mean bully?`,
		"raft/figure2":                 "did you mean figure-2?",
		"-setting crashed=1 raft":      `setting has no word "crashed"`,
		"-setting topology=ring bully": "want topology=complete",
		"-frobnicate raft":             "not defined: -frobnicate",
	} {
		status, said, wrong := called(t.Context(), args, func(string) {})
		assert.Equal(t, 2, status, args)
		assert.Contains(t, wrong, says, args)
		assert.Empty(t, said, args)
	}
	status, _, wrong := called(t.Context(), "-help", func(string) {})
	assert.Equal(t, 0, status)
	assert.Contains(t, wrong, "-addresses host:port,...")
}
