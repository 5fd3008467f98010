package linear

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/algorithms/kabashi"
	"bullyproof/explore"
	"bullyproof/model"
)

// explained is the plain reference: it tries all orders of the operations, those
// that have not returned with and without.
func explained(h *History) bool {
	left := slices.Clone(h.Operations)
	var try func(s state, left []Operation) bool
	try = func(s state, left []Operation) bool {
		first := int64(math.MaxInt64) // to return
		done := true
		for _, o := range left {
			if !o.Pending {
				done, first = false, min(first, o.Return)
			}
		}
		if done {
			return true
		}
		for i := range left {
			if left[i].Call > first {
				continue // somebody had returned before it began
			}
			if next, ok := h.Spec.step(s, &left[i]); ok && try(next, slices.Delete(slices.Clone(left), i, i+1)) {
				return true
			}
		}
		return false
	}
	return try(state{value: h.Initial}, left)
}

// historyOf draws a history of a specification.
func historyOf(t *rapid.T, s *Spec, most int) *History {
	h := &History{Spec: s}
	if s != Lock {
		h.Initial = rapid.Uint64Range(0, 2).Draw(t, "initial")
	}
	for range rapid.IntRange(0, most).Draw(t, "operations") {
		o := Operation{Client: rapid.IntRange(1, 3).Draw(t, "client"), Op: rapid.SampledFrom(s.ops).Draw(t, "op")}
		o.Call = rapid.Int64Range(0, 12).Draw(t, "call")
		if o.Pending = rapid.Bool().Draw(t, "pending") && rapid.Bool().Draw(t, "really"); !o.Pending {
			o.Return = o.Call + rapid.Int64Range(0, 6).Draw(t, "length")
		}
		switch o.Op {
		case Acquire:
			if o.OK = !o.Pending && rapid.Bool().Draw(t, "ok"); o.OK {
				o.Token = rapid.Uint64Range(0, 3).Draw(t, "token")
			}
		case Release:
			o.OK = !o.Pending
		default:
			o.OK, o.Value = !o.Pending, rapid.Uint64Range(0, 3).Draw(t, "value")
		}
		h.Operations = append(h.Operations, o)
	}
	return h
}

// Porcupine decides as all orders do.
func TestDecideIsTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := historyOf(t, rapid.SampledFrom(specs).Draw(t, "spec"), 6)
		v, err := Decide(h, 0)
		require.NoError(t, err)
		assert.Equal(t, explained(h), v == Linearizable)
		assert.NotEqual(t, Undecided, v)
	})
}

// Answers that take longer are explained by all that explains quick ones, and by
// more: this is why a World asks and answers in one step.
func TestLongerOperationsAreExplainedAsWell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := historyOf(t, rapid.SampledFrom(specs).Draw(t, "spec"), 6)
		if h.decide(0) != Linearizable {
			return
		}
		for i := range h.Operations {
			o := &h.Operations[i]
			o.Return += rapid.Int64Range(0, 4).Draw(t, "later")
			o.Call -= min(o.Call, rapid.Int64Range(0, 4).Draw(t, "earlier"))
		}
		assert.Equal(t, Linearizable, h.decide(0))
	})
}

// A history that porcupine accepts, it accepts to the end of each of its answers.
func TestPrefixesOfLinearizableHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := historyOf(t, rapid.SampledFrom(specs).Draw(t, "spec"), 6)
		if h.decide(0) != Linearizable {
			return
		}
		now := rapid.Int64Range(0, 18).Draw(t, "now")
		cut := &History{Spec: h.Spec, Initial: h.Initial}
		for _, o := range h.Operations {
			if o.Call > now {
				continue
			}
			if !o.Pending && o.Return > now {
				o = Operation{Client: o.Client, Op: o.Op, Call: o.Call, Pending: true, Value: o.Value}
			}
			cut.Operations = append(cut.Operations, o)
		}
		assert.Equal(t, Linearizable, cut.decide(0))
	})
}

// small is a system for tests.
func small(t testing.TB) *model.System { return system(t, 1, 1) }

// faultless is the same without faults.
func faultless(t testing.TB) *model.System { return system(t, 0, 0) }

