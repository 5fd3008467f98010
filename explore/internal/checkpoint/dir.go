// Package checkpoint has what a search on disk leaves in its directory, so that another
// process goes on: a [Manifest], which names the other files, and the lock.
package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"bullyproof/internal/filelock"
	"bullyproof/internal/runfile"
)

// Lock makes the directory of a search if there is none, and takes it for this search
// alone.
func Lock(dir string) (io.Closer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("explore: Disk.Dir: %w", err)
	}
	lock, err := filelock.Make(filepath.Join(dir, "lock"))
	if errors.Is(err, filelock.ErrLocked) {
		err = fmt.Errorf("another search is using it (%w)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("explore: Disk.Dir %s: %w", dir, err)
	}
	return lock, nil
}

// ErrThere is that of a search that is to begin where there is a checkpoint.
var ErrThere = errors.New("there is a checkpoint (" + Name + ") of an earlier search, which Resume goes on from; for another search take another directory, or remove it")

// ErrMissing is that of a search that is to go on where there is no checkpoint.
var ErrMissing = errors.New("there is no checkpoint (" + Name + ") to resume")

// IsIn reports whether there is a checkpoint in a directory, whatever it is of.
func IsIn(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, Name))
	return err == nil && info.Mode().IsRegular()
}

// Read reads the checkpoint, and refuses one that is not whole.
func Read(files runfile.FS) (*Manifest, error) {
	size, err := files.Size(Name)
	if err != nil {
		return nil, err
	}
	const most = 1 << 28
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes; a checkpoint has at most %d", Name, size, most)
	}
	f, err := files.Open(Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); n < len(data) {
		return nil, fmt.Errorf("read %s: %w", Name, err)
	}
	return parse(data)
}

// Sweep removes the files of a search except some: a process that was killed leaves
// them.
func Sweep(files runfile.FS, except []string) error {
	names, err := files.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if ownName.MatchString(name) && !slices.Contains(except, name) {
			if err := files.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
