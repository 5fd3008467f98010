package roles_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/roles"
	"bullyproof/model/setting"
)

// An asker notes which methods were called.
type asker struct {
	mu    sync.Mutex
	asked map[string]bool
}

func (a *asker) note(method string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked[method] = true
}

// Protocols with one method each.
type (
	stables[P any]                   struct{ *asker }
	settles[P any]                   struct{ *asker }
	wakes[P any, M model.Message]    struct{ *asker }
	shippedWakes[P, M any]           struct{ *asker }
	requests[P any, M model.Message] struct{ *asker }
	shippedRequests[P, M any]        struct{ *asker }
	watching[P any]                  struct{ *asker }
	wanting                          struct{ *asker }
	formats[M model.Message]         struct{ *asker }
	bounds[P any]                    struct{ *asker }
	dates                            struct{ *asker }
	casts                            struct{ *asker }
	symmetric                        struct{ *asker }
	shows[P any]                     struct{ *asker }
	remarks                          struct{ *asker }
	fitting                          struct{ *asker }
	extra                            any
	with[P any, M model.Message]     struct {
		model.Protocol[P, M]
		extra
	}
	machineWith[P, M any] struct {
		shipped.Machine[P, M]
		extra
	}
)

func (a stables[P]) Stable(*P)                                { a.note("Stable") }
func (a settles[P]) Settle(*P, model.ID, model.ID, model.Set) { a.note("Settle") }
func (a watching[P]) Watches(_ *P, self model.ID) model.Set {
	a.note("Watches")
	return model.Upto(2).Without(self)
}
func (a wanting) Wanted(live model.Set) model.ID   { a.note("Wanted"); return live.Min() }
func (a formats[M]) Format(m M) string             { a.note("Format"); return m.String() + "!" }
func (a bounds[P]) Beyond(*P) string               { a.note("Beyond"); return "" }
func (a dates) Oldest() int                        { a.note("Oldest"); return 1 }
func (a casts) Role(model.ID, int) string          { a.note("Role"); return "member" }
func (a symmetric) Symmetric(setting.Setting) bool { a.note("Symmetric"); return true }
func (a shows[P]) Show(*P) []model.Field           { a.note("Show"); return []model.Field{{Name: "shown"}} }
func (a fitting) Fits(setting.Setting) error       { a.note("Fits"); return nil }
func (a remarks) Remark() string                   { a.note("Remark"); return "It was noted." }

func (a wakes[P, M]) Wake(_ *P, net *model.Net[M]) {
	a.note("Wake")
	net.SetTimer(0, 1)
}

func (a shippedWakes[P, M]) Wake(_ *P, net *shipped.Net[M]) {
	a.note("Wake")
	net.SetTimer(0, 1)
}

func (a requests[P, M]) Request(_ *P, net *model.Net[M], _ model.Request) {
	a.note("Request")
	net.SetTimer(0, 3)
}

func (a shippedRequests[P, M]) Request(_ *P, net *shipped.Net[M], _ model.Request) {
	a.note("Request")
	net.SetTimer(0, 3)
}

// each has a protocol with each method beyond those of model.Protocol.
func (a *asker) each(wake, request, format any) map[string]any {
	return map[string]any{"Wake": wake, "Request": request, "Format": format, "Oldest": dates{a}, "Role": casts{a}, "Symmetric": symmetric{a}, "Remark": remarks{a}, "Wanted": wanting{a}, "Fits": fitting{a}}
}

func eachOf[P any](a *asker, wake, request, format any) map[string]any {
	all := a.each(wake, request, format)
	maps.Copy(all, map[string]any{
		"Stable": stables[P]{a}, "Settle": settles[P]{a}, "Watches": watching[P]{a}, "Beyond": bounds[P]{a}, "Show": shows[P]{a},
	})
	return all
}

// A dated process notes when its timer expired, and tells the others.
type (
	dated struct{ model.Passive[day, message] }
	day   struct {
		Clock clock.Clock
		Last  clock.Instant
		Heard bool
	}
)

func (dated) Init(_ *day, net *model.Net[message], _ model.Boot) { net.SetTimer(0, 1) }

func (dated) Timeout(p *day, net *model.Net[message], _ model.Timer) {
	if !p.Heard {
		p.Last = p.Clock.Now()
		net.Broadcast(message{ask})
	}
}
func (dated) Suspect(_ *day, net *model.Net[message], _ model.ID)            { net.SetTimer(0, 2) }
func (dated) Receive(p *day, _ *model.Net[message], _ model.Port, _ message) { p.Heard = true }
func (dated) Belief(p *day) model.Belief                                     { return model.Belief{Participant: p.Heard} }
func (dated) Names() model.Names {
	return model.Names{Kinds: []string{"ask", "granted"}, Timers: []model.TimerName{{Name: "t"}}, Requests: []string{"wait"}}
}

// A shipment does the same as code that ships, without a clock.
type (
	shipment struct {
		shipped.Passive[parcel, message]
	}
	parcel struct{ Heard bool }
)

func (shipment) Init(_ *parcel, net *shipped.Net[message], _ model.Boot) { net.SetTimer(0, 1) }
func (shipment) Timeout(_ *parcel, net *shipped.Net[message], _ model.Timer) {
	net.Broadcast(message{ask})
}
func (shipment) Suspect(_ *parcel, net *shipped.Net[message], _ model.ID)            { net.SetTimer(0, 2) }
func (shipment) Receive(p *parcel, _ *shipped.Net[message], _ model.Port, _ message) { p.Heard = true }
func (shipment) Belief(p *parcel) model.Belief                                       { return model.Belief{Participant: p.Heard} }
func (shipment) Names() model.Names                                                  { return dated{}.Names() }
func (shipment) Kind(m message) model.Kind                                           { return m.Kind() }
func (shipment) Text(m message) string                                               { return m.String() }

