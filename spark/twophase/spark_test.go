//go:build linux

package twophase_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/spark"
	"bullyproof/spark/internal/sparktest"
)

var deep = flag.Bool("deep", false, "also search two-phase commit with eight managers on a cluster")

// TestMain makes this program one that executors run: "worker" does tasks.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	err := cluster.Serve(os.Stdin, os.Stdout, func(managers []byte) (cluster.Subject, error) {
		n, err := strconv.Atoi(string(managers))
		return subject(twophase.Packed(n)), err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func subject(sys twophase.Packed) cluster.Subject {
	return cluster.Subject{New: func() (explore.System, error) { return sys, nil }}
}

// A timed is Spark, with the times at which the levels begin that it does.
type timed struct {
	*spark.Cluster
	begun map[int]time.Time
}

func (s *timed) Run(ctx context.Context, level int, tasks []cluster.Task, told func(int)) ([]cluster.Answer, error) {
	s.begun[level] = time.Now()
	return s.Cluster.Run(ctx, level, tasks, told)
}

// large returns how many states a second there are in levels of at least a million.
func (s *timed) large(levels []uint64) float64 {
	states, seconds := uint64(0), 0.0
	for level, n := range levels {
		if n >= 1e6 {
			states += n
			seconds += s.begun[level+1].Sub(s.begun[level]).Seconds()
		}
	}
	return float64(states) / seconds
}

// onSpark searches with so many managers on Spark, which is there already.
func onSpark(t testing.TB, s *timed, managers, small int) *explore.Result {
	t.Helper()
	s.About([]byte(strconv.Itoa(managers)))
	_, _, err := s.Parts(t.Context())
	require.NoError(t, err)
	begin := time.Now()
	r, err := cluster.Search(t.Context(), twophase.Packed(managers), explore.Options{}, cluster.Options{
		Dir: filepath.Join(t.TempDir(), "files"), Scheduler: s, Small: small, Subject: subject(twophase.Packed(managers)),
	})
	require.NoError(t, err)
	took := time.Since(begin)
	t.Logf("%d managers: %d states in %v, %.0f a second, %.1f bytes written a state", managers, r.Distinct, took,
		float64(r.Distinct)/took.Seconds(), float64(r.DiskBytes)/float64(r.Distinct))
	return r
}

func newSpark(t testing.TB, master string) *timed {
	t.Helper()
	s, err := spark.New(spark.Options{Master: master, Program: os.Args[0], Name: "two-phase commit", Conf: []string{"spark.executor.memory=512m"}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return &timed{s, make(map[int]time.Time)}
}

// A system of package explore is searched by Spark, on this machine or on a cluster with
// a master and two workers, with the states, levels and paths of one machine.
func TestOnSpark(t *testing.T) {
	sparktest.Need(t)
	master := "local[2]"
	if *deep {
		master = sparktest.Standalone(t, 2)
	}
	s := newSpark(t, master)
	for managers, small := range map[int]int{8: 0, 5: -1} {
		if managers == 8 && !*deep {
			continue
		}
		want, err := explore.Search(t.Context(), twophase.Packed(managers), explore.Options{})
		require.NoError(t, err)
		got := onSpark(t, s, managers, small)
		assert.Equal(t, want.Levels, got.Levels)
		assert.Equal(t, want.Generated, got.Generated)
		assert.Equal(t, want.Expanded, got.Expanded)
		goal := twophase.Packed(managers).Committed()
		one, err := want.PathTo(goal)
		require.NoError(t, err)
		other, err := got.PathTo(goal)
		require.NoError(t, err)
		assert.Equal(t, one, other)
		require.NoError(t, got.Close())
	}
}

// The cost of a level with almost nothing to do, and of states where there are many: in
// all levels, and in those of at least a million.
func BenchmarkOnSpark(b *testing.B) {
	sparktest.Need(b)
	for _, master := range []string{"local[1]", "local[2]"} {
		b.Run(master, func(b *testing.B) {
			s := newSpark(b, master)
			onSpark(b, s, 3, -1) // what is made once is there from here on
			for b.Loop() {
				begin := time.Now()
				r := onSpark(b, s, 3, -1)
				b.ReportMetric(time.Since(begin).Seconds()*1000/float64(len(r.Levels)), "ms/level")
				begin = time.Now()
				r = onSpark(b, s, 9, 0)
				b.ReportMetric(float64(r.Distinct)/time.Since(begin).Seconds(), "states/s")
				b.ReportMetric(s.large(r.Levels), "large-states/s")
				require.NoError(b, r.Close())
			}
		})
	}
}
