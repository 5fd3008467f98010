// Package runfile keeps what does not fit in memory in files: sorted runs of
// 64-bit keys, each with a value, and logs of blocks of bytes. Every block
// carries a checksum, which is compared whenever the block is read, and every
// file has one of its own, for whoever keeps a list of files.
//
// Files are written once, from the beginning to the end, and are not changed
// any more. Numbers are little-endian. A file begins with eight bytes that say
// what it is (a magic of seven letters and the version of the format).
//
// The keys of a run are in blocks of up to 1,024: a header of 24 bytes (length
// of what follows as 32 bits, number of keys as 16 bits, width of a difference in
// bytes as 16 bits, the first key, and the xxh3 hash of the header so far and of
// what follows), and then the difference of each further key from the one before
// it, in as many bytes as the largest of the block needs. The values are in a
// file of their own, in blocks of up to 1,024 of 8 bytes each, with the xxh3 hash
// of the block behind it: to look for keys takes no values.
//
// A block of a log is a header of 24 bytes (length as it is stored, length
// unpacked, number of records, and method: each 32 bits; the xxh3 hash of the
// header so far and of what follows), and then the bytes, as they are (method 0)
// or compressed (method 1: S2).
package runfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

const (
	magicKeys   = "bpkeys \x01"
	magicValues = "bpvals \x01"
	magicLog    = "bplogs \x01"
	magicBytes  = 8

	// writeBytes are written at a time.
	writeBytes = 1 << 16
)

// Info describes a finished file, for a list of files.
type Info struct {
	Name  string // without directory
	Bytes int64
	Sum   uint64 // xxh3 of the whole file
}

// An output is a file under way.
type output struct {
	fs   FS
	file File
	buf  []byte
	sum  *xxh3.Hasher
	info Info
	err  error // the first
}

func create(fs FS, name, magic string) (*output, error) {
	f, err := fs.Create(name)
	if err != nil {
		return nil, err
	}
	o := &output{fs: fs, file: f, sum: xxh3.New(), info: Info{Name: name}, buf: make([]byte, 0, 1<<12)}
	o.write([]byte(magic))
	return o, nil
}

// write appends to the file, by way of a buffer.
func (o *output) write(b []byte) {
	o.buf = append(o.buf, b...)
	if len(o.buf) >= writeBytes {
		o.flush()
	}
}

func (o *output) flush() {
	if o.err != nil || len(o.buf) == 0 {
		return
	}
	n, err := o.file.Write(o.buf)
	if err == nil && n < len(o.buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		o.err = fmt.Errorf("write %s: %w", o.info.Name, err)
	}
	_, _ = o.sum.Write(o.buf) // a hasher does not fail
	o.info.Bytes += int64(len(o.buf))
	o.buf = o.buf[:0]
}

// offset returns where in the file the next byte goes.
func (o *output) offset() int64 { return o.info.Bytes + int64(len(o.buf)) }

// end finishes the file, which stays open for reading. It is removed where
// something went wrong.
func (o *output) end() (File, Info, error) {
	o.flush()
	o.info.Sum = o.sum.Sum64()
	o.buf = nil
	if o.err != nil {
		o.abandon()
		return nil, Info{}, o.err
	}
	return o.file, o.info, nil
}

// abandon removes the file.
func (o *output) abandon() {
	_ = o.file.Close()
	_ = o.fs.Remove(o.info.Name)
}

// damaged is the error of a file that does not hold what was written.
func damaged(name string, format string, args ...any) error {
	return fmt.Errorf("%s is damaged: %s", name, fmt.Sprintf(format, args...))
}

// verify opens a file and compares every byte of it with its description.
func verify(fs FS, info Info, magic string) (File, error) {
	size, err := fs.Size(info.Name)
	if err != nil {
		return nil, err
	}
	if size != info.Bytes {
		return nil, damaged(info.Name, "it has %d bytes, and had %d when it was written", size, info.Bytes)
	}
	f, err := fs.Open(info.Name)
	if err != nil {
		return nil, err
	}
	if err := verifySum(f, info, magic); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func verifySum(f File, info Info, magic string) error {
	sum, buf := xxh3.New(), make([]byte, 1<<20)
	for off := int64(0); off < info.Bytes; {
		b := buf[:min(int64(len(buf)), info.Bytes-off)]
		if err := readFull(f, info.Name, b, off); err != nil {
			return err
		}
		if off == 0 && (len(b) < magicBytes || string(b[:magicBytes]) != magic) {
			return damaged(info.Name, "it begins with %q; a file of this kind begins with %q", b[:min(len(b), magicBytes)], magic)
		}
		_, _ = sum.Write(b)
		off += int64(len(b))
	}
	if s := sum.Sum64(); s != info.Sum {
		return damaged(info.Name, "its checksum is %016x, and was %016x when it was written", s, info.Sum)
	}
	return nil
}

// readFull reads len(b) bytes at an offset.
func readFull(f File, name string, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return damaged(name, "it ends at byte %d, within a block", off+int64(n))
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// checksum is that of a block: of its header without the sum, and what follows.
func checksum(header, payload []byte) uint64 {
	return xxh3.HashSeed(payload, xxh3.Hash(header))
}

var le = binary.LittleEndian
