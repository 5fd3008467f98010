package checker_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

func TestConformanceOfGoodProtocols(t *testing.T) {
	restarts := upstart.Settled(3)
	restarts.Restarts = 1
	midSend := restarts
	midSend.MidSend = true
	joins := setting.Must("n=3 start=cold:interleaved timing=last-resort joins=1")
	full := restarts
	full.Capacity = 1
	async := restarts
	async.Timing = setting.Timing{Kind: setting.Asynchronous, Premature: 1}
	for _, s := range []setting.Setting{restarts, midSend, joins, full, async} {
		for _, u := range []*upstart.Protocol{{}, {Polite: true}, {Patient: true}} {
			name := fmt.Sprintf("%s %+v", s, *u)
			if !casecount.Takes(t, *deep, 2, name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				checker.TestProtocol(t, u, s.String())
			})
		}
	}
}

// Each of these breaks one law, and only that.
type (
	mapOrder  struct{ upstart.Protocol }
	randomly  struct{ upstart.Protocol }
	remembers struct {
		upstart.Protocol
		last model.ID
	}
	countsBelief struct {
		upstart.Protocol
		calls model.ID
	}
	writesBelief  struct{ upstart.Protocol }
	writesWatches struct{ upstart.Protocol }
	writesBeyond  struct{ upstart.Protocol }
	bounded       struct{ upstart.Protocol }
	beyondState   struct{ upstart.Protocol }
	beyondMessage struct{ upstart.Protocol }
	sameText      struct{ upstart.Protocol }
	noText        struct{ upstart.Protocol }
	speechless    struct{ upstart.Protocol }
	wrongKind     struct {
		model.Passive[upstart.State, unkind]
	}
	ageing struct{ upstart.Protocol }
	moody  struct {
		upstart.Protocol
		calls model.ID
	}
	wantsDead struct{ upstart.Protocol }
	twoNames  struct{ upstart.Protocol }
	lopsided  struct{ upstart.Protocol }
	newNames  struct {
		upstart.Protocol
		calls int
	}
)

func (*lopsided) Symmetric(setting.Setting) bool { return true }

func (l *lopsided) Suspect(p *upstart.State, net *model.Net[upstart.Message], who model.ID) {
	if net.Self() < who {
		l.Protocol.Suspect(p, net, who)
	}
}

func (mapOrder) Suspect(p *upstart.State, net *model.Net[upstart.Message], _ model.ID) {
	for id := range map[model.ID]bool{1: true, 2: true, 3: true} {
		p.Elected = id
		return
	}
}

func (randomly) Suspect(p *upstart.State, net *model.Net[upstart.Message], _ model.ID) {
	p.Elected = model.ID(1 + rand.Intn(3))
}

func (r *remembers) Receive(p *upstart.State, net *model.Net[upstart.Message], from model.Port, m upstart.Message) {
	p.Elected, r.last = max(r.last, 1), m.Who
}

func (c *countsBelief) Belief(*upstart.State) model.Belief {
	c.calls++
	return model.Belief{Elected: 1 + c.calls%2}
}

func (writesBelief) Belief(p *upstart.State) model.Belief {
	p.Waiting = true
	return model.Belief{Elected: p.Elected}
}

func (writesWatches) Watches(p *upstart.State, _ model.ID) model.Set {
	p.Heard = 1
	return model.SetOf(p.Elected)
}

func (writesBeyond) Beyond(p *upstart.State) string {
	p.Heard = 1
	return ""
}

func (bounded) Beyond(p *upstart.State) string {
	if p.Elected == 1 {
		return "who follows P1"
	}
	return ""
}

func (beyondState) Receive(p *upstart.State, _ *model.Net[upstart.Message], _ model.Port, _ upstart.Message) {
	p.Heard = p.Heard.With(40)
}

func (beyondMessage) Suspect(p *upstart.State, net *model.Net[upstart.Message], _ model.ID) {
	p.Elected = net.Self()
	net.Broadcast(upstart.Message{Who: net.Self(), Heard: model.SetOf(40)})
}

func (sameText) Format(upstart.Message) string   { return "CLAIM" }
func (noText) Format(m upstart.Message) string   { return fmt.Sprintf("CLAIM\n%d", m.Who) }
func (speechless) Format(upstart.Message) string { panic("not a\nword") }
func (ageing) Stable(p *upstart.State)           { p.Elected++ }
func (wantsDead) Wanted(model.Set) model.ID      { return 3 }

// An unkind message has a kind that nobody names.
type unkind struct{ Who model.ID }

func (m unkind) Kind() model.Kind { return model.Kind(m.Who) }
func (m unkind) String() string   { return m.Who.String() }

func (wrongKind) Start(_ *upstart.State, net *model.Net[unkind])                 { net.Broadcast(unkind{net.Self()}) }
func (wrongKind) Receive(*upstart.State, *model.Net[unkind], model.Port, unkind) {}
func (wrongKind) Belief(p *upstart.State) model.Belief                           { return model.Belief{} }
func (wrongKind) Names() model.Names                                             { return model.Names{Kinds: []string{"CLAIM"}} }

func (m *moody) Settle(p *upstart.State, _, coordinator model.ID, _ model.Set) {
	m.calls++
	p.Elected = 1 + m.calls%2
}

func (twoNames) Names() model.Names {
	return model.Names{Kinds: []string{"CLAIM"}, Rules: []string{"r", "s", "r"}, Timers: []model.TimerName{{Name: "t"}}}
}

