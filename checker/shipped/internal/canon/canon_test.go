package canon_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/checker/shipped/internal/canon"
)

// node has every kind of part, and refers to itself in all ways.
type node struct {
	Name  string
	flag  bool
	_     uint16
	Num   int32
	Float float64
	next  *node
	Kids  []*node
	tags  map[string]*node
	any   any
	Arr   [2]inner
	part  *int8 // into some Arr
	Bytes []byte
}

type inner struct {
	A int8
	B uint32
}

func dump[T any](t require.TestingT, v *T) []byte {
	b, err := canon.New(canon.Rules{}).Dump(nil, v)
	require.NoError(t, err)
	return b
}

func copied[T any](t require.TestingT, v *T) *T {
	c, err := canon.Copy(canon.New(canon.Rules{}), v)
	require.NoError(t, err)
	return c
}

// drawGraph draws some nodes that refer to each other.
func drawGraph(t *rapid.T) *node {
	all := make([]node, rapid.IntRange(1, 5).Draw(t, "nodes"))
	some := func() *node {
		if i := rapid.IntRange(-1, len(all)-1).Draw(t, "refers to"); i >= 0 {
			return &all[i]
		}
		return nil
	}
	shared := make([]*node, 6, 9)
	for i := range shared {
		shared[i] = some()
	}
	data := []byte("abcdef")
	for i := range all {
		n := &all[i]
		n.Name, n.flag = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "name"), rapid.Bool().Draw(t, "flag")
		n.Num, n.Float = rapid.Int32Range(0, 2).Draw(t, "num"), rapid.SampledFrom([]float64{0, 1, math.NaN()}).Draw(t, "float")
		n.next = some()
		n.Arr[1] = inner{rapid.Int8Range(0, 1).Draw(t, "a"), 7}
		if rapid.Bool().Draw(t, "kids") {
			from := rapid.IntRange(0, 5).Draw(t, "from")
			n.Kids = shared[from:rapid.IntRange(from, 6).Draw(t, "to")]
		}
		if rapid.Bool().Draw(t, "tags") {
			n.tags = map[string]*node{}
			for range rapid.IntRange(0, 3).Draw(t, "entries") {
				n.tags[rapid.StringMatching("[a-e]").Draw(t, "key")] = some()
			}
		} else if s := some(); s != nil {
			n.tags = s.tags
		}
		switch rapid.IntRange(0, 4).Draw(t, "any") {
		case 0:
			n.any = some()
		case 1:
			n.any = inner{1, 2}
		case 2:
			n.any = []any{1, "x", some()}
		case 3:
			n.any = &all[0].Arr
		}
		if s := some(); s != nil {
			n.part = &s.Arr[rapid.IntRange(0, 1).Draw(t, "part")].A
		}
		n.Bytes = data[rapid.IntRange(0, 3).Draw(t, "begin"):][:rapid.IntRange(0, 2).Draw(t, "length")]
	}
	return &all[0]
}

// A copy has the dump of its original, and so has a copy of the copy.
func TestCopyHasTheSameDump(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawGraph(t)
		first := dump(t, v)
		c := copied(t, v)
		require.Equal(t, first, dump(t, c))
		require.Equal(t, first, dump(t, copied(t, c)))
		require.Equal(t, first, dump(t, v), "the original is left alone")
	})
}

// A change of a copy leaves its original as it is.
func TestCopySharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawGraph(t)
		before := dump(t, v)
		ruin(reflect.ValueOf(copied(t, v)), make(map[unsafe.Pointer]bool))
		require.Equal(t, before, dump(t, v))
	})
}

// ruin changes every number that it finds, and empties maps.
func ruin(v reflect.Value, seen map[unsafe.Pointer]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.UnsafePointer()] {
			seen[v.UnsafePointer()] = true
			ruin(v.Elem(), seen)
		}
	case reflect.Interface:
		ruin(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); v.CanAddr() {
				ruin(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem(), seen)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			ruin(v.Index(i), seen)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			ruin(it.Value(), seen)
		}
		v.Clear()
	case reflect.Int8, reflect.Int32:
		if v.CanSet() {
			v.SetInt(v.Int() + 1)
		}
	case reflect.Uint8, reflect.Uint32:
		if v.CanSet() {
			v.SetUint(v.Uint() + 1)
		}
	}
}

