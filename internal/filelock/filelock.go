// Package filelock keeps other processes of this machine from what one of them
// uses: a file is locked until it is closed, or its process ends.
package filelock

import (
	"errors"
	"fmt"
	"os"
)

// ErrLocked says that somebody else has the lock.
var ErrLocked = errors.New("it is locked by another process")

// Make makes a file for others to see, if it is not there, and locks it. Closing
// it unlocks it; the file stays, since a lock on a file that is removed keeps
// nobody out.
func Make(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := Take(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Take locks a file that is open. Where neither the system nor the file system has
// locks it does nothing: that one process at a time uses a file is then up to
// whoever starts them.
func Take(f *os.File) error {
	if err := lock(f); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil
}
