package canon

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"unsafe"
)

// A Leaf is a part of a value that has no parts: a number, a text, what is nil.
type Leaf struct {
	// Path is where it is ("log.entries[0].Term"), and Text its value. The zero
	// ones are left out of lists.
	Path, Text string
}

// Leaves lists the parts of what a pointer points to that are neither zero nor left out,
// for people.
func (c *Codec) Leaves(pointer any) []Leaf {
	l := lister{Codec: c, seen: make(map[unsafe.Pointer]string)}
	v := reflect.ValueOf(pointer)
	l.walk(v.Elem(), nil)
	return l.leaves
}

// Difference says in which part two values of one type differ first.
func (c *Codec) Difference(one, other any) string {
	a, b := c.Leaves(one), c.Leaves(other)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b) || i < len(a) && a[i].Path < b[i].Path:
			return fmt.Sprintf("%s is %s, and nothing", a[i].Path, a[i].Text)
		case i >= len(a) || b[i].Path < a[i].Path:
			return fmt.Sprintf("%s is nothing, and %s", b[i].Path, b[i].Text)
		case a[i].Text != b[i].Text:
			return fmt.Sprintf("%s is %s, and %s", a[i].Path, a[i].Text, b[i].Text)
		}
	}
	return "they share memory otherwise"
}

type lister struct {
	*Codec
	seen   map[unsafe.Pointer]string
	leaves []Leaf
}

func (l *lister) add(p path, text string) { l.leaves = append(l.leaves, Leaf{p.String(), text}) }

// walk lists the leaves of an addressable value.
func (l *lister) walk(v reflect.Value, at path) {
	s := l.of(v.Type())
	if s.left || v.IsZero() {
		return
	}
	if s.label != nil {
		l.add(at, s.label(v))
		return
	}
	switch s.kind {
	case reflect.Struct:
		for _, f := range s.fields {
			if !f.left {
				l.walk(reflect.NewAt(f.typ, unsafe.Add(v.Addr().UnsafePointer(), f.offset)).Elem(), append(at, f.name))
			}
		}
	case reflect.Pointer:
		if first, ok := l.seen[v.UnsafePointer()]; ok && !s.elem.constant {
			l.add(at, "→"+first)
			return
		}
		l.seen[v.UnsafePointer()] = at.String()
		if v.Elem().IsZero() {
			l.add(at, "→0")
		}
		l.walk(v.Elem(), at)
	case reflect.Slice, reflect.Array:
		if s.elem.kind == reflect.Uint8 {
			l.add(at, fmt.Sprintf("%q", v.Bytes()))
			return
		}
		for i := range v.Len() {
			l.walk(v.Index(i), append(at, fmt.Sprintf("[%d]", i)))
		}
	case reflect.Map:
		l.entries(v, at)
	case reflect.Interface:
		box := reflect.New(v.Elem().Type()).Elem()
		box.Set(v.Elem())
		l.walk(box, at)
	case reflect.Func:
		name := codeName((*(**methodValue)(v.Addr().UnsafePointer())).code)
		l.add(at, name[strings.LastIndex(name, "/")+1:])
	default:
		l.add(at, fmt.Sprint(v.Interface()))
	}
}

func (l *lister) entries(v reflect.Value, at path) {
	keys := v.MapKeys()
	text := func(k reflect.Value) string { return fmt.Sprintf("[%v]", k) }
	sort.Slice(keys, func(i, j int) bool { return text(keys[i]) < text(keys[j]) })
	for _, k := range keys {
		box := reflect.New(v.Type().Elem()).Elem()
		box.Set(v.MapIndex(k))
		here := append(at, text(k))
		if box.IsZero() {
			l.add(here, "0")
		}
		l.walk(box, here)
	}
}
