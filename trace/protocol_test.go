package trace_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/trace"
)

// A herald is a small protocol with the race of the Bully in it: whoever hears
// no answer from a higher process announces itself, and everybody follows the
// latest announcement.
type herald struct {
	model.Passive[heraldState, heraldMessage]
}

type heraldState struct {
	Boss    model.ID
	Waiting bool
}

type heraldMessage struct {
	Type model.Kind
	Boss model.ID
}

const (
	ping model.Kind = iota
	pong
	announce
)

const answer model.Timer = 0

func (herald) Names() model.Names {
	return model.Names{
		Kinds:  []string{"ELECTION", "OK", "COORDINATOR"},
		Timers: []model.TimerName{{Name: "answer"}},
		Rules:  []string{"1: ask the higher ones", "2: no answer: announce", "3: answer and ask the higher ones", "4: follow"},
	}
}

func (m heraldMessage) Kind() model.Kind { return m.Type }

func (m heraldMessage) String() string {
	name := herald{}.Names().Kinds[m.Type]
	if m.Type == announce {
		return fmt.Sprintf("%s(%d)", name, m.Boss)
	}
	return name
}

func (herald) Belief(p *heraldState) model.Belief {
	return model.Belief{Elected: p.Boss, Participant: p.Waiting}
}

func (herald) Settle(p *heraldState, _, coordinator model.ID, _ model.Set) { p.Boss = coordinator }

func (h herald) elect(p *heraldState, net *model.Net[heraldMessage]) {
	if net.Higher().Empty() {
		h.lead(p, net)
		return
	}
	net.Rule(0)
	*p = heraldState{Waiting: true}
	net.SendAll(net.Higher(), heraldMessage{Type: ping})
	net.SetTimer(answer, 2*net.Bound())
}

func (herald) lead(p *heraldState, net *model.Net[heraldMessage]) {
	net.Rule(1)
	*p = heraldState{Boss: net.Self()}
	net.SendAll(net.Lower(), heraldMessage{announce, net.Self()})
}

func (h herald) Init(p *heraldState, net *model.Net[heraldMessage], why model.Boot) {
	if why == model.Restart {
		h.elect(p, net)
	}
}

func (h herald) Start(p *heraldState, net *model.Net[heraldMessage]) { h.elect(p, net) }

func (h herald) Suspect(p *heraldState, net *model.Net[heraldMessage], _ model.ID) { h.elect(p, net) }

func (h herald) Receive(p *heraldState, net *model.Net[heraldMessage], _ model.Port, m heraldMessage) {
	switch m.Type {
	case ping:
		net.Rule(2)
		net.Reply(heraldMessage{Type: pong})
		if !p.Waiting {
			h.elect(p, net)
		}
	case pong:
		net.StopTimer(answer)
	case announce:
		net.Rule(3)
		net.StopTimer(answer)
		*p = heraldState{Boss: m.Boss}
	}
}

func (h herald) Timeout(p *heraldState, net *model.Net[heraldMessage], _ model.Timer) { h.lead(p, net) }

// watches are the properties of the tests.
var watches = map[string]model.Watch{
	"": {},
	"uniqueness": {State: func(v *model.View) bool {
		return v.Leaders.Len() > 1
	}},
	"agreement": {State: func(v *model.View) bool {
		named := map[model.ID]bool{}
		for id := range v.Up.All() {
			named[v.Elected(id)] = true
		}
		return v.Settled && len(named) > 1
	}},
	"takeover": {Step: func(e *model.Event) bool {
		return e.From.Leaders.Has(2) && e.To.Leaders.Has(3)
	}},
}

// lookup finds the systems of the tests.
func lookup(algorithm, variant, property string, s model.Setting) (*model.System, model.Watch, error) {
	if algorithm != "herald" {
		return nil, model.Watch{}, fmt.Errorf("unknown algorithm %q: want herald", algorithm)
	}
	watch, ok := watches[property]
	if !ok {
		return nil, model.Watch{}, fmt.Errorf("unknown property %q", property)
	}
	sys, err := model.New[heraldState, heraldMessage](herald{}, s)
	return sys, watch, err
}

var _ trace.Lookup = lookup

// system returns a herald in a setting.
func system(t testing.TB, setting string) *model.System {
	t.Helper()
	s, err := model.ParseSetting(setting)
	require.NoError(t, err)
	sys, _, err := lookup("herald", "", "", s)
	require.NoError(t, err)
	return sys
}

