package flat_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/flat"
)

type padded struct {
	A bool
	B uint32
	C uint8
	_ uint16
	D [3]inner
	E int64
	f uint16
}

type inner struct {
	X uint8
	Y int16
}

type named [8]uint8

func of[T any](t testing.TB, trim flat.Trim) flat.Plan {
	plan, err := flat.Of(reflect.TypeFor[T](), trim)
	require.NoError(t, err)
	return plan
}

func TestRanges(t *testing.T) {
	tests := []struct {
		typ  reflect.Type
		want []flat.Range
	}{
		{reflect.TypeFor[uint8](), []flat.Range{{0, 1}}},
		{reflect.TypeFor[int](), []flat.Range{{0, 8}}},
		{reflect.TypeFor[bool](), []flat.Range{{0, 1}}},
		{reflect.TypeFor[struct{}](), nil},
		{reflect.TypeFor[[0]uint64](), nil},
		{reflect.TypeFor[[4]uint32](), []flat.Range{{0, 16}}},
		{reflect.TypeFor[struct{ A, B, C uint64 }](), []flat.Range{{0, 24}}},
		{reflect.TypeFor[struct {
			A uint8
			B uint16
		}](), []flat.Range{{0, 1}, {2, 2}}},
		{reflect.TypeFor[struct {
			A uint8
			_ uint8
			B uint16
		}](), []flat.Range{{0, 1}, {2, 2}}},
		{reflect.TypeFor[struct {
			_ [0]func()
			A uint8
		}](), []flat.Range{{0, 1}}},
		{reflect.TypeFor[[2]inner](), []flat.Range{{0, 1}, {2, 3}, {6, 2}}},
		{reflect.TypeFor[padded](), []flat.Range{{0, 1}, {4, 5}, {12, 1}, {14, 3}, {18, 3}, {22, 12}}},
	}
	for _, test := range tests {
		plan, err := flat.Of(test.typ, nil)
		require.NoError(t, err, "%v", test.typ)
		assert.Equal(t, test.want, plan.Ranges(), "%v", test.typ)
		size := 0
		for _, r := range test.want {
			size += r.Size
		}
		assert.Equal(t, size, plan.Size(), "%v", test.typ)
	}
}

func TestNotFlat(t *testing.T) {
	type queue struct {
		Len  int
		Next *queue
	}
	tests := []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[struct{ Queue queue }](), "field Queue.Next: pointers are not flat; use integers, bools, arrays and structs of them"},
		{reflect.TypeFor[[2]struct{ M map[int]int }](), "field (value)[].M: maps are not flat"},
		{reflect.TypeFor[struct{ A [2]string }](), "field A[]: strings are not flat"},
		{reflect.TypeFor[*int](), "field (value): pointers are not flat"},
		{reflect.TypeFor[struct{ s []int }](), "field s: slices are not flat"},
		{reflect.TypeFor[struct{ C chan int }](), "field C: channels are not flat"},
		{reflect.TypeFor[struct{ F func() }](), "field F: funcs are not flat"},
		{reflect.TypeFor[struct{ I any }](), "field I: interfaces are not flat"},
		{reflect.TypeFor[struct{ X float32 }](), "field X: floating-point numbers are not flat"},
		{reflect.TypeFor[struct{ X complex128 }](), "field X: complex numbers are not flat"},
		{reflect.TypeFor[struct{ P uintptr }](), "field P: pointers are not flat"},
		{reflect.TypeFor[struct{ P unsafe.Pointer }](), "field P: pointers are not flat"},
		{reflect.TypeFor[struct{ At [2]time.Time }](), "field At[]: time.Time is not flat; use integers"},
		{nil, "no type"},
	}
	for _, test := range tests {
		_, err := flat.Of(test.typ, nil)
		assert.ErrorContains(t, err, test.want)
	}
}

