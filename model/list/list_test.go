package list_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/list"
	"bullyproof/model/setting"
)

// A list is what a slice is, and its bytes are those of any list with its elements.
func TestLikeSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l list.Of[uint8, [5]uint8]
		var want []uint8
		element := rapid.Uint8Range(0, 3)
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				if l.Full() {
					t.Skip()
				}
				i, e := rapid.IntRange(0, len(want)).Draw(t, "i"), element.Draw(t, "e")
				l.Insert(i, e)
				want = slices.Insert(want, i, e)
			},
			"append": func(t *rapid.T) {
				if l.Full() {
					t.Skip()
				}
				e := element.Draw(t, "e")
				l.Append(e)
				want = append(want, e)
			},
			"remove": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(want)-1).Draw(t, "i")
				assert.Equal(t, want[i], l.Remove(i))
				want = slices.Delete(want, i, i+1)
			},
			"set": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip()
				}
				i, e := rapid.IntRange(0, len(want)-1).Draw(t, "i"), element.Draw(t, "e")
				l.Set(i, e)
				want[i] = e
			},
			"truncate": func(t *rapid.T) {
				n := rapid.IntRange(-1, 6).Draw(t, "n")
				l.Truncate(n)
				want = want[:min(max(n, 0), len(want))]
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(want), l.Len())
				require.Equal(t, len(want) == 5, l.Full())
				for i, e := range l.All() {
					require.Equal(t, want[i], e)
					require.Equal(t, want[i], l.At(i))
				}
				require.Equal(t, list.From[[5]uint8](want...), l, "the bytes")
				for e := range uint8(4) {
					require.Equal(t, slices.Index(want, e), l.Index(e))
				}
				require.Equal(t, fmt.Sprint(want), l.String())
			},
		})
	})
}

func TestWhatNoListCanDo(t *testing.T) {
	l := list.From[[2]model.ID](model.ID(3))
	assert.PanicsWithValue(t, "there is no element 1 in the list [3] of 1; from 0 on there are as many as Len says", func() { l.At(1) })
	assert.PanicsWithValue(t, "there is no element -1 in the list [3] of 1; from 0 on there are as many as Len says", func() { l.Set(-1, 2) })
	assert.PanicsWithValue(t, "there is no element 1 in the list [3] of 1; from 0 on there are as many as Len says", func() { l.Remove(1) })
	l.Append(5)
	assert.PanicsWithValue(t, "there is no room for 4 in the list [3 5], which has its 2 elements; use a larger array", func() { l.Append(4) })
	assert.PanicsWithValue(t, "there is no room for 4 in the list [3 5], which has its 2 elements; use a larger array", func() { l.Insert(0, 4) })
	assert.Equal(t, list.From[[2]model.ID](model.ID(3), 5), l)
}

// A line is a protocol in which processes queue at P1, and lead in turn, each once.
type line struct {
	model.Passive[waiting, ask]
	room bool // that P1 forgets to look at
}

type waiting struct {
	Leads bool
	Line  list.Of[model.ID, [2]model.ID]
}

type ask struct{ Done bool }

func (ask) Kind() model.Kind { return 0 }

func (m ask) String() string {
	if m.Done {
		return "done"
	}
	return "ask"
}

func (*line) Names() model.Names { return model.Names{Kinds: []string{"ask"}} }

func (*line) Start(p *waiting, net *model.Net[ask]) {
	if net.Self() != 1 {
		net.SendTo(1, ask{})
	}
}

func (l *line) Receive(p *waiting, net *model.Net[ask], from model.Port, m ask) {
	switch {
	case net.Self() != 1:
		if p.Leads = !m.Done; p.Leads {
			net.Reply(ask{Done: true})
		}
	case m.Done:
		p.Line.Remove(p.Line.Index(from.ID()))
		if p.Line.Len() > 0 {
			net.SendTo(p.Line.At(0), ask{})
		}
	case l.room && p.Line.Full():
	default:
		if p.Line.Append(from.ID()); p.Line.Len() == 1 {
			net.Reply(ask{})
		}
	}
}

