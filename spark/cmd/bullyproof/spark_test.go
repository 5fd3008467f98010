//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/spark/internal/remotetest"
	"bullyproof/spark/internal/sparktest"
)

var deep = flag.Bool("deep", false, "search more on a cluster of Spark's, and kill ten of its processes in a row, twice")

// A program is this command, built.
type program struct {
	t    *testing.T
	path string
	tmp  string // the directory for temporary files of what it starts
}

func build(t *testing.T) *program {
	t.Helper()
	sparktest.Need(t)
	p := &program{t, filepath.Join(t.TempDir(), "bullyproof"), t.TempDir()}
	out, err := exec.Command("go", "build", "-o", p.path, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return p
}

// command returns a call of the program, whose error stream is in said.
func (p *program) command(said *bytes.Buffer, args ...string) *exec.Cmd {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+p.tmp)
	cmd.Stderr = said
	return cmd
}

// report runs a check, and returns what of its report does not depend on the machine.
func (p *program) report(args ...string) map[string]any {
	p.t.Helper()
	var said bytes.Buffer
	defer func() {
		if slices.Contains(args, "spark") {
			assert.Contains(p.t, said.String(), " at a time, ", "Spark has had nothing to do")
		}
	}()
	cmd := p.command(&said, append(args, "--json", "-q")...)
	data, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && failed.ExitCode() != 2 {
		err = nil
	}
	require.NoError(p.t, err, "%v: %s", args, &said)
	var all map[string]any
	require.NoError(p.t, json.Unmarshal(data, &all))
	delete(all, "run")
	search := all["search"].(map[string]any)
	for _, name := range []string{"seconds", "distinct_per_second", "generated_per_second", "peak_bytes", "workers", "gave_up"} {
		delete(search, name)
	}
	return all
}

// nothingLeft checks that nothing that was started has left a file.
func (p *program) nothingLeft() {
	p.t.Helper()
	names, err := filepath.Glob(filepath.Join(p.tmp, "*"))
	require.NoError(p.t, err)
	names = append(names[:0], filter(names)...)
	assert.Empty(p.t, names)
}

// filter leaves out what Java leaves by itself, for its own tools.
func filter(names []string) (left []string) {
	for _, name := range names {
		if !strings.HasPrefix(filepath.Base(name), "hsperfdata") {
			left = append(left, name)
		}
	}
	return left
}

var cases = map[string][]string{
	"Bully":         strings.Fields("bully -n 4 --crashes 1 --restarts 0 --timing sync:1 --exhaustive --reduce none"),
	"Chang-Roberts": strings.Fields("changroberts -n 7 --initiators 1 --exhaustive --reduce none"),
	"Raft":          strings.Fields("raft --exhaustive --reduce none"),
	"reduced":       strings.Fields("bully --exhaustive --reduce auto"),
}

var states = map[string][]string{
	"Bully":         {"uniqueness", "agreement", "settled-uniqueness", "extreme"},
	"Chang-Roberts": {"uniqueness", "agreement"},
	"Raft":          {"uniqueness"},
	"reduced":       {"uniqueness", "agreement"},
}

// small is up to how many states a level is done without a job: some levels have more.
var small = map[string]string{"Bully": "600", "Chang-Roberts": "700", "Raft": "600", "reduced": "100"}

func args(name string) []string {
	all := append([]string{"check"}, cases[name]...)
	for _, p := range states[name] {
		all = append(all, "--property", p)
	}
	return all
}

// A cluster with a master and two workers reports what one machine does, with its files
// in an object store or in a directory.
func TestStandaloneCluster(t *testing.T) {
	p := build(t)
	store := remotetest.S3(t)
	master := sparktest.Standalone(t, 2)
	for name := range cases {
		if name != "reduced" && !*deep {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want := p.report(args(name)...)
			dir := filepath.Join(t.TempDir(), "files")
			if name == "reduced" {
				dir = "s3://" + remotetest.Bucket + "/files"
			}
			got := p.report(append(args(name), "--engine", "spark", "--master", master, "--disk", dir, "--small-level", small[name])...)
			assert.Equal(t, want, got)
			assert.NoDirExists(t, dir)
			assert.Empty(t, store.Keys())
		})
	}
	p.nothingLeft()
}

