package expression

import (
	"fmt"
	"math"
	"path"
	"reflect"
	"strings"
	"unsafe"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/protocol"
)

// A reader makes *into the value that stands at p. It keeps what it made for the next state, so
// that reading seldom allocates: one goroutine at a time uses it, for one place.
type reader func(p unsafe.Pointer, into *any)

// A shape is how a type looks to an expression.
type shape struct {
	typ    reflect.Type  // as the compiler of expressions is told
	reader func() reader // a new one
	fields []field       // of a struct
}

// A record is a shape of named parts. The compiler sees a struct with their types; the
// values stand in a struct with as many fields, at the same places, that are interfaces, or
// pointers to records. A field of an interface is read without an allocation, and one of a
// number is not.
type record struct {
	name  string
	parts []part
	typ   reflect.Type
	holds reflect.Type
}

type part struct {
	name string
	typ  reflect.Type
	of   *record // nil if it is none
}

// newRecord returns the record of parts.
func newRecord(name string, parts []part) *record {
	r := &record{name: name, parts: parts}
	var typed, held []reflect.StructField
	for i, p := range parts {
		field := fmt.Sprintf("F%d", i)
		typed = append(typed, reflect.StructField{Name: field, Type: p.typ, Tag: reflect.StructTag(fmt.Sprintf("expr:%q", p.name))})
		hold := reflect.TypeFor[any]()
		if p.of != nil {
			hold = reflect.PointerTo(p.of.holds)
		}
		held = append(held, reflect.StructField{Name: field, Type: hold})
	}
	// Two records with the same parts are not one type: this tells them apart.
	mark := reflect.StructTag(fmt.Sprintf(`expr:"-" record:%q`, name))
	typed = append(typed, reflect.StructField{Name: "Record", Type: reflect.TypeFor[struct{}](), Tag: mark})
	r.typ, r.holds = reflect.StructOf(typed), reflect.StructOf(held)
	return r
}

// A place is where a value of a record stands.
type place struct {
	value   any      // as an expression takes it
	parts   []*any   // nil for those that are records
	records []*place // nil for those that are not
}

// place returns a new place for a value of the record.
func (r *record) place() *place {
	v := reflect.New(r.holds)
	at := &place{value: v.Interface()}
	for i, p := range r.parts {
		field := v.Elem().Field(i)
		if p.of == nil {
			at.parts, at.records = append(at.parts, field.Addr().Interface().(*any)), append(at.records, nil)
			continue
		}
		inner := p.of.place()
		field.Set(reflect.ValueOf(inner.value))
		at.parts, at.records = append(at.parts, nil), append(at.records, inner)
	}
	return at
}

// A list holds the elements of a list whose length varies.
type list struct {
	elements []any
	boxed    []any // the first so many elements, each as one value
}

// first returns the list of the first n elements.
func (l *list) first(n int) any {
	if n > len(l.elements) {
		l.elements = append(l.elements, make([]any, n-len(l.elements))...)
		l.boxed = nil
	}
	if l.boxed == nil {
		for i := range len(l.elements) + 1 {
			l.boxed = append(l.boxed, l.elements[:i:i])
		}
	}
	return l.boxed[n]
}

// setInt makes *into a number, and allocates only where it is another one and large.
func setInt(into *any, n int) {
	if old, ok := (*into).(int); !ok || old != n {
		*into = n
	}
}

// never is the zero Instant, which was before all others.
const never = -128

// A tooLarge is the panic of a number that no expression can hold.
type tooLarge uint64

// shapes makes the shapes of a protocol's types, and keeps its records by the types that
// the compiler is told.
type shapes struct {
	n       int // processes
	records map[reflect.Type]*record
}

// of returns the shape of a flat type.
func (s *shapes) of(t reflect.Type) (shape, error) {
	switch {
	case t == reflect.TypeFor[model.Set]():
		return s.set(), nil
	case t == reflect.TypeFor[clock.Clock]():
		return number(func(p unsafe.Pointer) int { return (*clock.Clock)(p).Ahead() }), nil
	case t == reflect.TypeFor[clock.Instant]():
		return number(func(p unsafe.Pointer) int {
			if *(*clock.Instant)(p) == (clock.Instant{}) {
				return never
			}
			return -clock.Clock{}.Since(*(*clock.Instant)(p))
		}), nil
	}
	if elem, ok := protocol.PerProcess(t); ok {
		return s.array(elem, s.n, reflect.ArrayOf)
	}
	switch t.Kind() {
	case reflect.Bool:
		return shape{reflect.TypeFor[bool](), func() reader {
			return func(p unsafe.Pointer, into *any) { *into = *(*bool)(p) }
		}, nil}, nil
	case reflect.Array:
		return s.array(t.Elem(), t.Len(), func(_ int, elem reflect.Type) reflect.Type { return reflect.SliceOf(elem) })
	case reflect.Struct:
		if elem, room, ok := listOf(t); ok {
			return s.list(t, elem, room)
		}
		return s.structure(t)
	}
	if read := integer(t); read != nil {
		return number(read), nil
	}
	return shape{}, fmt.Errorf("an expression cannot read a %s", t)
}

// number is the shape of what reads as a number.
func number(read func(p unsafe.Pointer) int) shape {
	return shape{reflect.TypeFor[int](), func() reader {
		return func(p unsafe.Pointer, into *any) { setInt(into, read(p)) }
	}, nil}
}

