// Package kept says where tests keep counterexamples, and writes them there.
package kept

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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
func Base(test, property, hash string) string { return word(test) + "-" + property + "-" + hash }

// word returns the name of a test as names of files have it.
func word(test string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ReplaceAll(test, "/", "__"))
}

// ending is how the names of files end: with the hash.
var ending = regexp.MustCompile(`-([0-9a-f]{8})\.json$`)

// files returns the names of all files that tests have kept, in order.
func files() []string {
	all, err := filepath.Glob(filepath.Join(Dir, "*.json"))
	if err != nil {
		return nil // of a pattern that is wrong
	}
	return slices.DeleteFunc(all, func(name string) bool { return !ending.MatchString(name) })
}

// A File is a counterexample that is kept.
type File struct {
	// Name is where it is.
	Name string
	// Property and Setting are those of the counterexample.
	Property, Setting string
}

// Of returns the counterexamples that a test has kept. Those that cannot be read are not among them.
func Of(test string) (of []File) {
	for _, name := range files() {
		if !strings.HasPrefix(filepath.Base(name), word(test)+"-") {
			continue
		}
		t, err := trace.Load(name)
		if err != nil {
			continue
		}
		// Another test may have a name that begins as this one does.
		if filepath.Base(name) == Base(test, t.Property, ending.FindStringSubmatch(name)[1])+".json" {
			of = append(of, File{name, t.Property, t.Setting.String()})
		}
	}
	return of
}

// OfNoTest returns the names of the files that are of no test in the working directory, by the
// functions in its files; test is one that is there. It knows nothing of subtests. Where no test
// is written, as where a test has gone to another directory, it returns none.
func OfNoTest(test string) (strays []string) {
	all := files()
	if len(all) == 0 {
		return nil
	}
	tests := testsHere()
	if len(tests) == 0 {
		return nil
	}
	top, _, _ := strings.Cut(test, "/")
	tests = append(tests, top)
	for _, name := range all {
		base := filepath.Base(name)
		if !slices.ContainsFunc(tests, func(f string) bool {
			f = word(f)
			return strings.HasPrefix(base, f+"-") || strings.HasPrefix(base, f+"__")
		}) {
			strays = append(strays, name)
		}
	}
	return strays
}

// testsHere returns the names of the tests that are written in the working directory, in whatever
// package and for whatever system.
func testsHere() (tests []string) {
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		return nil // of a pattern that is wrong
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if f == nil || err != nil {
			return nil // what is not known to be written cannot be known to be gone
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && ofTest.MatchString(d.Name.Name) {
				tests = append(tests, d.Name.Name)
			}
		}
	}
	return tests
}

// ofTest are the names of functions that go test runs.
var ofTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)`)

// Keep writes a trace to a file, with the directory that it takes.
func Keep(t *trace.Trace, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return t.WriteFile(name)
}
