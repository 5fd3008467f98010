package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Load reads the trace in a file. Errors are those of Decode, after the name
// of the file, and those of reading it.
func Load(name string) (*Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte beyond the limit is enough for Decode to refuse it.
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	t, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// WriteFile writes the trace to a file, in place of what it held. Whatever
// happens, the file holds all of the old or all of the new.
func (t *Trace) WriteFile(name string) error {
	data, err := t.Encode()
	if err != nil {
		return err
	}
	temp, err := writeTemp(filepath.Dir(name), data)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// Save writes the trace to a file of its own in directory dir, which it makes
// if need be, and returns the name. It replaces nothing: if the file that
// FileName gives exists and holds the same trace, it is left alone; if it holds
// another, the new one goes to "NAME-2.json", and so on. Any number of
// processes may save to one directory.
func (t *Trace) Save(dir string) (string, error) {
	data, err := t.Encode()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	temp, err := writeTemp(dir, data)
	if err != nil {
		return "", err
	}
	name, err := place(temp, dir, t.FileName(), data)
	return name, errors.Join(err, os.Remove(temp))
}

// maxCopies is how many traces with one file name a directory holds.
const maxCopies = 1000

// place gives a temporary file a name that no other file has.
func place(temp, dir, base string, data []byte) (string, error) {
	stem := strings.TrimSuffix(base, ".json")
	for n := 1; n <= maxCopies; n++ {
		name := filepath.Join(dir, base)
		if n > 1 {
			name = filepath.Join(dir, fmt.Sprintf("%s-%d.json", stem, n))
		}
		// A link, unlike a rename, fails where the name is taken.
		err := os.Link(temp, name)
		if err == nil {
			return name, nil
		}
		if errors.Is(err, fs.ErrExist) {
			if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
				return name, nil
			}
			continue
		}
		return name, writeNew(name, data) // a file system without links
	}
	return "", fmt.Errorf("trace: %s holds %d traces named %s already", dir, maxCopies, base)
}

// writeNew writes a file that does not exist yet, and leaves none if it fails.
func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := finish(f, data); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// writeTemp writes data to a new file in dir and returns its name.
func writeTemp(dir string, data []byte) (string, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".trace-%016x", rand.Uint64()))
		if err := writeNew(name, data); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// finish writes data and sees to it that it is on the disk before the file is
// closed.
func finish(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
