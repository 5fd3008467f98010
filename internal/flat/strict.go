package flat

import (
	"fmt"
	"reflect"
	"unsafe"
)

// A Strict plan reads bytes of others, whole values with nothing trimmed.
type Strict struct {
	Plan
	bools []uintptr // where they are in memory
}

// StrictOf returns the strict plan of a type. It fails where Of does.
func StrictOf(t reflect.Type) (Strict, error) {
	plan, err := Of(t, nil)
	if err != nil {
		return Strict{}, err
	}
	return Strict{plan, bools(nil, t, 0)}, nil
}

// Read sets the zero value at v to what bytes encode. It fails if they are too few or too
// many, or if a bool among them is neither false nor true.
func (s *Strict) Read(v unsafe.Pointer, data []byte) error {
	if len(data) != s.Size() {
		return fmt.Errorf("%d bytes; want %d", len(data), s.Size())
	}
	s.Get(v, data)
	for _, at := range s.bools {
		if b := (*uint8)(unsafe.Add(v, at)); *b > 1 {
			was := *b
			*b = 0
			return fmt.Errorf("a bool at offset %d is %d; want 0 or 1", at, was)
		}
	}
	return nil
}

// bools appends the offsets of the bools in a flat type that stands at an offset.
func bools(to []uintptr, t reflect.Type, at uintptr) []uintptr {
	switch t.Kind() {
	case reflect.Bool:
		to = append(to, at)
	case reflect.Array:
		for i := range t.Len() {
			to = bools(to, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				to = bools(to, f.Type, at+f.Offset)
			}
		}
	}
	return to
}