// asking has all done with a system for which its protocol's methods are asked, and returns the
// number of its states.
func asking(t *testing.T, sys *model.System) uint64 {
	t.Helper()
	props := []*checker.Property{checker.Uniqueness.Blind(), checker.Termination}
	r, err := checker.Check(context.Background(), sys, checker.Options{Properties: props, Exhaustive: true, MaxStates: 100_000})
	require.NoError(t, err)
	require.Empty(t, r.Why)
	_, err = checker.Check(context.Background(), sys, checker.Options{Properties: props, Reduce: model.AllReductions})
	require.NoError(t, err)
	_ = checker.TestSystem(sys) // it asks whether ids decide; here they do, as Wanted does
	for id := range model.Upto(2).All() {
		sys.Role(id)
	}
	for state := range sys.Initial {
		sys.Snapshot(state)
		for _, tr := range sys.Transitions(state) {
			sys.Snapshot(tr.Next)
		}
	}
	return r.Distinct
}

// Every method beyond those of a protocol counts through every wrapper, or there is a reason why
// it does not: the list is model.Methods.
func TestWrappersPassEveryMethodOn(t *testing.T) {
	const in = "n=2 start=settled timing=sync:1 crashes=1 restarts=1 skew=1 requests=1"
	list := reflect.TypeFor[model.Methods[day, message]]()
	idler := idle[message]{names: model.Names{Kinds: dated{}.Names().Kinds}}
	type reasons map[string]string
	byRole := reasons{"Role": "a role has a Name", "Symmetric": "ids decide who has which role"}
	type protocol = model.Protocol[day, message]
	role := func(p protocol) roles.Role[day, message] { return roles.Role[day, message]{Name: "r", Protocol: p} }
	none := roles.Role[int8, message]{Name: "idle", Protocol: idler}
	system := func(sys *model.System, err error) *model.System {
		require.NoError(t, err)
		return sys
	}
	count, states := 0, uint64(0)
	for _, w := range []struct {
		name   string
		except reasons
		wrap   func(p protocol) *model.System
	}{
		{"as it is", nil, func(p protocol) *model.System { return system(model.NewFrom(p, in)) }},
		{"embedded", nil, func(p protocol) *model.System { return system(model.NewFrom(struct{ protocol }{p}, in)) }},
		{"embedded twice", nil, func(p protocol) *model.System {
			return system(model.NewFrom(struct{ protocol }{&struct{ protocol }{p}}, in))
		}},
		{"owing", nil, func(p protocol) *model.System {
			heard := func(b model.Belief) bool { return b.Participant }
			return system(system(model.NewFrom(p, in)).Owing(model.Obligation{Begins: heard, Ends: func(model.Belief) bool { return false }}))
		}},
		{"first role", byRole, func(p protocol) *model.System { return system(model.NewFrom(roles.Two(role(p), none, 0), in)) }},
		{"other role", byRole, func(p protocol) *model.System {
			return system(model.NewFrom(roles.Two(none, role(p), model.Upto(2)), in))
		}},
		{"both roles", byRole, func(p protocol) *model.System {
			return system(model.NewFrom(roles.Two(role(p), role(p), model.SetOf(2)), in))
		}},
		{"first role, embedded", byRole, func(p protocol) *model.System {
			return system(model.NewFrom(struct {
				model.Protocol[roles.State[day, int8], message]
			}{roles.Two(role(p), none, 0)}, in))
		}},
	} {
		t.Run(w.name, func(t *testing.T) {
			a := &asker{asked: make(map[string]bool)}
			var p protocol = dated{}
			each := eachOf[day](a, wakes[day, message]{a}, requests[day, message]{a}, formats[message]{a})
			for _, method := range slices.Sorted(maps.Keys(each)) {
				p = with[day, message]{p, each[method]}
			}
			found := asking(t, w.wrap(p))
			if states == 0 {
				states = found
			}
			if w.name != "owing" { // whose states have a bit more
				assert.Equal(t, states, found, "its states are those of the protocol as it is")
			}
			count += passedOn(t, list, a, each, w.except)
		})
	}
	t.Run("shipped", func(t *testing.T) {
		a := &asker{asked: make(map[string]bool)}
		var m shipped.Machine[parcel, message] = shipment{}
		each := eachOf[parcel](a, shippedWakes[parcel, message]{a}, shippedRequests[parcel, message]{a}, formats[message]{a})
		for _, method := range slices.Sorted(maps.Keys(each)) {
			m = machineWith[parcel, message]{m, each[method]}
		}
		asking(t, system(model.NewFrom(shipped.New(m), "n=2 start=settled timing=sync:1 crashes=1 restarts=1 requests=1")))
		count += passedOn(t, list, a, each, reasons{
			"Format": "a machine has Text", "Oldest": "its instants are hidden in values", "Symmetric": "ids are hidden in values",
			"Remark": "it says what the values cost",
		})
	})
	t.Logf("%d methods, %d looked at in 9 wrappings", list.NumMethod(), count)
}

// passedOn checks that each method of a list was asked for, those aside for which there is a
// reason, and returns how many there are.
func passedOn(t *testing.T, list reflect.Type, a *asker, each map[string]any, except map[string]string) (count int) {
	t.Helper()
	for i := range list.NumMethod() {
		method := list.Method(i).Name
		assert.Contains(t, each, method, "this test has no protocol with the method")
		reason := except[method]
		assert.Equal(t, reason == "", a.asked[method], fmt.Sprintf("%s is passed on, or there is a reason (%q)", method, reason))
		count++
	}
	assert.Len(t, each, list.NumMethod())
	return count
}
