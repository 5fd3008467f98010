package plain

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

func comparePlain[P any, M model.Message](t *testing.T, p model.Protocol[P, M], s setting.Setting, limit int) map[string]int {
	t.Helper()
	saw, err := Compare(Of(p), s, limit)
	require.NoError(t, err)
	return saw
}

// A thrower throws a coin with a timer until it shows heads; tails change nothing.
type (
	throwState struct {
		Elected model.ID
		Way     uint8
	}
	throwMessage struct{}
	thrower      struct {
		model.Passive[throwState, throwMessage]
		sends bool // a message with each throw, which mid-send crashes come between
	}
)

func (th thrower) Start(p *throwState, net *model.Net[throwMessage]) { net.SetTimer(0, 1) }

func (th thrower) Timeout(p *throwState, net *model.Net[throwMessage], _ model.Timer) {
	if th.sends {
		net.Broadcast(throwMessage{})
	}
	switch net.Pick(0) {
	case 0:
		net.SetTimer(0, 1)
	case 1:
		p.Elected = net.Self()
	case 2:
		p.Way = uint8(net.Choose(2))
		net.SetTimer(0, 1)
	}
}

func (thrower) Receive(*throwState, *model.Net[throwMessage], model.Port, throwMessage) {}
func (thrower) Belief(p *throwState) model.Belief                                       { return model.Belief{Elected: p.Elected} }
func (throwMessage) Kind() model.Kind                                                   { return 0 }
func (throwMessage) String() string                                                     { return "M" }

func (thrower) Names() model.Names {
	return model.Names{
		Kinds: []string{"M"}, Timers: []model.TimerName{{Name: "throw"}},
		Choices: []model.ChoiceName{{Name: "coin", Outcomes: []string{"tails", "heads", "edge"}}},
	}
}

// TestIdleOutcomesAreAsPlain has the outcomes of a choice that change nothing be
// taken where another outcome changes something, and only there.
func TestIdleOutcomesAreAsPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"n=2 timing=patient":         true,
		"n=2 timing=async crashes=1": true,
		"n=2 timing=sync:1":          false, // time has passed since the timer was set
		"n=2 timing=async mail-down=lost crashes=1 mid-send=yes": true,
		"n=3 initiators=none timing=patient":                     false,
	} {
		s := setting.Must(text)
		saw := comparePlain(t, thrower{}, s, 300)
		assert.Equal(t, want, saw["idle outcome"] > 0, text)
		s.Capacity = 1
		comparePlain(t, thrower{sends: true}, s, 300)
	}
}

// A teller sends a message to whoever is reported down, which changes nothing. Or
// it sends on each message that it gets: on a repaired ring to itself where it is
// alone, which changes nothing either. A timer that expires changes its state.
type (
	tellMessage struct{ throwMessage }
	teller      struct {
		model.Passive[throwState, tellMessage]
		to model.Port // what the first message is sent to; 0 is nobody
	}
)

func (y teller) Start(_ *throwState, net *model.Net[tellMessage]) {
	if y.to != 0 {
		net.SetTimer(0, 1)
		net.Send(y.to, tellMessage{})
	}
}

func (y teller) Receive(_ *throwState, net *model.Net[tellMessage], _ model.Port, m tellMessage) {
	if y.to != 0 {
		net.Send(y.to, m)
	}
}

func (teller) Timeout(p *throwState, net *model.Net[tellMessage], _ model.Timer) {
	p.Elected = net.Self()
}

func (y teller) Suspect(_ *throwState, net *model.Net[tellMessage], who model.ID) {
	if y.to == 0 {
		net.Send(model.Peer(who), tellMessage{})
	}
}

func (teller) Watches(*throwState, model.ID) model.Set { return model.SetOf(1, 2) }
func (teller) Belief(p *throwState) model.Belief       { return model.Belief{Elected: p.Elected} }
func (teller) Names() model.Names {
	return model.Names{Kinds: []string{"M"}, Timers: []model.TimerName{{Name: "once"}}}
}

