package conform

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Protocol looks at as many states of a protocol's system as an extent says.
func Protocol[P any, M model.Message](p model.Protocol[P, M], sys *model.System, e Extent) error {
	if err := validNames(p.Names(), p.Names()); err != nil {
		return fmt.Errorf("method Names: %w", err)
	}
	// The methods first: what is wrong with them explains what goes wrong next.
	q := newProbe(p, sys.Setting())
	probed, err := model.New[P, M](q, sys.Setting())
	if err != nil {
		return err
	}
	if err := q.run(probed, e); err != nil {
		return err
	}
	return System(sys, e)
}

// A probe is a protocol that runs another one and looks at what it does.
type probe[P any, M model.Message] struct {
	model.Protocol[P, M]
	*probing
	stable  hasStable[P]
	watcher hasWatches[P]
	settler hasSettle[P]
	waker   hasWake[P, M]
	chooser hasWanted
	bounder hasBeyond[P]
	text    func(m M) string
}

// A probe sees the same of all protocols, so that it is compiled once.
type probing struct {
	lossy bool // transitions are left out where a channel is full
	state func(v *model.View, id model.ID) any

	err      error
	left     []any          // states in which handlers left a process
	sent     map[any]bool   // messages that handlers sent
	texts    map[string]any // messages by their texts
	textName string         // method that gives them
	decoded  map[any]bool   // messages whose text was asked for
}

// run looks at as many states of the system of a probe as an extent says.
func (q *probing) run(probed *model.System, e Extent) error {
	c := newConformance(probed, e)
	c.during = func() error { return q.err }
	c.after = func(state []byte, found expansion) error { return q.inspect(probed, state, found) }
	return c.run()
}

// The methods of model.Optional, one by one.
type (
	hasStable[P any] interface{ Stable(p *P) }
	hasSettle[P any] interface {
		Settle(p *P, self, coordinator model.ID, live model.Set)
	}
	hasWake[P any, M model.Message] interface{ Wake(p *P, net *model.Net[M]) }
	hasWatches[P any]               interface {
		Watches(p *P, self model.ID) model.Set
	}
	hasWanted                  interface{ Wanted(live model.Set) model.ID }
	hasFormat[M model.Message] interface{ Format(m M) string }
	hasBeyond[P any]           interface{ Beyond(p *P) string }
)

func newProbe[P any, M model.Message](p model.Protocol[P, M], s setting.Setting) *probe[P, M] {
	q := &probe[P, M]{Protocol: p, probing: &probing{
		lossy: s.Capacity > 0, state: stateOf[P],
		sent: make(map[any]bool), texts: make(map[string]any), decoded: make(map[any]bool),
	}}
	q.stable, _ = model.As[hasStable[P]](p)
	q.watcher, _ = model.As[hasWatches[P]](p)
	q.settler, _ = model.As[hasSettle[P]](p)
	q.waker, _ = model.As[hasWake[P, M]](p)
	q.chooser, _ = model.As[hasWanted](p)
	q.bounder, _ = model.As[hasBeyond[P]](p)
	q.text, q.textName = M.String, "method String"
	if f, ok := model.As[hasFormat[M]](p); ok {
		q.text, q.textName = f.Format, "method Format"
	}
	return q
}

// stateOf returns the state of a process, nil where it has none.
func stateOf[P any](v *model.View, id model.ID) any {
	if p := model.State[P](v, id); p != nil {
		return *p
	}
	return nil
}

// fail notes what is wrong; the first counts.
func (q *probing) fail(format string, args ...any) {
	if q.err == nil {
		q.err = fmt.Errorf(format, args...)
	}
}

// inspect checks that what handlers leave and send when a state is expanded
// comes back when its successors are decoded.
func (q *probing) inspect(sys *model.System, state []byte, found expansion) error {
	q.left = nil
	expand(sys.NewExpander(), state)
	left := q.left
	there := make(map[any]bool)
	for _, s := range append([][]byte{state}, found.states...) {
		v := sys.View(s)
		for id := range v.Up.All() {
			if p := q.state(v, id); p != nil {
				there[p] = true
			}
		}
	}
	for _, p := range left {
		if !q.lossy && !there[p] {
			q.fail("a handler leaves the state %+v, which does not come back when it is decoded: a Set or a ByID goes beyond process N", p)
		}
	}
	clear(q.sent)
	clear(q.decoded)
	sys.Transitions(state)
	for m := range q.sent {
		if !q.lossy && !q.decoded[m] {
			q.fail("a handler sends %+v, which does not come back when it is decoded: a Set or a ByID goes beyond process N", m)
		}
	}
	return q.err
}

// Init runs when a process comes up.
func (q *probe[P, M]) Init(p *P, net *model.Net[M], why model.Boot) {
	q.Protocol.Init(p, net, why)
	if why == model.Cold { // after which Start may follow in the same step
		q.note(net)
		return
	}
	q.ran(p, net)
}

// Start runs when the process is asked to begin an election.
func (q *probe[P, M]) Start(p *P, net *model.Net[M]) {
	q.Protocol.Start(p, net)
	q.ran(p, net)
}

// Suspect runs when the failure detector reports.
func (q *probe[P, M]) Suspect(p *P, net *model.Net[M], who model.ID) {
	q.Protocol.Suspect(p, net, who)
	q.ran(p, net)
}

// Receive runs when a message arrives.
func (q *probe[P, M]) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	q.Protocol.Receive(p, net, from, m)
	q.ran(p, net)
}

