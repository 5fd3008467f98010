package trace

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
)

// A Collection is a folder of recorded traces that are known by name: NAME.json
// is the trace NAME. The zero value is empty.
type Collection struct{ Files fs.FS }

const suffix = ".json"

// Names returns the names of the traces, sorted.
func (c Collection) Names() []string {
	if c.Files == nil {
		return nil
	}
	found, err := fs.Glob(c.Files, "*"+suffix)
	if err != nil {
		panic(err) // the pattern is malformed
	}
	for i, name := range found {
		found[i] = strings.TrimSuffix(name, suffix)
	}
	slices.Sort(found) // "a.json" is after "a-b.json"
	return found
}

// Open returns the trace of a name, with or without ".json". The error suggests
// the name that was probably meant.
func (c Collection) Open(name string) (*Trace, error) {
	name = strings.TrimSuffix(name, suffix)
	if c.Files != nil && !strings.Contains(name, "/") {
		data, err := fs.ReadFile(c.Files, name+suffix)
		if err == nil {
			return Decode(data)
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
			return nil, err
		}
	}
	return nil, nearest.Unknown("counterexample", name, c.Names())
}

// Joined returns a collection of the traces of several. Of two of one name it has that of
// the first.
func Joined(all ...Collection) Collection {
	var files joined
	for _, c := range all {
		if c.Files != nil {
			files = append(files, c.Files)
		}
	}
	if files == nil {
		return Collection{}
	}
	return Collection{files}
}

// joined are folders that are seen as one.
type joined []fs.FS

// Open opens a file in the first folder with one of that name.
func (j joined) Open(name string) (fs.File, error) {
	for _, files := range j {
		if f, err := files.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Glob returns the files of all folders that a pattern describes, each name once.
func (j joined) Glob(pattern string) (names []string, err error) {
	for _, files := range j {
		found, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