func TestTrim(t *testing.T) {
	type outer struct {
		A uint8
		N named
		B uint16
		L [2]named
	}
	trim := func(n int) flat.Trim {
		return func(t reflect.Type) (int, bool) { return n, t == reflect.TypeFor[named]() }
	}
	plan := of[outer](t, trim(3))
	assert.Equal(t, []flat.Range{{0, 4}, {10, 5}, {20, 3}}, plan.Ranges())
	plan = of[outer](t, trim(0))
	assert.Equal(t, []flat.Range{{0, 1}, {10, 2}}, plan.Ranges())
	plan = of[outer](t, trim(8))
	assert.Equal(t, []flat.Range{{0, 9}, {10, 18}}, plan.Ranges())

	for _, n := range []int{-1, 9} {
		_, err := flat.Of(reflect.TypeFor[outer](), trim(n))
		assert.ErrorContains(t, err, fmt.Sprintf("field N: trimmed to %d bytes, of which type flat_test.named has 8", n))
	}

	// A trim in the middle of an element, and one within another.
	elements := func(t reflect.Type) (int, bool) {
		switch t {
		case reflect.TypeFor[[4]uint32]():
			return 6, true
		case reflect.TypeFor[[2]named]():
			return 9, true
		case reflect.TypeFor[named]():
			return 5, true
		}
		return 0, false
	}
	plan = of[[4]uint32](t, elements)
	assert.Equal(t, []flat.Range{{0, 6}}, plan.Ranges())
	plan = of[[2]named](t, elements)
	assert.Equal(t, []flat.Range{{0, 5}, {8, 1}}, plan.Ranges())
}

func TestLayout(t *testing.T) {
	plan := of[struct {
		A bool
		D [2]inner
	}](t, nil)
	assert.Equal(t, `(value) struct 0+10
A bool 0+1
D array[2] 2+8
D[] struct 2+4
D[].X uint8 2+1
D[].Y int16 4+2
`, plan.Layout())
	whole, trimmed := of[named](t, nil), of[named](t, func(t reflect.Type) (int, bool) { return 2, t.Kind() == reflect.Array })
	assert.NotEqual(t, whole.Layout(), trimmed.Layout())
}

func drawPadded(t *rapid.T, name string) padded {
	return padded{
		A: rapid.Bool().Draw(t, name),
		B: rapid.Uint32().Draw(t, name),
		C: rapid.Uint8().Draw(t, name),
		D: [3]inner{
			{rapid.Uint8().Draw(t, name), rapid.Int16().Draw(t, name)},
			{},
			{rapid.Uint8().Draw(t, name), rapid.Int16().Draw(t, name)},
		},
		E: rapid.Int64Range(-2, 2).Draw(t, name),
		f: rapid.Uint16Range(0, 1).Draw(t, name),
	}
}

func TestRoundTrip(t *testing.T) {
	plan := of[padded](t, nil)
	rapid.Check(t, func(t *rapid.T) {
		v := drawPadded(t, "v")
		prefix := rapid.SliceOf(rapid.Byte()).Draw(t, "prefix")
		b := plan.Append(bytes.Clone(prefix), unsafe.Pointer(&v))
		require.Equal(t, prefix, append([]byte{}, b[:len(prefix)]...))
		require.Len(t, b, len(prefix)+plan.Size())

		put := make([]byte, plan.Size()+1)
		put[plan.Size()] = 0xa5
		plan.Put(put, unsafe.Pointer(&v))
		require.Equal(t, b[len(prefix):], put[:plan.Size()])
		require.EqualValues(t, 0xa5, put[plan.Size()], "behind the encoding")

		var back padded
		plan.Get(unsafe.Pointer(&back), put)
		require.Equal(t, v, back)
	})
}

func TestInjective(t *testing.T) {
	plan := of[padded](t, nil)
	rapid.Check(t, func(t *rapid.T) {
		v, w := drawPadded(t, "v"), drawPadded(t, "w")
		if rapid.Bool().Draw(t, "close") {
			w = v
			w.f ^= rapid.Uint16Range(0, 1).Draw(t, "flip")
		}
		same := bytes.Equal(plan.Append(nil, unsafe.Pointer(&v)), plan.Append(nil, unsafe.Pointer(&w)))
		require.Equal(t, v == w, same)
	})
}

func TestPaddingDoesNotLeak(t *testing.T) {
	plan := of[padded](t, nil)
	data := make([]bool, unsafe.Sizeof(padded{}))
	for _, r := range plan.Ranges() {
		for i := range r.Size {
			data[r.Offset+i] = true
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := drawPadded(t, "v")
		clean := plan.Append(nil, unsafe.Pointer(&v))
		memory := unsafe.Slice((*byte)(unsafe.Pointer(&v)), len(data))
		for i := range memory {
			if !data[i] {
				memory[i] = rapid.Byte().Draw(t, "garbage")
			}
		}
		before := bytes.Clone(memory)
		require.Equal(t, clean, plan.Append(nil, unsafe.Pointer(&v)))
		plan.Get(unsafe.Pointer(&v), clean)
		require.Equal(t, before, memory, "Get writes data only")
	})
}

