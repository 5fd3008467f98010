// Package flat encodes values of flat Go types, those without a pointer
// anywhere, as bytes. A [Plan] says what there is to copy, and is made once for
// a type; encoding a value is then copying a few ranges of its memory.
//
// An encoding is the memory of the value in the byte order of the machine, with
// the bytes left out that carry no data: padding and blank fields. The machines
// supported are little-endian, so encodings are the same on all of them. Equal
// values have equal encodings and different values different ones, and what is
// in the memory between fields never shows.
package flat

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// A Range is a part of the memory of a value, in bytes from its start.
type Range struct {
	Offset, Size int
}

// A Trim says of a type that only its first so many bytes carry data: of an
// array of which only a part is in use, or of a set whose upper bits never are.
// The bytes behind them are neither encoded nor decoded, so they have to be
// zero in every value. It reports false for a type to be encoded as it is.
type Trim func(reflect.Type) (bytes int, ok bool)

// A Plan is how to encode the values of one type. The zero value is the plan of
// a type without data. A Plan is not changed by its methods, and may be used by
// several goroutines.
type Plan struct {
	ranges []Range
	words  []word // in place of ranges, to encode small values
	leaves []Leaf
	size   int
	layout string
}

// A Leaf is an integer or a bool in a value.
type Leaf struct {
	Name string       // its path, "Votes[].At", in which the only field of a type is left out if it is unexported
	Type reflect.Type // its own
	In   reflect.Type // the struct or array that it stands in; nil for the value itself
	At   int          // where it begins in an encoding
	Size int          // bytes there, of which a Trim may leave fewer than the type has
}

// A word is 8 bytes of the encoding, and where in the value they are copied from.
type word struct {
	to, from uintptr
}

// root is the name of the value itself, where it is not a struct with fields.
const root = "(value)"

// Of returns the plan of a type. A type is flat if it consists of integers
// (signed or not, of any size, but not uintptr), bools, arrays and structs. For
// any other the error names the field by its path. A nil trim leaves all types
// as they are.
func Of(t reflect.Type, trim Trim) (Plan, error) {
	if t == nil {
		return Plan{}, errors.New("no type: a type made of integers, bools, arrays and structs is needed")
	}
	p := planner{trim: trim, limit: int(t.Size())}
	if err := p.add(t, place{name: root, leaf: root}); err != nil {
		return Plan{}, err
	}
	plan := Plan{ranges: p.ranges, leaves: p.leaves, layout: p.layout.String()}
	for _, r := range p.ranges {
		plan.size += r.Size
	}
	plan.words = words(p.ranges)
	return plan, nil
}

// An Error says that a type is not flat.
type Error struct {
	// Field is the path to what is not, and Type its type.
	Field string
	Type  reflect.Type
}

// Error names the field.
func (e *Error) Error() string {
	what := plural(e.Type.Kind()) + " are"
	if e.Type.Kind() == reflect.Struct {
		what = e.Type.String() + " is"
	}
	return fmt.Sprintf("field %s: %s not flat; use integers, bools, arrays and structs of them", e.Field, what)
}

// mostWords is how many words are copied faster than the ranges that they are.
const mostWords = 8

// words returns the words that are the encoding of ranges, or nil where it is not
// a few words. From the last range to the first, words end where the range does
// and reach back over its beginning: what they overwrite there is not theirs, and
// is written by the words that come behind them.
func words(ranges []Range) (list []word) {
	end := 0
	for _, r := range ranges {
		end += r.Size
	}
	for i := len(ranges) - 1; i >= 0; i-- {
		r := ranges[i]
		start := end - r.Size
		for left := r.Size; left > 0; left -= 8 {
			to := start + left - 8
			if i == 0 {
				to = max(to, 0) // that word goes beyond the range if it is short
			}
			if to < 0 || i == 0 && r.Size < 8 || len(list) == mostWords {
				return nil
			}
			list = append(list, word{uintptr(to), uintptr(to - start + r.Offset)})
		}
		end = start
	}
	return list
}

// Size returns the number of bytes of an encoding.
func (p *Plan) Size() int { return p.size }

// At returns where in an encoding the byte of a value at an offset stands, and whether it is
// encoded.
func (p *Plan) At(offset uintptr) (at int, ok bool) {
	for _, r := range p.ranges {
		if into := int(offset) - r.Offset; into >= 0 && into < r.Size {
			return at + into, true
		}
		at += r.Size
	}
	return 0, false
}

// Ranges returns the parts of the memory of a value that are encoded, in order;
// the caller must not change them.
func (p *Plan) Ranges() []Range { return p.ranges }

// Leaves returns the integers and bools of which a value consists, in order, those without a
// byte in the encoding left out; the caller must not change them.
func (p *Plan) Leaves() []Leaf { return p.leaves }

// Layout describes what is encoded: a line for each field (of arrays, for the
// first element), with its name, kind, offset and size in memory. Types with
// the same Layout have encodings that can be exchanged.
func (p *Plan) Layout() string { return p.layout }

// Append appends the encoding of the value at v.
func (p *Plan) Append(b []byte, v unsafe.Pointer) []byte {
	n := len(b)
	if cap(b)-n < p.size {
		b = slices.Grow(b, p.size)
	}
	b = b[:n+p.size]
	if len(p.words) > 0 {
		to := unsafe.Pointer(&b[n])
		for _, w := range p.words {
			*(*uint64)(unsafe.Add(to, w.to)) = *(*uint64)(unsafe.Add(v, w.from))
		}
	} else if len(p.ranges) == 1 {
		move(unsafe.Pointer(&b[n]), unsafe.Add(v, p.ranges[0].Offset), p.size)
	} else {
		p.Put(b[n:], v)
	}
	return b
}