func system(t testing.TB, crashes, restarts int) *model.System {
	s := kabashi.Algorithm.Variants[0].Setting
	s.N, s.Crashes, s.Restarts = 3, crashes, restarts
	sys, err := kabashi.Algorithm.Variants[0].In(s)
	require.NoError(t, err)
	return sys
}

// workloads are those that differ in what a World does.
var workloads = []Workload{
	{Spec: Instant}, {Spec: Leader}, {Spec: Leader, Claims: true, Clients: 2, Operations: 2},
	{Spec: Register, Operations: 3}, {Spec: Register, Clients: 2, Fence: FenceWrites}, {Spec: Register, Operations: 3, Fence: FenceAll},
	{Spec: Lock, Operations: 2}, {Spec: Lock, Operations: 3, Fence: FenceWrites},
}

// retold returns the history of a path, told by the run of the system and by the
// steps of clients alone: with every election, and with all tokens as they were
// given out.
func retold(t require.TestingT, w *World, path []explore.PathStep) *History {
	h := &History{Spec: w.work.Spec}
	var leaders model.Set
	open := map[int]int{}
	session, highest := map[model.ID]uint64{}, uint64(0)
	add := func(i int, o Operation) int {
		o.Call = int64(2 * i)
		if o.Return = o.Call + 1; o.Pending {
			o.Return = 0
		}
		h.Operations = append(h.Operations, o)
		return len(h.Operations) - 1
	}
	for i, p := range path {
		inner, a := w.split(p.State)
		v := &model.View{}
		if !w.store {
			v = w.sys.View(inner)
		}
		s, ours := clientCode(p.Code)
		if i == 0 || !ours {
			if i == 0 {
				h.Initial = uint64(a.initial)
			}
			if w.work.Spec == Leader && (i > 0 || a.initial == 0) {
				for id := range (v.Leaders &^ leaders).All() {
					add(i, Operation{Op: Elect, Value: uint64(id), Pending: true})
				}
			}
			leaders = v.Leaders
			continue
		}
		client := s.client + 1
		switch s.move {
		case told:
			if w.work.Spec == Instant {
				now := uint64(0)
				if v.Leaders.Len() == 1 {
					now = uint64(v.Leaders.Min())
				}
				h.Operations = append(h.Operations, Operation{Op: Reign, Value: now, Call: int64(2*i) - 1, Return: int64(2*i) - 1})
			}
			add(i, Operation{Client: client, Op: Ask, Value: uint64(v.Elected(s.via)), OK: true})
		case takeOver:
			if w.work.Fence != NoFence {
				highest++
				session[s.via] = highest
			}
		case wasRead:
			add(i, Operation{Client: client, Op: Read, Value: uint64(s.extra), OK: true})
		case taken:
			add(i, Operation{Client: client, Op: Acquire})
		case sent:
			o := Operation{Client: client, Op: Op(s.extra), Pending: true}
			if o.Op == Write {
				o.Value = uint64(a.pending[s.client].value)
			}
			open[client] = add(i, o)
		case done:
			o := &h.Operations[open[client]]
			o.Pending, o.OK, o.Return = false, true, int64(2*i)
			if o.Op == Acquire {
				o.Token = session[s.via]
			}
		case fenced:
			h.Operations[open[client]] = Operation{Client: client, Op: Read, Pending: true}
			if w.work.Spec == Lock {
				h.Operations[open[client]] = Operation{Client: client + 10, Op: Release, Pending: true}
			}
		}
	}
	return h
}

// The part of a history that a World keeps decides as the whole does, on random runs.
func TestHistoriesAreWhatHappened(t *testing.T) {
	sys := small(t)
	runs := 600
	if testing.Short() {
		runs = 200
	}
	for _, work := range workloads {
		t.Run(strings.ReplaceAll(work.Usual().String(), " ", ""), func(t *testing.T) {
			w, err := New(sys, work)
			require.NoError(t, err)
			seen := map[Verdict]int{}
			random := randomPaths(w, 1)
			for range runs {
				path := random()
				_, last := w.split(path[len(path)-1].State)
				want := retold(t, w, path)
				require.NoError(t, want.Validate())
				got := last.history(work.Spec).decide(0)
				require.Equal(t, want.decide(0), got)
				seen[got]++
			}
			assert.NotZero(t, seen[Linearizable])
			fences := work.Fence == FenceAll || work.Spec == Lock && work.Fence == FenceWrites
			switch {
			case fences:
				assert.Zero(t, seen[NotLinearizable])
			case work.Spec != Register && !testing.Short(): // a register breaks on few runs
				assert.NotZero(t, seen[NotLinearizable])
			}
		})
	}
}

