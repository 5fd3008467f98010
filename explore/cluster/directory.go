package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bullyproof/internal/filelock"
	"bullyproof/internal/runfile"
)

// A Directory has the files of a search. A file is there for others when it is closed,
// which may fail.
type Directory interface {
	runfile.FS
	// Commit makes a file of data, whole or not at all. A directory that Lock does not
	// lock refuses a name that is taken (fs.ErrExist): of two searches that use it, one
	// ends.
	Commit(name string, data []byte) error
	// Make makes the directory where there is none, and reports whether there was none.
	Make() (made bool, err error)
	// Lock keeps other searches out of the directory until it is released, where it can.
	Lock() (release func(), err error)
	// Drop removes the directory, unless there is something in it.
	Drop()
	// Directories lists those in this one.
	Directories() ([]string, error)
}

// An Opener returns the directory of a name, which need not be there.
type Opener func(name string) (Directory, error)

// Local is the Opener of directories of the file system.
func Local(name string) (Directory, error) { return local{runfile.Dir(name)}, nil }

// open opens a directory, one of the file system where there is no opener.
func (o Opener) open(name string) (Directory, error) {
	if o == nil {
		return Local(name)
	}
	return o(name)
}

// local is a directory of the file system.
type local struct{ runfile.Dir }

const lockName = "lock"

func (d local) Commit(name string, data []byte) error { return d.Replace(name, data) }

func (d local) Make() (made bool, err error) {
	_, err = os.Stat(string(d.Dir))
	return errors.Is(err, fs.ErrNotExist), os.MkdirAll(string(d.Dir), 0o777)
}

func (d local) Lock() (release func(), err error) {
	lock, err := filelock.Make(filepath.Join(string(d.Dir), lockName))
	if errors.Is(err, filelock.ErrLocked) {
		return nil, fmt.Errorf("another search is using it (%w)", err)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = lock.Close() }, nil
}

func (d local) Drop() {
	_ = os.Remove(filepath.Join(string(d.Dir), lockName))
	_ = os.Remove(string(d.Dir)) // unless somebody has put something there
}

func (d local) Directories() (names []string, err error) {
	entries, err := os.ReadDir(string(d.Dir))
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// HasCheckpoint reports whether a search has left a checkpoint in a directory.
func HasCheckpoint(d Directory) bool {
	name, err := latest(d)
	return err == nil && name != ""
}