// Put writes the encoding of the value at v to the first Size bytes of b.
func (p *Plan) Put(b []byte, v unsafe.Pointer) {
	b = b[:p.size]
	to, at := unsafe.Pointer(unsafe.SliceData(b)), 0
	for i := range p.ranges {
		r := &p.ranges[i]
		move(unsafe.Add(to, at), unsafe.Add(v, r.Offset), r.Size)
		at += r.Size
	}
}

// Get sets the value at v to the one whose encoding the first Size bytes of b
// are. It writes the bytes that carry data and no others: the caller sees to it
// that the rest of the value is zero.
func (p *Plan) Get(v unsafe.Pointer, b []byte) {
	b = b[:p.size]
	from, at := unsafe.Pointer(unsafe.SliceData(b)), 0
	for i := range p.ranges {
		r := &p.ranges[i]
		move(unsafe.Add(v, r.Offset), unsafe.Add(from, at), r.Size)
		at += r.Size
	}
}

// move copies n bytes, more than none. Up to 32 are copied as two words that may
// overlap, which is several times as fast as a call for so few bytes.
func move(to, from unsafe.Pointer, n int) {
	switch {
	case n > 32:
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
	case n >= 16:
		*(*[16]byte)(to) = *(*[16]byte)(from)
		*(*[16]byte)(unsafe.Add(to, n-16)) = *(*[16]byte)(unsafe.Add(from, n-16))
	case n >= 8:
		*(*[8]byte)(to) = *(*[8]byte)(from)
		*(*[8]byte)(unsafe.Add(to, n-8)) = *(*[8]byte)(unsafe.Add(from, n-8))
	case n >= 4:
		*(*[4]byte)(to) = *(*[4]byte)(from)
		*(*[4]byte)(unsafe.Add(to, n-4)) = *(*[4]byte)(unsafe.Add(from, n-4))
	case n >= 2:
		*(*[2]byte)(to) = *(*[2]byte)(from)
		*(*[2]byte)(unsafe.Add(to, n-2)) = *(*[2]byte)(unsafe.Add(from, n-2))
	default:
		*(*byte)(to) = *(*byte)(from)
	}
}

// A planner collects the ranges of a type.
type planner struct {
	trim   Trim
	limit  int // offset in the value behind which trims left no data
	hidden int // arrays around this, of which an earlier element is in the layout
	ranges []Range
	leaves []Leaf
	size   int // of the encoding so far
	layout strings.Builder
}

// A place is where in the value a type stands: name is its path in errors and
// the layout, and leaf its path in a Leaf.
type place struct {
	name, leaf string
	offset     int
	in         reflect.Type
}

// add adds a type and all that it consists of.
func (p *planner) add(t reflect.Type, at place) error {
	size := int(t.Size())
	outer := p.limit
	defer func() { p.limit = outer }()
	if p.trim != nil {
		if n, ok := p.trim(t); ok {
			if n < 0 || n > size {
				return fmt.Errorf("field %s: trimmed to %d bytes, of which type %s has %d", at.name, n, t, size)
			}
			p.limit = min(p.limit, at.offset+n)
		}
	}
	size = max(0, min(size, p.limit-at.offset))
	if p.hidden == 0 {
		fmt.Fprintf(&p.layout, "%s %s %d+%d\n", at.name, kind(t), at.offset, size)
	}
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if size > 0 {
			p.leaves = append(p.leaves, Leaf{Name: at.leaf, Type: t, In: at.in, At: p.size, Size: size})
			p.size += size
		}
		p.cover(at.offset, size)
		return nil
	case reflect.Array:
		return p.array(t, at)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return &Error{at.name, t} // which is more than to say that a field in it is a pointer
		}
		return p.fields(t, at)
	}
	return &Error{at.name, t}
}

func (p *planner) array(t reflect.Type, at place) error {
	elem := t.Elem()
	for i := range t.Len() {
		if i == 1 {
			p.hidden++
		}
		if err := p.add(elem, place{at.name + "[]", at.leaf + "[]", at.offset + i*int(elem.Size()), t}); err != nil {
			return err
		}
	}
	if t.Len() > 1 {
		p.hidden--
	}
	return nil
}

func (p *planner) fields(t reflect.Type, at place) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		in := place{f.Name, f.Name, at.offset + int(f.Offset), t}
		if at.name != root {
			in.name = at.name + "." + f.Name
		}
		switch {
		case t.NumField() == 1 && !f.IsExported():
			in.leaf = at.leaf
		case at.leaf != root:
			in.leaf = at.leaf + "." + f.Name
		}
		if err := p.add(f.Type, in); err != nil {
			return err
		}
	}
	return nil
}

// cover adds bytes that carry data, joined to the range before if they touch.
func (p *planner) cover(offset, size int) {
	if size == 0 {
		return
	}
	if n := len(p.ranges); n > 0 && p.ranges[n-1].Offset+p.ranges[n-1].Size == offset {
		p.ranges[n-1].Size += size
		return
	}
	p.ranges = append(p.ranges, Range{offset, size})
}

// kind returns the kind of a type, of an array with its length.
func kind(t reflect.Type) string {
	if t.Kind() == reflect.Array {
		return fmt.Sprintf("array[%d]", t.Len())
	}
	return t.Kind().String()
}

// plural returns the name of the values of a kind that is not flat.
func plural(k reflect.Kind) string {
	switch k {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Uintptr:
		return "pointers"
	case reflect.Chan:
		return "channels"
	case reflect.Float32, reflect.Float64:
		return "floating-point numbers"
	case reflect.Complex64, reflect.Complex128:
		return "complex numbers"
	}
	return k.String() + "s"
}
