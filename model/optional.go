package model

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// Optional has the methods that a protocol may have beyond those of Protocol,
// each of them or none. No protocol implements it for its own sake. New refuses a
// protocol that has one by name and not by type.
type Optional[P any, M Message] interface {
	// Stable clears in p whatever does not survive a crash: the processes have
	// stable storage. What a handler writes to the rest is stored before its
	// first message is sent. Without it nothing survives.
	Stable(p *P)
	// Settle makes p the state of process self after an election among the
	// processes of live that coordinator won: the protocol can start as after an
	// election.
	Settle(p *P, self, coordinator ID, live Set)
	// Wake sets the timers that a process has after an election, of tasks that
	// never end, and does nothing else. It runs after Settle.
	Wake(p *P, net *Net[M])
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
	// "" if it is not, where states have no end: terms, rounds, ballots. What a
	// handler leaves beyond the bound is not explored: a search that comes to
	// such a state is incomplete, and says so. A bound that the handlers keep to
	// instead would be part of the protocol, and what they no longer do there
	// could break properties.
	Beyond(p *P) string
}

// The methods of Optional, one by one.
type (
	stable[P any]  interface{ Stable(p *P) }
	settler[P any] interface {
		Settle(p *P, self, coordinator ID, live Set)
	}
	waker[P any, M Message] interface{ Wake(p *P, net *Net[M]) }
	watcher[P any]          interface{ Watches(p *P, self ID) Set }
	chooser                 interface{ Wanted(live Set) ID }
	formatter[M Message]    interface{ Format(m M) string }
	bounder[P any]          interface{ Beyond(p *P) string }
)

// An OptionalMethod is one of the methods of Optional.
type OptionalMethod struct {
	// Method is its name, and What what it gives the system: "stable storage".
	Method, What string
	// Has says that the protocol, or what it wraps, has it.
	Has bool
}

// Optional returns the methods of Optional, always in the same order, and which
// of them the system's protocol has.
func (s *System) Optional() []OptionalMethod { return s.impl.has.list }

// As returns p as a T, or else the first of what p wraps that is a T: a value
// behind an interface that p embeds, at any depth. Wrapping a protocol
//
//	struct{ model.Protocol[P, M] }
//
// thus keeps the optional methods of what is wrapped.
func As[T any](p any) (T, bool) {
	for _, layer := range layers(p) {
		for _, v := range layer {
			if t, ok := v.(T); ok {
				return t, true
			}
		}
	}
	var none T
	return none, false
}

// optionals says which optional methods a protocol has.
type optionals struct {
	stable, settler, waker, watcher, bounder bool

	chooser chooser // nil where it has none
	list    []OptionalMethod
}

// A wanted is an optional method that is looked for: the only one of an interface.
type wanted struct {
	method reflect.Method
	what   string
	take   func(v any) bool // takes v if it has the method
	has    *bool
}

// want looks for an optional method, to be put at found.
func want[T any](found *T, what string, has *bool) wanted {
	take := func(v any) bool {
		t, ok := v.(T)
		if ok {
			*found = t
		}
		return ok
	}
	return wanted{reflect.TypeFor[T]().Method(0), what, take, has}
}

// find looks for an optional method in the layers of a protocol. It fails where a
// method has the name of one and another type, which would otherwise be left out in
// silence.
func (o *optionals) find(layers [][]any, want *wanted) error {
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
	o.list = append(o.list, OptionalMethod{Method: want.method.Name, What: want.what, Has: *has})
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

// maxLayers bounds how deep a protocol is unwrapped: one that wraps itself has
// no end.
const maxLayers = 16

// layers returns p, then what it embeds behind interfaces, then what that
// embeds, and so on.
func layers(p any) [][]any {
	var all [][]any
	for layer := []any{p}; len(layer) > 0 && len(all) < maxLayers; {
		all = append(all, layer)
		var next []any
		for _, v := range layer {
			next = append(next, unwrap(reflect.ValueOf(v), 0)...)
		}
		layer = next
	}
	return all
}

// unwrap returns what a value embeds behind interfaces, itself or by the
// structs that it embeds.
func unwrap(v reflect.Value, depth int) (found []any) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || depth == maxLayers {
		return nil
	}
	if !v.CanAddr() { // so that fields that are not exported can be read
		at := reflect.New(v.Type()).Elem()
		at.Set(v)
		v = at
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).Anonymous {
			continue
		}
		field := v.Field(i)
		field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		if field.Kind() != reflect.Interface {
			found = append(found, unwrap(field, depth+1)...)
		} else if !field.IsNil() {
			found = append(found, field.Elem().Interface())
		}
	}
	return found
}

// written returns the text of a type as a protocol's author writes it: by the
// names that this package has for those of package process.
func written(t reflect.Type) string {
	return strings.NewReplacer("process.ID", "model.ID", "process.Set", "model.Set").Replace(t.String())
}
