package runfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bullyproof/internal/wholefile"
)

// A Dir is the FS of a directory that exists.
type Dir string

// Create makes an empty file.
func (d Dir) Create(name string) (File, error) { return os.Create(d.path(name)) }

// Open opens a file for reading.
func (d Dir) Open(name string) (File, error) { return os.Open(d.path(name)) }

// Size returns how many bytes a file has.
func (d Dir) Size(name string) (int64, error) {
	info, err := os.Stat(d.path(name))
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s is not a regular file", d.path(name))
	}
	return info.Size(), nil
}

// Remove removes a file.
func (d Dir) Remove(name string) error { return os.Remove(d.path(name)) }

// Names lists the files.
func (d Dir) Names() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Replace makes data what a file holds.
func (d Dir) Replace(name string, data []byte) error { return wholefile.Write(d.path(name), data) }

// Sync makes lasting which files there are. Where a directory cannot be
// synchronized there is nothing to do.
func (d Dir) Sync() error {
	f, err := os.Open(string(d))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

func (d Dir) path(name string) string { return filepath.Join(string(d), name) }
