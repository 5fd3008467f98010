package explore

import (
	"iter"
	"math/bits"

	"bullyproof/internal/runfile"
)

// A keyList is fingerprints in ascending order, in pages: a slice that grows takes
// twice its memory and more.
type keyList struct {
	pages [][]uint64 // all but the last are full
	n     int
}

// pageKeys is how many keys a full page has.
const pageKeys = 1 << 12

// add appends a key, greater than those before it.
func (l *keyList) add(key uint64) {
	last := l.n / pageKeys
	if last == len(l.pages) {
		var page []uint64
		if last > 0 { // one that is alone grows; most lists of small searches are short
			page = make([]uint64, 0, pageKeys)
		}
		l.pages = append(l.pages, page)
	}
	l.pages[last] = append(l.pages[last], key)
	l.n++
}

// all yields the keys.
func (l *keyList) all() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for _, page := range l.pages {
			for _, key := range page {
				if !yield(key) {
					return
				}
			}
		}
	}
}

// bytes returns the memory of the list.
func (l *keyList) bytes() int64 {
	if len(l.pages) == 1 {
		return int64(cap(l.pages[0])) * 8
	}
	return int64(len(l.pages)) * pageKeys * 8
}

// readKeys returns the keys of a run.
func (d *disk) readKeys(r *runfile.Run) (keys keyList, err error) {
	for c := r.Cursor(d.ahead(1)); ; {
		more, err := c.Next()
		if err != nil || !more {
			return keys, err
		}
		d.leaveOut(&keys, c.Key())
	}
}

// leaveOut adds a key to the states that the level leaves out.
func (d *disk) leaveOut(keys *keyList, key uint64) {
	if d.step(); keys.n%pageKeys == 0 {
		d.bytes.Store(keys.bytes())
	}
	keys.add(key)
}

// A keySet is a set of fingerprints.
type keySet struct {
	of    *part
	keys  keyList
	first []uint32 // index of the first key whose top bits are so much or more
	shift uint
}

func newKeySet(keys keyList) *keySet {
	b := max(1, bits.Len(uint(keys.n))-3)
	k := &keySet{keys: keys, shift: uint(64 - b), first: make([]uint32, 1<<b+1)}
	for key := range keys.all() {
		k.first[key>>k.shift+1]++
	}
	for i := 1; i < len(k.first); i++ {
		k.first[i] += k.first[i-1]
	}
	return k
}

func (k *keySet) has(key uint64) bool {
	top := key >> k.shift
	for i, end := k.first[top], k.first[top+1]; i < end; {
		page := k.keys.pages[i/pageKeys]
		page = page[i%pageKeys : min(uint32(len(page)), i%pageKeys+end-i)]
		for _, other := range page {
			if other == key {
				return true
			}
		}
		i += uint32(len(page))
	}
	return false
}

// bytes returns the memory of the set.
func (k *keySet) bytes() int64 {
	if k == nil {
		return 0
	}
	return k.keys.bytes() + int64(len(k.first))*4
}