func (*line) Belief(p *waiting) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// A queue in a state is shown as what it is, and one that overflows is a misuse that
// names its elements, with the run that leads there.
func TestInStates(t *testing.T) {
	sys, err := model.New[waiting, ask](&line{}, setting.Must("n=3 initiators=all"))
	require.NoError(t, err)
	texts := map[string]bool{}
	seen := map[string]bool{}
	var visit func(state []byte)
	visit = func(state []byte) {
		if seen[string(state)] {
			return
		}
		seen[string(state)] = true
		for _, f := range sys.Snapshot(state).Processes[0].Fields {
			if f.Name == "Line" {
				texts[f.Value] = true
			}
		}
		for _, next := range sys.Transitions(state) {
			if next.Next != nil {
				visit(next.Next)
			}
		}
	}
	sys.Initial(func(state []byte) bool { visit(slices.Clone(state)); return true })
	for _, want := range []string{"[]", "[2]", "[3]", "[2 3]", "[3 2]"} {
		assert.Contains(t, texts, want)
	}

	full, err := model.New[waiting, ask](&line{}, setting.Must("n=4 initiators=all"))
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), full, checker.Options{Properties: []*checker.Property{checker.Uniqueness}})
	require.NoError(t, err)
	misuse := r.Finding(checker.Misuse.Name)
	assert.Equal(t, checker.Violated, misuse.Verdict)
	assert.Contains(t, misuse.Explanation, "there is no room for")
	checker.TestProtocol[waiting, ask](t, &line{room: true}, "n=4 initiators=all")
}

// Arrivals is a protocol in which ids decide nothing: whoever is heard of first is elected.
type arrivals struct{ model.Passive[waiting, ask] }

func (arrivals) Names() model.Names { return model.Names{Kinds: []string{"ask"}} }

func (arrivals) Symmetric(setting.Setting) bool { return true }

func (arrivals) Start(p *waiting, net *model.Net[ask]) { net.Broadcast(ask{}) }

func (arrivals) Receive(p *waiting, _ *model.Net[ask], from model.Port, _ ask) {
	if !p.Line.Full() {
		p.Line.Append(from.ID())
	}
}

func (arrivals) Belief(p *waiting) model.Belief {
	if p.Line.Len() == 0 {
		return model.Belief{}
	}
	return model.Belief{Elected: p.Line.At(0)}
}

// Where processes change places, so do their ids in lists, and not those elements that are
// no ids or are not there.
func TestIdsInListsAreRenamed(t *testing.T) {
	sys, err := model.New[waiting, ask](arrivals{}, setting.Must("n=4 initiators=all timing=lockstep"))
	require.NoError(t, err)
	states := 0
	for states < 300 {
		w := sys.Walker()
		rng := rand.New(rand.NewPCG(uint64(states), 1))
		require.NoError(t, w.Begin(model.Random(rng)))
		for w.Owing() > 0 {
			require.Nil(t, sys.Asymmetry(w.State()))
			states++
			w.Take(rng.IntN(w.Owing()), model.Random(rng))
		}
	}
	plain, err := explore.Search(t.Context(), sys, explore.Options{})
	require.NoError(t, err)
	reduced, err := sys.Watched().Reduced(model.Reduction{Blind: true, Only: model.Permutations})
	require.NoError(t, err)
	orbits, err := explore.Search(t.Context(), reduced, explore.Options{})
	require.NoError(t, err)
	assert.Greater(t, plain.Distinct, 10*orbits.Distinct, "of the 24 permutations of four processes")
}

func ExampleOf() {
	var queue list.Of[model.ID, [3]model.ID]
	queue.Append(2)
	queue.Append(3)
	fmt.Println(queue)
	next := queue.Remove(0)
	fmt.Println(next, queue, queue.Full())
	// Output:
	// [2 3]
	// 2 [3] false
}
