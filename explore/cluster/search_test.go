package cluster_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
)

var deep = flag.Bool("deep", false, "compare each sort of search with one in memory for each number of parts")

// A tangle is a random system: of so many states each has some successors, some of
// them hit targets, and some are cut.
type tangle struct {
	states, degree uint64
	seed           uint64
	cuts           bool
	panics         uint64 // the state at which it panics, 0 for none
}

const tangleTargets = 4

func (s tangle) Initial(yield func([]byte) bool) {
	for i := range uint64(3) {
		if !yield(s.encode(i)) {
			return
		}
	}
}

// encode returns a state, whose length depends on it.
func (s tangle) encode(n uint64) []byte {
	b := binary.BigEndian.AppendUint64(nil, n)
	return append(b, bytes.Repeat([]byte{byte(n)}, int(n%40))...)
}

func (s tangle) NewExpander() explore.Expander { return s }

func (s tangle) Expand(state []byte, out *explore.Successors) {
	n := binary.BigEndian.Uint64(state)
	if s.panics != 0 && n == s.panics {
		panic("it is out of order")
	}
	r := rand.New(rand.NewPCG(s.seed, n))
	for i := range r.Uint64N(s.degree + 1) {
		to := n + 1 + r.Uint64N(s.states/8)
		if r.IntN(4) == 0 {
			to = r.Uint64N(s.states)
		}
		out.Add(s.encode(to%s.states), explore.Code(i))
		if r.IntN(200) == 0 {
			out.HitStep(1, uint32(r.IntN(3)))
		}
	}
	if n > s.states/3 && n%97 == 5 {
		out.Hit(0, uint32(n%3))
	}
	if n > s.states/2 && n%301 == 7 {
		out.HitDeadEnd(2, 0, explore.Code(n))
	}
	if s.cuts && n%1001 == 500 {
		out.Cut(3)
	}
}

// local carries out tasks in this process, by so many workers at once.
type local struct {
	subject cluster.Subject
	parts   int
	threads int // of each, 0 for one
	levels  int
	before  func(level int) error
}

func (l *local) Parts(context.Context) (tasks, threads int, err error) {
	return l.parts, max(1, l.threads), nil
}

func (l *local) Run(ctx context.Context, level int, tasks []cluster.Task, told func(int)) ([]cluster.Answer, error) {
	if l.levels++; l.before != nil {
		if err := l.before(level); err != nil {
			return nil, err
		}
	}
	answers, errs := make([]cluster.Answer, len(tasks)), make([]error, len(tasks))
	var wg sync.WaitGroup
	for i := range tasks {
		wg.Go(func() {
			w := cluster.NewWorker(l.subject)
			defer w.Close()
			answers[i], errs[i] = w.Do(tasks[i])
			told(1)
		})
	}
	wg.Wait()
	return answers, errors.Join(errs...)
}

func subject(sys explore.System, targets int) cluster.Subject {
	return cluster.Subject{Targets: targets, New: func() (explore.System, error) { return sys, nil }}
}

// same compares a search with one of package explore.
func same(t *testing.T, want, got *explore.Result, targets int) {
	t.Helper()
	assert.Equal(t, want.Reason, got.Reason)
	assert.Equal(t, want.Levels, got.Levels)
	assert.Equal(t, want.Distinct, got.Distinct)
	assert.Equal(t, want.Generated, got.Generated)
	assert.Equal(t, want.Expanded, got.Expanded)
	assert.Equal(t, want.Depth, got.Depth)
	assert.Equal(t, want.CompleteDepth, got.CompleteDepth)
	assert.Equal(t, want.Cuts, got.Cuts)
	assert.InDelta(t, want.OutDegree(), got.OutDegree(), 1e-9)
	for target := range targets {
		w, hit := want.Hit(target)
		g, found := got.Hit(target)
		if assert.Equal(t, hit, found, "target %d", target); !hit {
			continue
		}
		assert.Equal(t, w, g)
		one, err := want.Path(target)
		require.NoError(t, err)
		other, err := got.Path(target)
		require.NoError(t, err)
		assert.Equal(t, one, other)
	}
}

