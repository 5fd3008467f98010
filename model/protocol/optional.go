package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"bullyproof/model/internal/wrapped"
	"bullyproof/model/setting"
)

// Optional has the methods that a protocol may have beyond those of Protocol,
// each of them or none. No protocol implements it for its own sake. New refuses a
// protocol that has one by name and not by type.
type Optional[P any, M Message] interface {
	// Stable clears the fields of p that do not survive a crash: the processes
	// have stable storage. A handler's changes to the rest are stored before its
	// first message is sent. Without it nothing survives.
	Stable(p *P)
	// Settle makes p the state of process self after an election among the
	// processes of live that coordinator won: the protocol can start as after an
	// election.
	Settle(p *P, self, coordinator ID, live Set)
	// Wake sets the timers that a process has after an election, of tasks that
	// never end, and does nothing else. It runs after Settle.
	Wake(p *P, net *Net[M])
	// Request runs when somebody asks a process for one of the Requests of Names ("hand
	// over"), in a Setting that grants requests. Without it all that a process is asked for
	// is Start.
	Request(p *P, net *Net[M], r Request)
	// Watches returns the processes whose crash the detector reports to a
	// process in state p with id self. Without it that is the coordinator that
	// the process names.
	Watches(p *P, self ID) Set
	// Wanted returns the process that ought to win among those of live. Without
	// it that is the highest.
	Wanted(live Set) ID
	// Format returns m as the source writes it, where that depends on how the
	// source is read; different messages have different texts. Without it that
	// is m.String.
	Format(m M) string
	// Beyond returns why a process in state p is beyond the bound ("term 4"), or
	// "" if it is not, where states have no end: terms, rounds, ballots. States beyond
	// the bound are not explored: the bound is a part of the scope, a verdict is one
	// within it, and the report names the rest. A bound that the handlers keep to
	// instead would be part of the protocol, and what they no longer do there could
	// break properties.
	Beyond(p *P) string
	// Oldest returns how many ticks ago an instant (clock.Instant) counts for what it is, 0 to
	// clock.Oldest; older ones are as the zero Instant. The fewer, the fewer states there are.
	// Without it that is clock.Oldest.
	Oldest() int
	// Role returns what process id is where processes differ in more than their ids,
	// n of them ("store"); "" if it is nothing in particular. Diagrams write it behind the name
	// of the process.
	Role(id ID, n int) string
	// Symmetric says that ids decide nothing in a setting: no handler compares two
	// processes by id, or sets a timer by its own. If the processes change places, and
	// what stands of them in an ID, a Set, a ByID or a Port of a state or message is
	// renamed, then all handlers do the same, renamed. A reduced search may then visit one of the
	// states that differ by a permutation of the processes (docs/reductions.md). A
	// conformance test permutes states, and fails where it is false.
	Symmetric(s setting.Setting) bool
	// Fits returns an error if the protocol cannot run in a setting, and says what the setting
	// would have to have: places, timers or roles for so many processes ("n=5: want n=2 to
	// 4, ..."). New refuses the setting with it. Without it the protocol runs in every setting.
	Fits(s setting.Setting) error
}

// The methods of Optional, one by one.
type (
	stable[P any]  interface{ Stable(p *P) }
	settler[P any] interface {
		Settle(p *P, self, coordinator ID, live Set)
	}
	waker[P any, M Message]     interface{ Wake(p *P, net *Net[M]) }
	requester[P any, M Message] interface {
		Request(p *P, net *Net[M], r Request)
	}
	watcher[P any]       interface{ Watches(p *P, self ID) Set }
	formatter[M Message] interface{ Format(m M) string }
	bounder[P any]       interface{ Beyond(p *P) string }
)

// A Chooser says who ought to win (Optional.Wanted).
type Chooser interface{ Wanted(live Set) ID }

// A Caster says what each process is (Optional.Role).
type Caster interface{ Role(id ID, n int) string }

// A Dater says for how long instants count (Optional.Oldest).
type Dater interface{ Oldest() int }

// A Symmetric protocol says that ids decide nothing (Optional.Symmetric).
type Symmetric interface {
	Symmetric(s setting.Setting) bool
}

// Shown is a protocol whose states stand for something, and are shown as that: a state
// may be a number under which something larger is kept.
type Shown[P any] interface {
	// Show returns what people see of a process in state p in place of the
	// fields of P; nil: these.
	Show(p *P) []Field
}

// Remarked is a protocol that says in reports how it ran: what its states are, and what
// they cost.
type Remarked interface {
	// Remark returns a sentence or several, "" if there is nothing to say yet.
	Remark() string
}

// Methods are all methods that anything asks of a protocol beyond those of Protocol. This is the
// list: a test finds what is asked for in the source, and another one has each wrapper of a
// protocol pass each method on, or say why it does not.
type Methods[P any, M Message] interface {
	Optional[P, M]
	Shown[P]
	Remarked
}

// An OptionalMethod is one of the methods of Optional.
type OptionalMethod struct {
	// Method is its name, and What what it gives the system: "stable storage".
	Method, What string
	// Has says that the protocol has the method, or the protocol that it wraps does.
	Has bool
}

