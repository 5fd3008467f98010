package canon

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tag is the key of the struct tag that leaves a field out: `shipped:"-"`.
const Tag = "shipped"

// Rules say what of a value does not count.
type Rules struct {
	// Leave names what is left out of dumps, and copied as it is: types
	// ("raft.Logger") and fields of types ("raft.raft.logger"), with the name of
	// their package, as in the %T of a value.
	Leave []string
	// Constant names types whose values nobody changes once they are made ("uint64"
	// where pointers to numbers stand for optional numbers): whether two pointers or
	// slices lead to one of them or to two equal ones makes no difference.
	Constant []string
	// Refuse has advice for types that no value may have.
	Refuse map[reflect.Type]string
}

// A Codec dumps and copies values by rules. It is safe for use by several goroutines.
type Codec struct {
	rules  Rules
	mu     sync.RWMutex
	shapes map[reflect.Type]*shape
	used   map[string]bool // names of the rules that something has
}

// New returns a codec.
func New(rules Rules) *Codec {
	return &Codec{rules: rules, shapes: make(map[reflect.Type]*shape), used: make(map[string]bool)}
}

// Unused returns the names of the rules that no type of a value so far has.
func (c *Codec) Unused() (names []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, name := range slices.Concat(c.rules.Leave, c.rules.Constant) {
		if !c.used[name] {
			names = append(names, name)
		}
	}
	return names
}

// A shape is what has to be known of a type to dump and copy its values.
type shape struct {
	typ    reflect.Type
	kind   reflect.Kind
	size   uintptr
	name   string // as dumps have it
	fields []field
	elem   *shape // of pointers, slices, arrays and maps
	key    *shape // of maps
	refuse string // advice

	plain    bool                         // it has no references: its memory is copied as it is
	raw      bool                         // and no padding: its memory is its dump
	left     bool                         // it is left out
	label    func(v reflect.Value) string // values are known by it, and copied as they are
	constant bool                         // sharing of its values does not count
}

type field struct {
	name   string
	offset uintptr
	left   bool
	*shape
}

// of returns the shape of a type.
func (c *Codec) of(t reflect.Type) *shape {
	c.mu.RLock()
	s := c.shapes[t]
	c.mu.RUnlock()
	if s != nil {
		return s
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// A shape under way is nobody else's: shapes refer to each other in circles.
	fresh := make(map[reflect.Type]*shape)
	s = c.build(t, fresh)
	for t, s := range fresh {
		c.shapes[t] = s
	}
	return s
}

func (c *Codec) build(t reflect.Type, fresh map[reflect.Type]*shape) *shape {
	if s := c.shapes[t]; s != nil {
		return s
	}
	if s := fresh[t]; s != nil {
		return s
	}
	s := &shape{typ: t, kind: t.Kind(), size: t.Size(), name: typeName(t), refuse: c.rules.Refuse[t]}
	fresh[t] = s
	s.left, s.label = c.listed(c.rules.Leave, t.String()), label(t)
	s.constant = c.listed(c.rules.Constant, t.String())
	switch s.kind {
	case reflect.Pointer:
		s.elem = c.build(t.Elem(), fresh)
	case reflect.Slice:
		s.elem = c.build(t.Elem(), fresh)
	case reflect.Array:
		s.elem = c.build(t.Elem(), fresh)
		s.plain, s.raw = s.elem.plain, s.elem.raw
	case reflect.Map:
		s.elem, s.key = c.build(t.Elem(), fresh), c.build(t.Key(), fresh)
	case reflect.Struct:
		c.buildFields(s, fresh)
	case reflect.String, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		s.plain, s.raw = true, true
	}
	return s
}

func (c *Codec) buildFields(s *shape, fresh map[reflect.Type]*shape) {
	s.plain, s.raw = true, true
	end := uintptr(0)
	for i := range s.typ.NumField() {
		f := s.typ.Field(i)
		of := c.build(f.Type, fresh)
		left := f.Tag.Get(Tag) == "-" || of.left || c.listed(c.rules.Leave, s.typ.String()+"."+f.Name)
		blank := f.Name == "_"
		s.plain = s.plain && of.plain
		s.raw = s.raw && of.raw && !left && !blank && f.Offset == end
		end = f.Offset + of.size
		if !blank {
			s.fields = append(s.fields, field{f.Name, f.Offset, left, of})
		}
	}
	s.raw = s.raw && end == s.size
}

func (c *Codec) listed(names []string, name string) bool {
	if !slices.Contains(names, name) {
		return false
	}
	c.used[name] = true
	return true
}

// label returns what the values of a type are known by that are the runtime's or a
// library's own, one for each thing that there is; nil if the type is none of those.
func label(t reflect.Type) func(v reflect.Value) string {
	switch {
	case t == reflect.TypeFor[*time.Location]():
		return func(v reflect.Value) string { return v.Interface().(*time.Location).String() }
	case t == reflect.TypeOf(reflect.TypeFor[int]()):
		return func(v reflect.Value) string { return typeName(v.Interface().(reflect.Type)) }
	}
	return nil
}

// typeName is the name of a type with the whole paths of packages.
func typeName(t reflect.Type) string {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Name() != "":
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeName(t.Elem())
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeName(t.Elem()))
	case reflect.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	}
	return t.String()
}

// A RefusedError says what of a value cannot be dumped or copied.
type RefusedError struct {
	// Path is where it is: "Node.raft.tick".
	Path string
	// The fault, and what would be right.
	What string
}

// Error says where what is.
func (e *RefusedError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.What) }

// A path is the way to a part of a value, kept as the names on it.
type path []string

func (p path) String() string {
	if len(p) == 0 {
		return "the value itself"
	}
	return strings.TrimPrefix(strings.ReplaceAll(strings.Join(p, "."), ".[", "["), ".")
}
