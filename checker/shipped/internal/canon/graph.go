package canon

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"slices"
	"unsafe"
)

// A graph is what a value refers to: the parts of memory and how they overlap.
type graph struct {
	*Codec
	regions []region
	index   map[region]int // regions without their block
	blocks  []block
	funcs   []bound
	depth   int // of constants
	path    path
	err     error
	stuck   error // why it cannot be copied
}

// A region is what one pointer or slice leads to: a value of a shape, or n of them.
type region struct {
	at    unsafe.Pointer
	shape *shape
	n     int // elements that a slice has room for; -1 behind a pointer
	len   int // of a slice
	block int // that it lies in; 0 as a key
}

func (r *region) end() uintptr { return uintptr(r.at) + r.size() }

func (r *region) size() uintptr {
	if r.n < 0 {
		return r.shape.size
	}
	return r.shape.size * uintptr(r.n)
}

// A block is a part of memory that no other one overlaps: regions that share memory
// are in one block.
type block struct {
	at     unsafe.Pointer
	shape  *shape
	n      int    // elements; -1 where it is no array, 0 of a map
	len    int    // of the one slice that there is of it
	seen   []bool // of an array that several slices share: the elements that one of them has
	refs   int    // regions, and how often something refers to them
	layers bool   // it has regions of several kinds, or at several places
}

// survey finds all that the value at p refers to.
func (c *Codec) survey(s *shape, p unsafe.Pointer) (*graph, error) {
	g := &graph{Codec: c, index: make(map[region]int)}
	g.region(region{at: p, shape: s, n: -1})
	if g.err == nil {
		g.merge()
	}
	for _, f := range g.funcs {
		if _, ok := g.receiver(f); g.err == nil && !ok {
			if f.left {
				g.stuck = &RefusedError{f.path, fmt.Sprintf("the method %s is bound to what is no part of the value", f.method)}
				continue
			}
			g.err = &RefusedError{f.path, fmt.Sprintf("the method %s is bound to what is no part of the value; leave the field out, and the value is replayed", f.method)}
		}
	}
	return g, g.err
}

func (g *graph) refuse(format string, args ...any) {
	if g.err == nil {
		g.err = &RefusedError{g.path.String(), fmt.Sprintf(format, args...)}
	}
}

// region notes a region, and what it refers to.
func (g *graph) region(r region) {
	if r.size() == 0 {
		return
	}
	if i, ok := g.index[r]; ok {
		g.regions[i].block++ // counts references until blocks are made
		return
	}
	g.index[r] = len(g.regions)
	g.regions = append(g.regions, r)
	if r.n < 0 {
		g.walk(r.shape, r.at)
		return
	}
	g.elements(r.shape, r.at, r.len)
}

func (g *graph) elements(s *shape, at unsafe.Pointer, n int) {
	if s.plain {
		return
	}
	g.path = append(g.path, "[]")
	for i := range n {
		g.walk(s, unsafe.Add(at, uintptr(i)*s.size))
	}
	g.path = g.path[:len(g.path)-1]
}

// walk notes what the value at p refers to.
func (g *graph) walk(s *shape, p unsafe.Pointer) {
	if s.plain || s.left || s.label != nil || g.err != nil {
		return
	}
	if s.refuse != "" {
		g.refuse("%s", s.refuse)
		return
	}
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			f := &s.fields[i]
			if f.left && f.kind == reflect.Func {
				g.leftFunction(unsafe.Add(p, f.offset), f.name)
			}
			if f.plain || f.left {
				continue
			}
			g.path = append(g.path, f.name)
			g.walk(f.shape, unsafe.Add(p, f.offset))
			g.path = g.path[:len(g.path)-1]
		}
	case reflect.Array:
		g.elements(s.elem, p, s.typ.Len())
	case reflect.Pointer:
		if to := *(*unsafe.Pointer)(p); to != nil {
			g.pointer(s, to)
		}
	case reflect.Slice:
		h := (*slice)(p)
		if s.elem.constant {
			g.constant(s.elem, h.data, h.len)
		} else if h.data != nil {
			g.region(region{at: h.data, shape: s.elem, n: h.cap, len: h.len})
		}
	case reflect.Map:
		g.entries(s, p)
	case reflect.Interface:
		if of, at := g.behind(s, p); of != nil {
			g.walk(of, at)
		}
	case reflect.Func:
		g.function(p)
	case reflect.Chan:
		if *(*unsafe.Pointer)(p) != nil {
			g.refuse("a %v: code that waits on channels runs in goroutines of its own; drive its core, which is handed events one by one (testing/synctest helps where there is none), or leave the field out", s.typ)
		}
	case reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) != nil {
			g.refuse("an unsafe.Pointer: nothing says what is behind it; leave the field out")
		}
	}
}

