package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/zen"
	"bullyproof/checker"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tool": main})
}

// The tool does with the examples what ours does with our catalogue, with a run
// too that a test has kept.
func TestScript(t *testing.T) {
	scripts, err := filepath.Abs("testdata")
	require.NoError(t, err)
	kept, _ := keep(t)
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("KEPT", kept)
			return nil
		},
	})
}

// keep has a test fail, and returns the file of the run that it keeps, and what the
// test said.
func keep(t *testing.T) (file, said string) {
	t.Helper()
	t.Chdir(t.TempDir())
	m, err := zen.Algorithm.Mutant("default")
	require.NoError(t, err)
	failing := &failing{TB: t, name: "TestMine"}
	checker.Verify(failing, &zen.Zen{MinMasterNodes: 1}, m.Setting.String(), checker.AllowGaps("*"),
		checker.Named("zen", "default"), checker.Asking(zen.Algorithm.Questions()...))
	require.Len(t, failing.errors, 1)
	files, err := filepath.Glob(filepath.Join("testdata", "counterexamples", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, err = filepath.Abs(files[0])
	require.NoError(t, err)
	return file, failing.errors[0]
}

// A failing test is one that is meant to fail.
type failing struct {
	testing.TB
	name   string
	errors []string
}

func (f *failing) Name() string { return f.name }

func (f *failing) Errorf(format string, a ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, a...))
}

func TestExplore(t *testing.T) {
	explores(t, "Raft&#39;s leader election", "explore", "raft")
}

// The command that a failing test prints opens the run that it found.
func TestOpensWhatATestKeeps(t *testing.T) {
	_, said := keep(t)
	_, command, ok := strings.Cut(said, "\nopen it:")
	require.True(t, ok, said)
	command, _, _ = strings.Cut(command, "  (or")
	words := strings.Fields(command)
	require.Equal(t, "bullyproof", words[0])
	explores(t, "no-split-brain", words[1:]...)
}

// explores runs the tool, whose first page has to say something.
func explores(t *testing.T, want string, args ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tool", append(args, "--no-open")...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(line, "Explorer: ")
	require.True(t, ok, line)
	answer, err := http.Get(strings.TrimSpace(url))
	require.NoError(t, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Contains(t, string(page), want)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	assert.NoError(t, cmd.Wait())
}