// As returns p as a T, or else the first of what p wraps that is a T: a value
// behind an interface that p embeds, at any depth. Wrapping a protocol
//
//	struct{ model.Protocol[P, M] }
//
// thus keeps the optional methods of what is wrapped.
func As[T any](p any) (T, bool) {
	for _, layer := range wrapped.Layers(p) {
		for _, v := range layer {
			if t, ok := v.(T); ok {
				return t, true
			}
		}
	}
	var none T
	return none, false
}

// Optionals says which optional methods a protocol has.
type Optionals struct {
	Stable, Settler, Waker, Requester, Watcher, Bounder bool

	Chooser   Chooser // nil where it has none
	Caster    Caster
	Dater     Dater
	Symmetric Symmetric
	Fitter    interface{ Fits(s setting.Setting) error }

	// List are the methods of Optional, always in the same order.
	List []OptionalMethod
}

// Wanted returns the process that ought to win among those of live, None of nobody.
func (o *Optionals) Wanted(live Set) ID {
	switch {
	case live == 0:
		return None
	case o.Chooser != nil:
		return o.Chooser.Wanted(live)
	}
	return live.Max()
}

// Watched returns the processes that the detector watches for a process in state p,
// which takes elected for the coordinator.
func (o *Optionals) Watched(c Code, p unsafe.Pointer, self, elected ID) Set {
	switch {
	case o.Watcher:
		return c.Watches(p, self)
	case elected != None && elected != Me:
		return SetOf(elected)
	}
	return 0
}

// A wanted is an optional method that is looked for: the only one of an interface.
type wanted struct {
	method reflect.Method
	what   string
	take   func(v any) bool // takes v if it has the method
	has    *bool
}

// want looks for an optional method, to be put at found, a pointer to an interface.
func want(found any, what string, has *bool) wanted {
	at := reflect.ValueOf(found).Elem()
	take := func(v any) bool {
		ok := reflect.TypeOf(v).Implements(at.Type())
		if ok {
			at.Set(reflect.ValueOf(v))
		}
		return ok
	}
	return wanted{at.Type().Method(0), what, take, has}
}

// find looks for the optional methods of a protocol. Those in which its types stand are put at
// pointers to interfaces. It is not generic: it would be compiled once more for each protocol.
func (o *Optionals) find(p any, stabler, settler, waker, requester, watcher, formatter, bounder any) error {
	all := wrapped.Layers(p)
	for _, w := range []wanted{
		want(stabler, "stable storage", &o.Stable),
		want(settler, "a start as after an election", &o.Settler),
		want(waker, "timers after an election", &o.Waker),
		want(requester, "requests of its own", &o.Requester),
		want(watcher, "whom the failure detector watches", &o.Watcher),
		want(&o.Chooser, "who ought to win", new(bool)),
		want(formatter, "texts of messages", new(bool)),
		want(bounder, "a bound on states of processes", &o.Bounder),
		want(&o.Dater, "for how long instants count", new(bool)),
		want(&o.Caster, "names of roles", new(bool)),
		want(&o.Symmetric, "a symmetry, as ids decide nothing", new(bool)),
		want(&o.Fitter, "the settings in which it runs", new(bool)),
	} {
		if err := o.take(all, &w); err != nil {
			return err
		}
	}
	return nil
}

// take looks for an optional method in the layers of a protocol. It fails where a
// method has the name of one and another type, which would otherwise be left out in
// silence.
func (o *Optionals) take(layers [][]any, want *wanted) error {
	has := want.has
	for _, layer := range layers {
		if *has {
			break
		}
		for _, v := range layer {
			switch ok := want.take(v); {
			case ok && *has:
				return fmt.Errorf("protocol %T embeds two values with a method %s: write the one that is meant", layers[0][0], want.method.Name)
			case ok:
				*has = true
			default:
				if err := misshaped(v, want.method); err != nil {
					return err
				}
			}
		}
	}
	o.List = append(o.List, OptionalMethod{Method: want.method.Name, What: want.what, Has: *has})
	return nil
}

// misshaped says what is wrong with a method of v that has the wanted name and
// still is not the wanted one; nil if v has no such method.
func misshaped(v any, want reflect.Method) error {
	t := reflect.TypeOf(v)
	if m := reflect.ValueOf(v).MethodByName(want.Name); m.IsValid() {
		return fmt.Errorf("protocol %v: method %s is a %s; want a %s", t, want.Name, written(m.Type()), written(want.Type))
	}
	if t.Kind() != reflect.Pointer {
		if _, ok := reflect.PointerTo(t).MethodByName(want.Name); ok {
			return fmt.Errorf("protocol %v: method %s has a pointer receiver, which the value lacks; use a *%v", t, want.Name, t)
		}
	}
	return nil
}

// written returns the text of a type as a protocol's author writes it: by the
// names that this package has for those of package process.
func written(t reflect.Type) string {
	return strings.NewReplacer("process.ID", "model.ID", "process.Set", "model.Set", "protocol.Net[", "model.Net[").Replace(t.String())
}
