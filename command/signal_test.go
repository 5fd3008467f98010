//go:build unix

package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/thorough"
)

// started runs the command in a child process.
func started(t *testing.T, args ...string) (cmd *exec.Cmd, stdout io.Reader) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd = exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childEnv+"=1", "NO_COLOR=1")
	stdout, err = cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, stdout
}

// statusAfter returns the exit status of a child, which has to end by itself.
func statusAfter(t *testing.T, cmd *exec.Cmd, stdout io.Reader) (status int, said string) {
	t.Helper()
	data, err := io.ReadAll(stdout)
	require.NoError(t, err)
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), string(data)
}

// Where nothing is searched, the first signal ends the program at once. That
// the child is at work is known from its output, which it writes to a pipe that
// nobody reads on from: it cannot end by itself.
func TestTheFirstSignalEnds(t *testing.T) {
	thorough.Only(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"trace", []string{"trace", "invitation-each-other", "--format", "html"}},
		{"list", append([]string{"list"}, many("bully", 40)...)},
		{"claims", []string{"claims", "--recorded", "--evidence", "bully", "kabashi", "heaptree"}},
		{"replay", append([]string{"replay"}, many("bully-duplicate-coordinator", 3000)...)},
	} {
		for _, s := range []struct {
			signal os.Signal
			status int
		}{{os.Interrupt, 130}, {syscall.SIGTERM, 143}} {
			t.Run(c.name+" "+s.signal.String(), func(t *testing.T) {
				cmd, stdout := started(t, c.args...)
				_, err := bufio.NewReaderSize(stdout, 16).ReadByte()
				require.NoError(t, err)
				require.NoError(t, cmd.Process.Signal(s.signal))
				require.Error(t, cmd.Wait())
				assert.Equal(t, s.status, cmd.ProcessState.ExitCode())
			})
		}
	}
}

func many(word string, n int) []string {
	return strings.Fields(strings.Repeat(word+" ", n))
}

// A search tells what it found, and its command ends with that.
func TestTheFirstSignalEndsASearch(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, stderr := startedTelling(t, "check", "bully", "-n", "5", "--crashes", "4", "--restarts", "4", "--brief", "--json")
		line, err := stderr.ReadString('\n') // of progress: the search is under way
		require.NoError(t, err, line)
		require.NoError(t, cmd.Process.Signal(sig))
		said, err := io.ReadAll(stderr)
		require.NoError(t, err)
		assert.Contains(t, string(said), "interrupted: writing what was found; press Ctrl-C again to stop at once\n")
		_ = cmd.Wait()
		assert.Contains(t, []int{statusBad, statusIncomplete}, cmd.ProcessState.ExitCode())
		assert.Contains(t, cmd.Stdout.(*strings.Builder).String(), `"why": "the search was cancelled"`)
	}
}

// The explorer ends with status 0.
func TestTheFirstSignalEndsTheExplorer(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, stdout := started(t, "explore", "bully", "--no-open")
		text := bufio.NewReader(stdout)
		line, err := text.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "Explorer: http://127.0.0.1:")
		require.NoError(t, cmd.Process.Signal(sig))
		status, _ := statusAfter(t, cmd, text)
		assert.Equal(t, statusFine, status)
	}
}

// startedTelling is started with the error stream to read.
func startedTelling(t *testing.T, args ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childEnv+"=impatient", "NO_COLOR=1")
	cmd.Stdout = new(strings.Builder)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, bufio.NewReader(stderr)
}

// A full disk or a closed pipe is no success, whatever the command.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no full device here:", err)
	}
	defer full.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, args := range [][]string{
		{"--help"}, {"--version"}, {"list"}, {"list", "bully"}, {"check", "--help"}, {"help", "json"},
		{"check", "bully", "--restarts", "0"}, {"check", "bully", "--json"}, {"messages", "bully", "-n", "3"},
		{"replay", "bully-duplicate-coordinator"}, {"replay", "bully-duplicate-coordinator", "--json"}, {"trace", "bully-duplicate-coordinator"},
		{"claims", "--recorded", "bully"}, {"claims", "--recorded", "bully", "--format", "json"}, {"check", "bullly", "--json"},
	} {
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), childEnv+"=1")
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = full, &said
		require.Error(t, cmd.Run(), args)
		assert.Equal(t, statusUsage, cmd.ProcessState.ExitCode(), args)
		assert.Contains(t, said.String(), "the output cannot be written: write /dev/", args)
		assert.Contains(t, said.String(), "no space left on device", args)
	}
}

// A place where nothing can be saved is found out before the search.
func TestSaveIsTriedFirst(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("nothing here that cannot be written to by anybody:", err)
	}
	for _, args := range [][]string{
		{"check", "bully", "--save", "/proc/nosuch"},
		{"messages", "bully", "-n", "3", "--trace", "worst", "--save", filepath.Join("/proc", "nosuch", "either")},
	} {
		cmd, stdout := started(t, args...)
		status, said := statusAfter(t, cmd, stdout)
		assert.Equal(t, statusUsage, status, args)
		assert.Empty(t, said, args)
	}
}

// A check that is killed goes on from its checkpoint, and finds what one finds
// that was not.
func TestKilledCheckIsResumed(t *testing.T) {
	dir := t.TempDir()
	args := []string{"check", "bully", "-n", "4", "--property", "uniqueness", "--exhaustive", "--brief", "-q", "--json"}
	cmd, _ := started(t, append(args, "--disk", dir, "--checkpoint-every", "10ms")...)
	require.Eventually(t, func() bool { return explore.Disk{Dir: dir}.HasCheckpoint() }, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()

	type report struct {
		Search struct {
			Levels   []uint64 `json:"levels"`
			Distinct uint64   `json:"distinct"`
		} `json:"search"`
	}
	search := func(more ...string) (r report) {
		cmd, stdout := started(t, append(args, more...)...)
		_, said := statusAfter(t, cmd, stdout)
		require.NoError(t, json.Unmarshal([]byte(said), &r), said)
		return r
	}
	resumed := search("--resume", dir, "--max-states", "20000")
	require.Greater(t, len(resumed.Search.Levels), 2)
	last := resumed.Search.Levels[len(resumed.Search.Levels)-1]
	whole := search("--max-states", fmt.Sprint(resumed.Search.Distinct-last+1))
	assert.Equal(t, whole, resumed)
}
