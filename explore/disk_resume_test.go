package explore

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/checkpoint"
	"bullyproof/internal/runfile"
)

// interrupted searches until it has expanded about so many states, and returns
// what it came to.
func interrupted(t require.TestingT, g thicket, opt Options, after int64) *Result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var n atomic.Int64
	g.at = func(uint32) {
		if n.Add(1) == after {
			cancel()
		}
	}
	r, err := Search(ctx, g, opt)
	require.NoError(t, err)
	return r
}

// A search that is interrupted again and again finds what one finds that is not.
func TestResumeAgreesWithOneSearch(t *testing.T) {
	states := uint32(800)
	if *deep {
		states = 6000
	}
	rapid.Check(t, func(t *rapid.T) {
		g := thickets(states).Draw(t, "graph")
		opt := Options{Targets: 2, Exhaustive: rapid.Bool().Draw(t, "exhaustive"), Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		if rapid.Bool().Draw(t, "bounded") {
			opt.MaxDepth = rapid.IntRange(1, 12).Draw(t, "max depth")
		}
		files := new(runfile.Memory)
		now := opt
		for range rapid.IntRange(1, 4).Draw(t, "interruptions") {
			now = onDiskOf(now, files, rapid.SampledFrom([]int{1, 50, 300, 1000, 1e6}).Draw(t, "small"))
			_, err := files.Size(checkpoint.Name)
			now.Disk.Resume = err == nil
			if r := interrupted(t, g, now, rapid.Int64Range(1, int64(states/2)).Draw(t, "after")); r.Reason != Cancelled {
				sameSearch(t, mustSearch(t, g, opt), r)
				return
			} else {
				require.NoError(t, r.DiskError)
				for target := range 2 {
					if h, ok := r.Hit(target); ok {
						steps, err := r.Path(target)
						require.NoError(t, err)
						requirePath(t, g, steps, h)
					}
				}
				require.NoError(t, r.Close())
			}
		}
		now.Disk.Resume = true
		got := mustSearch(t, g, now)
		sameSearch(t, mustSearch(t, g, opt), got)
		require.NoError(t, got.Close())
		names, err := files.Names()
		require.NoError(t, err)
		require.Empty(t, names)
	})
}

// checkpointing returns the thicket and options of a search with one worker that
// makes a checkpoint after each so many states: so it does the same each time.
func checkpointing(g thicket, opt Options, every int) (thicket, Options) {
	ask, n := func() {}, 0
	opt.Workers = 1
	opt.Disk.clock = func(want func()) func() {
		ask = want
		return func() { ask = func() {} }
	}
	g.at = func(uint32) {
		if n++; n%every == 0 {
			ask()
		}
	}
	return g, opt
}

// Killed at any operation on a file, a search goes on from the checkpoint before
// it, or begins anew where there was none.
func TestKillAtAnyMoment(t *testing.T) {
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 7}
	opt := Options{Targets: 2, Exhaustive: true, Workers: 1}
	want := mustSearch(t, g, opt)
	resumed, faster := 0, 4
	if *deep {
		faster = 1
	}
	for at := 5; ; at += faster * (at/4 + 7) {
		files := new(runfile.Memory)
		var killed *runfile.Memory
		ops := 0
		files.Fault = func(op, _ string) error {
			if ops++; op != "read" && ops >= at && killed == nil {
				killed = files.Clone()
			}
			return nil
		}
		g, now := checkpointing(g, onDiskOf(opt, files, 200), 50)
		r := mustSearch(t, g, now)
		require.NoError(t, r.Close())
		if killed == nil {
			break
		}
		now.Disk.fs = killed
		_, err := killed.Size(checkpoint.Name)
		if now.Disk.Resume = err == nil; now.Disk.Resume {
			resumed++
		}
		r = mustSearch(t, g, now)
		sameSearch(t, want, r)
		require.NoError(t, r.Close())
	}
	require.Positive(t, resumed)
}

