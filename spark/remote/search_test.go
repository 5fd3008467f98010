package remote_test

import (
	"context"
	"encoding/binary"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/spark/internal/remotetest"
	"bullyproof/spark/remote"
)

// A grid is walked from its corner, one step to the right or up at a time.
type grid uint32

func (g grid) Initial(yield func([]byte) bool) { yield(make([]byte, 8)) }
func (g grid) NewExpander() explore.Expander   { return g }

func (g grid) Expand(state []byte, out *explore.Successors) {
	x, y := binary.BigEndian.Uint32(state), binary.BigEndian.Uint32(state[4:])
	for by, to := range [][2]uint32{{x + 1, y}, {x, y + 1}} {
		if to[0] < uint32(g) && to[1] < uint32(g) {
			out.End(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(out.Begin(), to[0]), to[1]), explore.Code(by))
		}
	}
	if x == uint32(g)-1 && y == x {
		out.Hit(0, 0)
	}
}

// inTasks has a level done by two workers that know the directory by its name alone.
type inTasks struct {
	subject cluster.Subject
	before  func(level int)
}

func (s inTasks) Parts(context.Context) (tasks, threads int, err error) { return 2, 2, nil }

func (s inTasks) Run(_ context.Context, level int, tasks []cluster.Task, _ func(int)) (answers []cluster.Answer, err error) {
	if s.before != nil {
		s.before(level)
	}
	for _, task := range tasks {
		w := cluster.NewWorker(s.subject)
		a, err := w.Do(task)
		w.Close()
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

func subjectOf(g grid) cluster.Subject {
	return cluster.Subject{Targets: 1, Open: remote.Open, New: func() (explore.System, error) { return g, nil }}
}

// searchIn searches a grid with its files in a directory.
func searchIn(t *testing.T, g grid, dir string, resume bool, before func(level int)) (*explore.Result, error) {
	t.Helper()
	subject := subjectOf(g)
	return cluster.Search(t.Context(), g, explore.Options{Targets: 1, Exhaustive: true}, cluster.Options{
		Dir: dir, Small: -1, Resume: resume, Subject: subject, Scheduler: inTasks{subject, before},
	})
}

// A search with its files elsewhere finds what one in memory does, also if it is
// interrupted and goes on, and leaves nothing there.
func TestSearch(t *testing.T) {
	const g = grid(12)
	want, err := explore.Search(t.Context(), g, explore.Options{Targets: 1, Exhaustive: true})
	require.NoError(t, err)
	path, err := want.Path(0)
	require.NoError(t, err)
	for kind, dir := range places(t) {
		t.Run(kind, func(t *testing.T) {
			_, err := searchIn(t, g, dir, true, nil)
			assert.EqualError(t, err, "directory "+dir+": there is no checkpoint to resume")
			open(t, dir)
			ctx, cancel := context.WithCancel(t.Context())
			subject := subjectOf(g)
			r, err := cluster.Search(ctx, g, explore.Options{Targets: 1, Exhaustive: true}, cluster.Options{
				Dir: dir, Small: -1, Subject: subject, Scheduler: inTasks{subject, func(level int) {
					if level == 9 {
						cancel()
					}
				}},
			})
			require.NoError(t, err)
			assert.Equal(t, explore.Cancelled, r.Reason)
			require.NoError(t, r.Close())
			_, err = searchIn(t, g, dir, false, nil)
			assert.ErrorContains(t, err, "there is a checkpoint (level-0000")
			got, err := searchIn(t, g, dir, true, nil)
			require.NoError(t, err)
			assert.Equal(t, want.Levels, got.Levels)
			found, err := got.Path(0)
			require.NoError(t, err)
			assert.Equal(t, path, found)
			require.NoError(t, got.Close())
			assert.Empty(t, filesIn(t, dir))
		})
	}
}

// filesIn names the files of searches in a directory.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	d, err := remote.Open(dir)
	require.NoError(t, err)
	names, err := d.Names()
	require.NoError(t, err)
	return slices.DeleteFunc(names, func(name string) bool { return name == "lock" })
}

// A file that is damaged ends the search with its name.
func TestDamagedFile(t *testing.T) {
	for kind, dir := range places(t) {
		t.Run(kind, func(t *testing.T) {
			d := open(t, dir)
			_, err := searchIn(t, 12, dir, false, func(level int) {
				for _, name := range filesIn(t, dir) {
					if level == 9 && strings.HasPrefix(name, "states-") {
						write(t, d, name, make([]byte, 100), 100)
					}
				}
			})
			assert.Regexp(t, "states-[-0-9a-f]*.log is damaged: .*; all levels before level 9 are in "+dir, err)
		})
	}
}

// Of two searches in one directory one ends with an error, where nothing locks it.
func TestTwoSearchesInOneDirectory(t *testing.T) {
	store := remotetest.S3(t)
	const dir = "s3://" + remotetest.Bucket + "/found"
	_, err := searchIn(t, 12, dir, false, func(level int) {
		if level == 5 {
			d, err := remote.Open(dir)
			require.NoError(t, err)
			require.NoError(t, d.Commit("level-000006.json", []byte("of the other one")))
		}
	})
	assert.EqualError(t, err, "directory "+dir+": another search is using it: level 6 is there; all levels before level 5 are in "+dir+" (Resume, --resume)")
	assert.NotEmpty(t, store.Keys())
}

// A bucket that is refused is said at the beginning.
func TestSearchRefused(t *testing.T) {
	store := remotetest.S3(t)
	store.Before = func(*http.Request) int { return http.StatusForbidden }
	_, err := searchIn(t, 12, "s3://"+remotetest.Bucket+"/found", false, nil)
	assert.ErrorContains(t, err, "directory s3://bucket/found cannot be made: Access Denied.")
	assert.Empty(t, store.Keys())
}

// An error that passes does not end a search: each sort of error, in each phase, once and
// several times in a row, of each sort of request, and the result is that of a search in
// which all went well.
func TestSearchMeetsErrorsThatPass(t *testing.T) {
	const g = grid(6)
	want, err := explore.Search(t.Context(), g, explore.Options{Targets: 1, Exhaustive: true})
	require.NoError(t, err)
	looked, met := 0, 0
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead, http.MethodDelete} {
		for _, fault := range []struct {
			name   string
			status int
			loss   remotetest.Loss
		}{
			{"denied", http.StatusForbidden, 0}, {"busy", http.StatusServiceUnavailable, 0}, {"broken", http.StatusInternalServerError, 0},
			{"cut off", 0, remotetest.CutOff}, {"unheard", 0, remotetest.Unheard},
		} {
			for _, from := range []int{0, 4} { // levels
				store := remotetest.S3(t)
				level, left := -1, 1
				hits := func(r *http.Request) bool {
					if level < from || r.Method != method || left == 0 {
						return false
					}
					left--
					met++
					return true
				}
				if fault.status != 0 {
					store.Before = func(r *http.Request) int {
						if hits(r) {
							return fault.status
						}
						return 0
					}
				} else {
					store.After = func(r *http.Request) remotetest.Loss {
						if hits(r) {
							return fault.loss
						}
						return remotetest.Arrives
					}
				}
				dir := "s3://" + remotetest.Bucket + "/found"
				got, err := searchIn(t, g, dir, false, func(l int) { store.Do(func() { level = l }) })
				looked++
				if !assert.NoError(t, err, "%s is %s from level %d on", method, fault.name, from) {
					continue
				}
				assert.Equal(t, want.Levels, got.Levels)
				require.NoError(t, got.Close())
			}
		}
	}
	t.Logf("%d searches, %d of which met an error", looked, met)
	assert.Greater(t, met, looked/2)
}

// An error that does not pass is told after a few tries.
func TestSearchGivesUp(t *testing.T) {
	for _, fault := range []remotetest.Loss{remotetest.CutOff, remotetest.Unheard} {
		store := remotetest.S3(t)
		asked, level := 0, -1
		store.After = func(r *http.Request) remotetest.Loss {
			if level < 2 || r.Method != http.MethodGet {
				return remotetest.Arrives
			}
			asked++
			return fault
		}
		_, err := searchIn(t, 6, "s3://"+remotetest.Bucket+"/found", false, func(l int) { store.Do(func() { level = l }) })
		assert.ErrorContains(t, err, "s3://bucket/found")
		assert.Greater(t, asked, 3)
		assert.Less(t, asked, 200)
	}
}
