package remote

import (
	"errors"
	"io"
	"sync"
)

const (
	// Reads of this size and above are passed on; below it, as much is read at a time.
	leastRead = 1 << 16
	// mostRead is how much is read at a time where a file is read on and on.
	mostRead = 1 << 21
)

var errWritten = errors.New("the file is written and cannot be read before it is closed")

// A reader is a file that is read. It asks its service for a few large pieces.
type reader struct {
	at   io.ReaderAt
	size int64
	end  func() error

	mu     sync.Mutex
	window []byte // of the file, from off on
	off    int64
	ahead  int64
}

// ReadAt reads from an offset (io.ReaderAt).
func (r *reader) ReadAt(b []byte, off int64) (int, error) {
	there := b[:max(0, min(int64(len(b)), r.size-off))]
	if err := r.read(there, off); err != nil {
		return 0, err
	}
	if len(there) < len(b) {
		return len(there), io.EOF
	}
	return len(b), nil
}

// read fills b from an offset.
func (r *reader) read(b []byte, off int64) error {
	if len(b) == 0 {
		return nil
	}
	if len(b) >= leastRead {
		return whole(r.at, b, off)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if off < r.off || off+int64(len(b)) > r.off+int64(len(r.window)) {
		if err := r.fill(off); err != nil {
			return err
		}
	}
	copy(b, r.window[off-r.off:])
	return nil
}

// whole fills b from an offset of what is longer.
func whole(at io.ReaderAt, b []byte, off int64) error {
	n, err := at.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// fill has the window begin at an offset. It grows while reads go on where it ends.
func (r *reader) fill(off int64) error {
	end := r.off + int64(len(r.window))
	if r.ahead = min(2*r.ahead, mostRead); off < r.off || off > end || r.ahead == 0 {
		r.ahead = leastRead
	}
	n := min(r.ahead, r.size-off)
	if int64(cap(r.window)) < n {
		r.window = make([]byte, n)
	}
	r.window, r.off = r.window[:n], off
	err := whole(r.at, r.window, off)
	if err != nil {
		r.window = r.window[:0]
	}
	return err
}

func (r *reader) Write([]byte) (int, error) {
	return 0, errors.New("the file is read and cannot be written")
}
func (r *reader) Sync() error { return nil }

// Close lets go of the file.
func (r *reader) Close() error {
	if r.end == nil {
		return nil
	}
	return r.end()
}