// A slice is what a slice is in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

func (g *graph) pointer(s *shape, to unsafe.Pointer) {
	if s.elem.refuse != "" {
		g.refuse("%s", s.elem.refuse)
		return
	}
	if s.elem.constant {
		g.constant(s.elem, to, 1)
		return
	}
	g.region(region{at: to, shape: s.elem, n: -1})
}

// constant walks values of which it does not matter where they are.
func (g *graph) constant(s *shape, at unsafe.Pointer, n int) {
	const most = 1000 // no tree is as deep
	if g.depth++; g.depth > most {
		g.refuse("%v refers to itself, and cannot be called constant", s.typ)
	}
	g.elements(s, at, n)
	g.depth--
}

// entries walks a map.
func (g *graph) entries(s *shape, p unsafe.Pointer) {
	at := *(*unsafe.Pointer)(p)
	if at == nil {
		return
	}
	r := region{at: at, shape: s, n: 0}
	if i, ok := g.index[r]; ok {
		g.regions[i].block++
		return
	}
	g.index[r] = len(g.regions)
	g.regions = append(g.regions, r)
	g.path = append(g.path, "[]")
	for it := reflect.NewAt(s.typ, p).Elem().MapRange(); it.Next(); {
		if what := unordered(it.Key()); what != "" {
			g.refuse("a key of the map is or has %s, which gives it no place among the others; leave the field out", what)
		}
		if !s.elem.plain {
			g.walk(s.elem, boxed(it.Value()))
		}
	}
	g.path = g.path[:len(g.path)-1]
}

// boxed returns where a copy of a value is.
func boxed(v reflect.Value) unsafe.Pointer {
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	return box.UnsafePointer()
}

// behind returns the value that an interface holds, nil if it holds none.
func (g *graph) behind(s *shape, p unsafe.Pointer) (*shape, unsafe.Pointer) {
	v := reflect.NewAt(s.typ, p).Elem().Elem()
	if !v.IsValid() {
		return nil, nil
	}
	return g.of(v.Type()), boxed(v)
}