// integer returns what reads an integer of a type, nil if it is none.
func integer(t reflect.Type) func(p unsafe.Pointer) int {
	switch t.Kind() {
	case reflect.Int8:
		return func(p unsafe.Pointer) int { return int(*(*int8)(p)) }
	case reflect.Int16:
		return func(p unsafe.Pointer) int { return int(*(*int16)(p)) }
	case reflect.Int32:
		return func(p unsafe.Pointer) int { return int(*(*int32)(p)) }
	case reflect.Int64:
		return func(p unsafe.Pointer) int { return int(*(*int64)(p)) }
	case reflect.Uint8:
		return func(p unsafe.Pointer) int { return int(*(*uint8)(p)) }
	case reflect.Uint16:
		return func(p unsafe.Pointer) int { return int(*(*uint16)(p)) }
	case reflect.Uint32:
		return func(p unsafe.Pointer) int { return int(*(*uint32)(p)) }
	case reflect.Uint64:
		return func(p unsafe.Pointer) int {
			n := *(*uint64)(p)
			if n > math.MaxInt {
				panic(tooLarge(n))
			}
			return int(n)
		}
	}
	return nil
}

// set is the shape of a set of processes: the list of their ids.
func (s *shapes) set() shape {
	return shape{reflect.TypeFor[[]int](), func() reader {
		var l list
		l.first(s.n)
		return func(p unsafe.Pointer, into *any) { readSet(*(*model.Set)(p), &l, into) }
	}, nil}
}

func readSet(set model.Set, l *list, into *any) {
	*into = l.first(set.Len())
	i := 0
	for id := range set.All() {
		setInt(&l.elements[i], int(id))
		i++
	}
}

// array is the shape of a fixed number of elements that stand behind each other.
func (s *shapes) array(elem reflect.Type, length int, of func(int, reflect.Type) reflect.Type) (shape, error) {
	e, err := s.of(elem)
	if err != nil {
		return shape{}, err
	}
	return shape{of(length, e.typ), func() reader {
		read := elements(e, length, elem.Size())
		var l list
		whole := l.first(length)
		return func(p unsafe.Pointer, into *any) {
			read(p, &l, length)
			*into = whole
		}
	}, nil}, nil
}

// elements returns what reads the first so many of the elements from p on into a list.
func elements(of shape, most int, size uintptr) func(p unsafe.Pointer, l *list, length int) {
	readers := make([]reader, most)
	for i := range readers {
		readers[i] = of.reader()
	}
	return func(p unsafe.Pointer, l *list, length int) {
		for i := range length {
			readers[i](unsafe.Add(p, uintptr(i)*size), &l.elements[i])
		}
	}
}

// listOf returns the elements of a list.Of, and for how many it has room; not ok of other types.
func listOf(t reflect.Type) (elem reflect.Type, room int, ok bool) {
	if path.Base(t.PkgPath()) != "list" || !strings.HasPrefix(t.Name(), "Of[") || t.NumField() != 2 || t.Field(1).Type.Kind() != reflect.Array {
		return nil, 0, false
	}
	of := t.Field(1).Type
	return of.Elem(), of.Len(), t.Field(0).Type.Kind() == reflect.Uint8
}

// list is the shape of a list.Of.
func (s *shapes) list(t, elem reflect.Type, room int) (shape, error) {
	e, err := s.of(elem)
	if err != nil {
		return shape{}, err
	}
	begin := t.Field(1).Offset
	return shape{reflect.SliceOf(e.typ), func() reader {
		read := elements(e, room, elem.Size())
		var l list
		l.first(room)
		return func(p unsafe.Pointer, into *any) {
			length := min(int(*(*uint8)(p)), room)
			*into = l.first(length)
			read(unsafe.Add(p, begin), &l, length)
		}
	}, nil}, nil
}

// structure is the shape of a struct.
func (s *shapes) structure(t reflect.Type) (shape, error) {
	fields, err := s.fields(t, nil)
	if err != nil {
		return shape{}, err
	}
	r := s.record(t.Name(), s.partsOf(fields))
	return shape{r.typ, func() reader {
		at := r.place()
		read := readAll(fields, at)
		return func(p unsafe.Pointer, into *any) {
			read(p)
			*into = at.value
		}
	}, fields}, nil
}

// readAll returns what reads fields of a struct into a place.
func readAll(fields []field, at *place) func(p unsafe.Pointer) {
	var all []func(p unsafe.Pointer)
	for i := range fields {
		all = append(all, fields[i].reads(at, i))
	}
	return func(p unsafe.Pointer) {
		for _, read := range all {
			read(p)
		}
	}
}

// partsOf returns fields as parts of a record.
func (s *shapes) partsOf(fields []field) (parts []part) {
	for _, f := range fields {
		parts = append(parts, part{f.name, f.typ, s.records[f.typ]})
	}
	return parts
}

// record returns a record of a name.
func (s *shapes) record(name string, parts []part) *record {
	r := newRecord(name, parts)
	s.records[r.typ] = r
	return r
}

// A field is one of a struct of the protocol.
type field struct {
	shape
	name   string
	offset uintptr
}

// reads returns what reads the field of a struct into part i of a place.
func (f *field) reads(at *place, i int) func(of unsafe.Pointer) {
	offset := f.offset
	if inner := at.records[i]; inner != nil {
		read := readAll(f.fields, inner)
		return func(of unsafe.Pointer) { read(unsafe.Add(of, offset)) }
	}
	read, into := f.reader(), at.parts[i]
	return func(of unsafe.Pointer) { read(unsafe.Add(of, offset), into) }
}

// fields returns the fields of a type, by their names. A name that is taken has "field_"
// before it. A type that is no struct is one field, "state".
func (s *shapes) fields(t reflect.Type, taken []part) (all []field, err error) {
	if t.Kind() != reflect.Struct {
		one, err := s.of(t)
		return []field{{one, "state", 0}}, err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		one, err := s.of(f.Type)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		name := f.Name
		for _, other := range taken {
			if other.name == name {
				name = "field_" + f.Name
			}
		}
		all = append(all, field{one, name, f.Offset})
	}
	return all, nil
}
