package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore"
	"bullyproof/internal/test/anysetting"
	"bullyproof/model/internal/ran"
	"bullyproof/model/setting"
)

// An onlooker is how an expansion is looked on: what is asked of it, and all that
// it has told.
type onlooker struct {
	watched bool
	labels  *labels
	told    []string
}

// watches returns watches that write down what properties see of steps and states.
func watches[P any, M Message](o *onlooker) []Watch {
	if !o.watched {
		return nil
	}
	tell := func(v *View) {
		for id := ID(1); id <= v.N; id++ {
			o.told = append(o.told, fmt.Sprint(id, v.Elected(id), v.Epoch(id), v.Up.Has(id), v.Participants.Has(id), v.Leaders.Has(id)))
			if p := State[P](v, id); p != nil {
				o.told = append(o.told, fmt.Sprint(*p, Stored[P](v, id)))
			}
		}
	}
	return []Watch{
		{State: func(v *View) bool { tell(v); return v.Settled }},
		{Step: func(e *Event) bool {
			o.told = append(o.told, fmt.Sprint(e.Kind, e.Process, e.Port, e.Timer, e.Who, e.Crash, e.Ran(0), e.Ran(1), e.Action()))
			tell(e.To)
			if m, ok := Received[M](e); ok {
				o.told = append(o.told, m.String())
			}
			for link, m := range Sends[M](e) {
				o.told = append(o.told, fmt.Sprint(link, m))
			}
			return e.Process == 1
		}},
	}
}

// memoPair is an expander that keeps what handlers do and one that does not.
type memoPair[P any, M Message] struct {
	memo, plain         *expander
	byMemo, byPlain     onlooker
	memoOut, memoPlain  explore.Successors
	transitions, resets int
}

func newMemoPair[P any, M Message](w *world, watched, labelled bool) *memoPair[P, M] {
	c := &memoPair[P, M]{}
	make := func(o *onlooker) *expander {
		o.watched = watched
		if labelled {
			o.labels = &labels{byKey: map[string]uint32{}}
		}
		e, _ := w.expander(watches[P, M](o), o.labels)
		return e.(*expander)
	}
	c.memo, c.plain = make(&c.byMemo), make(&c.byPlain)
	c.plain.memo = memo{}
	return c
}

// expand compares what both make of a state.
func (c *memoPair[P, M]) expand(t require.TestingT, state []byte) {
	a, b := &c.memoOut, &c.memoPlain
	a.Reset()
	b.Reset()
	known := len(c.memo.memo.effects)
	c.memo.Expand(state, a)
	c.plain.Expand(state, b)
	if len(c.memo.memo.effects) < known {
		c.resets++
	}
	require.Equal(t, b.Len(), a.Len(), "transitions")
	for i := range b.Len() {
		require.Equal(t, b.State(i), a.State(i), "transition %d", i)
		require.Equal(t, b.Code(i), a.Code(i), "transition %d", i)
	}
	require.Equal(t, b.Cuts(), a.Cuts())
	for target := range len(c.plain.asked.watches) + 1 {
		require.Equal(t, b.IsHit(target), a.IsHit(target), "target %d", target)
	}
	require.Equal(t, c.plain.now.owed, c.memo.now.owed)
	require.Equal(t, c.byPlain.told, c.byMemo.told)
	c.byPlain.told, c.byMemo.told = nil, nil
	c.transitions += b.Len()
}

// compareMemo compares expanders with a memo and without on the first states of a
// system, each of them several times, and returns how often what happened.
func compareMemo[P any, M Message](t *rapid.T, protocol Protocol[P, M], s setting.Setting) (hits, resets int) {
	sys, err := New(protocol, s)
	if err != nil {
		return 0, 0
	}
	if rapid.Bool().Draw(t, "monitored") {
		sys, err = sys.Monitored(NewMonitor("sends", uint8(0), func(n *uint8, e *Event) {
			for range Sends[M](e) {
				*n = min(*n+1, 3)
			}
		}))
		require.NoError(t, err)
	}
	c := newMemoPair[P, M](sys.impl, rapid.Bool().Draw(t, "watched"), rapid.Bool().Draw(t, "labelled"))
	if !c.memo.memo.on {
		return 0, 0
	}
	m := &c.memo.memo
	most := rapid.SampledFrom([]int{3, 10, 1000}).Draw(t, "most")
	m.states.Most, m.events.Most, m.most, m.restFor = most, most, 4*most, rapid.SampledFrom([]int{0, 20}).Draw(t, "rest")
	states := FirstStates(sys, 60)
	for range 3 {
		for _, state := range states {
			c.expand(t, state)
		}
		slices.Reverse(states)
	}
	assert.LessOrEqual(t, len(m.effects), m.most)
	assert.LessOrEqual(t, m.states.Len(), most)
	assert.LessOrEqual(t, m.events.Len(), most)
	require.Equal(t, counted(c.plain.cover), counted(c.memo.cover), "coverage")
	if c.byPlain.labels != nil {
		require.Equal(t, c.byPlain.labels.list, c.byMemo.labels.list)
	}
	return c.hits(), c.resets
}

// counted returns all that has been counted.
func counted(c *coverage) ran.Counts {
	w := Watched{covers: []*coverage{c}}
	return w.ran()
}

func (c *memoPair[P, M]) hits() int { return c.memo.memo.index.Hits }

