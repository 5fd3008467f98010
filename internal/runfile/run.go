package runfile

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
)

// BlockKeys is how many keys a block of a run has at most.
const BlockKeys = 1 << 10

const (
	headerBytes = 24
	sumBytes    = 8
	valueBlock  = BlockKeys*8 + sumBytes // bytes of a full block of values
)

// A Run is a sequence of keys in ascending order, in a file, with a value for
// each in another one, or without values. Its methods may be called by several
// goroutines.
type Run struct {
	Keys, Values Info // Values has no name where there are none
	Entries      uint64

	fs           FS
	keys, values File
	index        []mark // of the blocks of keys
}

// A mark is where a block of keys begins.
type mark struct {
	first uint64
	off   int64
}

// A Writer makes a run.
type Writer struct {
	keys, values *output // values is nil in a run without
	index        []mark
	block        []uint64
	vals, packed []byte
	entries      uint64
	last         uint64
	err          error
}

// NewWriter begins a run in files of a name: NAME.keys, and NAME.values where
// there are values.
func NewWriter(fs FS, name string, values bool) (*Writer, error) {
	w := &Writer{block: make([]uint64, 0, BlockKeys)}
	var err error
	if w.keys, err = create(fs, name+".keys", magicKeys); err != nil {
		return nil, err
	}
	if values {
		if w.values, err = create(fs, name+".values", magicValues); err != nil {
			w.keys.abandon()
			return nil, err
		}
	}
	return w, nil
}

// Add appends a key, greater than all before it, with its value.
func (w *Writer) Add(key, value uint64) {
	if w.entries > 0 && key <= w.last && w.err == nil {
		w.err = fmt.Errorf("runfile: key %#x came after %#x; keys ascend", key, w.last)
	}
	w.last = key
	w.entries++
	w.block = append(w.block, key)
	if w.values != nil {
		w.vals = le.AppendUint64(w.vals, value)
	}
	if len(w.block) == BlockKeys {
		w.endBlock()
	}
}

// Len returns how many keys were added.
func (w *Writer) Len() uint64 { return w.entries }

// Err returns the first error so far.
func (w *Writer) Err() error {
	switch {
	case w.err != nil:
		return w.err
	case w.keys.err != nil || w.values == nil:
		return w.keys.err
	}
	return w.values.err
}

func (w *Writer) endBlock() {
	if len(w.block) == 0 {
		return
	}
	w.index = append(w.index, mark{w.block[0], w.keys.offset()})
	w.packed = packKeys(w.packed, w.block)
	w.keys.write(w.packed)
	w.block = w.block[:0]
	if w.values != nil {
		w.vals = le.AppendUint64(w.vals, checksum(nil, w.vals))
		w.values.write(w.vals)
		w.vals = w.vals[:0]
	}
}

// packKeys returns the block of keys, in b if it is large enough.
func packKeys(b []byte, keys []uint64) []byte {
	var widest uint64
	for i := 1; i < len(keys); i++ {
		widest |= keys[i] - keys[i-1]
	}
	width := (bits.Len64(widest) + 7) / 8
	length := (len(keys) - 1) * width
	b = slices.Grow(b[:0], headerBytes+length+8)[:headerBytes]
	for i := 1; i < len(keys); i++ {
		b = le.AppendUint64(b, keys[i]-keys[i-1])
		b = b[:len(b)-8+width]
	}
	le.PutUint32(b, uint32(length))
	le.PutUint16(b[4:], uint16(len(keys)))
	le.PutUint16(b[6:], uint16(width))
	le.PutUint64(b[8:], keys[0])
	le.PutUint64(b[16:], checksum(b[:16], b[headerBytes:]))
	return b
}

