package runfile

import "io"

// An FS is what a store asks of a file system. Names have no directory: all
// files are in one.
type FS interface {
	// Create makes an empty file, in place of one that is there.
	Create(name string) (File, error)

	// Open opens a file for reading.
	Open(name string) (File, error)

	// Size returns how many bytes a file has.
	Size(name string) (int64, error)

	// Remove removes a file.
	Remove(name string) error

	// Names lists the files.
	Names() ([]string, error)

	// Replace makes data what a file holds, or leaves it as it was.
	Replace(name string, data []byte) error

	// Sync makes lasting which files there are.
	Sync() error
}

// A File is a file of an FS.
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer

	// Sync makes lasting what was written.
	Sync() error
}
