package model

import (
	"fmt"
	"reflect"
	"unsafe"
)

// An Optional is a method that a protocol may have beside those of Protocol.
type Optional struct {
	// Method is its name, and What what it gives the system: "stable storage".
	Method, What string
	// Has says that the protocol, or what it wraps, has it.
	Has bool
}

// Optional returns the methods that a protocol may have beside those of
// Protocol, always the same ones in the same order, and which of them the
// system's protocol has.
func (s *System) Optional() []Optional { return s.impl.optional() }

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

// optionals are the optional methods of a protocol, nil where it has none.
type optionals[P any, M Message] struct {
	stable    Stable[P]
	watcher   Watcher[P]
	settler   Settler[P]
	waker     Waker[P, M]
	chooser   Chooser
	formatter Formatter[M]
	bounder   Bounder[P]

	list []Optional
}

// find fills in the optional methods of p. It fails where a method has the name
// of one and another type, which would otherwise be left out in silence.
func (o *optionals[P, M]) find(p any) error {
	all := layers(p)
	for _, err := range []error{
		optional(o, all, &o.stable, "stable storage"),
		optional(o, all, &o.settler, "a start as after an election"),
		optional(o, all, &o.waker, "timers after an election"),
		optional(o, all, &o.watcher, "whom the failure detector watches"),
		optional(o, all, &o.chooser, "who ought to win"),
		optional(o, all, &o.formatter, "texts of messages"),
		optional(o, all, &o.bounder, "a bound on states of processes"),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// optional looks for the only method of interface T in the layers of a protocol.
func optional[T any, P any, M Message](o *optionals[P, M], layers [][]any, found *T, what string) error {
	want := reflect.TypeFor[T]().Method(0)
	has := false
	for _, layer := range layers {
		if has {
			break
		}
		for _, v := range layer {
			t, ok := v.(T)
			switch {
			case ok && has:
				return fmt.Errorf("protocol %T embeds two values with a method %s: write the one that is meant", layers[0][0], want.Name)
			case ok:
				*found, has = t, true
			default:
				if err := misshaped(v, want); err != nil {
					return err
				}
			}
		}
	}
	o.list = append(o.list, Optional{Method: want.Name, What: what, Has: has})
	return nil
}

// misshaped says what is wrong with a method of v that has the wanted name and
// still is not the wanted one; nil if v has no such method.
func misshaped(v any, want reflect.Method) error {
	t := reflect.TypeOf(v)
	if m := reflect.ValueOf(v).MethodByName(want.Name); m.IsValid() {
		return fmt.Errorf("protocol %v: method %s is a %v; want a %v", t, want.Name, m.Type(), want.Type)
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

func (o *optionals[P, M]) optional() []Optional { return o.list }
