// Package scaffold writes the beginnings of an algorithm: a package with a
// protocol, its entry for a catalogue, its claims, its test, and its command; or a
// store and its clients, and their test.
// It is what "bullyproof new" does.
package scaffold

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
)

// Options say what to write.
type Options struct {
	// Name is that of the package and its directory, a word of a-z and 0-9.
	Name string
	// Dir is where the directory is made; empty is the working directory.
	Dir string
	// Like names the algorithm or example of the library to begin with; empty is
	// a small one with four rules.
	Like string
	// Roles begins with a store and its clients, in which a fault and its repair are
	// tested, without an entry for a catalogue and a command. Not with Like.
	Roles bool
	// Module is the path of a module of its own. Empty: a package of the module
	// that Dir is in, or, where that is none or the library's, a module that is
	// called as the package is.
	Module string
	// Library is the directory of this library on this machine; empty has it
	// looked for.
	Library string
}

// A Result says what was written.
type Result struct {
	// Dir is the directory of the package, and Files what is in it, slash-separated.
	Dir   string
	Files []string
	// Import is the import path of the package.
	Import string
	// GoMod says what go.mod was given, in a sentence each.
	GoMod []string
}

// New writes a package into a directory of its name, which must not exist, and
// has go.mod name the library. Where it fails it leaves nothing behind.
func New(opt Options) (*Result, error) {
	if err := validName(opt.Name); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, err
	}
	target := filepath.Join(dir, opt.Name)
	if _, err := os.Lstat(target); err == nil {
		return nil, fmt.Errorf("%s is there already: want a name that is free", target)
	}
	home, err := homeOf(dir, opt)
	if err != nil {
		return nil, err
	}
	files, err := beginnings(opt, home)
	if err != nil {
		return nil, err
	}
	if err := write(dir, target, files); err != nil {
		return nil, err
	}
	r := &Result{Dir: target, Import: home.path}
	for _, f := range files {
		r.Files = append(r.Files, f.name)
	}
	if r.GoMod, err = home.settle(target); err != nil {
		return nil, errors.Join(err, os.RemoveAll(target))
	}
	return r, nil
}

var word = regexp.MustCompile(`^[a-z][a-z0-9]{0,39}$`)

// validName returns an error unless a name can be that of a package and of an
// algorithm.
func validName(name string) error {
	switch {
	case !word.MatchString(name):
		return fmt.Errorf("name %q: want a word of a-z and 0-9 that begins with a letter, of at most 40", nearest.Clip(name))
	case token.IsKeyword(name) || slices.Contains(Predeclared, name) || slices.Contains(taken, name):
		return fmt.Errorf("name %q means something to Go: want another", name)
	}
	return nil
}

// Predeclared are the names that Go declares before any program does. (Package go/types
// also has them, but brings the type checker of Go into every program.)
var Predeclared = strings.Fields(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error
	false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune
	string true uint uint16 uint32 uint64 uint8 uintptr`)

// taken are names that mean something to the go command, or to what is written.
var taken = []string{"command", "init", "main", "internal", "testdata", "vendor"}

// A file is one that is to be written; its name is slash-separated.
type file struct {
	name string
	data []byte
}

// write makes a directory with files, all of it or nothing.
func write(dir, target string, files []file) error {
	made, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made) // what is left of it: nothing, if it was renamed
	for _, f := range files {
		name := filepath.Join(made, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.data, 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(made, 0o755); err != nil {
		return err
	}
	return os.Rename(made, target)
}

// beginnings returns the files of a package.
func beginnings(opt Options, home *home) ([]file, error) {
	if opt.Like != "" && opt.Roles {
		return nil, fmt.Errorf("roles, and like %s: want one of the two to begin with", nearest.Clip(opt.Like))
	}
	if opt.Like != "" {
		return like(opt, home)
	}
	from := "starter"
	if opt.Roles {
		from = "roles/starter"
	}
	sub, err := fs.Sub(starters, from)
	if err != nil {
		return nil, err
	}
	return renamed(sub, opt.Name, home)
}

// renamed returns the files of the package to begin with, under another name.
func renamed(from fs.FS, name string, home *home) ([]file, error) {
	var files []file
	err := fs.WalkDir(from, ".", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, at)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), home.library.path+"/command/internal/scaffold/starter", home.path)
		text = strings.ReplaceAll(text, "starter", name)
		text = strings.ReplaceAll(text, "Starter", strings.ToUpper(name[:1])+name[1:])
		files = append(files, file{path.Clean(strings.ReplaceAll(at, "starter", name)), []byte(text)})
		return nil
	})
	return files, err
}
