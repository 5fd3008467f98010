// Package kept says where tests keep counterexamples, and writes them there.
package kept

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"bullyproof/model/setting"
	"bullyproof/trace"
)

// Dir is where counterexamples are, below the directory of a test.
var Dir = filepath.Join("testdata", "counterexamples")

// Hash tells protocols and settings from each other in the names of files: by
// the setting, and the type of the protocol and what its fields say.
func Hash(protocol any, s setting.Setting) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s)
	describeValue(&b, reflect.ValueOf(protocol), 0)
	sum := sha256.Sum256([]byte(b.String()))
	return fmt.Sprintf("%x", sum[:4])
}

// describeValue writes a value as text, through pointers, and without what is
// another in each run (addresses). Values deeper than any protocol are cut off.
func describeValue(b *strings.Builder, v reflect.Value, depth int) {
	if !v.IsValid() || depth > 16 {
		b.WriteString("?")
		return
	}
	fmt.Fprintf(b, "%s{", v.Type())
	defer b.WriteString("}")
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			describeValue(b, v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fmt.Fprintf(b, "%s:", v.Type().Field(i).Name)
			describeValue(b, v.Field(i), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			describeValue(b, v.Index(i), depth+1)
		}
	case reflect.Map:
		entries := make([]string, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			var e strings.Builder
			describeValue(&e, it.Key(), depth+1)
			describeValue(&e, it.Value(), depth+1)
			entries = append(entries, e.String())
		}
		slices.Sort(entries)
		b.WriteString(strings.Join(entries, ","))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprint(b, v.IsNil())
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

// Base returns the name of the files of a test about a property, without ending.
func Base(test, property, hash string) string {
	test = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ReplaceAll(test, "/", "__"))
	return test + "-" + property + "-" + hash
}

// Keep writes a trace to a file, with the directory that it takes.
func Keep(t *trace.Trace, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return t.WriteFile(name)
}
