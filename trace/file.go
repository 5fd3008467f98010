package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
)

// Load reads the trace in a file. Errors are those of Decode, after the name
// of the file, and those of reading it. A pipe, which may never end, is
// refused, as is everything else that is no regular file.
func Load(name string) (*Trace, error) {
	data, err := read(name)
	if err != nil {
		return nil, tame(err)
	}
	t, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nearest.Path(name), err)
	}
	return t, nil
}

func read(name string) ([]byte, error) {
	info, err := os.Stat(name) // to open a pipe is to wait for its writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it is %s: want a regular file", kindOf(info.Mode()))}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte beyond the limit is enough for Decode to refuse it.
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}

// kindOf says what a file is that is not regular.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// tame has an error name its file as a terminal can bear it.
func tame(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return &fs.PathError{Op: path.Op, Path: nearest.Path(path.Path), Err: path.Err}
	}
	return err
}

// WriteFile writes the trace to a file, in place of its content. The file
// always holds all of the old or all of the new.
func (t *Trace) WriteFile(name string) error {
	data, err := t.Encode()
	if err != nil {
		return err
	}
	return wholefile.Write(name, data)
}

// Save writes the trace to a file of its own in directory dir, which it makes
// if need be, and returns the name. It replaces nothing: if the file that
// FileName gives exists and holds the same trace, it is left alone; if it holds
// another, the new one goes to "NAME-2.json", and so on. Any number of
// processes may save to one directory.
func (t *Trace) Save(dir string) (string, error) {
	return t.SaveAs(dir, t.FileName())
}

// SaveAs is Save with another name for the file than that of FileName.
func (t *Trace) SaveAs(dir, base string) (string, error) {
	data, err := t.Encode()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return wholefile.Add(dir, base, data)
}