// With any system, limits, number of parts and memory, it finds the same as a search in
// memory.
func TestSearchAgreesWithMemory(t *testing.T) {
	all, oneIn := []int{0, 1, 2}, uint64(6)
	if thorough.On {
		oneIn = 2
	}
	for name, opt := range map[string]explore.Options{
		"everything":   {Exhaustive: true},
		"targets":      {StopWhenAll: all},
		"one target":   {StopWhenAll: []int{0}},
		"any target":   {StopWhenAny: []int{0, 2}},
		"states":       {Exhaustive: true, MaxStates: 2500},
		"depth":        {Exhaustive: true, MaxDepth: 7},
		"great depth":  {Exhaustive: true, MaxDepth: 1000},
		"depth, any":   {MaxDepth: 12, StopWhenAny: []int{0}},
		"never hit":    {StopWhenAll: []int{3}},
		"states, hits": {StopWhenAll: []int{1}, MaxStates: 3000},
	} {
		for parts := range 4 {
			at := fmt.Sprintf("%s, %d parts", name, parts)
			if !casecount.Takes(t, *deep, oneIn, at) {
				continue
			}
			t.Run(at, func(t *testing.T) {
				sys := tangle{states: 5000, degree: 4, seed: uint64(parts), cuts: parts == 2}
				if parts == 3 && !*deep {
					sys.states = 1000 // its files take most of the time
				}
				opt.Targets = tangleTargets
				want, err := explore.Search(t.Context(), sys, opt)
				require.NoError(t, err)
				on := cluster.Options{Dir: filepath.Join(t.TempDir(), "files"), Small: -1, Subject: subject(sys, tangleTargets)}
				if parts > 0 {
					on.Scheduler = &local{subject: on.Subject, parts: parts*parts + 1, threads: 3 - parts}
				}
				if parts == 3 {
					on.TaskBytes, on.Small = 1, 300 // a file for each batch; some levels are small
				}
				got, err := cluster.Search(t.Context(), sys, opt, on)
				require.NoError(t, err)
				same(t, want, got, tangleTargets)
				require.NoError(t, got.Close())
				if !got.Reason.Resumable() {
					assert.NoDirExists(t, on.Dir)
					return
				}
				on.Resume, opt.MaxStates = true, 0
				want, err = explore.Search(t.Context(), sys, opt)
				require.NoError(t, err)
				got, err = cluster.Search(t.Context(), sys, opt, on)
				require.NoError(t, err)
				same(t, want, got, tangleTargets)
				require.NoError(t, got.Close())
			})
		}
	}
}

