package clock

import "reflect"

// Places says where the clocks and the instants of a type are: their offsets in its memory.
type Places struct {
	Clocks, Instants []uintptr
}

// PlacesOf returns the places of a flat type.
func PlacesOf(t reflect.Type) Places {
	var p Places
	p.add(t, 0)
	return p
}

// Any reports whether there is a clock or an instant.
func (p *Places) Any() bool { return len(p.Clocks)+len(p.Instants) > 0 }

func (p *Places) add(t reflect.Type, at uintptr) {
	switch {
	case t == reflect.TypeFor[Clock]():
		p.Clocks = append(p.Clocks, at)
	case t == reflect.TypeFor[Instant]():
		p.Instants = append(p.Instants, at)
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			p.add(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				p.add(f.Type, at+f.Offset)
			}
		}
	}
}
