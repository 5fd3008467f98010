package visited

import (
	"iter"
	"math/bits"
)

// A KeyList is fingerprints in ascending order, in pages: a slice that grows takes
// twice its memory and more.
type KeyList struct {
	N     int        // how many they are
	pages [][]uint64 // all but the last are full
}

// PageKeys is how many keys a full page has.
const PageKeys = 1 << 12

// Add appends a key, greater than those before it.
func (l *KeyList) Add(key uint64) {
	last := l.N / PageKeys
	if last == len(l.pages) {
		var page []uint64
		if last > 0 { // one that is alone grows; most lists of small searches are short
			page = make([]uint64, 0, PageKeys)
		}
		l.pages = append(l.pages, page)
	}
	l.pages[last] = append(l.pages[last], key)
	l.N++
}

// All yields the keys.
func (l *KeyList) All() iter.Seq[uint64] {
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

// Bytes returns the memory of the list.
func (l *KeyList) Bytes() int64 {
	if len(l.pages) == 1 {
		return int64(cap(l.pages[0])) * 8
	}
	return int64(len(l.pages)) * PageKeys * 8
}

// A KeySet is a set of fingerprints.
type KeySet struct {
	keys  KeyList
	first []uint32 // index of the first key whose top bits are so much or more
	shift uint
}

// NewKeySet returns the set of keys.
func NewKeySet(keys KeyList) *KeySet {
	b := max(1, bits.Len(uint(keys.N))-3)
	k := &KeySet{keys: keys, shift: uint(64 - b), first: make([]uint32, 1<<b+1)}
	for key := range keys.All() {
		k.first[key>>k.shift+1]++
	}
	for i := 1; i < len(k.first); i++ {
		k.first[i] += k.first[i-1]
	}
	return k
}

// Has reports whether a key is in the set.
func (k *KeySet) Has(key uint64) bool {
	top := key >> k.shift
	for i, end := k.first[top], k.first[top+1]; i < end; {
		page := k.keys.pages[i/PageKeys]
		page = page[i%PageKeys : min(uint32(len(page)), i%PageKeys+end-i)]
		for _, other := range page {
			if other == key {
				return true
			}
		}
		i += uint32(len(page))
	}
	return false
}

// Bytes returns the memory of the set, which is nil if there is none.
func (k *KeySet) Bytes() int64 {
	if k == nil {
		return 0
	}
	return k.keys.Bytes() + int64(len(k.first))*4
}