// Close finishes the run. Where something went wrong it leaves no files.
func (w *Writer) Close() (*Run, error) {
	w.endBlock()
	if w.err != nil {
		w.Abandon()
		return nil, w.err
	}
	r := &Run{Entries: w.entries, fs: w.keys.fs, index: w.index}
	var err error
	if r.keys, r.Keys, err = w.keys.end(); err != nil {
		if w.values != nil {
			w.values.abandon()
		}
		return nil, err
	}
	if w.values == nil {
		return r, nil
	}
	if r.values, r.Values, err = w.values.end(); err != nil {
		_ = r.Remove()
		return nil, err
	}
	return r, nil
}

// Abandon ends the run and removes its files.
func (w *Writer) Abandon() {
	w.keys.abandon()
	if w.values != nil {
		w.values.abandon()
	}
}

// OpenRun opens a run from its description, after comparing every byte of it.
func OpenRun(fs FS, keys, values Info, entries uint64) (*Run, error) {
	r := &Run{Keys: keys, Values: values, Entries: entries, fs: fs}
	f, err := verify(fs, keys, magicKeys)
	if err != nil {
		return nil, err
	}
	r.keys = f
	if err := r.readIndex(); err != nil {
		_ = r.Close()
		return nil, err
	}
	if values.Name == "" {
		return r, nil
	}
	blocks := (int64(entries) + BlockKeys - 1) / BlockKeys
	if want := magicBytes + int64(entries)*8 + blocks*sumBytes; values.Bytes != want {
		_ = r.Close()
		return nil, damaged(values.Name, "it has %d bytes; %d values take %d", values.Bytes, entries, want)
	}
	if r.values, err = verify(fs, values, magicValues); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// OpenRunUnread is OpenRun without the comparison: each block is compared when it is
// read. For those who read a small part of a large run.
func OpenRunUnread(fs FS, keys, values Info, entries uint64) (r *Run, err error) {
	r = &Run{Keys: keys, Values: values, Entries: entries, fs: fs}
	if r.keys, err = fs.Open(keys.Name); err != nil {
		return nil, err
	}
	if err := r.readIndex(); err != nil {
		_ = r.keys.Close()
		return nil, err
	}
	if values.Name != "" {
		if r.values, err = fs.Open(values.Name); err != nil {
			_ = r.keys.Close()
			return nil, err
		}
	}
	return r, nil
}

// readIndex finds where the blocks of keys begin.
func (r *Run) readIndex() error {
	header := make([]byte, headerBytes)
	var n uint64
	for off := int64(magicBytes); off < r.Keys.Bytes; {
		if err := readFull(r.keys, r.Keys.Name, header, off); err != nil {
			return err
		}
		r.index = append(r.index, mark{le.Uint64(header[8:]), off})
		n += uint64(le.Uint16(header[4:]))
		if off += headerBytes + int64(le.Uint32(header)); n < r.Entries && n%BlockKeys != 0 {
			return damaged(r.Keys.Name, "a block before the last one is not full")
		}
	}
	if n != r.Entries {
		return damaged(r.Keys.Name, "it has %d keys, and should have %d", n, r.Entries)
	}
	return nil
}

// Sync makes the run lasting.
func (r *Run) Sync() error {
	if err := r.keys.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", r.Keys.Name, err)
	}
	if r.values == nil {
		return nil
	}
	if err := r.values.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", r.Values.Name, err)
	}
	return nil
}

// Length returns how many bytes the files have.
func (r *Run) Length() int64 { return r.Keys.Bytes + r.Values.Bytes }

// Names returns the names of the files.
func (r *Run) Names() []string {
	if r.Values.Name == "" {
		return []string{r.Keys.Name}
	}
	return []string{r.Keys.Name, r.Values.Name}
}

// Close closes the files and leaves them where they are.
func (r *Run) Close() error {
	err := r.keys.Close()
	if r.values != nil {
		if e := r.values.Close(); err == nil {
			err = e
		}
	}
	return err
}

// Remove closes the files and removes them.
func (r *Run) Remove() error {
	err := r.Close()
	for _, name := range r.Names() {
		if e := r.fs.Remove(name); err == nil {
			err = e
		}
	}
	return err
}

