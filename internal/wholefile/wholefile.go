// Package wholefile writes files that are whole at every moment: data goes to a
// temporary file beside the one that is meant, and gets its name when it is on
// the disk. A full disk, a kill or a second writer leaves the old file or the
// new one, never half of one.
package wholefile

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
	"time"
)

// Fill is Write of what a function writes, and of nothing where that fails.
func Fill(name string, write func(w io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return Write(name, b.Bytes())
}

// Write makes data what the file of a name holds. A file that is there keeps
// its permissions and, if it is a link, stays one. A device or a pipe is
// written to as it is.
func Write(name string, data []byte) error {
	var mode fs.FileMode // of the file that is there
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(name, data)
	case err == nil && info.Mode().Perm()&0o222 == 0:
		return &fs.PathError{Op: "write", Path: name, Err: fs.ErrPermission}
	case err == nil:
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	dir := filepath.Dir(name)
	sweep(dir)
	temp, err := writeTemp(dir, data)
	if err != nil {
		return about(name, err)
	}
	if mode != 0 {
		err = os.Chmod(temp, mode)
	}
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(about(name, err), os.Remove(temp))
	}
	return nil
}

// about returns an error of writing a temporary file as one about the file that
// is meant.
func about(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: name, Err: err}
}

// maxCopies is how many files of one base name Add makes in a directory.
const maxCopies = 1000

// Add writes data to a file of its own in a directory that exists, and returns
// its name. It replaces nothing: if the file of the base name exists and holds
// the same, it is left alone; if it holds something else, the new one is
// "STEM-2.EXT", and so on. Any number of processes may add to one directory.
func Add(dir, base string, data []byte) (string, error) {
	sweep(dir)
	temp, err := writeTemp(dir, data)
	if err != nil {
		return "", about(filepath.Join(dir, base), err)
	}
	name, err := place(temp, dir, base, data)
	return name, errors.Join(err, os.Remove(temp))
}

// place gives a temporary file a name that no other file has.
func place(temp, dir, base string, data []byte) (string, error) {
	ext := filepath.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	for n := 1; n <= maxCopies; n++ {
		name := filepath.Join(dir, base)
		if n > 1 {
			name = filepath.Join(dir, fmt.Sprintf("%s-%d%s", stem, n, ext))
		}
		// A link, unlike a rename, fails where the name is taken.
		err := os.Link(temp, name)
		if err == nil {
			return name, nil
		}
		if errors.Is(err, fs.ErrExist) {
			if Holds(name, data) {
				return name, nil
			}
			continue
		}
		return name, writeNew(name, data) // a file system without links
	}
	return "", fmt.Errorf("%s holds %d files named %s already", dir, maxCopies, base)
}

// Holds reports whether the file of a name is a regular one that holds data.
func Holds(name string, data []byte) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	old, err := os.ReadFile(name)
	return err == nil && bytes.Equal(old, data)
}

// Writable returns an error unless files can be made in a directory. It makes
// one and removes it.
func Writable(dir string) error {
	temp, err := writeTemp(dir, nil)
	if err != nil {
		return about(dir, err)
	}
	return os.Remove(temp)
}

// writeThrough writes to what has no content of its own to lose.
func writeThrough(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// writeNew writes a file that does not exist yet, and leaves none if it fails.
func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// Temporary files are named so that they can be told from any other: a prefix
// and 16 hexadecimal digits.
const (
	tempPrefix = ".bullyproof-"
	tempDigits = 16
)

// writeTemp writes data to a new file in dir and returns its name.
func writeTemp(dir string, data []byte) (string, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf("%s%0*x", tempPrefix, tempDigits, rand.Uint64()))
		if err := writeNew(name, data); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// abandoned is the age of a temporary file that nobody is writing any more:
// whoever began it was killed.
const abandoned = time.Hour

// sweep removes the temporary files that killed processes left in a directory.
// A file that cannot be removed stays; it harms nobody.
func sweep(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return
	}
	for _, name := range names {
		if !Temporary(name) {
			continue
		}
		name = filepath.Join(dir, name)
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(name)
		}
	}
}

// Temporary reports whether a name is one that writeTemp gives.
func Temporary(name string) bool {
	digits, ok := strings.CutPrefix(name, tempPrefix)
	return ok && len(digits) == tempDigits && strings.Trim(digits, "0123456789abcdef") == ""
}
