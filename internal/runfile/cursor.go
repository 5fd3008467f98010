package runfile

// A Cursor goes through a run in ascending order. It reads more at a time the
// longer it goes on without leaving anything out.
type Cursor struct {
	r    *Run
	most int // bytes to read at a time, or a block

	window []byte // of the file, from off on
	off    int64
	ahead  int // bytes to read next time

	block int // whose keys are in keys, -1 at first
	keys  []uint64
	vals  []uint64
	at    int
	got   bool // vals are those of the block
}

// Cursor returns a cursor before the first key, which reads so many bytes at a
// time at most.
func (r *Run) Cursor(most int) *Cursor { return &Cursor{r: r, most: max(most, 1<<12), block: -1} }

// Next goes to the next key, and reports whether there is one.
func (c *Cursor) Next() (bool, error) {
	if c.at++; c.block >= 0 && c.at < len(c.keys) {
		return true, nil
	}
	if c.block+1 >= len(c.r.index) {
		c.block, c.keys, c.at = len(c.r.index), c.keys[:0], 0
		return false, nil
	}
	return true, c.load(c.block + 1)
}

// Key returns the key that the cursor is at.
func (c *Cursor) Key() uint64 { return c.keys[c.at] }

// Value returns the value of the key, 0 in a run without values.
func (c *Cursor) Value() (uint64, error) {
	if !c.got {
		var err error
		if c.vals, err = c.r.readValues(c.block, len(c.keys), c.vals); err != nil {
			return 0, err
		}
		c.got = true
	}
	return c.vals[c.at], nil
}

// Has goes on to a key, no less than any asked for before, and reports whether
// it is there. Blocks in which it cannot be are left out.
func (c *Cursor) Has(key uint64) (bool, error) {
	index := c.r.index
	next := c.block + 1
	if next < len(index) && index[next].first <= key {
		// Mostly it is the next one, or one shortly after it.
		step := 1
		for next+step < len(index) && index[next+step].first <= key {
			next += step
			step *= 2
		}
		for ; step > 0; step /= 2 {
			if next+step < len(index) && index[next+step].first <= key {
				next += step
			}
		}
		if err := c.load(next); err != nil {
			return false, err
		}
	}
	for c.at < len(c.keys) && c.keys[c.at] < key {
		c.at++
	}
	return c.at < len(c.keys) && c.keys[c.at] == key, nil
}

// load makes block i the one that the cursor is in, at its first key.
func (c *Cursor) load(i int) error {
	b, err := c.bytes(c.r.index[i].off, c.r.blockEnd(i))
	if err != nil {
		return err
	}
	if c.keys, err = c.r.unpack(b, i, c.keys); err != nil {
		return err
	}
	c.block, c.at, c.got = i, 0, false
	return nil
}

// bytes returns the part of the file from one offset to another. Behind it there
// are at least 8 bytes of capacity.
func (c *Cursor) bytes(from, to int64) ([]byte, error) {
	if end := c.off + int64(len(c.window)); from < c.off || to > end {
		if from > end+int64(len(c.window)) || from < c.off {
			c.ahead = 0 // something was left out
		}
		n := min(max(int64(c.ahead), to-from), c.r.Keys.Bytes-from)
		c.ahead = min(2*int(n), c.most)
		if int64(cap(c.window)) < n+8 {
			c.window = make([]byte, n, n+8)
		}
		c.window = c.window[:n]
		c.off = from
		if err := readFull(c.r.keys, c.r.Keys.Name, c.window, from); err != nil {
			c.window = c.window[:0]
			return nil, err
		}
	}
	return c.window[from-c.off : to-c.off : to-c.off+8], nil
}
