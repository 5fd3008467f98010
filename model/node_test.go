package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// patient asks the higher processes and leads if none of them answers.
type patient struct {
	model.Passive[patientState, word]
}

type patientState struct{ Leader, Stored model.ID }

// A word is a message without contents: 0 asks, 1 answers.
type word uint8

func (w word) Kind() model.Kind { return model.Kind(w) }
func (w word) String() string   { return patient{}.Names().Kinds[w] }

func (patient) Names() model.Names {
	return model.Names{Kinds: []string{"ASK", "ANSWER"}, Timers: []model.TimerName{{Name: "patience"}}, Rules: []string{"asks", "leads"}}
}

func (patient) Start(_ *patientState, net *model.Net[word]) {
	net.Rule(0)
	net.SendAll(net.Higher(), 0)
	net.SetTimer(0, 2*net.Bound())
}

func (patient) Receive(p *patientState, net *model.Net[word], from model.Port, m word) {
	if m == 0 {
		net.Reply(1)
		return
	}
	net.StopTimer(0)
	p.Leader = from.ID()
}

func (patient) Timeout(p *patientState, net *model.Net[word], _ model.Timer) {
	net.Rule(1)
	p.Leader, p.Stored = net.Self(), net.Self()
}

func (patient) Suspect(_ *patientState, net *model.Net[word], who model.ID) {
	net.SendTo(net.Self(), 0)
}
func (patient) Stable(p *patientState)              { p.Leader = model.None }
func (patient) Belief(p *patientState) model.Belief { return model.Belief{Elected: p.Leader} }

