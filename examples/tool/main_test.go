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

	"bullyproof/checker"
	"bullyproof/examples/zen"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tool": main})
}

// The tool does with the examples what ours does with our catalogue, with a run
// too that a test has kept.
func TestScript(t *testing.T) {
	scripts, err := filepath.Abs("testdata")
	require.NoError(t, err)
	kept := keep(t)
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("KEPT", kept)
			return nil
		},
	})
}

// keep has a test fail, and returns the file of the run that it keeps.
func keep(t *testing.T) string {
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
	file, err := filepath.Abs(files[0])
	require.NoError(t, err)
	return file
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
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tool", "explore", "raft", "--no-open")
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
	assert.Contains(t, string(page), "Raft&#39;s leader election")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	assert.NoError(t, cmd.Wait())
}
