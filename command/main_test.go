package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/explore"
	"bullyproof/internal/test/garbage"
	"bullyproof/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// ours is the command that this repository has.
var ours = Tool{Algorithms: algorithms.All, Recorded: counterexamples.All, Incidents: incidents.Catalogue, Omitted: algorithms.Omitted}

func TestMain(m *testing.M) {
	garbage.Seldom()
	if how := os.Getenv(childEnv); how != "" {
		os.Exit(child(how))
	}
	testscript.Main(m, map[string]func(){"bullyproof": func() { ours.Main() }})
}

// childEnv makes a child process of a test the command, "impatient" one that
// tells soon how far it is.
const childEnv = "BULLYPROOF_CHILD"

func child(how string) int {
	a := newApp(ours, os.Stdin, os.Stdout, os.Stderr)
	a.name, a.program = "bullyproof", "bullyproof"
	if how == "impatient" {
		a.patience, a.slow, a.often = 0, 5*time.Millisecond, 5*time.Millisecond
	}
	return a.heed(os.Args[1:])
}

// The scripts are the command's own story: each runs it as a user would. Beside
// the usual commands of testscript they have
//
//	status N ARGS...   run bullyproof, which has to exit with status N
//	oneline            the error stream is one line, and the output empty
//	recorded FILE      write a recorded counterexample to a file
//	replace OLD NEW FILE   replace a text that the file has
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			docs, err := filepath.Abs(filepath.Join("..", "docs"))
			if err != nil {
				return err
			}
			env.Setenv("DOCS", docs)
			logs, err := filepath.Abs(filepath.Join("..", "runtime", "logformat", "testdata"))
			env.Setenv("LOGS", logs)
			return err
		},
		Condition: func(of string) (bool, error) {
			if of != "deep" {
				return false, fmt.Errorf("condition %q: want deep", of)
			}
			return *deep, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":   scriptStatus,
			"oneline":  scriptOneLine,
			"recorded": scriptRecorded,
			"replace":  scriptReplace,
		},
	})
}

func scriptStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	switch err := ts.Exec("bullyproof", args[1:]...); {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func scriptOneLine(ts *testscript.TestScript, _ bool, _ []string) {
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("the output is not empty: %s", out)
	}
	said := ts.ReadFile("stderr")
	if strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "bullyproof: ") {
		ts.Fatalf("want one line that begins with bullyproof:, got %q", said)
	}
}

func scriptRecorded(ts *testscript.TestScript, _ bool, args []string) {
	t, err := counterexamples.Open("bully-duplicate-coordinator")
	ts.Check(err)
	ts.Check(t.WriteFile(ts.MkAbs(args[0])))
}

