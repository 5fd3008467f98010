package simulate

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/lelann"
	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A witnessing walker keeps which states it was in.
type witnessing struct {
	model.Walker
	met map[string]bool
}

func (w *witnessing) Put(state []byte) {
	w.Walker.Put(state)
	w.met[string(w.State())] = true
}

func (w *witnessing) Take(i int, draw model.Draw) model.Taken {
	taken := w.Walker.Take(i, draw)
	if taken.Changed {
		w.met[string(w.State())] = true
	}
	return taken
}

// A place is where a schedule is: what it does next by default depends on both.
type place struct{ state, lowered string }

// A plain deviator finds all states on schedules with so many deviations, without
// bounds, and keeping everything.
type plain struct {
	*deviator
	fewest map[place]int
	states map[string]int
	next   []func() // what has one deviation more
}

// put puts the walker into a state, and has it list what is enabled.
func (p *plain) put(state []byte) {
	p.w.Put(state)
	p.w.Faults()
}

// add adds what lies on schedules from a place on.
func (p *plain) add(state []byte, lowered []uint32, level, most int) {
	at := place{string(state), fmt.Sprint(lowered)}
	if was, ok := p.fewest[at]; ok && was <= level {
		return
	}
	p.fewest[at] = level
	if was, ok := p.states[at.state]; !ok || level < was {
		p.states[at.state] = level
	}
	p.w.Put(state)
	p.rank(&spot{lowered: lowered})
	first := p.least()
	all := p.w.Owing() + p.w.Faults()
	usual := -1
	for len(p.ranks) > 0 && usual < 0 {
		i := p.least()
		if i < 0 {
			break
		}
		p.ranks[i] = never
		p.put(state)
		if p.try(i, nil).Changed {
			usual = i
			p.add(bytes.Clone(p.w.State()), lowered, level, most)
		}
	}
	if level == most {
		return
	}
	if first >= 0 {
		p.put(state)
		more := append(lowered[:len(lowered):len(lowered)], p.w.At(first).Strand)
		p.next = append(p.next, func() { p.add(state, more, level+1, most) })
	}
	for i := range all {
		for answers, again := []uint64(nil), true; again; {
			p.put(state)
			changed := p.try(i, answers).Changed
			var next []uint64
			next, again = after(p.answer, p.of)
			if changed && (i != usual || answers != nil) {
				to := bytes.Clone(p.w.State())
				p.next = append(p.next, func() { p.add(to, lowered, level+1, most) })
			}
			answers = next
		}
	}
}

// TestDeviationsAreAllMade compares what a deviator says is complete with all
// schedules, made without any of its bounds.
func TestDeviationsAreAllMade(t *testing.T) {
	tests := []struct {
		algorithm *ledger.Algorithm
		setting   string
		most      int
	}{
		{lelann.Algorithm, "n=3 topology=ring channels=fifo timing=patient", 3},
		{bully.Algorithm, "n=2 start=settled crashes=1 restarts=1 timing=sync:1", 4},
		{bully.Algorithm, "n=3 start=settled crashes=1 timing=sync:1 mid-send=yes", 2},
	}
	for _, tt := range tests {
		sys, err := tt.algorithm.Variants[0].New(setting.Must(tt.setting))
		require.NoError(t, err)
		for _, o := range []order{ascending, descending, late} {
			t.Run(fmt.Sprint(tt.algorithm.Name, " ", tt.setting, " ", o), func(t *testing.T) {
				s := &simulation{opt: Options{MaxSteps: 1000, Properties: []*checker.Property{checker.Validity}}}
				require.NoError(t, s.ask(sys))
				ref := &plain{deviator: s.newDeviator(o), fewest: map[place]int{}, states: map[string]int{}}
				d := s.newDeviator(o)
				w := &witnessing{d.w, map[string]bool{}}
				d.w = w
				for k := range tt.most + 1 {
					clear(ref.fewest)
					for _, r := range ref.starts {
						ref.add(r.start, nil, 0, k)
					}
					for len(ref.next) > 0 {
						now := ref.next
						ref.next = nil
						for _, add := range now {
							add()
						}
					}
					for d.complete() < k {
						require.True(t, d.advance(t.Context(), 1, 1<<40) || d.complete() >= k)
					}
					for state, level := range ref.states {
						require.True(t, w.met[state], "%d deviations are complete, and a state with %d was not met", k, level)
					}
				}
			})
		}
	}
}

// TestDeviatorsMeetAllStates has a deviator go on to the end of a small system, where
// it has met what the explorer does.
func TestDeviatorsMeetAllStates(t *testing.T) {
	thorough.Only(t)
	sys, err := lelann.Algorithm.Variants[0].New(setting.Must("n=3 topology=ring channels=fifo timing=patient"))
	require.NoError(t, err)
	all, err := explore.Search(t.Context(), sys, explore.Options{})
	require.NoError(t, err)
	for o := range shuffled + 1 {
		s := &simulation{opt: Options{MaxSteps: 1000, Properties: []*checker.Property{checker.Validity}}}
		require.NoError(t, s.ask(sys))
		d := s.newDeviator(o)
		w := &witnessing{d.w, map[string]bool{}}
		d.w = w
		d.advance(t.Context(), 400_000, 400_000)
		assert.EqualValues(t, all.Distinct, len(w.met))
		assert.LessOrEqual(t, d.steps, uint64(400_000))
	}
}