// randomPaths returns what makes runs of a World, in which clients have a step of
// four where they have one.
func randomPaths(w *World, seed uint64) func() []explore.PathStep {
	var initial [][]byte
	w.Initial(func(s []byte) bool { initial = append(initial, slices.Clone(s)); return true })
	x := w.NewExpander()
	rng := rand.New(rand.NewPCG(seed, 0))
	return func() []explore.PathStep { return randomPath(x, initial[rng.IntN(len(initial))], rng) }
}

func randomPath(x explore.Expander, initial []byte, rng *rand.Rand) []explore.PathStep {
	path := []explore.PathStep{{State: initial}}
	var out explore.Successors
	for range rng.IntN(40) {
		out.Reset()
		x.Expand(path[len(path)-1].State, &out)
		ours := 0 // the first step of clients
		for ours < out.Len() && out.Code(ours)>>56 != clientStep {
			ours++
		}
		i := 0
		switch left := out.Len() - ours; {
		case out.Len() == 0:
			return path
		case left > 0 && (ours == 0 || rng.IntN(4) == 0):
			i = ours + rng.IntN(left)
		case ours == 0:
			return path
		default:
			i = rng.IntN(ours)
		}
		path = append(path, explore.PathStep{Code: out.Code(i), State: slices.Clone(out.State(i))})
	}
	return path
}

// The encoding of an area is one to one.
func TestAreasAreEncoded(t *testing.T) {
	sys := small(t)
	for _, work := range workloads {
		w, err := New(sys, work)
		require.NoError(t, err)
		random := randomPaths(w, 2)
		for range 100 {
			path := random()
			last := path[len(path)-1].State
			inner, a := w.split(last)
			assert.Equal(t, last, w.appendTo(slices.Clone(inner), a))
		}
	}
}

// Histories in JSON come back, and nothing else does.
func TestHistoryJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := historyOf(t, rapid.SampledFrom(specs).Draw(t, "spec"), 8)
		data, err := json.Marshal(h)
		require.NoError(t, err)
		back, err := ReadHistory(strings.NewReader(string(data)))
		require.NoError(t, err, "%s", data)
		assert.Equal(t, h, back)
	})
}

func FuzzReadHistory(f *testing.F) {
	f.Add(`{"spec":"register","operations":[{"client":1,"op":"write","value":3,"call":10,"return":25}]}`)
	f.Add(`{"spec":"lock","operations":[{"client":1,"op":"acquire","ok":true,"token":1,"call":1,"return":2},{"op":"release","call":3}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ReadHistory(strings.NewReader(text))
		if err != nil {
			return
		}
		data, err := json.Marshal(h)
		require.NoError(t, err)
		again, err := ReadHistory(strings.NewReader(string(data)))
		require.NoError(t, err)
		assert.Equal(t, len(h.Operations), len(again.Operations))
	})
}

// The search through a World finds what is there at the depth where it is: no run
// that is shorter breaks the specification, by a walk through all runs that merges
// none.
func TestShortestRun(t *testing.T) {
	sys := small(t)
	r, err := Check(context.Background(), sys, Workload{Spec: Instant}, Options{})
	require.NoError(t, err)
	require.Equal(t, NotLinearizable, r.Verdict)
	w, err := New(sys, r.Workload)
	require.NoError(t, err)
	x := w.NewExpander()
	var shortest func(path []explore.PathStep, most int) bool
	shortest = func(path []explore.PathStep, most int) bool {
		if !explained(retold(t, w, path)) {
			return true
		}
		if most == 0 {
			return false
		}
		var out explore.Successors
		x.Expand(path[len(path)-1].State, &out)
		for i := range out.Len() {
			if shortest(append(slices.Clone(path), explore.PathStep{Code: out.Code(i), State: slices.Clone(out.State(i))}), most-1) {
				return true
			}
		}
		return false
	}
	w.Initial(func(s []byte) bool {
		path := []explore.PathStep{{State: slices.Clone(s)}}
		assert.False(t, shortest(path, r.Run.Steps-1))
		assert.True(t, shortest(path, r.Run.Steps))
		return true
	})
}