// search finds a shortest run to a state or step that hits a watch, the plain
// way: a queue, and a map of what was seen.
func search(sys *model.System, watch model.Watch) (*trace.Run, error) {
	type node struct {
		state  []byte
		before *node
		action model.Action
	}
	var queue []*node
	for state := range sys.Initial {
		queue = append(queue, &node{state: slices.Clone(state)})
	}
	runTo := func(n *node) (*trace.Run, error) {
		var path []model.Action
		for ; n.before != nil; n = n.before {
			path = append(path, n.action)
		}
		r := trace.Begin(sys, n.state)
		for _, a := range slices.Backward(path) {
			if err := r.Do(a); err != nil {
				return nil, err
			}
		}
		return r, nil
	}
	seen := map[string]bool{}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if seen[string(n.state)] {
			continue
		}
		seen[string(n.state)] = true
		v := sys.View(n.state)
		if watch.State != nil && watch.State(v) {
			return runTo(n)
		}
		for _, t := range sys.Transitions(n.state) {
			next := &node{t.Next, n, t.Action}
			if watch.HitsStep(sys, n.state, &t) {
				return runTo(next)
			}
			if !seen[string(t.Next)] {
				queue = append(queue, next)
			}
		}
	}
	return nil, errors.New("nothing hits the watch")
}

// found are the runs that were searched for before, as searches take a while.
var found = map[string]*trace.Run{}

// find returns the run and the trace of a shortest violation.
func find(t testing.TB, setting, property string) (*trace.Trace, *trace.Run) {
	t.Helper()
	key := setting + " " + property
	if found[key] == nil {
		r, err := search(system(t, setting), watches[property])
		require.NoError(t, err)
		found[key] = r
	}
	r := trace.Begin(found[key].System, found[key].States[0])
	for i := range found[key].Steps {
		require.NoError(t, r.Do(found[key].Steps[i].Action))
	}
	return r.Record(trace.Header{Algorithm: "herald", Property: property, Kind: trace.Violation}), r
}

// script takes actions by the beginnings of their texts.
func script(t testing.TB, setting string, actions ...string) *trace.Run {
	t.Helper()
	sys := system(t, setting)
	var r *trace.Run
	for state := range sys.Initial {
		r = trace.Begin(sys, state)
		break
	}
	for _, want := range actions {
		var texts []string
		taken := false
		for _, tr := range r.Enabled() {
			text := trace.ActionText(tr.Action)
			if texts = append(texts, text); strings.HasPrefix(text, want) {
				r.Take(tr)
				taken = true
				break
			}
		}
		require.True(t, taken, "%q is not among %q", want, texts)
	}
	return r
}

func parse(t testing.TB, text string) model.Setting {
	t.Helper()
	s, err := model.ParseSetting(text)
	require.NoError(t, err)
	return s
}

// A broken protocol panics as soon as it is started.
type broken struct {
	model.Passive[brokenState, brokenMessage]
}

type (
	brokenState   struct{ X uint8 }
	brokenMessage struct{ Y uint8 }
)

func (broken) Names() model.Names                            { return model.Names{Kinds: []string{"M"}} }
func (brokenMessage) Kind() model.Kind                       { return 0 }
func (brokenMessage) String() string                         { return "M" }
func (broken) Belief(*brokenState) model.Belief              { return model.Belief{} }
func (broken) Start(*brokenState, *model.Net[brokenMessage]) { panic("out of\tluck") }
func (broken) Receive(*brokenState, *model.Net[brokenMessage], model.Port, brokenMessage) {
}

// A relay is a ring on which a number goes round until it is back.
type relay struct {
	model.Passive[relayState, relayMessage]
}

type (
	relayState   struct{ Best model.ID }
	relayMessage struct{ ID model.ID }
)

func (relay) Names() model.Names      { return model.Names{Kinds: []string{"TOKEN"}} }
func (relayMessage) Kind() model.Kind { return 0 }
func (m relayMessage) String() string { return fmt.Sprintf("TOKEN(%d)", m.ID) }

func (relay) Belief(p *relayState) model.Belief {
	return model.Belief{Elected: p.Best, Participant: p.Best == 0}
}

func (relay) Start(_ *relayState, net *model.Net[relayMessage]) {
	net.Send(model.Next, relayMessage{net.Self()})
}

func (relay) Receive(p *relayState, net *model.Net[relayMessage], from model.Port, m relayMessage) {
	if p.Best = max(m.ID, net.Self()); m.ID != net.Self() {
		net.Send(from.Opposite(), relayMessage{p.Best})
	}
}
