// Package wrapped looks into values that embed others behind interfaces.
package wrapped

import (
	"reflect"
	"unsafe"
)

// maxLayers bounds how deep a value is unwrapped: one that wraps itself has
// no end.
const maxLayers = 24

// Layers returns p, then what it embeds behind interfaces, then what that
// embeds, and so on.
func Layers(p any) [][]any {
	var all [][]any
	for layer := []any{p}; len(layer) > 0 && len(all) < maxLayers; {
		all = append(all, layer)
		var next []any
		for _, v := range layer {
			next = append(next, unwrap(reflect.ValueOf(v), 0)...)
		}
		layer = next
	}
	return all
}

// unwrap returns what a value embeds behind interfaces, itself or by the
// structs that it embeds.
func unwrap(v reflect.Value, depth int) (found []any) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || depth == maxLayers {
		return nil
	}
	if !v.CanAddr() { // so that fields that are not exported can be read
		at := reflect.New(v.Type()).Elem()
		at.Set(v)
		v = at
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).Anonymous {
			continue
		}
		field := v.Field(i)
		field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		if field.Kind() != reflect.Interface {
			found = append(found, unwrap(field, depth+1)...)
		} else if !field.IsNil() {
			found = append(found, field.Elem().Interface())
		}
	}
	return found
}