// A scheduler that fails at any level leaves a checkpoint, from which the search goes on
// to the same end. The work that half of the tasks have done by then does not count.
func TestSearchGoesOn(t *testing.T) {
	sys, opt := tangle{states: 5000, degree: 4, seed: 5}, explore.Options{Targets: tangleTargets, Exhaustive: true}
	want, err := explore.Search(t.Context(), sys, opt)
	require.NoError(t, err)
	dir := t.TempDir()
	on := cluster.Options{Dir: dir, Small: 3, Identity: "tangle", Subject: subject(sys, tangleTargets)}
	l := &local{subject: on.Subject, parts: 3, threads: 2}
	on.Scheduler = l
	failures := 0
	l.before = func(level int) error {
		if level == 2+2*failures {
			failures++
			w := cluster.NewWorker(on.Subject)
			defer w.Close()
			names, err := filepath.Glob(filepath.Join(dir, "level-*.json"))
			require.NoError(t, err)
			require.Len(t, names, 1)
			_, err = w.Do(cluster.Task{Dir: dir, Table: filepath.Base(names[0]), Range: cluster.Range{Hi: 1 << 63}, Bytes: 1 << 20})
			require.NoError(t, err)
			return errors.New("the machine is gone")
		}
		return nil
	}
	for {
		got, err := cluster.Search(t.Context(), sys, opt, on)
		if on.Resume = true; err != nil {
			require.ErrorContains(t, err, fmt.Sprintf("the machine is gone; all levels before level %d are in %s", 2*failures, dir))
			other := on
			other.Identity = "another"
			_, err = cluster.Search(t.Context(), sys, opt, other)
			require.ErrorContains(t, err, `the checkpoint is of another search: of "tangle", and not of "another"`)
			other = on
			other.Resume = false
			_, err = cluster.Search(t.Context(), sys, opt, other)
			require.ErrorContains(t, err, "there is a checkpoint")
			continue
		}
		same(t, want, got, tangleTargets)
		require.NoError(t, got.Close())
		break
	}
	assert.Greater(t, failures, 4)
	left, err := filepath.Glob(filepath.Join(dir, "[^l]*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A search that cannot begin leaves nothing behind.
func TestSearchThatCannotBegin(t *testing.T) {
	sys, opt := tangle{states: 500, degree: 4}, explore.Options{Targets: tangleTargets, Exhaustive: true}
	on := cluster.Options{Dir: filepath.Join(t.TempDir(), "files"), Small: -1, Subject: subject(sys, tangleTargets), Resume: true}
	_, err := cluster.Search(t.Context(), sys, opt, on)
	require.ErrorContains(t, err, "there is no checkpoint to resume")
	assert.NoDirExists(t, on.Dir)

	on.Resume = false
	on.Scheduler = &local{before: func(int) error { return errors.New("no master answers") }, parts: 2}
	_, err = cluster.Search(t.Context(), sys, opt, on)
	require.EqualError(t, err, "no master answers")
	assert.NoDirExists(t, on.Dir)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	on.Dir = filepath.Join(file, "below")
	_, err = cluster.Search(t.Context(), sys, opt, on)
	require.ErrorContains(t, err, "cannot be made")

	// A worker that does not reach the directory says so.
	_, err = cluster.NewWorker(on.Subject).Do(cluster.Task{Dir: filepath.Join(t.TempDir(), "elsewhere"), Table: "level-000000.json"})
	require.ErrorContains(t, err, "elsewhere: ")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A panic ends the search with the state, and is not tried again.
func TestPanicNamesTheState(t *testing.T) {
	sys, opt := tangle{states: 500, degree: 4, panics: 2}, explore.Options{Targets: tangleTargets, Exhaustive: true}
	on := cluster.Options{Dir: filepath.Join(t.TempDir(), "files"), Small: -1, Subject: subject(sys, tangleTargets)}
	on.Scheduler = &local{subject: on.Subject, parts: 2, threads: 2}
	_, err := cluster.Search(t.Context(), sys, opt, on)
	require.EqualError(t, err, fmt.Sprintf("explore: an expander panicked: it is out of order (state %x was expanded)", sys.encode(2)))
	assert.NoDirExists(t, on.Dir)
}

// A file that is damaged is an error, and no verdict.
func TestDamageIsNoticed(t *testing.T) {
	sys, opt := tangle{states: 3000, degree: 4}, explore.Options{Targets: tangleTargets, Exhaustive: true}
	for _, kind := range []string{"level-*.json", "states-*.log", "visited-*.keys"} {
		on := cluster.Options{Dir: t.TempDir(), Small: -1, Subject: subject(sys, tangleTargets)}
		on.Scheduler = &local{subject: on.Subject, parts: 2, before: func(level int) error {
			if level < 6 {
				return nil
			}
			names, err := filepath.Glob(filepath.Join(on.Dir, kind))
			require.NoError(t, err)
			data, err := os.ReadFile(names[0])
			require.NoError(t, err)
			data[len(data)/2] ^= 16
			return os.WriteFile(names[0], data, 0o666)
		}}
		_, err := cluster.Search(t.Context(), sys, opt, on)
		require.ErrorContains(t, err, "is damaged", kind)
	}
}

// processes carries out tasks by processes of this program, each for one task after the
// other, and starts another one where one ends.
type processes struct {
	description []byte
	parts       int
	kill        func(level, task int) bool
	started     int
}

func (p *processes) Parts(context.Context) (tasks, threads int, err error) { return p.parts, 1, nil }

func (p *processes) Run(ctx context.Context, level int, tasks []cluster.Task, told func(int)) (answers []cluster.Answer, err error) {
	for i, task := range tasks {
		var a cluster.Answer
		for kill := p.kill != nil && p.kill(level, i); ; kill = false {
			if a, err = p.one(ctx, task, kill); err == nil {
				break
			}
			if !kill {
				return nil, err
			}
		}
		answers = append(answers, a)
		told(i + 1)
	}
	return answers, nil
}

func (p *processes) one(ctx context.Context, task cluster.Task, kill bool) (a cluster.Answer, err error) {
	p.started++
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), workerEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		return a, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return a, err
	}
	if err := cmd.Start(); err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, in.Close(), cmd.Wait()) }()
	ask := func(kind byte, data []byte) ([]byte, error) {
		if err := cluster.WriteFrame(in, kind, data); err != nil {
			return nil, err
		}
		kind, data, err := cluster.ReadFrame(out)
		if err == nil && kind == cluster.FrameError {
			err = errors.New(string(data))
		}
		return data, err
	}
	if _, err := ask(cluster.FrameSubject, p.description); err != nil {
		return a, err
	}
	data, err := json.Marshal(task)
	if err != nil {
		return a, err
	}
	if kill {
		if err := cluster.WriteFrame(in, cluster.FrameTask, data); err != nil {
			return a, err
		}
		return a, errors.Join(errors.New("killed"), cmd.Process.Kill())
	}
	if data, err = ask(cluster.FrameTask, data); err != nil {
		return a, err
	}
	return a, json.Unmarshal(data, &a)
}