func TestNoAllocations(t *testing.T) {
	plan := of[padded](t, nil)
	b := make([]byte, 0, plan.Size())
	var v padded
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		v.B++
		b = plan.Append(b[:0], unsafe.Pointer(&v))
		plan.Put(b, unsafe.Pointer(&v))
		plan.Get(unsafe.Pointer(&v), b)
	}))
}

func TestShortBufferPanics(t *testing.T) {
	plan := of[uint64](t, nil)
	var v uint64
	assert.Panics(t, func() { plan.Put(make([]byte, 7), unsafe.Pointer(&v)) })
	assert.Panics(t, func() { plan.Get(unsafe.Pointer(&v), make([]byte, 7)) })
}

func Example() {
	type state struct {
		Up    bool
		Votes [3]uint16
	}
	plan, err := flat.Of(reflect.TypeFor[state](), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := state{Up: true, Votes: [3]uint16{1, 2, 258}}
	fmt.Printf("%d of %d bytes: %x\n", plan.Size(), unsafe.Sizeof(s), plan.Append(nil, unsafe.Pointer(&s)))
	// Output: 7 of 8 bytes: 01010002000201
}

func benchmark[T any](b *testing.B) {
	plan := of[T](b, nil)
	var v T
	buf := make([]byte, 0, plan.Size())
	for b.Loop() {
		buf = plan.Append(buf[:0], unsafe.Pointer(&v))
		plan.Get(unsafe.Pointer(&v), buf)
	}
}

func BenchmarkWord(b *testing.B)   { benchmark[uint64](b) }
func BenchmarkDense(b *testing.B)  { benchmark[[24]uint8](b) }
func BenchmarkPadded(b *testing.B) { benchmark[padded](b) }

// TestAppendAgreesWithPut compares the two ways in which values are encoded,
// whatever is in their padding.
func TestAppendAgreesWithPut(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[uint64](), reflect.TypeFor[[9]byte](), reflect.TypeFor[[64]byte](), reflect.TypeFor[[65]byte](),
		reflect.TypeFor[struct {
			A [16]uint8
			B uint16
			C uint8
			D uint16
		}](),
		reflect.TypeFor[struct {
			A uint64
			B bool
			C uint32
			D bool
			E uint64
		}](),
		reflect.TypeFor[struct {
			A [11]byte
			B uint32
			C [3]struct {
				A uint8
				B uint16
			}
		}](),
		reflect.TypeFor[struct {
			A uint16
			B uint64
		}](),
	} {
		t.Run(typ.String(), func(t *testing.T) {
			plan, err := flat.Of(typ, nil)
			require.NoError(t, err)
			rapid.Check(t, func(t *rapid.T) {
				memory := make([]uint64, (typ.Size()+7)/8)
				for i := range memory {
					memory[i] = rapid.Uint64().Draw(t, "memory")
				}
				v := unsafe.Pointer(unsafe.SliceData(memory))
				want := make([]byte, plan.Size())
				plan.Put(want, v)
				got := plan.Append([]byte{1, 2}, v)
				require.Equal(t, want, got[2:])
				require.Equal(t, []byte{1, 2}, got[:2])
			})
		})
	}
}

// The leaves of a value are its integers and bools, by their paths, where they are encoded.
func TestLeaves(t *testing.T) {
	type instant struct{ at uint8 }
	type inner struct {
		X uint16
		T instant
	}
	type outer struct {
		B  bool
		_  uint32
		In [2]inner
		W  instant
	}
	plan, err := flat.Of(reflect.TypeFor[outer](), nil)
	require.NoError(t, err)
	var got []string
	for _, l := range plan.Leaves() {
		got = append(got, fmt.Sprintf("%s %v in %s at %d+%d", l.Name, l.Type, l.In.Name(), l.At, l.Size))
	}
	assert.Equal(t, []string{
		"B bool in outer at 0+1",
		"In[].X uint16 in inner at 1+2", "In[].T uint8 in instant at 3+1",
		"In[].X uint16 in inner at 4+2", "In[].T uint8 in instant at 6+1",
		"W uint8 in instant at 7+1",
	}, got)
	b := plan.Append(nil, reflect.ValueOf(&outer{In: [2]inner{1: {X: 0x0102, T: instant{7}}}}).UnsafePointer())
	l := plan.Leaves()[4]
	assert.Equal(t, byte(7), b[l.At])
	whole, err := flat.Of(reflect.TypeFor[uint32](), nil)
	require.NoError(t, err)
	assert.Equal(t, "(value)", whole.Leaves()[0].Name)
}
