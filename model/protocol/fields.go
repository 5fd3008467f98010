package protocol

import (
	"reflect"

	"bullyproof/internal/flat"
)

// A Field is a field of a protocol's state.
type Field struct {
	Name, Value string
	// Zero says that the field holds nothing: what a process has lost that is
	// down, say.
	Zero bool
}

// Fields lists what people see of the state of one of n processes that p points to.
func Fields(c Code, p reflect.Value, n int) []Field {
	if shown, ok := c.Shown(p.UnsafePointer()); ok {
		return shown
	}
	return fields(p.Elem(), n)
}

// fields lists the fields of a flat value with their texts.
func fields(v reflect.Value, n int) []Field {
	if v.Kind() != reflect.Struct {
		return []Field{{"state", flat.Text(v, n, isPerProcess), v.IsZero()}}
	}
	var out []Field
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "_" {
			out = append(out, Field{name, flat.Text(v.Field(i), n, isPerProcess), v.Field(i).IsZero()})
		}
	}
	return out
}

// perProcess marks ByID.
type perProcess interface{ perProcess() (elem reflect.Type) }

func (*ByID[T]) perProcess() reflect.Type { return reflect.TypeFor[T]() }

func isPerProcess(at any) bool {
	_, ok := at.(perProcess)
	return ok
}

// PerProcess returns the type of the elements if a type is a ByID.
func PerProcess(t reflect.Type) (elem reflect.Type, ok bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	of, ok := reflect.New(t).Interface().(perProcess)
	if !ok {
		return nil, false
	}
	return of.perProcess(), true
}