// blockEnd returns where block i of keys ends.
func (r *Run) blockEnd(i int) int64 {
	if i+1 < len(r.index) {
		return r.index[i+1].off
	}
	return r.Keys.Bytes
}

// blockOf returns the last block that begins at or before a key, -1 if none does.
func (r *Run) blockOf(key uint64) int {
	return sort.Search(len(r.index), func(i int) bool { return r.index[i].first > key }) - 1
}

// Find returns the value of a key (0 in a run without values), and whether it
// is there.
func (r *Run) Find(key uint64) (value uint64, found bool, err error) {
	err = r.Range(key, key, func(_, v uint64) { value, found = v, true })
	return value, found, err
}

// Range calls f with each key from lo to hi and its value.
func (r *Run) Range(lo, hi uint64, f func(key, value uint64)) error {
	var keys, vals []uint64
	for i := max(0, r.blockOf(lo)); i < len(r.index) && r.index[i].first <= hi; i++ {
		b := make([]byte, r.blockEnd(i)-r.index[i].off, r.blockEnd(i)-r.index[i].off+8)
		if err := readFull(r.keys, r.Keys.Name, b, r.index[i].off); err != nil {
			return err
		}
		var err error
		if keys, err = r.unpack(b, i, keys); err != nil {
			return err
		}
		from, _ := slices.BinarySearch(keys, lo)
		if from == len(keys) || keys[from] > hi {
			continue
		}
		if vals, err = r.readValues(i, len(keys), vals); err != nil {
			return err
		}
		for ; from < len(keys) && keys[from] <= hi; from++ {
			f(keys[from], vals[from])
		}
	}
	return nil
}

// unpack appends the keys of block i to keys[:0]. The capacity of b is 8 more than
// its length.
func (r *Run) unpack(b []byte, i int, keys []uint64) ([]uint64, error) {
	bad := func(format string, args ...any) ([]uint64, error) {
		return nil, damaged(r.Keys.Name, "block %d, at byte %d: %s", i, r.index[i].off, fmt.Sprintf(format, args...))
	}
	if len(b) < headerBytes {
		return bad("it is cut off")
	}
	length, n, width, key := int(le.Uint32(b)), int(le.Uint16(b[4:])), int(le.Uint16(b[6:])), le.Uint64(b[8:])
	if headerBytes+length != len(b) || n < 1 || n > BlockKeys || width > 8 || length != (n-1)*width {
		return bad("its header makes no sense")
	}
	if sum := checksum(b[:16], b[headerBytes:]); sum != le.Uint64(b[16:]) {
		return bad("its checksum is %016x, and was %016x when it was written", sum, le.Uint64(b[16:]))
	}
	keys = append(keys[:0], key)
	mask := ^uint64(0) >> (64 - 8*uint(width))
	b = b[:cap(b)]
	for at := headerBytes; len(keys) < n; at += width {
		key += le.Uint64(b[at:]) & mask
		keys = append(keys, key)
	}
	return keys, nil
}

// readValues returns the n values of block i, zeros in a run without values.
func (r *Run) readValues(i, n int, vals []uint64) ([]uint64, error) {
	vals = slices.Grow(vals[:0], n)[:n]
	if r.values == nil {
		clear(vals)
		return vals, nil
	}
	b := make([]byte, n*8+sumBytes)
	off := magicBytes + int64(i)*valueBlock
	if err := readFull(r.values, r.Values.Name, b, off); err != nil {
		return nil, err
	}
	sum, want := checksum(nil, b[:n*8]), le.Uint64(b[n*8:])
	if sum != want {
		return nil, damaged(r.Values.Name, "block %d, at byte %d: its checksum is %016x, and was %016x when it was written", i, off, sum, want)
	}
	for k := range vals {
		vals[k] = le.Uint64(b[k*8:])
	}
	return vals, nil
}
