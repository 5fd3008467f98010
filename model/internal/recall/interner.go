package recall

import "github.com/zeebo/xxh3"

// An Interner numbers keys, which are of one size.
type Interner struct {
	Size, Most int // of a key in bytes, and how many there are at most
	keys       []byte
	index      []uint32 // 1 + number, 0 where free; a power of two, at most half full
}

// Number returns the number of a key, from 0. It reports false where there is no
// room for one more.
func (t *Interner) Number(key []byte) (int, bool) {
	mask := uint64(len(t.index) - 1)
	h := xxh3.Hash(key)
	if len(t.index) > 0 {
		for ; t.index[h&mask] != 0; h++ {
			n := int(t.index[h&mask] - 1)
			if string(t.keys[n*t.Size:(n+1)*t.Size]) == string(key) {
				return n, true
			}
		}
	}
	n := t.Len()
	if n == t.Most {
		return 0, false
	}
	t.keys = append(t.keys, key...)
	if 2*n >= len(t.index) {
		t.grow()
	} else {
		t.index[h&mask] = uint32(n) + 1
	}
	return n, true
}

// Len returns how many keys have a number.
func (t *Interner) Len() int { return len(t.keys) / t.Size }

// grow doubles the index.
func (t *Interner) grow() {
	t.index = make([]uint32, max(64, 2*len(t.index)))
	mask := uint64(len(t.index) - 1)
	for n := range t.Len() {
		h := xxh3.Hash(t.keys[n*t.Size : (n+1)*t.Size])
		for t.index[h&mask] != 0 {
			h++
		}
		t.index[h&mask] = uint32(n) + 1
	}
}

// Reset forgets all keys.
func (t *Interner) Reset() {
	t.keys = t.keys[:0]
	clear(t.index)
}
