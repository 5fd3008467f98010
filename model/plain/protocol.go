package plain

import (
	"fmt"
	"maps"
	"slices"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// A Protocol is a protocol as the plain world calls it. States of processes and
// messages are values of whatever type the protocol has, so that the world is
// compiled once and not for each protocol. Of makes one.
type Protocol interface {
	// Names returns the vocabulary of the protocol.
	Names() model.Names
	// System makes the system of the fast world in a setting.
	System(s setting.Setting) (*model.System, error)
	// Seen returns what properties see in a view of that system.
	Seen(v *model.View) View
	// Happened returns what properties see of a step of it.
	Happened(e *model.Event) string

	// zero is a state that holds nothing.
	zero() any
	// process returns process self in a setting, to run its handlers.
	process(s setting.Setting, self model.ID) (process, error)
	belief(p any) model.Belief
	text(m any) string
	kind(m any) model.Kind
	// fields returns what people see of p.
	fields(p any) []model.Field
	// keep returns what a crash leaves of p.
	keep(p any) any
	// beyond reports whether p is beyond the protocol's bound.
	beyond(p any) bool
	// watches returns whom the detector watches, and whether the protocol says.
	watches(p any, self model.ID) (model.Set, bool)
	settle(p any, self, coordinator model.ID, live model.Set) any
	wanted(live model.Set) model.ID
	// oldest is how many ticks ago an instant is at most.
	oldest() int
}

// A process runs handlers.
type process interface {
	// run has handlers act one after the other, in one step of a process that is in
	// a state with timers that are set, with the ticks that each has left. They choose what the script says, and the
	// first outcome after its end.
	run(p any, timers map[model.Timer]int, script []int, handlers []handler) effect
}

// An effect is what handlers of one step did.
type effect struct {
	p       any // the state that they left
	changes []change
	sends   []send
	rules   []model.Rule
	// choices are the outcomes that they chose, widths of how many each was, and
	// texts what they are called, nil if none has a name.
	choices, widths []int
	texts           []string
	// odds are how likely chance makes them, of those that it takes.
	odds model.Odds
	// misuse says what they did that no world can carry out, if anything.
	misuse string
}

// A change is what a handler did to a timer: set it to a number of ticks, or
// stopped it, which is 0.
type change struct {
	timer model.Timer
	ticks int
}

// A send is a message that leaves by a port.
type send struct {
	port      model.Port
	m         any
	broadcast int // sends of one Broadcast share a number above 0
}

// A handler is a call of one of a protocol's handlers.
type handler struct {
	which handlerName
	why   model.Boot
	who   model.ID
	port  model.Port
	m     any
	timer model.Timer
	asked model.Request
}

type handlerName int

const (
	onInit handlerName = iota
	onStart
	onSuspect
	onReceive
	onTimeout
	onWake
	onRequest
)

// Of returns a protocol as the plain world calls it.
func Of[P any, M model.Message](p model.Protocol[P, M]) Protocol { return &of[P, M]{p} }

// An of embeds nothing: each method that it would promote is compiled once more for every protocol.
type of[P any, M model.Message] struct{ of model.Protocol[P, M] }

func (y *of[P, M]) System(s setting.Setting) (*model.System, error) { return model.New(y.of, s) }

func (y *of[P, M]) Names() model.Names { return y.of.Names() }

func (y *of[P, M]) zero() any {
	var p P
	return p
}

func (y *of[P, M]) belief(p any) model.Belief { return y.of.Belief(pointer[P](p)) }

func (y *of[P, M]) text(m any) string {
	if f, ok := model.As[interface{ Format(m M) string }](y.of); ok {
		return f.Format(m.(M))
	}
	return m.(M).String()
}

func (y *of[P, M]) kind(m any) model.Kind { return m.(M).Kind() }

func (y *of[P, M]) fields(p any) []model.Field {
	if s, ok := model.As[model.Shown[P]](y.of); ok {
		if shown := s.Show(pointer[P](p)); shown != nil {
			return shown
		}
	}
	return fieldsOf(p)
}

func (y *of[P, M]) keep(p any) any {
	s, ok := model.As[interface{ Stable(p *P) }](y.of)
	if !ok {
		return y.zero()
	}
	kept := p.(P)
	s.Stable(&kept)
	return kept
}

func (y *of[P, M]) beyond(p any) bool {
	b, ok := model.As[interface{ Beyond(p *P) string }](y.of)
	return ok && b.Beyond(pointer[P](p)) != ""
}

func (y *of[P, M]) watches(p any, self model.ID) (model.Set, bool) {
	w, ok := model.As[interface {
		Watches(p *P, self model.ID) model.Set
	}](y.of)
	if !ok {
		return 0, false
	}
	return w.Watches(pointer[P](p), self), true
}

func (y *of[P, M]) settle(p any, self, coordinator model.ID, live model.Set) any {
	settled := p.(P)
	if s, ok := model.As[interface {
		Settle(p *P, self, coordinator model.ID, live model.Set)
	}](y.of); ok {
		s.Settle(&settled, self, coordinator, live)
	}
	return settled
}

func (y *of[P, M]) wanted(live model.Set) model.ID {
	if c, ok := model.As[interface {
		Wanted(live model.Set) model.ID
	}](y.of); ok {
		return c.Wanted(live)
	}
	return live.Max()
}

func (y *of[P, M]) oldest() int {
	if d, ok := model.As[interface{ Oldest() int }](y.of); ok {
		return d.Oldest()
	}
	return clock.Oldest
}

func (y *of[P, M]) process(s setting.Setting, self model.ID) (process, error) {
	d, err := model.NewNode(y.of, s, self)
	if err != nil {
		return nil, err
	}
	waker, _ := model.As[interface{ Wake(p *P, net *model.Net[M]) }](y.of)
	requester, _ := model.As[requester[P, M]](y.of)
	return &processOf[P, M]{y.of, waker, requester, d}, nil
}

type processOf[P any, M model.Message] struct {
	protocol model.Protocol[P, M]
	waker    interface{ Wake(p *P, net *model.Net[M]) }
	asked    requester[P, M]
	node     *model.Node[P, M]
}

type requester[P any, M model.Message] interface {
	Request(p *P, net *model.Net[M], r model.Request)
}

func (r *processOf[P, M]) run(p any, timers map[model.Timer]int, script []int, handlers []handler) (e effect) {
	r.node.Be(p.(P), slices.Collect(maps.Keys(timers))...)
	r.node.Left = func(t model.Timer) int { return timers[t] }
	r.node.Choose = func(k int) int {
		c, i := 0, len(e.choices)
		if i < len(script) {
			c = script[i]
		}
		e.choices, e.widths = append(e.choices, c), append(e.widths, k)
		return c
	}
	defer func() {
		e.texts, e.odds = r.node.Outcomes(), r.node.Odds()
		e.rules = slices.Collect(r.node.Rules)
		if panicked := recover(); panicked != nil {
			e.misuse = fmt.Sprint(panicked)
		}
	}()
	if err := r.act(handlers); err != nil {
		e.misuse = err.Error()
		return e
	}
	e.p = r.node.State
	for t, ticks := range r.node.Changes {
		e.changes = append(e.changes, change{t, ticks})
	}
	for to, m := range r.node.Sends {
		e.sends = append(e.sends, send{to, m, r.node.Broadcast(len(e.sends))})
	}
	return e
}

// act runs handlers one after the other. A message arrives by itself.
func (r *processOf[P, M]) act(handlers []handler) error {
	if h := handlers[0]; h.which == onReceive {
		return r.node.Receive(h.port, h.m.(M))
	}
	return r.node.Do(func(p *P, net *model.Net[M]) {
		for _, h := range handlers {
			switch h.which {
			case onInit:
				r.protocol.Init(p, net, h.why)
			case onStart:
				r.protocol.Start(p, net)
			case onSuspect:
				r.protocol.Suspect(p, net, h.who)
			case onTimeout:
				r.protocol.Timeout(p, net, h.timer)
			case onWake:
				if r.waker != nil {
					r.waker.Wake(p, net)
				}
			case onRequest:
				if r.asked == nil {
					r.protocol.Start(p, net)
				} else {
					r.asked.Request(p, net, h.asked)
				}
			}
		}
	})
}

// pointer returns a pointer to a copy of a state.
func pointer[P any](p any) *P {
	state := p.(P)
	return &state
}
