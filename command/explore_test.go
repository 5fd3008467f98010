package command

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
	"bullyproof/internal/web"
)

// An exploration is the command, serving.
type exploration struct {
	cmd *exec.Cmd
	url string
	err bytes.Buffer
}

// startExplore runs explore as a user does, and waits for the address that it
// prints.
func startExplore(t *testing.T, env []string, args ...string) *exploration {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	e := &exploration{cmd: exec.CommandContext(ctx, "bullyproof", append([]string{"explore"}, args...)...)}
	e.cmd.Env = append(os.Environ(), env...)
	e.cmd.Stderr = &e.err
	out, err := e.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, e.cmd.Start())
	t.Cleanup(func() { _ = e.cmd.Process.Kill() }) // if the test has failed
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "%s", &e.err)
	url, ok := strings.CutPrefix(line, "Explorer: ")
	require.True(t, ok, line)
	e.url = strings.TrimSpace(url)
	return e
}

// interrupt ends it by Ctrl-C and returns its exit status.
func (e *exploration) interrupt(t *testing.T) int {
	t.Helper()
	require.NoError(t, e.cmd.Process.Signal(os.Interrupt))
	_ = e.cmd.Wait() // the status says it
	return e.cmd.ProcessState.ExitCode()
}

func needsSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted here")
	}
}

func TestExplore(t *testing.T) {
	thorough.Only(t)
	needsSignals(t)
	recorded := filepath.Join("..", "counterexamples", "bully-duplicate-coordinator.json")
	data, err := os.ReadFile(recorded)
	require.NoError(t, err)
	mine := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(mine, bytes.Replace(data, []byte("two coordinators at one instant"), []byte("a run of my own"), 1), 0o666))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "Bully algorithm"},
		{[]string{"bully", "-n", "4"}, "P4 believes itself coordinator, followed by P1, P2 and P3."},
		{[]string{"changroberts", "--initiators", "one"}, "Where to begin"},
		{[]string{"--trace", "bully-duplicate-coordinator"}, "Two coordinators at one instant"},
		{[]string{"bully", "--trace", mine}, "A run of my own"},
		{[]string{"bully/coulouris", "--trace", recorded}, "Two coordinators at one instant"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			e := startExplore(t, nil, append(c.args, "--no-open")...)
			host, _, err := net.SplitHostPort(strings.SplitN(e.url, "/", 4)[2])
			require.NoError(t, err)
			assert.Equal(t, "127.0.0.1", host)
			answer, err := http.Get(e.url)
			require.NoError(t, err)
			page, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			assert.Equal(t, http.StatusOK, answer.StatusCode)
			assert.True(t, bytes.Contains(page, []byte(c.want)), "the page does not say %q", c.want)
			assert.Equal(t, statusFine, e.interrupt(t))
			assert.Empty(t, e.err.String())
		})
	}
}

// The browser opens with the address, and what cannot be opened is a note.
func TestExploreOpensTheBrowser(t *testing.T) {
	needsSignals(t)
	name, _ := browserCommand(runtime.GOOS, "")
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to stand in for a browser")
	}
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!" + shell + "\necho \"$1\" > '" + opened + ".part' && mv '" + opened + ".part' '" + opened + "'\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
	path := "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")
	e := startExplore(t, []string{path}, "bully")
	assert.Eventually(t, func() bool { _, err := os.Stat(opened); return err == nil }, time.Minute, 10*time.Millisecond)
	got, err := os.ReadFile(opened)
	require.NoError(t, err)
	assert.Equal(t, e.url+"\n", string(got))
	assert.Equal(t, statusFine, e.interrupt(t))

	e = startExplore(t, []string{"PATH=" + t.TempDir()}, "bully")
	assert.Equal(t, statusFine, e.interrupt(t))
	assert.Contains(t, e.err.String(), "bullyproof: the browser does not open (")
}

func TestBrowserCommand(t *testing.T) {
	for system, want := range map[string][]string{
		"linux":   {"xdg-open", "http://127.0.0.1:1/"},
		"freebsd": {"xdg-open", "http://127.0.0.1:1/"},
		"darwin":  {"open", "http://127.0.0.1:1/"},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", "http://127.0.0.1:1/"},
	} {
		name, args := browserCommand(system, "http://127.0.0.1:1/")
		assert.Equal(t, want, append([]string{name}, args...))
	}
}

// Each variant and mutant of the catalogue has a first page: where to begin, or
// the beginning itself. A quick test looks at some.
func TestExploreTheCatalogue(t *testing.T) {
	server, err := web.New(web.Options{Algorithms: algorithms.All})
	require.NoError(t, err)
	names, _ := (&app{Tool: ours}).completeSubjects(nil, nil, "")
	assert.Greater(t, len(names), len(algorithms.All))
	asked := 0
	for _, name := range names {
		if !casecount.Takes(t, *deep, 4, name) {
			continue
		}
		asked++
		c := exploreCommand{app: newApp(ours, nil, io.Discard, io.Discard)}
		page, err := c.startPage(c.command(), []string{name}, nil)
		require.NoError(t, err, name)
		r := httptest.NewRequest(http.MethodGet, page, nil)
		r.Host = "127.0.0.1:1"
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		assert.Equal(t, http.StatusOK, w.Code, name)
		begins := strings.Contains(w.Body.String(), "What can happen next") || strings.Contains(w.Body.String(), "Where to begin")
		assert.True(t, begins, name)
	}
	assert.Greater(t, asked, 20)
}

// A fault is told with what would be right, and nothing is served.
func TestExploreRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"buly":                             `unknown algorithm "buly": did you mean bully?`,
		"bully/coulourus":                  `unknown variant of bully "coulourus": did you mean coulouris?`,
		"bully-duplicate-coordinator -n 4": "explore: flag --n: a trace has a setting of its own, n=3 ",
		"no/such/file.json":                `no file "no/such/file.json": want a trace file`,
		"bully -n 20":                      "n=20: an exhaustive search takes from 2 to 16 processes",
		"bully --port 70000":               "flag --port is 70000: want a port, 0 to 65535",
		"bully --restarts 1 --crashes 0":   "restarts=1 without crashes: nobody is ever down (add crashes=1)",
		"-n 3":                             "explore: flag --n without an algorithm: want ALGO[/VARIANT] (like bully: ",
		"--trace nothing":                  `unknown counterexample "nothing"`,
		"changroberts --trace bully-duplicate-coordinator": "bully-duplicate-coordinator is a run of bully/coulouris, not of changroberts/coulouris",
		"--trace bully-duplicate-coordinator -n 4":         "explore: flag --n: a trace has a setting of its own, n=3 ",
	} {
		var errors watched
		status, out := runApp(context.Background(), &errors, append([]string{"explore", "--no-open"}, strings.Fields(args)...)...)
		assert.Equal(t, statusUsage, status, args)
		assert.Empty(t, out, args)
		assert.Contains(t, errors.b.String(), "bullyproof: "+want, args)
	}
}

// A port that somebody else has is told.
func TestExplorePortTaken(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { assert.NoError(t, l.Close()) }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	var errors watched
	status, out := runApp(context.Background(), &errors, "explore", "--no-open", "--port", port)
	assert.Equal(t, statusUsage, status)
	assert.Empty(t, out)
	assert.Contains(t, errors.b.String(), "bullyproof: cannot serve: ")
}
