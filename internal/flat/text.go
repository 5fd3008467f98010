package flat

import (
	"fmt"
	"reflect"
	"strings"
)

// Text formats a flat value for people, by its String method if it has one. Of
// structs, of what is numbered and of arrays of structs it leaves out what is zero, and of
// other arrays the zeros at the end: "{Phase electing, Best 3}", "{2: {Best 3}}",
// "[4 1]". Unexported fields count. A numbered value (a pointer to it tells) is a struct
// of an array, of whose elements, from 1, the first n count.
func Text(v reflect.Value, n int, isNumbered func(at any) bool) string {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	if isNumbered(v.Addr().Interface()) {
		return numbered(v.Field(0), n, 1, isNumbered)
	}
	if s, ok := v.Interface().(fmt.Stringer); ok {
		return Said(v.Type(), "String", s.String)
	}
	switch {
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Struct:
		return numbered(v, v.Len(), 0, isNumbered)
	case v.Kind() == reflect.Array:
		last := v.Len()
		for last > 0 && v.Index(last-1).IsZero() {
			last--
		}
		parts := make([]string, last)
		for i := range parts {
			parts[i] = Text(v.Index(i), n, isNumbered)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case v.Kind() == reflect.Struct:
		var parts []string
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "_" && !v.Field(i).IsZero() {
				parts = append(parts, name+" "+Text(v.Field(i), n, isNumbered))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v.Interface())
}

// Said returns what a method for texts says. Where it panics, the text says so, with the type, the
// method and the reason: a run is shown nevertheless.
func Said(of reflect.Type, method string, say func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = Panics(of, method, r)
		}
	}()
	return say()
}

// Panics says that a method of a type panics, and why, in one line.
func Panics(of reflect.Type, method string, why any) string {
	return fmt.Sprintf("method %s of %s panics: %s", method, of, strings.Join(strings.Fields(fmt.Sprint(why)), " "))
}

// numbered formats the first n elements of an array that are not zero, each with
// its number.
func numbered(of reflect.Value, n, first int, isNumbered func(at any) bool) string {
	var parts []string
	for i := range n {
		if e := of.Index(i); !e.IsZero() {
			parts = append(parts, fmt.Sprintf("%d: %s", i+first, Text(e, n, isNumbered)))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
