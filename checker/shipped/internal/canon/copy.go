package canon

import (
	"reflect"
	"unsafe"
)

// Copy returns a copy of what a pointer points to. An error is a *RefusedError.
func Copy[T any](c *Codec, pointer *T) (*T, error) {
	s := c.of(reflect.TypeFor[T]())
	if s.plain {
		to := new(T)
		*to = *pointer
		return to, nil
	}
	g, err := c.survey(s, unsafe.Pointer(pointer))
	if err == nil {
		err = g.stuck
	}
	if err != nil {
		return nil, err
	}
	cp := copier{graph: g, made: make([]unsafe.Pointer, len(g.blocks))}
	to := (*T)(cp.block(cp.number(region{at: unsafe.Pointer(pointer), shape: s, n: -1})))
	for len(cp.todo) > 0 && cp.err == nil {
		i := cp.todo[len(cp.todo)-1]
		cp.todo = cp.todo[:len(cp.todo)-1]
		cp.fill(&cp.blocks[i], cp.made[i])
	}
	return to, cp.err
}

// A copier copies a graph.
type copier struct {
	*graph
	made []unsafe.Pointer // copies of blocks
	todo []int            // blocks that are made, and have no content yet
}

// block returns where the copy of a block is.
func (c *copier) block(i int) unsafe.Pointer {
	if c.made[i] != nil {
		return c.made[i]
	}
	b := &c.blocks[i]
	switch {
	case b.n < 0:
		c.made[i] = reflect.New(b.shape.typ).UnsafePointer()
	case b.n == 0: // a map
		c.made[i] = reflect.MakeMap(b.shape.typ).UnsafePointer()
	default:
		n := b.n
		if b.refs == 1 {
			n = b.len // nobody else sees what is appended
		}
		c.made[i] = reflect.MakeSlice(reflect.SliceOf(b.shape.typ), n, n).UnsafePointer()
	}
	c.todo = append(c.todo, i)
	return c.made[i]
}

// fill copies the content of a block.
func (c *copier) fill(b *block, to unsafe.Pointer) {
	switch {
	case b.n < 0:
		c.value(b.shape, to, b.at)
	case b.n == 0:
		c.entries(b, to)
	case b.seen == nil:
		c.elements(b.shape, to, b.at, b.len)
	default:
		for k, seen := range b.seen {
			if off := uintptr(k) * b.shape.size; seen {
				c.value(b.shape, unsafe.Add(to, off), unsafe.Add(b.at, off))
			}
		}
	}
}

// value copies the value at one place to another, which is zero.
func (c *copier) value(s *shape, to, from unsafe.Pointer) {
	switch {
	case s.left || s.label != nil:
		share(s.typ, to, from)
		return
	case s.plain:
		copy(unsafe.Slice((*byte)(to), s.size), unsafe.Slice((*byte)(from), s.size))
		return
	}
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			f := &s.fields[i]
			if f.left && f.kind != reflect.Func {
				share(f.typ, unsafe.Add(to, f.offset), unsafe.Add(from, f.offset))
				continue
			}
			c.value(f.shape, unsafe.Add(to, f.offset), unsafe.Add(from, f.offset))
		}
	case reflect.Array:
		c.elements(s.elem, to, from, s.typ.Len())
	case reflect.String:
		*(*string)(to) = *(*string)(from)
	case reflect.Pointer:
		*(*unsafe.Pointer)(to) = c.pointer(s.elem, *(*unsafe.Pointer)(from))
	case reflect.Slice:
		c.slice(s, (*slice)(to), (*slice)(from))
	case reflect.Map:
		if at := *(*unsafe.Pointer)(from); at != nil {
			*(*unsafe.Pointer)(to) = c.block(c.number(region{at: at, shape: s, n: 0}))
		}
	case reflect.Interface:
		if of, at := c.behind(s, from); of != nil {
			box := reflect.New(of.typ)
			c.value(of, box.UnsafePointer(), at)
			reflect.NewAt(s.typ, to).Elem().Set(box.Elem())
		}
	case reflect.Func:
		c.function((**methodValue)(to), *(**methodValue)(from))
	}
}

// share copies what is left out of states: a map or a slice with its elements, so that no
// two copies write to one cache, and all else by assignment.
func share(typ reflect.Type, to, from unsafe.Pointer) {
	left, copied := reflect.NewAt(typ, from).Elem(), reflect.NewAt(typ, to).Elem()
	switch {
	case typ.Kind() == reflect.Map && !left.IsNil():
		copied.Set(reflect.MakeMapWithSize(typ, left.Len()))
		for it := left.MapRange(); it.Next(); {
			copied.SetMapIndex(it.Key(), it.Value())
		}
	case typ.Kind() == reflect.Slice && !left.IsNil():
		copied.Set(reflect.AppendSlice(reflect.MakeSlice(typ, 0, left.Len()), left))
	default:
		copied.Set(left)
	}
}

func (c *copier) elements(s *shape, to, from unsafe.Pointer, n int) {
	if s.plain && !s.left {
		copy(unsafe.Slice((*byte)(to), uintptr(n)*s.size), unsafe.Slice((*byte)(from), uintptr(n)*s.size))
		return
	}
	for i := range n {
		off := uintptr(i) * s.size
		c.value(s, unsafe.Add(to, off), unsafe.Add(from, off))
	}
}

func (c *copier) pointer(s *shape, from unsafe.Pointer) unsafe.Pointer {
	switch {
	case from == nil || s.size == 0:
		return from
	case s.constant:
		return from // nobody writes there
	}
	return c.moved(region{at: from, shape: s, n: -1})
}

// moved returns where the copy of a region is.
func (c *copier) moved(r region) unsafe.Pointer {
	i := c.number(r)
	return unsafe.Add(c.block(i), uintptr(r.at)-uintptr(c.blocks[i].at))
}

func (c *copier) slice(s *shape, to, from *slice) {
	switch {
	case from.data == nil:
		return
	case s.elem.constant || s.elem.size == 0 || from.cap == 0:
		*to = slice{from.data, from.len, from.len} // what is appended goes elsewhere
		return
	}
	r := region{at: from.data, shape: s.elem, n: from.cap, len: from.len}
	*to = slice{c.moved(r), from.len, from.cap}
	if c.to(r).refs == 1 {
		to.cap = from.len
	}
}

// entries copies the content of a map.
func (c *copier) entries(b *block, made unsafe.Pointer) {
	from := reflect.NewAt(b.shape.typ, unsafe.Pointer(&b.at)).Elem()
	to := reflect.NewAt(b.shape.typ, unsafe.Pointer(&made)).Elem()
	for it := from.MapRange(); it.Next(); {
		value := reflect.New(b.shape.elem.typ)
		c.value(b.shape.elem, value.UnsafePointer(), boxed(it.Value()))
		to.SetMapIndex(it.Key(), value.Elem())
	}
}

func (c *copier) function(to **methodValue, from *methodValue) {
	*to = from
	if from == nil {
		return
	}
	b, kind := boundAt(from, codeName(from.code))
	if kind != method {
		return
	}
	i, _ := c.receiver(b)
	off := uintptr(b.receiver) - uintptr(c.blocks[i].at)
	*to = &methodValue{from.code, unsafe.Add(c.block(i), off)}
}