// Values that are the same except for where they are and in which order their
// maps were filled have one dump.
func TestEqualValuesHaveEqualDumps(t *testing.T) {
	build := func(backwards bool) *node {
		root := &node{Name: "root", tags: make(map[string]*node)}
		keys := []string{"a", "b", "c", "d", "e", "f", "g"}
		for i := range keys {
			if backwards {
				i = len(keys) - 1 - i
			}
			root.tags[keys[i]] = &node{Num: int32(i)}
		}
		root.next = root.tags["c"]
		root.Kids = append(make([]*node, 0, map[bool]int{false: 1, true: 10}[backwards]), root)
		return root
	}
	for range 10 {
		assert.Equal(t, dump(t, build(false)), dump(t, build(true)))
	}
}

type pair struct{ A, B any }

// Values that code can tell apart have different dumps.
func TestDifferentValuesHaveDifferentDumps(t *testing.T) {
	one, two := 1, 1
	s := []int{1, 2, 3}
	type other struct{ A int8 }
	m := map[int]int{1: 2}
	fill := func(n int) []int { return make([]int, n) }
	values := map[string]pair{
		"nothing": {}, "left": {A: 1}, "right": {B: 1}, "another type": {A: int8(1)}, "a named one": {A: other{1}},
		"a pointer": {A: &one}, "one pointer twice": {&one, &one}, "two pointers": {&one, &two},
		"a slice": {A: s}, "a slice twice": {s, s}, "an equal slice": {s, []int{1, 2, 3}},
		"parts that overlap": {s[:2:2], s[1:]}, "parts that do not": {s[:1:1], s[1:2:2]}, "a part that would": {s[:1], s[1:2:2]},
		"nil slice": {A: []int(nil)}, "empty slice": {A: []int{}}, "an element": {A: &s[1], B: s}, "another element": {A: &s[2], B: s},
		"map": {A: m}, "map twice": {m, m}, "equal maps": {m, map[int]int{1: 2}}, "another value": {A: map[int]int{1: 3}},
		"nil map": {A: map[int]int(nil)}, "empty map": {A: map[int]int{}}, "zeros": {A: fill(2)}, "more": {A: fill(3)},
		"a text": {A: "a"}, "two texts": {A: "a", B: "b"}, "other texts": {A: "ab", B: ""}, "NaN": {A: math.NaN()},
		"a function": {A: math.Sin}, "another": {A: math.Cos}, "nil function": {A: (func(float64) float64)(nil)},
		"a time": {A: time.Unix(1, 0).UTC()}, "another time": {A: time.Unix(2, 0).UTC()}, "a type": {A: reflect.TypeFor[int]()}, "another one": {A: reflect.TypeFor[uint]()},
	}
	seen := make(map[string]string)
	for name, v := range values {
		d := string(dump(t, &v))
		assert.Empty(t, seen[d], "%s has its dump, too", name)
		seen[d] = name
		if name != "NaN" {
			assert.Equal(t, d, string(dump(t, copied(t, &v))), name)
		}
	}
}

// A dump that sees less than there is lets two states pass for one: each change of one
// part of a value changes its dump.
func TestEachPartCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawGraph(t)
		before := dump(t, v)
		w := copied(t, v)
		switch rapid.IntRange(0, 6).Draw(t, "change") {
		case 0:
			w.flag = !w.flag
		case 1:
			w.Arr[1].B++
		case 2:
			w.Name += "!"
		case 3:
			w.next = &node{Num: 99}
		case 4:
			w.tags = map[string]*node{"z": nil}
		case 5:
			w.any = fmt.Sprint(w.any)
		case 6:
			w.Bytes = append(bytes.Clone(w.Bytes), 0)
		}
		require.NotEqual(t, before, dump(t, w))
	})
}

type ticker struct {
	count int
	tick  func()
	pure  func(float64) float64
}

func (t *ticker) up() { t.count++ }

// A method that is bound to a part of a value is bound to its copy in the copy.
func TestBoundMethods(t *testing.T) {
	a := &ticker{pure: math.Sin}
	a.tick = a.up
	b := copied(t, a)
	assert.Equal(t, dump(t, a), dump(t, b))
	b.tick()
	assert.Equal(t, 0, a.count)
	assert.Equal(t, 1, b.count)
	other := &ticker{pure: math.Sin}
	a.tick = other.up
	_, err := canon.New(canon.Rules{}).Dump(nil, a)
	assert.ErrorContains(t, err, "tick: the method bullyproof/checker/shipped/internal/canon_test.(*ticker).up is bound to what is no part of the value")
}

