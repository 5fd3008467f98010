package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/partition"
	"bullyproof/ledger"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

var (
	deep = flag.Bool("deep", false, "kill clusters of every algorithm, and more often")
	seed = flag.Uint64("seed", 0, "of the faults that -deep has; 0: a new one")
)

// quiet is how long a cluster is left alone in which nothing happens any more.
const quiet = 300 * time.Millisecond

// A victim is a cluster whose processes are killed, paused and cut off.
type victim struct {
	t       *testing.T
	of      Subject
	n       int
	dir     string
	draw    *rand.Rand
	wires   *partition.Network
	running map[int]*exec.Cmd
	lives   map[int]io.Closer
	said    map[int]*bytes.Buffer // that went wrong
	lines   chan struct{}         // one for each event that is logged
	stop    context.CancelFunc
	ctx     context.Context
	tails   map[int]bool
	full    string // with what a process may end that has no room
}

func newVictim(t *testing.T, of Subject, n int, draw *rand.Rand) *victim {
	wires, err := partition.New("tcp", n)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	v := &victim{
		t: t, of: of, n: n, dir: t.TempDir(), draw: draw, wires: wires, ctx: ctx, stop: stop,
		running: make(map[int]*exec.Cmd), lives: make(map[int]io.Closer), said: make(map[int]*bytes.Buffer),
		lines: make(chan struct{}, 1<<20), tails: make(map[int]bool),
	}
	require.NoError(t, os.WriteFile(v.file("key"), []byte("the key of the tests\n"), 0o600))
	t.Cleanup(func() {
		v.end()
		stop()
		wires.Close()
	})
	return v
}

func (v *victim) file(name string) string { return filepath.Join(v.dir, name) }

func (v *victim) log(id int) string { return v.file(fmt.Sprintf("events-%d.ndjson", id)) }

// run starts a process.
func (v *victim) run(id int) {
	v.t.Helper()
	c := exec.Command(os.Args[0], "--id", strconv.Itoa(id), "-n", strconv.Itoa(v.n), "--addresses", strings.Join(v.wires.Addresses(id), ","),
		"--key-file", v.file("key"), "--dir", v.dir, "--tick", "20ms", "--silence", "400ms", "--start", "all", "--supervised", v.of.Name)
	life, err := c.StdinPipe()
	require.NoError(v.t, err)
	out, err := c.StdoutPipe()
	require.NoError(v.t, err)
	v.said[id] = new(bytes.Buffer)
	c.Stderr = v.said[id]
	require.NoError(v.t, c.Start())
	v.running[id], v.lives[id] = c, life
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(v.t, err)
	v.wires.Route(id, strings.TrimSpace(strings.TrimPrefix(line, "listens at ")))
	if !v.tails[id] {
		v.tails[id] = true
		v.tail(id)
	}
}

// tail counts the events of a process as they are written.
func (v *victim) tail(id int) {
	f, err := os.Open(v.log(id))
	require.NoError(v.t, err)
	go func() {
		defer f.Close()
		for in := bufio.NewScanner(eventlog.Tail(v.ctx, f, 5*time.Millisecond)); in.Scan(); {
			v.lines <- struct{}{}
		}
	}()
}

// kill ends a process by signal 9.
func (v *victim) kill(id int) {
	c := v.running[id]
	delete(v.running, id)
	require.NoError(v.t, c.Process.Kill())
	var exit *exec.ExitError // also of one that had no room and has ended
	assert.ErrorAs(v.t, c.Wait(), &exit)
	_ = v.lives[id].Close()
}

func (v *victim) signal(id int, s os.Signal) { assert.NoError(v.t, v.running[id].Process.Signal(s)) }

// end has all processes end by themselves.
func (v *victim) end() {
	for id, c := range v.running {
		_ = c.Process.Signal(syscall.SIGCONT)
		_ = v.lives[id].Close()
		if err := c.Wait(); v.full == "" || !strings.Contains(lastLine(v.said[id]), v.full) {
			assert.NoError(v.t, err, lastLine(v.said[id]))
		}
	}
	clear(v.running)
}

func lastLine(b *bytes.Buffer) string {
	text := strings.TrimSpace(b.String())
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// pass waits for some more events, or until nothing happens any more.
func (v *victim) pass(events int) {
	for range events {
		select {
		case <-v.lines:
		case <-time.After(quiet):
			return
		}
	}
}

// harm has something happen to one process, and be over some events later.
func (v *victim) harm() {
	id := 1 + v.draw.IntN(v.n)
	v.pass(v.draw.IntN(60))
	switch v.draw.IntN(5) {
	case 0:
		v.signal(id, syscall.SIGSTOP)
		v.pass(v.draw.IntN(60))
		v.signal(id, syscall.SIGCONT)
	case 1:
		v.wires.Isolate(id)
		v.pass(v.draw.IntN(60))
		v.wires.Heal()
	default:
		v.kill(id)
		v.pass(v.draw.IntN(30))
		v.run(id)
	}
}

// read returns the log, and its lines in the order of their times.
func (v *victim) read() (*validate.Log, []eventlog.Event) {
	log := validate.NewLog()
	var all []eventlog.Event
	for id := 1; id <= v.n; id++ {
		data, err := os.ReadFile(v.log(id))
		require.NoError(v.t, err)
		name := filepath.Base(v.log(id))
		require.NoError(v.t, log.Read(eventlog.NewReader(bytes.NewReader(data), name)))
		for r := eventlog.NewReader(bytes.NewReader(data), name); ; {
			e, err := r.Next()
			if err != nil {
				require.True(v.t, errors.Is(err, io.EOF) || errors.Is(err, eventlog.ErrTorn), err)
				break
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b eventlog.Event) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Process, b.Process))
	})
	return log, all
}

