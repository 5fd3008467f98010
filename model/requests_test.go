package model_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/roles"
)

// The chair of a committee hands over when it is asked to: it tells the next member, and leads
// no more. Any member stops when it is asked to, and then takes no chair.
type (
	committee struct{ model.Passive[member, gavel] }
	member    struct {
		Chair   model.ID
		Stopped bool
		Saw     watch // of a watchman
	}
	gavel struct{}
)

const (
	handOver model.Request = iota
	stop
)

func (committee) Request(p *member, net *model.Net[gavel], r model.Request) {
	switch {
	case r == stop:
		p.Stopped = true
	case p.Chair == net.Self():
		p.Chair = model.None
		net.SendTo(net.Self()%model.ID(net.N())+1, gavel{})
	}
}

func (committee) Receive(p *member, net *model.Net[gavel], _ model.Port, _ gavel) {
	if !p.Stopped {
		p.Chair = net.Self()
	}
}

func (committee) Settle(p *member, _, coordinator model.ID, _ model.Set) {
	*p = member{Chair: coordinator}
}

func (committee) Belief(p *member) model.Belief { return model.Belief{Elected: p.Chair} }

func (committee) Names() model.Names {
	return model.Names{Kinds: []string{"gavel"}, Requests: []string{"hand over", "stop"}}
}

func (gavel) Kind() model.Kind { return 0 }
func (gavel) String() string   { return "gavel" }

// Protocols that say something wrong, or nothing, of requests.
type (
	passive  struct{ model.Passive[member, gavel] }
	nameless struct{ committee }
	twiceOne struct{ committee }
	noMethod struct{ passive }
	patients struct{ passive } // they do nothing when they are asked to begin, but have a handler
)

func (passive) Receive(*member, *model.Net[gavel], model.Port, gavel) {}
func (passive) Belief(*member) model.Belief                           { return model.Belief{} }
func (passive) Names() model.Names                                    { return model.Names{Kinds: []string{"gavel"}} }
func (nameless) Names() model.Names                                   { return passive{}.Names() }
func (noMethod) Names() model.Names                                   { return committee{}.Names() }
func (patients) Start(*member, *model.Net[gavel])                     {}
func (twiceOne) Names() model.Names {
	return model.Names{Kinds: []string{"gavel"}, Requests: []string{"stop", "stop"}}
}

func TestRequestsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		protocol       model.Protocol[member, gavel]
		setting, wants string
	}{
		{committee{}, "n=2 requests=1", ""},
		{committee{}, "n=2", ""},
		{passive{}, "n=2", ""},
		{patients{}, "n=2 requests=1", ""},
		{passive{}, "n=2 requests=1", "requests=1: protocol model_test.passive takes none: it has neither a handler Start of its own nor a method Request (model.Optional); want requests=0"},
		{nameless{}, "n=2", "protocol model_test.nameless has a method Request and names no requests (Names.Requests): name what a process can be asked for"},
		{noMethod{}, "n=2", `protocol model_test.noMethod names the request "hand over" and has no method Request (model.Optional)`},
		{twiceOne{}, "n=2", `protocol model_test.twiceOne: request 1 is "stop"; want different texts`},
	} {
		_, err := model.NewFrom(c.protocol, c.setting)
		if c.wants == "" {
			assert.NoError(t, err, "%T %s", c.protocol, c.setting)
		} else {
			assert.EqualError(t, err, c.wants)
		}
	}
}

// requested returns what can be asked for in the first state of a system, and after steps of it.
func requested(t *testing.T, sys *model.System, steps ...string) (all []string) {
	t.Helper()
	var state []byte
	for first := range sys.Initial {
		state = slices.Clone(first)
		break
	}
	for _, step := range append(steps, "") {
		all = nil
		var next []byte
		for _, tr := range sys.Transitions(state) {
			text := tr.Action.Process.Name() + " " + tr.Action.Request
			if tr.Action.Kind == model.Requests {
				all = append(all, text)
			}
			if text == step || step == "deliver" && tr.Action.Kind == model.Delivers {
				next = tr.Next
			}
		}
		if step != "" {
			require.NotNil(t, next, "%s is none of %v", step, all)
			state = next
		}
	}
	return all
}

// Each process that is up can be asked, if that changes anything and the budget lasts.
func TestRequests(t *testing.T) {
	sys, err := model.NewFrom(committee{}, "n=2 start=settled requests=2")
	require.NoError(t, err)
	assert.Equal(t, []string{"P1 stop", "P2 hand over", "P2 stop"}, requested(t, sys))
	assert.Equal(t, []string{"P1 stop", "P2 stop"}, requested(t, sys, "P2 hand over"))
	assert.Equal(t, []string{"P1 hand over", "P1 stop", "P2 stop"}, requested(t, sys, "P2 hand over", "deliver"))
	assert.Equal(t, []string{"P2 hand over", "P2 stop"}, requested(t, sys, "P1 stop"))
	assert.Empty(t, requested(t, sys, "P1 stop", "P2 stop"))
}

// A state after a request is settled if nothing but the request was left to happen.
func TestRequestsAreNotOwed(t *testing.T) {
	sys, err := model.NewFrom(committee{}, "n=2 start=settled requests=1")
	require.NoError(t, err)
	for state := range sys.Initial {
		assert.True(t, sys.View(state).Settled)
	}
}

// Each role is asked for what it names, and one that names nothing to begin an election.
func TestRolesAreAskedForTheirRequests(t *testing.T) {
	members := roles.Role[member, gavel]{Name: "member", Protocol: committee{}}
	of := func(other model.Protocol[member, gavel]) *model.System {
		sys, err := model.NewFrom(roles.Two(members, roles.Role[member, gavel]{Name: "other", Protocol: other}, model.SetOf(1)), "n=3 start=settled requests=1")
		require.NoError(t, err)
		return sys
	}
	assert.Equal(t, []string{"hand over", "stop", "begin an election"}, of(passive{}).Names().Requests)
	assert.Equal(t, []string{"P2 stop", "P3 hand over", "P3 stop"}, requested(t, of(passive{})))
	assert.Equal(t, []string{"P1 begin an election", "P2 stop", "P3 hand over", "P3 stop"}, requested(t, of(elector{})))
	assert.Equal(t, []string{"hand over", "stop"}, of(committee{}).Names().Requests)
	assert.Equal(t, []string{"P1 stop", "P2 stop", "P3 hand over", "P3 stop"}, requested(t, of(committee{})))

	sys, err := model.NewFrom(roles.Two(
		roles.Role[member, gavel]{Protocol: elector{}}, roles.Role[member, gavel]{Protocol: passive{}}, model.SetOf(1)), "n=2 initiators=none requests=1")
	require.NoError(t, err)
	assert.Equal(t, []string{"P2 begin an election"}, requested(t, sys))
}

// An elector leads when it is asked to begin an election.
type elector struct{ passive }

func (elector) Start(p *member, net *model.Net[gavel]) { p.Chair = net.Self() }

// A setting with requests is reduced by permutations at most.
func TestReductionsWithRequests(t *testing.T) {
	sys, err := model.NewFrom(committee{}, "n=2 start=settled requests=1")
	require.NoError(t, err)
	_, err = sys.Watched().Reduced(model.Reduction{})
	assert.ErrorContains(t, err, "requests=1: no argument for a reduction with requests is known; a setting with requests=0 is reduced")
}