// A disk that is full, or that fails, ends the search with what it found, and the
// checkpoint before it is good.
func TestDiskFails(t *testing.T) {
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 7}
	opt := Options{Targets: 2, Exhaustive: true, Workers: 1}
	want := mustSearch(t, g, opt)
	for _, op := range []string{"create", "write", "read", "sync", "replace"} {
		failed, faster := 0, 100
		if *deep {
			faster = 1
		}
		for at := 1; at < 1000; at += faster*at + 1 {
			files := new(runfile.Memory)
			n := 0
			files.Fault = func(what, _ string) error {
				if what == op {
					n++
				}
				if what == op && n >= at {
					return syscall.ENOSPC
				}
				return nil
			}
			g, now := checkpointing(g, onDiskOf(opt, files, 200), 50)
			r := mustSearch(t, g, now)
			if r.Reason != DiskFailure {
				require.Equal(t, Complete, r.Reason)
				require.NoError(t, r.Close())
				continue
			}
			failed++
			require.ErrorIs(t, r.DiskError, syscall.ENOSPC)
			require.ErrorContains(t, r.DiskError, "memory")
			require.NoError(t, r.Close())
			files.Fault = nil
			_, err := files.Size(checkpoint.Name)
			now.Disk.Resume = err == nil
			r = mustSearch(t, g, now)
			sameSearch(t, want, r)
			require.NoError(t, r.Close())
		}
		require.Positive(t, failed, op)
	}
}

// checkpointed returns the files of a search that was interrupted.
func checkpointed(t *testing.T, g thicket, opt Options) *runfile.Memory {
	files := new(runfile.Memory)
	r := interrupted(t, g, onDiskOf(opt, files, 200), 700)
	require.Equal(t, Cancelled, r.Reason)
	require.NoError(t, r.Close())
	return files
}

// A byte that is wrong in any of the files is noticed, and the file is named.
func TestDamagedCheckpoint(t *testing.T) {
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 9}
	opt := Options{Targets: 2, Exhaustive: true}
	files := checkpointed(t, g, opt)
	names, err := files.Names()
	require.NoError(t, err)
	require.Greater(t, len(names), 4)
	for _, name := range names {
		for _, part := range []int{0, 3, 7, 9} {
			if part == 3 && !*deep {
				continue
			}
			damaged := files.Clone()
			data := damaged.Data(name)
			at := min(len(data)*part/9, len(data)-1)
			if data[at] == '\n' || data[at] == ' ' {
				at--
			}
			data[at] ^= 4
			_, err := Search(context.Background(), g, resuming(opt, damaged))
			require.ErrorContains(t, err, name, "byte %d", at)
		}
		damaged := files.Clone()
		damaged.Truncate(name, len(damaged.Data(name))-1)
		_, err := Search(context.Background(), g, resuming(opt, damaged))
		if name != checkpoint.Name { // which ends with a line feed that means nothing
			require.ErrorContains(t, err, name)
		}
		require.NoError(t, damaged.Remove(name))
		_, err = Search(context.Background(), g, resuming(opt, damaged))
		require.ErrorContains(t, err, name)
	}
}

func resuming(opt Options, files *runfile.Memory) Options {
	opt = onDiskOf(opt, files, 200)
	opt.Disk.Resume = true
	return opt
}