// judged validates a log as the command does.
func (v *victim) judged(log *validate.Log) *validate.Result {
	s, err := log.Setting(v.of.Setting, "")
	require.NoError(v.t, err)
	sys, err := v.of.In(s)
	require.NoError(v.t, err)
	r, err := validate.Run(v.t.Context(), sys, log, validate.Options{})
	require.NoError(v.t, err)
	return r
}

// monitored has a monitor see the lines as they came.
func (v *victim) monitored(all []eventlog.Event) *validate.Result {
	s, err := validate.Endless(v.of.Setting, 0, fmt.Sprintf("n=%d", v.n))
	require.NoError(v.t, err)
	sys, err := v.of.In(s)
	require.NoError(v.t, err)
	o := validate.NewOnline(sys, validate.Options{}, nil)
	files := make(map[int]int)
	for id := 1; id <= v.n; id++ {
		files[id] = o.Open(v.log(id))
	}
	for _, e := range all {
		if r, _, err := o.Add(v.t.Context(), files[int(e.Process)], e); r != nil || err != nil {
			require.NoError(v.t, err)
			return r
		}
	}
	r, _ := o.End(v.t.Context())
	return r
}

// runnable returns the first variant of an algorithm that runs as processes of this
// machine, and skips an algorithm that has none.
func runnable(t *testing.T, a *ledger.Algorithm) Subject {
	var why error
	for _, v := range a.Variants {
		dir := t.TempDir()
		key := filepath.Join(dir, "key")
		require.NoError(t, os.WriteFile(key, []byte("the key of the tests"), 0o600))
		p := Program{Out: io.Discard, Err: io.Discard}
		name := a.Name + "/" + v.Name
		run, err := p.parse([]string{"--id", "1", "-n", "3", "--addresses", "127.0.0.1:0,127.0.0.1:0,127.0.0.1:0", "--key-file", key, "--dir", dir, name}, catalogue)
		if err != nil {
			why = cmp.Or(why, err)
			continue
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.NoError(t, run(ctx))
		return Subject{name, v.Setting, v.In}
	}
	t.Skip(why)
	return Subject{}
}

// quickly are the algorithms whose clusters are also killed in the quick tests: with FIFO
// channels and without, on rings and on complete graphs, with a bound and with a store.
var quickly = []string{"bully", "garciamolina", "fle", "k8slease", "etcdelection", "raft", "franklin"}

// full says with what a process of an algorithm ends that has no room for what it keeps:
// it may, but what it did until then is judged nevertheless.
var full = map[string]string{
	"mongodb":     "there is no room for ", // the seventh entry in its oplog
	"viewstamped": "there is no room for ", // the fifth operation in its log
}

// Processes of each algorithm are killed by signal 9, started again, paused and cut off at
// random, many times over. The model allows what their logs tell, at once and line by line.
func TestKills(t *testing.T) {
	t.Parallel()
	s, times := cmp.Or(*seed, 1), 4
	if *deep {
		times = 14
		if *seed == 0 {
			s = rand.Uint64()
		}
	}
	t.Logf("-seed %d", s)
	var clusters, faults, events, beyond atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d faults in %d clusters; %d events, %d logs that lead beyond a bound", faults.Load(), clusters.Load(), events.Load(), beyond.Load())
	})
	for _, a := range catalogue {
		if !*deep && !slices.Contains(quickly, a.Name) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			name := fnv.New64a()
			_, _ = io.WriteString(name, a.Name)
			v := newVictim(t, runnable(t, a), 3, rand.New(rand.NewPCG(s, name.Sum64())))
			v.full = full[a.Name]
			for id := 1; id <= v.n; id++ {
				v.run(id)
			}
			for range times {
				v.harm()
			}
			v.pass(60)
			v.end()
			log, all := v.read()
			r := v.judged(log)
			v.accepted("validate", r)
			v.accepted("monitor", v.monitored(all))
			clusters.Add(1)
			faults.Add(int64(times))
			events.Add(int64(log.Events()))
			if r.Beyond != "" {
				beyond.Add(1)
			}
		})
	}
}

// accepted demands that a log was accepted, and says what was not.
func (v *victim) accepted(by string, r *validate.Result) {
	v.t.Helper()
	v.t.Logf("%s: %d lines in %q: %v %s%s", by, r.Lines, r.System.Setting(), r.Verdict, r.Why, r.Beyond)
	if !assert.Equal(v.t, validate.Accepted, r.Verdict, by) {
		for _, x := range r.Refusals {
			v.t.Log(x.String())
		}
	}
}