func scriptReplace(ts *testscript.TestScript, _ bool, args []string) {
	old := ts.ReadFile(args[2])
	changed := strings.Replace(old, args[0], args[1], 1)
	if changed == old {
		ts.Fatalf("%s does not have %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(changed), 0o666))
}

// runApp runs the command in this process, as when no stream is a terminal.
func runApp(ctx context.Context, errors *watched, args ...string) (status int, out string) {
	var b bytes.Buffer
	a := newApp(ours, strings.NewReader(""), &b, errors)
	a.name, a.program = "bullyproof", "bullyproof"
	a.patience, a.slow, a.often = 0, 5*time.Millisecond, 5*time.Millisecond
	if errors.live {
		a.live = true
	}
	return a.run(ctx, args), b.String()
}

// A watched stream calls a function with each thing written to it.
type watched struct {
	mu   sync.Mutex
	b    bytes.Buffer
	live bool
	saw  func(text string)
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.saw != nil {
		w.saw(string(p))
	}
	return w.b.Write(p)
}

// still replaces what differs from run to run.
func still(out string) string {
	for pattern, to := range map[string]string{
		`with \d+\s+workers? in [0-9.]+\s+(µs|ms|s)(, [0-9.kM]+\s+states/s)?,\s+[0-9.]+\s+\w?i?B`: "with WORKERS in TIME, BYTES",
	} {
		out = regexp.MustCompile(pattern).ReplaceAllString(out, to)
	}
	return out
}

// The main job of the project, as it prints, except for the runs.
func TestCheckBully(t *testing.T) {
	status, out := runApp(context.Background(), &watched{}, "check", "bully", "--workers", "2", "--brief")
	assert.Equal(t, statusBad, status)
	got := still(out)
	require.Contains(t, got, "with WORKERS in TIME, BYTES")
	name := filepath.Join("testdata", "check-bully.txt")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err, "run with -update to make it")
	assert.Equal(t, string(want), got)
}

func TestCheckSaysTheSameForAnyNumberOfWorkers(t *testing.T) {
	_, one := runApp(context.Background(), &watched{}, "check", "bully", "--workers", "1")
	for _, workers := range []string{"2", "8"} {
		_, more := runApp(context.Background(), &watched{}, "check", "bully", "--workers", workers)
		assert.Equal(t, still(one), still(more), workers)
	}
}

// An interrupted search tells what it has found so far: nothing, or that.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	status, out := runApp(ctx, &watched{}, "check", "bully", "--width", "200")
	assert.Equal(t, statusIncomplete, status)
	assert.Contains(t, out, "INCOMPLETE: bully/coulouris, nothing wrong in 1 state, but the search did not see all: the search was cancelled.\n")
	assert.Contains(t, out, "? uniqueness")

	// Far beyond the depth at which uniqueness breaks, and far from the end.
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	deep := regexp.MustCompile(`^\d:\d\d depth ([89]|\d\d) `)
	errors := &watched{saw: func(text string) {
		if deep.MatchString(text) {
			cancel()
		}
	}}
	status, out = runApp(ctx, errors, "check", "bully", "-n", "4", "--crashes", "3", "--restarts", "3", "--width", "200")
	assert.Equal(t, statusBad, status)
	assert.Contains(t, out, "VIOLATED in this setting: bully/coulouris, ")
	assert.Contains(t, out, "undecided, since the search was cancelled")
	assert.Contains(t, out, "- uniqueness")
	assert.Contains(t, out, "uniqueness breaks")
	assert.Regexp(t, `^0:\d\d (initial states: )?depth \d+ \| \S+ states, \S+ steps \| frontier \S+( falling)? \| \S+/s \| \S+ \S+\n`, errors.b.String())
}

func TestProgress(t *testing.T) {
	s := explore.Progress{
		Phase: explore.PhaseSearch, Distinct: 1_330_000, Generated: 4_210_000, Depth: 17, Frontier: 212_000,
		Falling: true, Rate: 410_000, Bytes: 1 << 30, Elapsed: 3725 * time.Second,
	}
	const line = "1:02:05 depth 17 | 1.33M states, 4.21M steps | frontier 212k falling | 410k/s"
	var b bytes.Buffer
	p := &progress{w: &b, patience: time.Second}
	p.show(s)
	p.show(s)
	p.end()
	assert.Equal(t, line+"\n"+line+"\n", b.String())

	// On a terminal a shorter line wipes out a longer one, and the end all.
	b.Reset()
	p = &progress{w: &b, live: true, patience: time.Second}
	p.show(s)
	s.Falling = false
	p.show(s)
	p.end()
	short := strings.Replace(line, " falling", "", 1) + " | 1 GiB"
	assert.Equal(t, "\r"+line+"\r"+short+"\r"+strings.Repeat(" ", len(short))+"\r", b.String())

	// On a narrow one it is cut: a line that wraps cannot be written over.
	b.Reset()
	columns := 100
	p = &progress{w: &b, live: true, columns: func() int { return columns }}
	p.show(s)
	columns = 20
	p.show(s)
	columns = 5
	p.show(s)
	columns = 1000
	p.show(s)
	all := short
	assert.Equal(t, "\r"+all+"\r"+"1:02:05 depth 17"+"   \r"+"1:02\r"+all, b.String())

	assert.Equal(t, "0:07 initial states: depth 17", progressLine("", explore.Progress{Phase: explore.PhaseInitial, Depth: 17, Elapsed: 7 * time.Second}, 32))

	// The findings come before the rest.
	found := explore.Progress{Phase: explore.PhaseSearch, Depth: 9, Distinct: 7, Found: "uniqueness violated in 7 steps", Elapsed: 7 * time.Second}
	assert.Equal(t, "0:07 depth 9 | uniqueness violated in 7 steps | 7 states, 0 steps", progressLine("", found, 70))

	// The subject of the search comes after the time, and as much else as fits.
	assert.Equal(t, "1:02:05 bully: depth 17 | 1.33M states, 4.21M steps | frontier 212k | 410k/s", progressLine("bully: ", s, 77))
	assert.Equal(t, "1:02:05 bully: depth 17 | frontier 212k", progressLine("bully: ", s, 40))

	// A search of no time needs none.
	b.Reset()
	p = &progress{w: &b, patience: time.Second}
	s.Elapsed = time.Second / 2
	p.show(s)
	p.end()
	assert.Empty(t, b.String())
}