func TestForeignCheckpoint(t *testing.T) {
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 9}
	opt := Options{Targets: 2, Exhaustive: true}
	files := checkpointed(t, g, opt)
	for _, test := range []struct {
		name   string
		change func(o *Options)
		want   string
	}{
		{"another identity", func(o *Options) { o.Disk.Identity = "other" }, `of "test", and not of "other"`},
		{"other targets", func(o *Options) { o.Targets = 3 }, "with 2 targets, and not with 3"},
		{"another depth", func(o *Options) { o.MaxDepth = 7 }, "and not to 7"},
		{"not resumed", func(o *Options) { o.Disk.Resume = false }, "which Resume goes on from"},
		{"none there", func(o *Options) { o.Disk.fs = new(runfile.Memory) }, "there is no checkpoint"},
		{"version", func(o *Options) {
			c := files.Clone()
			s := strings.Replace(string(c.Data(checkpoint.Name)), `"version": 1`, `"version": 9`, 1)
			require.NoError(t, c.Replace(checkpoint.Name, []byte(s)))
			o.Disk.fs = c
		}, "of version 9; this program reads"},
		{"depth first", func(o *Options) { o.Order = DepthFirst }, "depth-first search takes memory alone"},
		{"exact", func(o *Options) { o.Exact = true }, "Exact keeps whole states in memory"},
		{"graph", func(o *Options) { o.Graph = true }, "Graph is kept in memory"},
		{"interval", func(o *Options) { o.Disk.Every = -1 }, "a checkpoint every -1ns"},
		{"no directory", func(o *Options) { o.Disk.Dir = "" }, "without Disk.Dir"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := resuming(opt, files.Clone())
			test.change(&o)
			_, err := Search(context.Background(), g, o)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// In a directory of the real file system: two searches at once, files of a search
// that was killed, a directory that cannot be.
func TestDiskDirectory(t *testing.T) {
	dir := t.TempDir()
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 9}
	opt := Options{Targets: 2, Exhaustive: true, Disk: Disk{Dir: dir, InMemory: 100}}
	r := interrupted(t, g, opt, 500)
	require.Equal(t, Cancelled, r.Reason)
	opt.Disk.Resume = true
	_, err := Search(context.Background(), g, opt)
	require.ErrorContains(t, err, "another search is using it")
	require.NoError(t, r.Close())
	r = mustSearch(t, g, opt)
	opt.Disk = Disk{}
	sameSearch(t, mustSearch(t, g, opt), r)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close(), "again")

	opt.Disk.Dir = dir + "/lock"
	_, err = Search(context.Background(), g, opt)
	require.Error(t, err)
}

// The limit of memory is where the table goes to the disk.
func TestSpillsAtItsLimitOfMemory(t *testing.T) {
	files := new(runfile.Memory)
	opt := Options{MaxBytes: 3 << 20, inside: inside{memory: &plenty{}}, Workers: 2, Exhaustive: true}
	want := mustSearch(t, counter24{}, Options{MaxBytes: 1 << 40, inside: inside{memory: &plenty{}}, MaxDepth: 19})
	opt.MaxDepth = 19
	r := mustSearch(t, counter24{}, onDiskOf(opt, files, 0))
	require.NoError(t, r.DiskError)
	require.Equal(t, want.Levels, r.Levels)
	require.Equal(t, want.Distinct, r.Distinct)
	require.Less(t, r.PeakBytes, int64(4<<20))
	require.Positive(t, r.DiskBytes)
	require.NoError(t, r.Close())
}

// A keeping is a system that counts the states that were expanded.
type keeping struct {
	thicket
	count *atomic.Int64
}

func (k keeping) Keep() ([]byte, error) {
	return []byte{byte(k.count.Load() >> 8), byte(k.count.Load())}, nil
}

func (k keeping) Recall(b []byte) error {
	if len(b) != 2 {
		return errors.New("two bytes are right")
	}
	k.count.Add(int64(b[0])<<8 | int64(b[1]))
	return nil
}

func TestKeeper(t *testing.T) {
	g := thicket{states: 1500, degree: 3, reach: 400, seed: 9}
	ctx, cancel := context.WithCancel(context.Background())
	first := keeping{g, new(atomic.Int64)}
	first.at = func(uint32) {
		if first.count.Add(1) == 1000 {
			cancel()
		}
	}
	files := new(runfile.Memory)
	opt := onDiskOf(Options{Targets: 2, Exhaustive: true}, files, 100)
	r, err := Search(ctx, first, opt)
	require.NoError(t, err)
	require.Equal(t, Cancelled, r.Reason)
	require.NoError(t, r.Close())

	second := keeping{g, new(atomic.Int64)}
	second.at = func(uint32) { second.count.Add(1) }
	opt.Disk.Resume = true
	_, err = Search(context.Background(), g, opt)
	require.ErrorContains(t, err, "this one gathers nothing")
	r = mustSearch(t, second, opt)
	require.Equal(t, Complete, r.Reason)
	require.EqualValues(t, r.Distinct, second.count.Load())
	require.NoError(t, r.Close())
}