// unordered says what of a key is not known by its content; "" if nothing is.
func unordered(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return "a " + v.Kind().String()
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(v.Float()) {
			return "NaN"
		}
	case reflect.Complex64, reflect.Complex128:
		if cmplx.IsNaN(v.Complex()) {
			return "NaN"
		}
	case reflect.Interface:
		if !v.IsNil() {
			return unordered(v.Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			if what := unordered(v.Index(i)); what != "" {
				return what
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if what := unordered(v.Field(i)); what != "" {
				return what
			}
		}
	}
	return ""
}

// merge makes blocks of the regions.
func (g *graph) merge() {
	order := make([]int, len(g.regions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &g.regions[i], &g.regions[j]
		return cmp.Or(cmp.Compare(uintptr(a.at), uintptr(b.at)), cmp.Compare(b.size(), a.size()), cmp.Compare(i, j))
	})
	var end uintptr
	for i := 0; i < len(order); {
		first := &g.regions[order[i]]
		end = first.end()
		j := i + 1
		for ; j < len(order) && uintptr(g.regions[order[j]].at) < end; j++ {
			end = max(end, g.regions[order[j]].end())
		}
		g.block(order[i:j], end)
		i = j
	}
}

// block makes one block of regions that overlap, from the first one's begin to an end.
func (g *graph) block(of []int, end uintptr) {
	b := block{at: g.regions[of[0]].at, len: g.regions[of[0]].len, layers: len(of) > 1}
	if b.shape, b.n = g.outermost(of, end); g.err != nil {
		return
	}
	if b.n > 0 && len(of) > 1 {
		b.seen = make([]bool, b.n)
	}
	for _, i := range of {
		r := &g.regions[i]
		b.refs += 1 + r.block
		r.block = len(g.blocks)
		off := uintptr(r.at) - uintptr(b.at)
		if len(of) > 1 && !g.contains(b.shape, b.n, off, r) {
			g.refuse("parts of a %v and of a %v share memory as no Go type has it", b.shape.typ, r.shape.typ)
			return
		}
		if b.seen != nil {
			visible := r.shape.size * uintptr(max(r.len, 0))
			if r.n < 0 {
				visible = r.shape.size
			}
			for k := off / b.shape.size; k*b.shape.size < off+visible; k++ {
				b.seen[k] = true
			}
		}
	}
	g.blocks = append(g.blocks, b)
}

// outermost returns the shape of a block: that of the region which has all others, or
// of an array that slices have parts of.
func (g *graph) outermost(of []int, end uintptr) (*shape, int) {
	first := &g.regions[of[0]]
	if len(of) == 1 {
		return first.shape, first.n
	}
	size := end - uintptr(first.at)
	var best *region
	for _, i := range of {
		r := &g.regions[i]
		if r.at != first.at || r.size() != size {
			continue
		}
		if best == nil || best.n <= 0 && (r.n > 0 || g.inside(r.shape, best.shape, 0)) {
			best = r
		}
	}
	if best != nil {
		return best.shape, best.n
	}
	widest := first // several slices of one array
	for _, i := range of {
		if r := &g.regions[i]; r.n > 0 && r.shape.size >= widest.shape.size {
			widest = r
		}
	}
	if widest.n <= 0 || widest.shape.size == 0 || size%widest.shape.size != 0 {
		g.refuse("parts of a %v share memory as no Go type has it", first.shape.typ)
		return nil, 0
	}
	return widest.shape, int(size / widest.shape.size)
}

// contains reports whether a block of a shape has a region at an offset.
func (g *graph) contains(s *shape, n int, off uintptr, r *region) bool {
	if n < 0 {
		return r.n < 0 && g.inside(s, r.shape, off) || r.n > 0 && g.run(s, r, off)
	}
	if r.n > 0 && r.shape == s {
		return off%s.size == 0
	}
	inner := off % s.size
	return r.n < 0 && g.inside(s, r.shape, inner) || r.n > 0 && g.run(s, r, inner)
}

// inside reports whether a value of a shape has one of another shape at an offset.
func (g *graph) inside(s, part *shape, off uintptr) bool {
	if s == part {
		return off == 0
	}
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			if f := &s.fields[i]; f.offset <= off && off < f.offset+f.size {
				return g.inside(f.shape, part, off-f.offset)
			}
		}
	case reflect.Array:
		if s.elem.size > 0 && off < s.size {
			return g.inside(s.elem, part, off%s.elem.size)
		}
	}
	return false
}

// run reports whether a value of a shape has an array at or around an offset that has
// the elements of a slice.
func (g *graph) run(s *shape, r *region, off uintptr) bool {
	switch s.kind {
	case reflect.Struct:
		for i := range s.fields {
			if f := &s.fields[i]; f.offset <= off && off < f.offset+f.size {
				return g.run(f.shape, r, off-f.offset)
			}
		}
	case reflect.Array:
		if s.elem == r.shape {
			return off%s.elem.size == 0 && off+r.size() <= s.size
		}
		if s.elem.size > 0 {
			return g.run(s.elem, r, off%s.elem.size)
		}
	}
	return false
}

// to returns the block of a pointer's or a slice's region.
func (g *graph) to(r region) *block { return &g.blocks[g.number(r)] }

func (g *graph) number(r region) int { return g.regions[g.index[r]].block }