const workerEnv = "BULLYPROOF_TEST_WORKER"

func described(description []byte) (cluster.Subject, error) {
	seed, err := strconv.ParseUint(string(description), 10, 64)
	if err != nil {
		return cluster.Subject{}, fmt.Errorf("unknown subject %q", description)
	}
	return subject(tangle{states: 4000, degree: 4, seed: seed}, tangleTargets), nil
}

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) == "" {
		os.Exit(m.Run())
	}
	if err := cluster.Serve(os.Stdin, os.Stdout, described); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// Processes do what goroutines do, also where some of them are killed.
func TestWorkersAreProcesses(t *testing.T) {
	sys, opt := tangle{states: 4000, degree: 4, seed: 3}, explore.Options{Targets: tangleTargets, Exhaustive: true}
	want, err := explore.Search(t.Context(), sys, opt)
	require.NoError(t, err)
	killed := 0
	p := &processes{description: []byte("3"), parts: 2, kill: func(level, task int) bool {
		kill := (level+task)%3 == 0
		if kill {
			killed++
		}
		return kill
	}}
	got, err := cluster.Search(t.Context(), sys, opt, cluster.Options{Dir: t.TempDir(), Small: 300, Scheduler: p, Subject: subject(sys, tangleTargets)})
	require.NoError(t, err)
	same(t, want, got, tangleTargets)
	assert.Greater(t, killed, 3)
	require.NoError(t, got.Close())

	p.description = []byte("nothing")
	_, err = cluster.Search(t.Context(), sys, opt, cluster.Options{Dir: t.TempDir(), Small: -1, Scheduler: p, Subject: subject(sys, tangleTargets)})
	require.ErrorContains(t, err, `unknown subject "nothing"`)
}

// Other bytes than frames are refused.
func TestFrames(t *testing.T) {
	frame := func(kind byte, data string) string {
		var b bytes.Buffer
		require.NoError(t, cluster.WriteFrame(&b, kind, []byte(data)))
		return b.String()
	}
	var out bytes.Buffer
	require.NoError(t, cluster.Serve(strings.NewReader(frame('T', "{}")+frame('S', "1")+frame('T', "{")+frame('X', "")), &out, described))
	for _, want := range []string{"a frame 'T'", "", "a task makes no sense", "a frame 'X'"} {
		kind, data, err := cluster.ReadFrame(&out)
		require.NoError(t, err)
		if want == "" {
			assert.Equal(t, byte(cluster.FrameReady), kind)
			continue
		}
		assert.Equal(t, byte(cluster.FrameError), kind)
		assert.Contains(t, string(data), want)
	}
	_, _, err := cluster.ReadFrame(&out)
	assert.Equal(t, io.EOF, err)
	for in, want := range map[string]string{"\x00\x00\x00\x00": "a frame of 0 bytes", "\xff\xff\xff\xff": "a frame of 4294967295 bytes", frame('S', "12")[:6]: "a frame is cut off", "ab": "unexpected EOF"} {
		assert.ErrorContains(t, cluster.Serve(strings.NewReader(in), io.Discard, described), want)
	}
}