// Processes that do tasks are killed, executors and the driver, ten in a row and each at
// another level. In the end the report is that of one machine.
func TestKills(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	p := build(t)
	const name = "Bully"
	want := p.report(args(name)...)
	const worker, executor, driver = "worker", "executor", "driver"
	for where, c := range map[string]struct {
		master func(t *testing.T) string
		kills  []string // except for the last one in any order
	}{
		"here":      {func(*testing.T) string { return "local[2]" }, slices.Concat(slices.Repeat([]string{worker}, 6), slices.Repeat([]string{driver}, 4))},
		"a cluster": {func(t *testing.T) string { return sparktest.Standalone(t, 2) }, slices.Concat(slices.Repeat([]string{worker}, 5), slices.Repeat([]string{executor}, 4), []string{driver})},
	} {
		t.Run(where, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "files")
			onSpark := append(args(name), "--engine", "spark", "--master", c.master(t), "--small-level", "1")
			r := rand.New(rand.NewPCG(1, 2))
			r.Shuffle(len(c.kills)-1, func(i, k int) { c.kills[i], c.kills[k] = c.kills[k], c.kills[i] })
			how := "--disk"
			for kills := c.kills; len(kills) > 0; how = "--resume" {
				v := p.victim(t, dir, append(onSpark, how, dir, "-q")...)
				for killed := ""; killed != driver; kills = kills[1:] {
					killed = kills[0]
					v.wait(latest(t, dir) + 1)
					switch killed {
					case worker: // its program is here, or where an executor has put it
						v.until(func() bool {
							return sparktest.KillWorker(t, filepath.Dir(p.tmp)) || sparktest.KillWorker(t, filepath.Dir(filepath.Dir(dir)))
						})
					case executor:
						v.until(func() bool { return sparktest.KillExecutor(t, filepath.Dir(filepath.Dir(dir))) })
					}
				}
				v.kill()
			}
			assert.Equal(t, want, p.report(append(onSpark, how, dir)...))
			assert.Empty(t, filter(must(filepath.Glob(filepath.Join(dir, "[^l]*")))))
		})
	}
}

// A victim is a call of the program in which something is killed.
type victim struct {
	t     *testing.T
	dir   string
	cmd   *exec.Cmd
	said  bytes.Buffer
	ended chan error
}

func (p *program) victim(t *testing.T, dir string, args ...string) *victim {
	t.Helper()
	v := &victim{t: t, dir: dir, ended: make(chan error, 1)}
	v.cmd = p.command(&v.said, args...)
	require.NoError(t, v.cmd.Start())
	go func() { v.ended <- v.cmd.Wait() }()
	return v
}

// wait waits for the checkpoint of a level.
func (v *victim) wait(level int) {
	v.t.Helper()
	v.until(func() bool { return latest(v.t, v.dir) >= level })
}

// until waits until something is so, while the program is running.
func (v *victim) until(so func() bool) {
	v.t.Helper()
	for !so() {
		select {
		case err := <-v.ended:
			require.Fail(v.t, "it has ended", "%v: %s", err, &v.said)
		case <-time.After(time.Millisecond):
		}
	}
}

func (v *victim) kill() {
	v.t.Helper()
	require.NoError(v.t, v.cmd.Process.Kill())
	<-v.ended
}

func must(names []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return names
}

// latest returns the level of the checkpoint in a directory, 0 if there is none.
func latest(t *testing.T, dir string) (level int) {
	t.Helper()
	for _, name := range must(filepath.Glob(filepath.Join(dir, "level-*.json"))) {
		var n int
		_, err := fmt.Sscanf(filepath.Base(name), "level-%d.json", &n)
		require.NoError(t, err)
		level = max(level, n)
	}
	return level
}
