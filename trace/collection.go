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
