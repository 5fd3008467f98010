package canon

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// A bound is a method value: a method with its receiver.
type bound struct {
	code     uintptr
	method   string // as in the runtime: "example.org/raft.(*raft).tick"
	typ      string // of the receiver: "raft", to which it is a pointer
	receiver unsafe.Pointer
	path     string
	left     bool // it is left out of dumps
}

// A methodValue is what the compiler makes of a method that is bound to a pointer.
type methodValue struct {
	code     uintptr
	receiver unsafe.Pointer
}

// function finds what a function refers to, or refuses it.
func (g *graph) function(p unsafe.Pointer) {
	f := *(**methodValue)(p)
	if f == nil {
		return
	}
	name := codeName(f.code)
	switch b, kind := boundAt(f, name); kind {
	case closure:
		g.refuse("the function %s may refer to anything; leave the field out, and the value is replayed", name)
	case method:
		b.path = g.path.String()
		g.funcs = append(g.funcs, b)
	}
}

// leftFunction finds out whether a function that is left out can be copied nevertheless.
func (g *graph) leftFunction(p unsafe.Pointer, name string) {
	f := *(**methodValue)(p)
	if f == nil {
		return
	}
	at := append(g.path[:len(g.path):len(g.path)], name).String()
	switch b, kind := boundAt(f, codeName(f.code)); kind {
	case closure:
		g.stuck = &RefusedError{at, fmt.Sprintf("the function %s may refer to anything", codeName(f.code))}
	case method:
		b.path, b.left = at, true
		g.funcs = append(g.funcs, b)
	}
}

func codeName(code uintptr) string { return runtime.FuncForPC(code).Name() }

const (
	plainFunc = iota // of a package: it refers to nothing
	method           // bound to a pointer
	closure          // anything else
)

// boundAt says what a function is by its name.
func boundAt(f *methodValue, name string) (bound, int) {
	last := name[strings.LastIndex(name, "/")+1:]
	method, isMethod := strings.CutSuffix(name, "-fm")
	if isMethod {
		_, typ, ok := strings.Cut(last, ".(*")
		typ, _, closed := strings.Cut(typ, ")")
		if !ok || !closed {
			return bound{}, closure // a receiver that is no pointer is kept in the closure
		}
		typ, _, _ = strings.Cut(typ, "[")
		return bound{code: f.code, method: method, typ: typ, receiver: f.receiver}, 1
	}
	for _, part := range strings.Split(last, ".")[1:] {
		if rest, ok := strings.CutPrefix(part, "func"); ok && strings.Trim(rest, "0123456789") == "" {
			return bound{}, closure
		}
	}
	if strings.Contains(last, "[") || strings.Contains(last, "gowrap") {
		return bound{}, closure // it may have a dictionary
	}
	return bound{}, plainFunc
}

// receiver returns the block in which the receiver of a method is.
func (g *graph) receiver(f bound) (int, bool) {
	for i := range g.blocks {
		b := &g.blocks[i]
		if b.shape.size == 0 || b.n == 0 || uintptr(f.receiver) < uintptr(b.at) {
			continue
		}
		off := uintptr(f.receiver) - uintptr(b.at)
		if off < b.shape.size*uintptr(max(b.n, 1)) {
			return i, b.shape.hasNamed(f.typ, off%b.shape.size)
		}
	}
	return 0, false
}

// hasNamed reports whether a value of a shape has one of a type's name at an offset.
func (s *shape) hasNamed(name string, off uintptr) bool {
	plain, _, _ := strings.Cut(s.typ.Name(), "[")
	if off == 0 && plain == name {
		return true
	}
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			if f := &s.fields[i]; f.offset <= off && off < f.offset+f.size && f.hasNamed(name, off-f.offset) {
				return true
			}
		}
	case reflect.Array:
		return s.elem.size > 0 && off < s.size && s.elem.hasNamed(name, off%s.elem.size)
	}
	return false
}