func (n *newNames) Names() model.Names {
	n.calls++
	return model.Names{Kinds: []string{"CLAIM"}, Timers: []model.TimerName{{Name: fmt.Sprint("t", n.calls)}}}
}

func TestConformanceOfAKindWithoutAName(t *testing.T) {
	assert.Contains(t, protocolTest(wrongKind{}, "n=3"), "send of checker_test.unkind{Who:0x1}, of kind 1: the protocol names 1 kinds")
}

// A value beyond a bound does not come back from the state, and need not.
func TestConformanceWithinABound(t *testing.T) {
	sys, err := model.New(&bounded{}, upstart.Settled(4))
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Validity}})
	require.NoError(t, err)
	require.Contains(t, r.Bound, "who follows P1")
	assert.Contains(t, r.Headline(), "HOLDS within its bound, in this setting: protocol, 1 property holds")
	assert.Equal(t, "holds", r.Finding(checker.Validity.Name).Line())
	checker.TestProtocol(t, &bounded{}, upstart.Settled(4).String())
}

func TestConformanceOfBrokenProtocols(t *testing.T) {
	s := upstart.Settled(3)
	s.Restarts = 1
	for _, c := range []struct {
		name     string
		protocol model.Protocol[upstart.State, upstart.Message]
		want     []string // what the error says
	}{
		{"map order", &mapOrder{}, []string{"other transitions", " suspects ", "map order", "in state P1 up {"}},
		{"random numbers", &randomly{}, []string{"other transitions", "random numbers"}},
		{"memory in the protocol", &remembers{}, []string{"other transitions", "what the protocol value remembers"}},
		{"Belief that changes its mind", &countsBelief{}, []string{"method Belief answers", "pure"}},
		{"Belief that writes", &writesBelief{}, []string{"method Belief changes the state", "Waiting:true"}},
		{"Watches that writes", &writesWatches{}, []string{"method Watches changes the state"}},
		{"Beyond that writes", &writesBeyond{}, []string{"method Beyond changes the state"}},
		{"a set beyond N in the state", &beyondState{}, []string{"a handler leaves the state", "goes beyond process N"}},
		{"a set beyond N in a message", &beyondMessage{}, []string{"a handler sends", "goes beyond process N"}},
		{"messages of one text", &sameText{}, []string{`is "CLAIM", as is that of`, "different texts"}},
		{"a text of two lines", &noText{}, []string{"method Format", "printed"}},
		{"a text that panics", &speechless{}, []string{"method Format of upstart.Message{", "} panics: not a\nword"}},
		{"stable storage that ages", &ageing{}, []string{"method Stable", "has to stay"}},
		{"a moody Settle", &moody{}, []string{"method Settle", "deterministic"}},
		{"a winner who is not there", &wantsDead{}, []string{"method Wanted", "want one of them"}},
		{"a handler that sends to nobody", &upstart.Protocol{Wild: true}, []string{"suspects", "nobody is there", "in state"}},
		{"two rules of one name", &twoNames{}, []string{`method Names: two rules are named "r"`}},
		{"ids that decide something", &lopsided{}, []string{"method Symmetric says that ids decide nothing, and where P2 and P3 change places \"", "leads elsewhere", "and not in state"}},
		{"names that change", &newNames{}, []string{"method Names: it answers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := protocolTest(c.protocol, s.String())
			for again := 0; said == "" && again < 9; again++ {
				said = protocolTest(c.protocol, s.String()) // a map may have had one order each time
			}
			for _, want := range c.want {
				assert.Contains(t, said, want)
			}
		})
	}
}

// TestSystem sees what does not need a look into the protocol.
func TestConformanceOfBrokenSystems(t *testing.T) {
	s := upstart.Settled(3)
	s.Restarts = 1
	for name, protocol := range map[string]model.Protocol[upstart.State, upstart.Message]{
		"map order":              &mapOrder{},
		"random numbers":         &randomly{},
		"memory in the protocol": &remembers{},
		"sends to nobody":        &upstart.Protocol{Wild: true},
	} {
		t.Run(name, func(t *testing.T) {
			sys, err := model.New(protocol, s)
			require.NoError(t, err)
			err = checker.TestSystem(sys)
			for again := 0; err == nil && again < 9; again++ {
				err = checker.TestSystem(sys)
			}
			assert.ErrorContains(t, err, "in state")
		})
	}
}

// Where links hold few messages, what a handler leaves may be left out, and only the
// plain world keeps it.
func TestConformanceIsPlain(t *testing.T) {
	said := protocolTest(&beyondState{}, "n=3 start=settled timing=sync:1 crashes=1 capacity=1")
	assert.Contains(t, said, "what properties see, States: the plain world has [{Elected:3 Waiting:false Heard:{40}}")
	assert.Contains(t, said, "after crash P3, suspect P2 of P3, deliver P1 CLAIM(2)")
}

func TestConformanceRefusesWhatNewRefuses(t *testing.T) {
	assert.Contains(t, protocolTest(&upstart.Protocol{}, "n=1"), "n=1")
	assert.Contains(t, protocolTest(&upstart.Protocol{}, "n=3 crashs=1"), `"crashs"`)
}

// protocolTest returns what TestProtocol says of a protocol; empty if nothing.
func protocolTest[P any, M model.Message](p model.Protocol[P, M], setting string) string {
	s := &standIn{name: "TestUpstart"}
	checker.TestProtocol(s, p, setting)
	return s.said()
}

func ExampleTestProtocol() {
	_ = func(t *testing.T) {
		checker.TestProtocol(t, &upstart.Protocol{}, "n=3 start=settled crashes=1")
	}
}