func TestRefused(t *testing.T) {
	n := 0
	loop := struct{ Any []any }{}
	type wrap struct{ In any }
	key := 1
	tests := map[string]struct {
		in   any
		want string
	}{
		"a channel":         {struct{ stop chan int }{make(chan int)}, "In.stop: a chan int: code that waits on channels runs in goroutines of its own"},
		"a closure":         {[]func(){func() { n++ }}, "In[]: the function bullyproof/checker/shipped/internal/canon_test.TestRefused.func1 may refer to anything"},
		"an unsafe pointer": {unsafe.Pointer(&n), "In: an unsafe.Pointer"},
		"a pointer as key":  {map[*int]int{&key: 1}, "In[]: a key of the map is or has a ptr"},
		"a type":            {&loop, "In: not this one"},
	}
	for name, test := range tests {
		c := canon.New(canon.Rules{Refuse: map[reflect.Type]string{reflect.TypeFor[struct{ Any []any }](): "not this one"}})
		v := &wrap{test.in}
		_, err := c.Dump(nil, v)
		assert.ErrorContains(t, err, test.want, name)
		_, err = canon.Copy(c, v)
		assert.ErrorContains(t, err, test.want, name)
	}
}

type logged struct {
	N      int
	Logger fmt.Stringer
	Cache  map[string]int `shipped:"-"`
	Stop   chan int
	limit  *uint64
	more   *uint64
}

func TestRules(t *testing.T) {
	n := uint64(3)
	c := canon.New(canon.Rules{Leave: []string{"fmt.Stringer", "canon_test.logged.Stop", "canon_test.Nobody"}, Constant: []string{"uint64"}})
	v := &logged{N: 1, Logger: &bytes.Buffer{}, Cache: map[string]int{"x": 1}, Stop: make(chan int), limit: &n, more: &n}
	one, err := c.Dump(nil, v)
	require.NoError(t, err)
	m := n
	two, err := c.Dump(nil, &logged{N: 1, limit: &n, more: &m})
	require.NoError(t, err)
	assert.Equal(t, one, two)
	w, err := canon.Copy(c, v)
	require.NoError(t, err)
	assert.Same(t, v.Logger, w.Logger)
	assert.Equal(t, v.Stop, w.Stop)
	assert.Equal(t, []string{"canon_test.Nobody"}, c.Unused())
}

// The room behind a slice that nobody else sees is not copied; what others see is.
func TestRoomBehindSlices(t *testing.T) {
	alone := append(make([]int, 0, 8), 1)
	assert.Equal(t, 1, cap(*copied(t, &alone)))
	both := [][]int{alone[:1], alone[:3]}
	again := *copied(t, &both)
	again[0] = append(again[0], 5)
	assert.Equal(t, []int{1, 5, 0}, again[1])
	assert.Equal(t, []int{1}, alone)
}

func BenchmarkDump(b *testing.B) {
	v := &node{tags: map[string]*node{"a": {}, "b": {}, "c": {}}, Kids: []*node{{}, {}, {}}}
	c, buf := canon.New(canon.Rules{}), []byte(nil)
	for b.Loop() {
		buf, _ = c.Dump(buf[:0], v)
	}
}

func BenchmarkCopy(b *testing.B) {
	v := &node{tags: map[string]*node{"a": {}, "b": {}, "c": {}}, Kids: []*node{{}, {}, {}}}
	c := canon.New(canon.Rules{})
	for b.Loop() {
		_, _ = canon.Copy(c, v)
	}
}

// Two copies do not write to one cache.
func TestCopiesHaveCachesOfTheirOwn(t *testing.T) {
	type cached struct {
		cache map[string]int `shipped:"-"`
		kept  []int          `shipped:"-"`
		log   *int           `shipped:"-"`
	}
	v := &cached{map[string]int{"a": 1}, []int{1}, new(int)}
	c := copied(t, v)
	assert.Equal(t, v, c)
	assert.Same(t, v.log, c.log)
	c.cache["a"], c.kept[0] = 2, 2
	assert.Equal(t, 1, v.cache["a"])
	assert.Equal(t, 1, v.kept[0])
}
