package model_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
)

// A flagged message has a bool among other fields.
type flagged struct {
	Flag  bool
	Round uint16
	Type  model.Kind
}

func (m flagged) Kind() model.Kind { return m.Type }
func (m flagged) String() string   { return [...]string{"NO", "YES"}[m.Type] }

// A counter sends to its successor by id what it receives, and counts.
type counter struct {
	model.Passive[counted, flagged]
}

type counted struct {
	Seen   uint16
	Lately bool
}

func (counter) Names() model.Names {
	return model.Names{Kinds: []string{"NO", "YES"}, Timers: []model.TimerName{{Name: "t"}}, Rules: []string{"counts"}}
}

func (counter) Init(p *counted, net *model.Net[flagged], why model.Boot) { net.SetTimer(0, 3) }

func (counter) Receive(p *counted, net *model.Net[flagged], _ model.Port, m flagged) {
	if m.Round == 1000 {
		panic("a thousand")
	}
	net.Rule(0)
	p.Seen, p.Lately = p.Seen+m.Round, true
	net.Reply(flagged{true, m.Round, 1})
}

func (counter) Belief(*counted) model.Belief { return model.Belief{Elected: 2} }
func (counter) Stable(p *counted)            { p.Lately = false }

func counterMachine(t rapid.TB, self model.ID) model.Machine {
	sys, err := model.NewFrom(counter{}, "n=3 crashes=1 restarts=1")
	require.NoError(t, err)
	m, err := sys.Machine(self, nil)
	require.NoError(t, err)
	return m
}

func sentBy(m model.Machine) (letters []model.Letter) {
	for _, l := range m.Sends {
		letters = append(letters, l)
	}
	return letters
}

func TestMachineRunsHandlers(t *testing.T) {
	m := counterMachine(t, 1)
	require.ErrorContains(t, m.Receive(model.Peer(2), make([]byte, m.MaxMessage())), "is not up")
	require.NoError(t, m.Init(model.Cold, nil))
	assert.True(t, m.Changed())
	for timer, ticks := range m.Changes {
		assert.Equal(t, [2]int{0, 3}, [2]int{int(timer), ticks})
	}
	assert.Equal(t, model.SetOf(2), m.Watched())
	assert.Equal(t, model.ID(2), m.Belief().Elected)

	require.NoError(t, m.Suspect(2))
	assert.False(t, m.Changed(), "it has no rule for that")

	yes := []byte{1, 7, 0, 1} // flag, round 7, kind 1
	letter, err := m.Read(yes)
	require.NoError(t, err)
	assert.Equal(t, model.Letter{Bytes: yes, Kind: "YES", Text: "YES"}, letter)
	require.NoError(t, m.Receive(model.Peer(3), yes))
	assert.Equal(t, []model.Field{{Name: "Seen", Value: "7"}, {Name: "Lately", Value: "true"}}, m.State())
	assert.Equal(t, []model.Letter{letter}, sentBy(m))
	assert.Equal(t, []byte{7, 0, 0}, m.Stored(), "without what is not stable")

	again := counterMachine(t, 1)
	require.NoError(t, again.Init(model.Restart, m.Stored()))
	assert.Equal(t, m.Stored(), again.Stored())
	assert.Equal(t, m.Layout(), again.Layout())
}

func TestMachineRefuses(t *testing.T) {
	sys, err := model.NewFrom(counter{}, "n=3")
	require.NoError(t, err)
	_, err = sys.Machine(4, nil)
	assert.EqualError(t, err, "process 4: the processes are 1 to 3")

	m := counterMachine(t, 1)
	assert.ErrorContains(t, m.Init(model.Cold, []byte{1, 0, 0}), "only a restart")
	assert.ErrorContains(t, m.Init(model.Restart, []byte{1, 0}), "2 bytes; want 3")
	assert.ErrorContains(t, m.Init(model.Restart, []byte{1, 0, 2}), "a bool at offset 2 is 2; want 0 or 1")
	require.NoError(t, m.Init(model.Cold, nil))
	before := m.State()
	for _, bad := range []struct {
		message []byte
		says    string
	}{
		{nil, "0 bytes; want 4"},
		{make([]byte, 5), "5 bytes; want 4"},
		{[]byte{2, 0, 0, 0}, "a bool at offset 0 is 2; want 0 or 1"},
		{[]byte{0, 0, 0, 9}, "is of kind 9: the protocol names 2 kinds"},
		{[]byte{0, 0xe8, 3, 0}, "the handler of NO panics: a thousand"},
	} {
		assert.ErrorContains(t, m.Receive(model.Peer(2), bad.message), bad.says)
	}
	assert.Equal(t, before, m.State())
}

// A machine reads a message of another one as the same, and any other bytes
// are refused or are the message that they say.
func TestMachinesUnderstandEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := counterMachine(t, 2)
		require.NoError(t, m.Init(model.Cold, nil))
		data := rapid.SliceOfN(rapid.Byte(), 3, 5).Draw(t, "bytes")
		letter, err := m.Read(data)
		if err != nil {
			assert.True(t, len(data) != 4 || data[0] > 1 || data[3] > 1, "%x is a message: %v", data, err)
			return
		}
		assert.Equal(t, data, letter.Bytes)
		if bytes.Equal(data[1:3], []byte{0xe8, 3}) {
			return // it panics
		}
		require.NoError(t, m.Receive(model.Peer(1), data))
		want := slices.Concat([]byte{1}, data[1:3], []byte{1})
		assert.Equal(t, want, sentBy(m)[0].Bytes)
	})
}
