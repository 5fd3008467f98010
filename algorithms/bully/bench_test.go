package bully_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The settings of the benchmarks: four processes whose coordinator has crashed,
// with timers that expire at any moment, six of them too early (2.1 million
// states), and under synchronous timing with the coordinator's return.
var benchmarks = []string{
	"n=4 start=coordinator-down timing=async:6",
	"n=4 start=coordinator-down timing=sync:1 restarts=1 detectors=2,3",
}

func benchSystem(tb testing.TB, text string) *model.System {
	in, err := setting.Parse(text)
	require.NoError(tb, err)
	sys, err := model.New(bully.Coulouris, in)
	require.NoError(tb, err)
	return sys
}

// BenchmarkSearch searches whole systems, breadth first.
func BenchmarkSearch(b *testing.B) {
	for _, text := range benchmarks {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", text, workers), func(b *testing.B) {
				sys := benchSystem(b, text)
				var distinct, generated uint64
				var bytes int64
				for b.Loop() {
					runtime.GC()
					r, err := explore.Search(context.Background(), sys, explore.Options{Workers: workers})
					require.NoError(b, err)
					distinct, generated, bytes = distinct+r.Distinct, generated+r.Generated, r.PeakBytes
				}
				b.ReportMetric(float64(distinct)/b.Elapsed().Seconds(), "states/s")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(generated), "ns/transition")
				b.ReportMetric(float64(bytes)*float64(b.N)/float64(distinct), "B/state")
			})
		}
	}
}

// someStates returns the states that a plain search meets from the 1,000th on.
func someStates(sys *model.System, count int) [][]byte {
	var states [][]byte
	seen := map[string]bool{}
	meet := func(state []byte) bool {
		if !seen[string(state)] {
			seen[string(state)] = true
			states = append(states, append([]byte(nil), state...))
		}
		return true
	}
	sys.Initial(meet)
	e := sys.NewExpander()
	var out explore.Successors
	for i := 0; i < len(states) && len(states) < 1000+count; i++ {
		out.Reset()
		e.Expand(states[i], &out)
		for j := range out.Len() {
			meet(out.State(j))
		}
	}
	return states[min(1000, len(states)/2):]
}

// BenchmarkExpand computes transitions, without a visited set.
func BenchmarkExpand(b *testing.B) {
	for _, text := range benchmarks {
		b.Run(text, func(b *testing.B) {
			sys := benchSystem(b, text)
			states, e := someStates(sys, 2000), sys.NewExpander()
			var out explore.Successors
			transitions := 0
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range states {
					out.Reset()
					e.Expand(s, &out)
					transitions += out.Len()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(transitions), "ns/transition")
		})
	}
}

// A search allocates nothing for a transition once its buffers have grown.
func TestExpandAllocatesNothing(t *testing.T) {
	texts := append([]string{
		"n=3 start=settled timing=sync:2 crashes=2 restarts=1 mid-send=yes channels=fifo",
		"n=3 start=settled timing=last-resort crashes=1 restarts=1 losses=1 duplications=1 capacity=3 mail-old=lost",
		"n=3 start=settled timing=async:1 crashes=1 cuts=1 heals=1 suspicions=1 joins=1",
		"n=3 start=settled timing=sync:2 drift=20 pauses=1 cuts=1 cut-by=one-way heals=owed crashes=1 crashers=3 reports=always",
	}, benchmarks...)
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			answers := model.NewMonitor("answers", uint8(0), func(count *uint8, e *model.Event) {
				for _, m := range model.Sends[bully.M](e) {
					*count |= uint8(m.Type)
				}
			})
			sys, err := benchSystem(t, text).Monitored(answers)
			require.NoError(t, err)
			states := someStates(sys, 500)
			watched := sys.Watched(
				model.Watch{State: func(v *model.View) bool {
					coordinators := 0
					for _, m := range model.Mail[bully.M](v) {
						if m.Type == bully.Coordinator {
							coordinators++
						}
					}
					return v.Leaders.Len() > 1 && answers.Of(v) > 0 && coordinators > 0
				}},
				model.Watch{Step: func(e *model.Event) bool {
					m, ok := model.Received[bully.M](e)
					return ok && m.Type == bully.Coordinator && e.From.Leaders != e.To.Leaders && model.Stored[bully.P](e.To, 1).Elected == model.None
				}},
			)
			e := watched.NewExpander()
			var out explore.Successors
			expandAll := func() {
				for _, s := range states {
					out.Reset()
					e.Expand(s, &out)
				}
			}
			expandAll()
			require.Zero(t, testing.AllocsPerRun(3, expandAll))
		})
	}
}
