// Package gomod finds the module that a directory is in.
package gomod

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Root returns the nearest directory with a go.mod: dir itself, or one above it;
// "" if there is none. The path is absolute. A go.mod that cannot be looked at is
// an error.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return dir, err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}