// FirstStates returns the first so many states of a system, breadth first.
func FirstStates(sys *System, count int) [][]byte {
	var states [][]byte
	seen := map[string]bool{}
	meet := func(state []byte) bool {
		if !seen[string(state)] {
			seen[string(state)] = true
			states = append(states, slices.Clone(state))
		}
		return len(states) < count
	}
	sys.Initial(meet)
	e := sys.NewExpander()
	var out explore.Successors
	for i := 0; i < len(states) && len(states) < count; i++ {
		out.Reset()
		e.Expand(states[i], &out)
		for j := range out.Len() {
			meet(out.State(j))
		}
	}
	return states
}

// LeadsBack reports whether a transition changes nothing except what a request costs.
func LeadsBack(sys *System, state []byte, t Transition) bool {
	return len(t.Next) == len(state) && unchanged(&sys.impl.Layout, t.Action.Kind, t.Next, state)
}

func compareMemoRandom(t *rapid.T) (hits, resets int) {
	s := anysetting.Draw(t, rapid.IntRange(2, 3).Draw(t, "n"))
	if rapid.Bool().Draw(t, "kept") {
		s.MidSend, s.Capacity, s.Repaired, s.Cuts, s.Heals, s.HealsOwed, s.CutBy = false, 0, false, 0, 0, false, 0
	}
	switch rapid.IntRange(0, 3).Draw(t, "protocol") {
	case 0:
		y := drawToy[uint8](t, s)
		return compareMemo(t, &y, s)
	case 1:
		y := drawToy[uint32](t, s)
		return compareMemo(t, &toyBounded[uint32]{y}, s)
	case 2:
		y := drawToy[[12]uint8](t, s)
		return compareMemo(t, &toyOdd[[12]uint8]{y}, s)
	}
	y := drawToy[uint8](t, s)
	return compareMemo(t, &toyStable[uint8]{y}, s)
}

func TestMemoIsAsHandlers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareMemoRandom(t) })
}

// TestMemoComparisonSeesEverything shows that memos are asked, and emptied, in
// what TestMemoIsAsHandlers compares.
func TestMemoComparisonSeesEverything(t *testing.T) {
	hits, resets := 0, 0
	for seed := 0; seed < 300 && (hits < 1000 || resets < 20); seed++ {
		rapid.Custom(func(t *rapid.T) int {
			h, r := compareMemoRandom(t)
			hits, resets = hits+h, resets+r
			return 0
		}).Example(seed)
	}
	assert.GreaterOrEqual(t, hits, 1000)
	assert.GreaterOrEqual(t, resets, 20)
}

// An asker does another thing where its timer is set.
type (
	askState struct {
		Elected ID
		Way     uint8
	}
	askMessage struct{}
	asker      struct{ Passive[askState, askMessage] }
)

func (askMessage) Kind() Kind     { return 0 }
func (askMessage) String() string { return "M" }

func (asker) Start(p *askState, net *Net[askMessage]) { net.Broadcast(askMessage{}) }

func (asker) Receive(p *askState, net *Net[askMessage], _ Port, _ askMessage) {
	if net.IsSet(0) {
		p.Way++
		net.StopTimer(0)
		return
	}
	net.SetTimer(0, 2)
}

func (asker) Belief(p *askState) Belief { return Belief{Elected: p.Elected} }
func (asker) Names() Names              { return Names{Kinds: []string{"M"}, Timers: []TimerName{{Name: "t"}}} }

func TestMemoOfHandlersThatAsk(t *testing.T) {
	for _, text := range []string{"n=3 timing=sync:2", "n=3 timing=async", "n=3 timing=last-resort"} {
		s, err := setting.Parse(text + " start=cold initiators=all")
		require.NoError(t, err)
		sys, err := New[askState, askMessage](asker{}, s)
		require.NoError(t, err)
		c := newMemoPair[askState, askMessage](sys.impl, false, false)
		for _, state := range FirstStates(sys, 100) {
			c.expand(t, state)
		}
		require.Positive(t, c.transitions)
		for _, f := range c.memo.memo.effects {
			require.NotEqual(t, Delivers, f.Kind())
		}
	}
}

// A babbler answers with as many messages as a message says, to everybody: its
// states are so small that a word of the encoding has several of them.
type babbler struct {
	Passive[babblerState, babble]
}

type babblerState struct{ Heard uint8 }

type babble struct{ More uint8 }

func (babble) Kind() Kind       { return 0 }
func (b babble) String() string { return fmt.Sprint(b.More) }

func (babbler) Start(p *babblerState, net *Net[babble]) { net.Broadcast(babble{2}) }

func (babbler) Receive(p *babblerState, net *Net[babble], _ Port, m babble) {
	p.Heard = (p.Heard + 1) % 3
	for range m.More {
		net.Broadcast(babble{(m.More + p.Heard) / 2})
	}
}

func (babbler) Belief(p *babblerState) Belief { return Belief{Participant: p.Heard == 1} }
func (babbler) Names() Names                  { return Names{Kinds: []string{"BABBLE"}} }

func TestMemoOfSmallStates(t *testing.T) {
	for _, text := range []string{
		"n=3 timing=async", "n=3 timing=async channels=fifo", "n=3 timing=sync:2 crashes=1 restarts=1 detector=off",
		"n=3 timing=sync:2 channels=fifo", "n=3 timing=lockstep", "n=2 timing=async losses=1 duplications=1 joins=1",
	} {
		s, err := setting.Parse(text + " start=cold initiators=all:lazy")
		require.NoError(t, err)
		sys, err := New[babblerState, babble](babbler{}, s)
		require.NoError(t, err)
		c := newMemoPair[babblerState, babble](sys.impl, false, false)
		states := FirstStates(sys, 200)
		for range 2 {
			for _, state := range states {
				c.expand(t, state)
			}
			slices.Reverse(states)
		}
		require.Greater(t, c.hits(), c.transitions/2, text)
	}
}