// TestNoFaultIsOwed has states be settled in which an action is enabled only with
// a fault: as a crash between its sends, or as a timer that expires too early.
func TestNoFaultIsOwed(t *testing.T) {
	for text, want := range map[string]string{
		"n=2 timing=async crashes=2 mid-send=yes":                                         "suspect mid-send",
		"n=2 topology=ring:repaired initiators=one timing=async:1 crashes=1 detector=off": "timeout premature",
	} {
		t.Run(text, func(t *testing.T) {
			s := setting.Must(text)
			y := teller{}
			if s.Topology != setting.Complete {
				y.to = model.Next
			}
			saw := comparePlain(t, y, s, 300)
			assert.NotZero(t, saw["settled, and "+want], "%v", saw)
			if s.Timing.Premature > 0 { // without a budget a timer that is early is owed as any other
				s.Timing.Premature = 0
				assert.Zero(t, comparePlain(t, y, s, 300)["settled, and "+want], "%v", saw)
			}
		})
	}
}

// ringState and ringMessage are those of the algorithm of Chang and Roberts, by
// which a process that knows the coordinator begins no further election.
type (
	ringState   struct{ Elected, Participant model.ID }
	ringMessage struct{ Elected, Candidate model.ID }
	ringLeader  struct {
		model.Passive[ringState, ringMessage]
	}
)

func (ringLeader) Start(p *ringState, net *model.Net[ringMessage]) {
	p.Participant = 1
	net.Send(model.Next, ringMessage{Candidate: net.Self()})
}

func (ringLeader) Receive(p *ringState, net *model.Net[ringMessage], _ model.Port, m ringMessage) {
	switch self := net.Self(); {
	case m.Elected != model.None && m.Elected != self:
		p.Elected, p.Participant = m.Elected, 0
		net.Send(model.Next, m)
	case m.Candidate == self:
		p.Elected, p.Participant = self, 0
		net.Send(model.Next, ringMessage{Elected: self})
	case m.Candidate > self, m.Candidate != model.None && p.Participant == 0 && p.Elected == model.None:
		p.Participant = 1
		net.Send(model.Next, ringMessage{Candidate: max(m.Candidate, self)})
	}
}

func (ringLeader) Belief(p *ringState) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Participant != 0}
}
func (ringLeader) Names() model.Names { return model.Names{Kinds: []string{"election", "elected"}} }
func (m ringMessage) String() string  { return fmt.Sprintf("%v/%v", m.Candidate, m.Elected) }

func (m ringMessage) Kind() model.Kind {
	if m.Elected != model.None {
		return 1
	}
	return 0
}

// TestPlainCountsChangRoberts has the plain world reach a count that an
// independent program published for the same system.
func TestPlainCountsChangRoberts(t *testing.T) {
	s := setting.Must("n=5 topology=ring arrangement=5-4-3-2-1 timing=async detector=off")
	w, err := New(Of(ringLeader{}), s)
	require.NoError(t, err)
	var queue []*State
	seen := map[string]bool{}
	add := func(st *State) bool {
		if key := w.key(st); !seen[key] {
			seen[key] = true
			queue = append(queue, st)
		}
		return true
	}
	w.Initial(add)
	for len(queue) > 0 {
		for _, t := range w.Next(queue[0]) {
			add(t.next)
		}
		queue = queue[1:]
	}
	assert.Equal(t, 3058, len(seen))
	assert.GreaterOrEqual(t, comparePlain(t, ringLeader{}, s, 200)["deliver"], 200)
}

// Of many processes few are looked at: no set of them is, that nobody asked for.
func TestPlainOfManyProcesses(t *testing.T) {
	for _, text := range []string{"n=40 start=settled crashes=1 restarts=1", "n=40 joins=1 initiators=1"} {
		assert.NotEmpty(t, comparePlain(t, courier{}, setting.Must(text), 60), text)
	}
}
