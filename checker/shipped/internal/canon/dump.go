package canon

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// The kinds of references in a dump.
const (
	refNil   = iota
	refFirst // what it leads to follows
	refAgain // the number of what has been
	refPart  // a part of what follows
)

// Dump appends the dump of what a pointer points to. An error is a *RefusedError.
func (c *Codec) Dump(to []byte, pointer any) ([]byte, error) {
	v := reflect.ValueOf(pointer)
	s := c.of(v.Type().Elem())
	if s.left || s.plain && s.raw {
		return c.dumpRaw(to, s, v.UnsafePointer()), nil
	}
	g, err := c.survey(s, v.UnsafePointer())
	if err != nil {
		return to, err
	}
	d := dumper{graph: g, numbers: make([]int, len(g.blocks)), out: append(to, s.name...)}
	d.out = append(d.out, 0)
	d.reference(region{at: v.UnsafePointer(), shape: s, n: -1})
	return d.out, nil
}

func (c *Codec) dumpRaw(to []byte, s *shape, p unsafe.Pointer) []byte {
	to = append(append(to, s.name...), 0)
	if s.left {
		return to
	}
	return append(to, unsafe.Slice((*byte)(p), s.size)...)
}

// A dumper dumps a graph.
type dumper struct {
	*graph
	out     []byte
	numbers []int // of blocks that have been dumped, from 1, in their order
	next    int
}

func (d *dumper) count(n int) { d.out = binary.AppendUvarint(d.out, uint64(n)) }

func (d *dumper) text(s string) {
	d.count(len(s))
	d.out = append(d.out, s...)
}

// value dumps the value at p.
func (d *dumper) value(s *shape, p unsafe.Pointer) {
	switch {
	case s.left:
		return
	case s.label != nil:
		v := reflect.NewAt(s.typ, p).Elem()
		if v.IsNil() {
			d.out = append(d.out, refNil)
			return
		}
		d.out = append(d.out, refFirst)
		d.text(s.label(v))
		return
	case s.raw:
		d.out = append(d.out, unsafe.Slice((*byte)(p), s.size)...)
		return
	}
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			if f := &s.fields[i]; !f.left {
				d.value(f.shape, unsafe.Add(p, f.offset))
			}
		}
	case reflect.Array:
		d.elements(s.elem, p, s.typ.Len())
	case reflect.String:
		d.text(*(*string)(p))
	case reflect.Pointer:
		d.pointer(s.elem, *(*unsafe.Pointer)(p))
	case reflect.Slice:
		d.slice(s.elem, (*slice)(p))
	case reflect.Map:
		d.entries(s, p)
	case reflect.Interface:
		of, at := d.behind(s, p)
		if of == nil {
			d.out = append(d.out, refNil)
			return
		}
		d.out = append(d.out, refFirst)
		d.text(of.name)
		d.value(of, at)
	case reflect.Func:
		d.function(*(**methodValue)(p))
	default: // a channel or an unsafe pointer that is nil
		d.out = append(d.out, refNil)
	}
}

func (d *dumper) elements(s *shape, p unsafe.Pointer, n int) {
	if s.left {
		return
	}
	if s.raw {
		d.out = append(d.out, unsafe.Slice((*byte)(p), uintptr(n)*s.size)...)
		return
	}
	for i := range n {
		d.value(s, unsafe.Add(p, uintptr(i)*s.size))
	}
}

func (d *dumper) pointer(s *shape, to unsafe.Pointer) {
	switch {
	case to == nil:
		d.out = append(d.out, refNil)
	case s.size == 0:
		d.out = append(d.out, refFirst)
	case s.constant:
		d.out = append(d.out, refFirst)
		d.value(s, to)
	default:
		d.reference(region{at: to, shape: s, n: -1})
	}
}

func (d *dumper) slice(s *shape, h *slice) {
	if h.data == nil {
		d.out = append(d.out, refNil)
		return
	}
	if s.size > 0 && h.cap > 0 && !s.constant {
		r := region{at: h.data, shape: s, n: h.cap, len: h.len}
		if d.to(r).refs > 1 {
			d.reference(r)
			return
		}
	}
	d.out = append(d.out, refFirst)
	d.count(h.len)
	d.elements(s, h.data, h.len)
}

// reference dumps what a pointer or a slice leads to, or says which block it is.
func (d *dumper) reference(r region) {
	i := d.number(r)
	b := &d.blocks[i]
	first := d.numbers[i] == 0
	switch {
	case !first:
		d.out = append(d.out, refAgain)
		d.count(d.numbers[i])
	default:
		d.next++
		d.numbers[i] = d.next
		d.out = append(d.out, refFirst)
		if b.layers {
			d.out[len(d.out)-1] = refPart
			d.text(b.shape.name)
			d.count(b.n + 1)
		}
	}
	if b.layers {
		d.count(int(uintptr(r.at) - uintptr(b.at)))
		if r.n >= 0 {
			d.count(r.n)
		}
	}
	if r.n >= 0 {
		d.count(r.len)
		if !b.layers {
			d.count(r.n) // who else has it sees what is appended in its place
		}
	}
	if first {
		d.content(b)
	}
}

// content dumps a block.
func (d *dumper) content(b *block) {
	switch {
	case b.n < 0:
		d.value(b.shape, b.at)
	case b.seen == nil:
		d.elements(b.shape, b.at, b.len)
	default:
		for k, seen := range b.seen {
			if !seen {
				d.out = append(d.out, refNil)
				continue
			}
			d.out = append(d.out, refFirst)
			d.value(b.shape, unsafe.Add(b.at, uintptr(k)*b.shape.size))
		}
	}
}

// entries dumps a map in the order of its keys' dumps.
func (d *dumper) entries(s *shape, p unsafe.Pointer) {
	at := *(*unsafe.Pointer)(p)
	if at == nil {
		d.out = append(d.out, refNil)
		return
	}
	i := d.number(region{at: at, shape: s, n: 0})
	if d.numbers[i] > 0 {
		d.out = append(d.out, refAgain)
		d.count(d.numbers[i])
		return
	}
	d.next++
	d.numbers[i] = d.next
	v := reflect.NewAt(s.typ, p).Elem()
	d.out = append(d.out, refFirst)
	d.count(v.Len())
	type entry struct {
		key   []byte
		value unsafe.Pointer
	}
	entries := make([]entry, 0, v.Len())
	start := len(d.out)
	for it := v.MapRange(); it.Next(); {
		d.value(s.key, boxed(it.Key()))
		entries = append(entries, entry{bytes.Clone(d.out[start:]), boxed(it.Value())})
		d.out = d.out[:start]
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, e := range entries {
		d.out = append(d.out, e.key...)
		d.value(s.elem, e.value)
	}
}

func (d *dumper) function(f *methodValue) {
	if f == nil {
		d.out = append(d.out, refNil)
		return
	}
	name := codeName(f.code)
	d.out = append(d.out, refFirst)
	d.text(name)
	b, kind := boundAt(f, name)
	if kind != method {
		return
	}
	i, _ := d.receiver(b)
	d.bind(i, &d.blocks[i])
	d.count(int(uintptr(b.receiver) - uintptr(d.blocks[i].at)))
}

// bind dumps which block a method is bound to.
func (d *dumper) bind(i int, b *block) {
	if d.numbers[i] > 0 {
		d.out = append(d.out, refAgain)
		d.count(d.numbers[i])
		return
	}
	d.next++
	d.numbers[i] = d.next
	d.out = append(d.out, refPart)
	d.text(b.shape.name)
	d.count(b.n + 1)
	if b.n >= 0 {
		d.count(b.len)
	}
	d.content(b)
}
