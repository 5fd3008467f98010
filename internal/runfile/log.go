package runfile

import (
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
)

const (
	methodPlain = 0
	methodS2    = 1
)

// A Log is a finished sequence of blocks of records.
type Log struct {
	Info
	Records uint64

	file File
}

// A LogWriter makes a log.
type LogWriter struct {
	out     *output
	records uint64
	packed  []byte
}

// NewLogWriter begins a log in the file NAME.log.
func NewLogWriter(fs FS, name string) (*LogWriter, error) {
	out, err := create(fs, name+".log", magicLog)
	if err != nil {
		return nil, err
	}
	return &LogWriter{out: out}, nil
}

// Add appends a block of so many records.
func (w *LogWriter) Add(block []byte, records int) error {
	method, stored := methodPlain, block
	if need := s2.MaxEncodedLen(len(block)); need > 0 {
		if cap(w.packed) < need {
			w.packed = make([]byte, need)
		}
		if packed := s2.Encode(w.packed[:need], block); len(packed) < len(block) {
			method, stored = methodS2, packed
		}
	}
	h := make([]byte, 0, headerBytes)
	h = le.AppendUint32(h, uint32(len(stored)))
	h = le.AppendUint32(h, uint32(len(block)))
	h = le.AppendUint32(h, uint32(records))
	h = le.AppendUint32(h, uint32(method))
	h = le.AppendUint64(h, checksum(h, stored))
	w.out.write(h)
	w.out.write(stored)
	w.records += uint64(records)
	return w.out.err
}

// Offset is where the next block goes.
func (w *LogWriter) Offset() int64 { return w.out.offset() }

// Close finishes the log. Where something went wrong it leaves no file.
func (w *LogWriter) Close() (*Log, error) {
	f, info, err := w.out.end()
	if err != nil {
		return nil, err
	}
	return &Log{Info: info, Records: w.records, file: f}, nil
}

// Abandon ends the log and removes its file.
func (w *LogWriter) Abandon() { w.out.abandon() }

// OpenLog opens a log from its description, after comparing every byte of it.
func OpenLog(fs FS, info Info, records uint64) (*Log, error) {
	f, err := verify(fs, info, magicLog)
	if err != nil {
		return nil, err
	}
	return &Log{Info: info, Records: records, file: f}, nil
}

// OpenLogUnread is OpenLog without the comparison: each block is compared when it is
// read.
func OpenLogUnread(fs FS, info Info, records uint64) (*Log, error) {
	f, err := fs.Open(info.Name)
	if err != nil {
		return nil, err
	}
	return &Log{Info: info, Records: records, file: f}, nil
}

// Start is the offset of the first block.
func (l *Log) Start() int64 { return magicBytes }

// Read returns the block at an offset, in b if it is large enough, how many
// records it has, and the offset of the next block. At the end of the log it has
// no records. The block as it is stored goes to *packed, which the next Read takes.
func (l *Log) Read(off int64, b []byte, packed *[]byte) (block []byte, records int, next int64, err error) {
	if off >= l.Bytes {
		return b[:0], 0, off, nil
	}
	*packed = slices.Grow((*packed)[:0], headerBytes)
	h := (*packed)[:headerBytes]
	if err := readFull(l.file, l.Name, h, off); err != nil {
		return nil, 0, 0, err
	}
	length, unpacked, records, method := int64(le.Uint32(h)), int(le.Uint32(h[4:])), int(le.Uint32(h[8:])), le.Uint32(h[12:])
	next = off + headerBytes + length
	if next > l.Bytes {
		return nil, 0, 0, damaged(l.Name, "the block at byte %d goes beyond the end", off)
	}
	*packed = slices.Grow(h, int(length))
	stored := (*packed)[headerBytes : headerBytes+length]
	if err := readFull(l.file, l.Name, stored, off+headerBytes); err != nil {
		return nil, 0, 0, err
	}
	h = (*packed)[:headerBytes]
	if sum := checksum(h[:16], stored); sum != le.Uint64(h[16:]) {
		return nil, 0, 0, damaged(l.Name, "the block at byte %d: its checksum is %016x, and was %016x when it was written", off, sum, le.Uint64(h[16:]))
	}
	if cap(b) < unpacked {
		b = make([]byte, unpacked)
	}
	b = b[:unpacked]
	switch method {
	case methodPlain:
		if len(stored) != unpacked {
			return nil, 0, 0, damaged(l.Name, "the block at byte %d has %d bytes, and should have %d", off, len(stored), unpacked)
		}
		copy(b, stored)
	case methodS2:
		if n, err := s2.DecodedLen(stored); err != nil || n != unpacked {
			return nil, 0, 0, damaged(l.Name, "the block at byte %d cannot be unpacked", off)
		}
		if b, err = s2.Decode(b, stored); err != nil {
			return nil, 0, 0, damaged(l.Name, "the block at byte %d cannot be unpacked: %v", off, err)
		}
	default:
		return nil, 0, 0, damaged(l.Name, "the block at byte %d is stored by method %d; there are 0 and 1", off, method)
	}
	return b, records, next, nil
}

// Length returns how many bytes the file has.
func (l *Log) Length() int64 { return l.Bytes }

// Names returns the name of the file.
func (l *Log) Names() []string { return []string{l.Name} }

// Sync makes the log lasting.
func (l *Log) Sync() error {
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", l.Name, err)
	}
	return nil
}

// Close closes the file and leaves it where it is.
func (l *Log) Close() error { return l.file.Close() }
