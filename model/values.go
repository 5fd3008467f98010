package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/model/internal/recall"
)

// pointed returns what p points to. A property that asks for another type than
// the protocol has would never be told anything: it panics.
func pointed[T any](p any) *T {
	t, ok := p.(*T)
	if !ok {
		panic(fmt.Sprintf("a property asks for a %v, which is not what the protocol has", reflect.TypeFor[T]()))
	}
	return t
}

// values are values of one flat type: of states of processes.
type values struct {
	first unsafe.Pointer
	size  uintptr
}

func newValues(of reflect.Type, n int) values {
	return values{reflect.MakeSlice(reflect.SliceOf(of), n, n+recall.RoomBehind(of.Size())).UnsafePointer(), of.Size()}
}

// at returns where value i is.
func (v values) at(i int) unsafe.Pointer { return unsafe.Add(v.first, uintptr(i)*v.size) }

// set makes the value at one place that at another.
func (v values) set(to, from unsafe.Pointer) { copy(v.bytes(to), v.bytes(from)) }

// zero makes a value zero.
func (v values) zero(p unsafe.Pointer) { clear(v.bytes(p)) }

func (v values) bytes(p unsafe.Pointer) []byte { return unsafe.Slice((*byte)(p), v.size) }