// The command suggested for another time does what it says.
func TestCommandsThatAreSuggested(t *testing.T) {
	t.Chdir(t.TempDir())
	_, out := runApp(context.Background(), &watched{}, "check", "bully/wikipedia", "--property", "uniqueness", "--joins", "1")
	m := regexp.MustCompile(`\nKeep these runs: +bullyproof (.*)\n`).FindStringSubmatch(out)
	require.NotNil(t, m)
	assert.Equal(t, "check bully/wikipedia --setting 'n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1 joins=1' --property uniqueness --save DIR", m[1])
	args := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(m[1], -1)
	for i := range args {
		args[i] = strings.Trim(args[i], "'")
	}
	status, again := runApp(context.Background(), &watched{}, args...)
	assert.Equal(t, statusBad, status)
	first, _, _ := strings.Cut(still(out), "\nStep through")
	second, rest, _ := strings.Cut(still(again), "\nSaved")
	assert.Equal(t, first, second)
	m = regexp.MustCompile(`\nReplay them:  bullyproof replay (.*)\n`).FindStringSubmatch(rest)
	require.NotNil(t, m)
	status, out = runApp(context.Background(), &watched{}, "replay", m[1])
	assert.Equal(t, statusFine, status, out)
}

// Two searches that save to one directory at once lose nothing.
func TestSaveTogether(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for _, setting := range []string{"1", "2", "1", "2"} {
		wg.Go(func() {
			runApp(context.Background(), &watched{}, "check", "bully", "--timing", "sync:"+setting, "--property", "uniqueness", "--save", dir)
		})
	}
	wg.Wait()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, names, 4, "two settings, each as JSON and as text: %s", names)
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			tr, err := trace.Load(name)
			require.NoError(t, err)
			_, err = trace.Replay(tr, algorithms.Lookup)
			assert.NoError(t, err)
		}
	}
}

// Where files cannot be written, what was found is told nevertheless.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir() // a directory can have this path, and no file in it
	for len(dir) < 4090 {
		dir = filepath.Join(dir, strings.Repeat("x", min(200, 4090-len(dir)-1)))
	}
	var errors watched
	status, out := runApp(context.Background(), &errors, "check", "bully", "--property", "uniqueness", "--save", dir)
	assert.Equal(t, statusBad, status)
	assert.Contains(t, out, "uniqueness breaks")
	assert.Contains(t, errors.b.String(), "bullyproof: cannot save: ")
}

// A link that leads nowhere is refused before the search.
func TestSaveRefusesALinkThatLeadsNowhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("nowhere/at/all", dir))
	var errors watched
	status, out := runApp(context.Background(), &errors, "check", "bully", "--property", "uniqueness", "--save", dir)
	assert.Equal(t, statusUsage, status)
	assert.Empty(t, out)
	assert.Contains(t, errors.b.String(), "is a link that leads nowhere")
}