// long is a binary tree with states of a thousand bytes.
type long struct{}

func (long) Initial(yield func([]byte) bool) { yield(long{}.state(1)) }
func (long) NewExpander() explore.Expander   { return long{} }

func (long) state(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 992), n) }

func (l long) Expand(state []byte, out *explore.Successors) {
	for by := range uint64(2) {
		if n := 2*binary.BigEndian.Uint64(state[992:]) + by; n < 1<<15 {
			out.Add(l.state(n), explore.Code(by))
		}
	}
}

// A table that was full once is not full from then on: it is emptied, and filled again.
func TestFullTablesAreFilledAgain(t *testing.T) {
	on := cluster.Options{Dir: filepath.Join(t.TempDir(), "files"), Small: -1, Subject: subject(long{}, 0), TaskBytes: 4 << 20}
	l := &local{subject: on.Subject, parts: 1}
	on.Scheduler = l
	l.before = func(level int) error {
		if level == 14 { // 16,384 states of 1,000 bytes: four times the limit, in 8 shards
			files, err := filepath.Glob(filepath.Join(on.Dir, "states-*"))
			require.NoError(t, err)
			assert.Less(t, len(files), 5*8)
		}
		return nil
	}
	got, err := cluster.Search(t.Context(), long{}, explore.Options{Exhaustive: true}, on)
	require.NoError(t, err)
	assert.EqualValues(t, 1<<15-1, got.Distinct)
	require.NoError(t, got.Close())
}

// However a search elsewhere ends, its figures are those of the levels that are whole.
func TestFiguresOfASearchThatEndedEarly(t *testing.T) {
	sys := tangle{states: 3_000, degree: 4, seed: 5}
	whole, err := explore.Search(t.Context(), sys, explore.Options{Targets: tangleTargets, Exhaustive: true})
	require.NoError(t, err)
	looked := map[explore.Reason]int{}
	end := func(opt explore.Options, before func(level int, cancel func())) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		opt.Targets, opt.Exhaustive = tangleTargets, true
		on := cluster.Options{Dir: t.TempDir(), Identity: "tangle", Small: 10, Subject: subject(sys, tangleTargets)}
		on.Scheduler = &local{subject: on.Subject, parts: 2, before: func(level int) error {
			before(level, cancel)
			return nil
		}}
		r, err := cluster.Search(ctx, sys, opt, on)
		require.NoError(t, err)
		looked[r.Reason]++
		sum := uint64(0)
		for _, states := range r.Levels {
			sum += states
		}
		last := len(r.Levels) - 1
		assert.Equal(t, sum, r.Distinct, r.Reason)
		assert.Equal(t, last, r.Depth, r.Reason)
		assert.Equal(t, whole.Levels[:last+1], r.Levels, r.Reason)
		if last < 0 || r.CompleteDepth < 0 {
			return
		}
		same, err := explore.Search(t.Context(), sys, explore.Options{Targets: tangleTargets, Exhaustive: true, MaxDepth: max(1, r.CompleteDepth)})
		require.NoError(t, err)
		if r.CompleteDepth > 0 {
			assert.Equal(t, same.Generated, r.Generated, "%v at depth %d", r.Reason, r.CompleteDepth)
			assert.Equal(t, same.Expanded, r.Expanded, "%v at depth %d", r.Reason, r.CompleteDepth)
		}
	}
	none := func(int, func()) {}
	for at := 1; at < len(whole.Levels); at += 5 {
		end(explore.Options{}, func(level int, cancel func()) {
			if level == at {
				cancel()
			}
		})
		end(explore.Options{MaxDepth: at + 1}, none)
		end(explore.Options{MaxStates: whole.Distinct * uint64(at+1) / uint64(len(whole.Levels))}, none)
	}
	assert.Greater(t, len(looked), 2)
	t.Logf("%d levels, ends: %v", len(whole.Levels), looked)
}
