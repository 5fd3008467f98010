//go:build linux

package twophase_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
	"bullyproof/explore/cluster"
)

// A here carries out the tasks of a level in this process, all at once.
type here struct {
	subject cluster.Subject
	tasks   int
	threads int
	workers []*cluster.Worker
}

func (h *here) Parts(context.Context) (tasks, threads int, err error) {
	for range h.tasks {
		h.workers = append(h.workers, cluster.NewWorker(h.subject))
	}
	return h.tasks, h.threads, nil
}

func (h *here) Run(_ context.Context, _ int, tasks []cluster.Task, _ func(int)) ([]cluster.Answer, error) {
	answers, errs := make([]cluster.Answer, len(tasks)), make([]error, len(tasks))
	var wg sync.WaitGroup
	for i := range tasks {
		wg.Go(func() { answers[i], errs[i] = h.workers[i].Do(tasks[i]) })
	}
	wg.Wait()
	return answers, errors.Join(errs...)
}

// The cost of a state in seconds of processor time, which other work on the
// machine changes less than the clock.
func BenchmarkTasks(b *testing.B) {
	const managers = 9
	spent := func(b *testing.B, search func() *explore.Result) {
		for b.Loop() {
			begin := processorTime(b)
			r := search()
			require.EqualValues(b, 10_340_352, r.Distinct)
			b.ReportMetric(float64(r.Distinct)/(processorTime(b)-begin), "states/s/core")
			b.ReportMetric(float64(r.DiskBytes)/float64(r.Distinct), "written-B/state")
			require.NoError(b, r.Close())
		}
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("memory, %d workers", workers), func(b *testing.B) {
			spent(b, func() *explore.Result {
				r, err := explore.Search(b.Context(), twophase.Packed(managers), explore.Options{Workers: workers})
				require.NoError(b, err)
				return r
			})
		})
	}
	b.Run("disk, 1 worker", func(b *testing.B) {
		spent(b, func() *explore.Result {
			r, err := explore.Search(b.Context(), twophase.Packed(managers), explore.Options{Workers: 1, MaxBytes: 64 << 20, Disk: explore.Disk{Dir: b.TempDir()}})
			require.NoError(b, err)
			return r
		})
	})
	for _, c := range [][2]int{{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {4, 1}} {
		b.Run(fmt.Sprintf("%d tasks, %d threads", c[0], c[1]), func(b *testing.B) {
			spent(b, func() *explore.Result {
				on := cluster.Options{Dir: filepath.Join(b.TempDir(), "files"), Subject: cluster.Subject{New: func() (explore.System, error) { return twophase.Packed(managers), nil }}}
				on.Scheduler = &here{subject: on.Subject, tasks: c[0], threads: c[1]}
				r, err := cluster.Search(b.Context(), twophase.Packed(managers), explore.Options{}, on)
				require.NoError(b, err)
				return r
			})
		})
	}
}

// processorTime returns how many seconds this process has used.
func processorTime(t testing.TB) float64 {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