// Timeout runs when a timer has expired.
func (q *probe[P, M]) Timeout(p *P, net *model.Net[M], t model.Timer) {
	q.Protocol.Timeout(p, net, t)
	q.ran(p, net)
}

// Belief asks twice.
func (q *probe[P, M]) Belief(p *P) model.Belief {
	return askTwice(q.probing, "Belief", asIs(p), func() model.Belief { return q.Protocol.Belief(p) })
}

// Watches asks twice, or does what the world does for protocols without it.
func (q *probe[P, M]) Watches(p *P, self model.ID) model.Set {
	if q.watcher != nil {
		return askTwice(q.probing, "Watches", asIs(p), func() model.Set { return q.watcher.Watches(p, self) })
	}
	if e := q.Belief(p).Elected; e != model.None && e != model.Me {
		return model.SetOf(e)
	}
	return 0
}

// A before is what the state of a process was: the state now, and back to what it was.
type before struct {
	now  func() any
	back func()
}

func asIs[P any](p *P) before {
	was := *p
	return before{now: func() any { return *p }, back: func() { *p = was }}
}

// askTwice asks a method that must neither change the state of a process nor its mind.
func askTwice[A comparable](q *probing, method string, b before, ask func() A) A {
	was := b.now()
	one := ask()
	if now := b.now(); now != was {
		q.fail("method %s changes the state of the process from %+v to %+v: it has to be pure", method, was, now)
	}
	b.back()
	if two := ask(); one != two {
		q.fail("method %s answers %+v and then %+v about the same state %+v: it has to be pure", method, one, two, was)
	}
	b.back()
	return one
}

// Stable runs twice, or does what the world does for protocols without it.
func (q *probe[P, M]) Stable(p *P) {
	if q.stable == nil {
		var zero P
		*p = zero
		return
	}
	was := *p
	q.stable.Stable(p)
	again := *p
	q.stable.Stable(&again)
	q.same(*p, again, "method Stable makes %+v of %+v, and then %+v of that: what is stable has to stay", *p, was, again)
}

// Settle runs twice.
func (q *probe[P, M]) Settle(p *P, self, coordinator model.ID, live model.Set) {
	again := *p
	q.settler.Settle(p, self, coordinator, live)
	q.settler.Settle(&again, self, coordinator, live)
	q.same(*p, again, "method Settle makes %+v and then %+v of process %s: it has to be deterministic", *p, again, self)
}

// same fails where two states differ.
func (q *probing) same(one, two any, format string, args ...any) {
	if one != two {
		q.fail(format, args...)
	}
}

// Wake sets the timers of a settled start, where there are any.
func (q *probe[P, M]) Wake(p *P, net *model.Net[M]) {
	if q.waker != nil {
		q.waker.Wake(p, net)
	}
}

// Wanted asks, or does what the world does for protocols without it.
func (q *probe[P, M]) Wanted(live model.Set) model.ID {
	if q.chooser == nil {
		return live.Max()
	}
	id := q.chooser.Wanted(live)
	if !live.Has(id) {
		q.fail("method Wanted(%s) is %s: want one of them", live, id)
	}
	return id
}

// Beyond asks twice.
func (q *probe[P, M]) Beyond(p *P) string {
	if q.bounder == nil {
		return ""
	}
	return askTwice(q.probing, "Beyond", asIs(p), func() string { return q.bounder.Beyond(p) })
}

// ran notes what a handler left and sent. A state beyond the protocol's bound
// goes no further, and neither do the messages sent then.
func (q *probe[P, M]) ran(p *P, net *model.Net[M]) {
	if q.Beyond(p) != "" {
		return
	}
	q.left = append(q.left, *p)
	q.note(net)
}

// note notes what a handler sent.
func (q *probe[P, M]) note(net *model.Net[M]) {
	for _, m := range net.Sends {
		q.sent[any(m)] = true
	}
}

// Format asks twice, and checks that no other message has the same text.
func (q *probe[P, M]) Format(m M) string { return q.format(m, func() string { return q.text(m) }) }

func (q *probing) format(m any, ask func() string) string {
	q.decoded[m] = true
	text, panics := said(ask)
	if panics != nil {
		q.fail("%s of %#v panics: %v", q.textName, m, panics)
		return "?"
	}
	switch other, known := q.texts[text]; {
	case text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }):
		q.fail("%s of %#v is %q: want a text that can be printed", q.textName, m, text)
	case ask() != text:
		q.fail("%s of %#v is %q, and then another text: it has to be pure", q.textName, m, text)
	case known && other != m:
		q.fail("%s of %#v is %q, as is that of %#v: different messages need different texts", q.textName, m, text, other)
	}
	q.texts[text] = m
	return text
}

// said asks for a text, and returns the panic of who should say it.
func said(ask func() string) (text string, panics any) {
	defer func() { panics = recover() }()
	return ask(), nil
}

// validNames checks a vocabulary, asked for twice.
func validNames(names, again model.Names) error {
	if !reflect.DeepEqual(names, again) {
		return fmt.Errorf("it answers %+v, and asked again %+v", names, again)
	}
	var timers []string
	for _, t := range names.Timers {
		timers = append(timers, t.Name)
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"kind", names.Kinds}, {"timer", timers}, {"rule", names.Rules}} {
		for i, name := range list.names {
			if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
				return fmt.Errorf("%s %d is %q: want a name that can be printed", list.what, i, name)
			}
		}
		if twice := naming.Repeated(append([]string(nil), list.names...)); len(twice) > 0 {
			return fmt.Errorf("two %ss are named %q", list.what, twice[0])
		}
	}
	return nil
}