func TestJSON(t *testing.T) {
	status, out := runApp(context.Background(), &watched{}, "check", "bully", "--json")
	assert.Equal(t, statusBad, status)
	var r struct {
		Schema     int
		Verdict    string
		Properties []struct {
			Name, Verdict string
			Trace         json.RawMessage
		}
		Search struct{ Distinct uint64 }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Equal(t, 1, r.Schema)
	assert.Equal(t, "violated", r.Verdict)
	assert.Len(t, r.Properties, len(checker.Standard()))
	assert.Greater(t, r.Search.Distinct, uint64(1000))
	tr, err := trace.Decode(r.Properties[0].Trace)
	require.NoError(t, err)
	_, err = trace.Replay(tr, algorithms.Lookup)
	assert.NoError(t, err)
}

func TestColor(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"trace", "bully-duplicate-coordinator"}, false},
		{[]string{"trace", "bully-duplicate-coordinator", "--color", "always"}, true},
		{[]string{"check", "bully", "--brief", "--color", "always"}, true},
		{[]string{"check", "bully", "--brief", "--color", "never"}, false},
		{[]string{"list", "--color", "always"}, true},
		{[]string{"list", "bully"}, false},
		{[]string{"claims", "changroberts", "--recorded", "--color", "always"}, true},
		{[]string{"claims", "changroberts", "--recorded", "--brief=false", "--color", "always"}, true},
		{[]string{"claims", "changroberts", "--recorded"}, false},
	} {
		_, out := runApp(context.Background(), &watched{}, c.args...)
		assert.Equal(t, c.want, strings.Contains(out, "\x1b["), "%s", c.args)
	}
}

func TestCalled(t *testing.T) {
	of := func(main, path string) *debug.BuildInfo {
		return &debug.BuildInfo{Path: path, Main: debug.Module{Path: main}}
	}
	ours := of("bullyproof", "bullyproof/cmd/bullyproof")
	for _, c := range []struct {
		arg0        string
		info        *debug.BuildInfo
		name, again string
	}{
		{"/usr/local/bin/bullyproof", ours, "bullyproof", "bullyproof"},
		{"./lease.exe", ours, "lease", "lease"},
		{"/tmp/go-build123/b001/exe/bullyproof", ours, "bullyproof", "go run ./cmd/bullyproof"},
		{"/tmp/go-build123/b001/exe/lease", of("example.org/lease", "example.org/lease"), "lease", "go run ."},
		{"/tmp/go-build123/b001/exe/main", of("", "command-line-arguments"), "main", "go run ."},
		{"/tmp/go-build123/b001/exe/main", nil, "main", "go run ."},
	} {
		name, again := callOf(c.arg0, c.info)
		assert.Equal(t, c.name, name, c.arg0)
		assert.Equal(t, c.again, again, c.arg0)
	}
}

func TestQuoted(t *testing.T) {
	assert.Equal(t, `a 'b c' '' 'it'\''s' x=1,2`, quoted("a", "b c", "", "it's", "x=1,2"))
}

// Every flag of a setting is a word that a setting has, with a value from its
// own description.
func TestSettingFlags(t *testing.T) {
	values := map[string]string{"N": "4", "K": "1", "WHO": "1", "all|IDS": "all", "LINKS": "all"}
	for _, f := range settingFlags {
		value, ok := values[f.Values]
		if !ok {
			value, _, _ = strings.Cut(f.Values, "|")
			value = strings.NewReplacer(":D", ":2", ":K", ":1").Replace(value)
		}
		for _, base := range []string{"bully", "changroberts"} {
			a, err := algorithms.Find(base)
			require.NoError(t, err)
			_, err = a.Variants[0].Setting.With(f.Key + "=" + value)
			assert.NoError(t, err, fmt.Sprint(f))
		}
	}
}