// A handler is tested by itself: what it sends and which timers it sets.
func ExampleNewNode() {
	node, err := model.NewNode(patient{}, setting.Must("n=3 timing=sync:2"), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []func() error{
		func() error { return node.Init(model.Cold) },
		func() error { return node.Start() },
		func() error { return node.Expire(0) },
		func() error { return node.Receive(model.Peer(2), 0) },
	} {
		if err := step(); err != nil {
			fmt.Println(err)
		}
		for to, m := range node.Sends {
			fmt.Printf("sends %v to %v\n", m, to)
		}
		for timer, ticks := range node.Changes {
			fmt.Printf("sets timer %d to %d ticks\n", timer, ticks)
		}
	}
	fmt.Println("follows", node.Belief().Elected)
	// Output:
	// sends ASK to 2
	// sends ASK to 3
	// sets timer 0 to 4 ticks
	// sends ANSWER to 2
	// follows 1
}

func newPatient(t *testing.T) *model.Node[patientState, word] {
	t.Helper()
	node, err := model.NewNode(patient{}, setting.Must("n=3"), 2)
	require.NoError(t, err)
	return node
}

func TestNodeThroughACrash(t *testing.T) {
	node := newPatient(t)
	assert.False(t, node.Up())
	require.NoError(t, node.Init(model.Cold))
	require.NoError(t, node.Start())
	assert.Equal(t, []model.Rule{0}, slices.Collect(node.Rules))
	require.NoError(t, node.Expire(0))
	assert.Equal(t, model.Belief{Elected: 2}, node.Belief())
	require.NoError(t, node.Start())
	assert.Equal(t, 2, node.Ticks(0))
	node.Crash()
	assert.Equal(t, patientState{Stored: 2}, node.State)
	assert.Equal(t, model.Belief{}, node.Belief())
	assert.Zero(t, node.Ticks(0))
	for range node.Sends {
		t.Error("a process that crashed sends nothing")
	}
	require.NoError(t, node.Init(model.Restart))
	assert.Equal(t, model.Belief{}, node.Belief())
}

// Handlers that are not of the protocol, with a Net nevertheless.
func TestNodeDo(t *testing.T) {
	node := newPatient(t)
	require.NoError(t, node.Init(model.Cold))
	node.Choose = func(k int) int { return k - 1 }
	require.NoError(t, node.Do(func(p *patientState, net *model.Net[word]) {
		assert.False(t, net.IsSet(0))
		net.SetTimer(0, 7)
		assert.True(t, net.IsSet(0))
		p.Leader = model.ID(net.Choose(3))
	}))
	assert.Equal(t, 7, node.Ticks(0))
	assert.Equal(t, model.ID(2), node.State.Leader)
	require.NoError(t, node.Do(func(_ *patientState, net *model.Net[word]) {
		assert.True(t, net.IsSet(0))
		net.StopTimer(0)
		assert.False(t, net.IsSet(0))
	}))
	assert.Zero(t, node.Ticks(0))
}

func TestNodeErrors(t *testing.T) {
	up := func(act func(node *model.Node[patientState, word]) error) error {
		node := newPatient(t)
		require.NoError(t, node.Init(model.Cold))
		return act(node)
	}
	ring, err := model.NewNode(patient{}, setting.Must("n=3 topology=ring"), 1)
	require.NoError(t, err)
	require.NoError(t, ring.Init(model.Cold))
	for _, c := range []struct {
		err  error
		want string
	}{
		{newPatient(t).Start(), "process 2 is not up: Init brings it up"},
		{up(func(d *model.Node[patientState, word]) error { return d.Init(model.Restart) }), "Init(restart): process 2 is up"},
		{up(func(d *model.Node[patientState, word]) error { return d.Expire(0) }), "Expire(0): the timer is not set"},
		{up(func(d *model.Node[patientState, word]) error { return d.Expire(9) }), "Expire(9): the timer is not set"},
		{up(func(d *model.Node[patientState, word]) error { return d.Suspect(4) }), "Suspect(4): the others are {1,3}"},
		{up(func(d *model.Node[patientState, word]) error { return d.Suspect(2) }), "Suspect(2): the others are {1,3}"},
		{up(func(d *model.Node[patientState, word]) error { return d.Receive(model.Peer(2), 0) }), "Receive by port 2: the others are {1,3}"},
		{up(func(d *model.Node[patientState, word]) error { return d.Receive(model.Next, 0) }), "Receive by port next: the others are {1,3}"},
		{ring.Receive(model.Next, 0), "come in by prev"},
		{up(func(d *model.Node[patientState, word]) error { return d.Suspect(1) }), "send to 2: a process has no channel to itself"},
		{up(func(d *model.Node[patientState, word]) error {
			d.Choose = func(k int) int { return k }
			return d.Do(func(_ *patientState, net *model.Net[word]) { net.Choose(2) })
		}), "Choose(2): the choice is 2; 0 to 1 are right"},
		{up(func(d *model.Node[patientState, word]) error {
			return d.Do(func(_ *patientState, net *model.Net[word]) { net.IsSet(1) })
		}), "timer 1: the protocol names 1 timers"},
	} {
		assert.ErrorContains(t, c.err, c.want)
	}
	for self, want := range map[model.ID]string{0: "process ⊥: the processes are 1 to 3", 4: "process 4: the processes are 1 to 3"} {
		_, err := model.NewNode(patient{}, setting.Must("n=3"), self)
		assert.EqualError(t, err, want)
	}
}

// A picker picks a number by a name and another without, and then tells everybody.
type picker struct {
	model.Passive[patientState, word]
}

func (picker) Receive(*patientState, *model.Net[word], model.Port, word) {}
func (picker) Belief(*patientState) model.Belief                         { return model.Belief{} }

func (picker) Names() model.Names {
	names := patient{}.Names()
	names.Choices = []model.ChoiceName{{Name: "pace", Outcomes: []string{"slow", "fast"}}}
	return names
}

func (picker) Start(p *patientState, net *model.Net[word]) {
	p.Leader = model.ID(net.Pick(0) + net.Choose(3))
	if net.IsSet(0) {
		net.SendTo(2, 0)
	}
	net.Broadcast(1)
	net.Broadcast(1)
}

// A process can be put into the middle of a run. It then returns the choices of
// a handler, and says which sends are one broadcast.
func TestNodeInTheMiddle(t *testing.T) {
	node, err := model.NewNode(picker{}, setting.Must("n=3"), 1)
	require.NoError(t, err)
	node.Choose = func(k int) int { return k - 1 }
	node.Be(patientState{Stored: 2}, 0)
	require.NoError(t, node.Start())
	assert.Equal(t, patientState{Leader: 3, Stored: 2}, node.State)
	assert.Equal(t, []string{"pace=fast", "2"}, node.Outcomes())
	var broadcasts []int
	for range node.Sends {
		broadcasts = append(broadcasts, node.Broadcast(len(broadcasts)))
	}
	assert.Equal(t, []int{0, 1, 1, 2, 2}, broadcasts)

	node.Be(patientState{}) // and no timer is set any more
	require.NoError(t, node.Start())
	assert.Zero(t, node.Ticks(0))
	assert.Len(t, slices.Collect(func(yield func(model.Port) bool) {
		node.Sends(func(to model.Port, _ word) bool { return yield(to) })
	}), 4)
}
