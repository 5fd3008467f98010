package shipped

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Field returns where a field is in what a pointer points to, also one that is not
// exported: a machine sets there what the code draws at random, and a property reads what
// the code does not tell. Each name of the path is a field of the struct, or behind the pointer
// or interface, that the one before it has. Field panics if there is no such field, or if
// it is no T.
func Field[T any](pointer any, path ...string) *T {
	v := reflect.ValueOf(pointer)
	for _, name := range path {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct || !v.FieldByName(name).IsValid() {
			panic(fmt.Sprintf("shipped.Field: a %v has no field %q", v.Type(), name))
		}
		f := v.FieldByName(name)
		v = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
	}
	if v.Type() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("shipped.Field: field %q is a %v, not a %v", path, v.Type(), reflect.TypeFor[T]()))
	}
	return (*T)(unsafe.Pointer(v.Addr().UnsafePointer()))
}
