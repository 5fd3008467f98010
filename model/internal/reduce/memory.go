package reduce

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// The memory of reductions is a function of states alone, so each worker remembers
// by itself, as much as it has room for, and comes to the same states.

// anySeed is of hashes that nothing depends on but time.
var anySeed = maphash.MakeSeed()

// normals remember the normal forms of states: successors that many states have
// in common come soon after one another in a search breadth first. A form that is
// new takes the place of another one.
type normals struct {
	forms []normalForm
	at    *normalForm // of the state asked for last
	fresh int         // forms that were not remembered, since the table grew
}

// A normalForm is a state without its dead messages.
type normalForm struct{ state, normal []byte }

// fewForms are remembered at first; where several times as many are met, more are, up
// to manyForms.
const (
	fewForms  = 1 << 12
	manyForms = 1 << 16
)

// of returns the normal form of a state, if it is remembered.
func (m *normals) of(state []byte) ([]byte, bool) {
	switch {
	case m.forms == nil:
		m.forms = make([]normalForm, fewForms)
	case m.fresh > 4*len(m.forms) && len(m.forms) < manyForms:
		m.forms, m.fresh = make([]normalForm, 4*len(m.forms)), 0
	}
	m.at = &m.forms[maphash.Bytes(anySeed, state)%uint64(len(m.forms))]
	if !bytes.Equal(m.at.state, state) {
		m.fresh++
		m.at.state = append(m.at.state[:0], state...)
		return nil, false
	}
	return m.at.normal, true
}

// keep remembers the normal form of the state asked for last.
func (m *normals) keep(normal []byte) { m.at.normal = append(m.at.normal[:0], normal...) }

// roots find roots by their keys.
type roots struct {
	by      map[uint64]*root
	count   int
	all     slab[root]
	keys    slab[byte]
	members slab[closure]
	lists   slab[int32]
}

// maxRoots is how many roots are kept before all are forgotten.
const maxRoots = 1 << 14

func newRoots() roots { return roots{by: map[uint64]*root{}} }

// of returns the root of a key.
func (m *roots) of(key []byte) *root {
	h := maphash.Bytes(anySeed, key)
	first := m.by[h]
	for r := first; r != nil; r = r.other {
		if bytes.Equal(r.key, key) {
			return r
		}
	}
	if m.count >= maxRoots {
		// Slabs go along: one in use would keep all that it leads to.
		*m = newRoots()
		first = nil
	}
	r := &m.all.take(1)[0]
	r.key, r.other = append(m.keys.take(len(key))[:0], key...), first
	m.by[h] = r
	m.count++
	return r
}

// A slab has zero values to be taken, many in one allocation.
type slab[T any] struct{ left []T }

// slabLen is how many values are allocated at once.
const slabLen = 1 << 12

// take returns so many values, which nobody else has.
func (s *slab[T]) take(count int) []T {
	if count > len(s.left) {
		s.left = make([]T, max(count, slabLen))
	}
	taken := s.left[:count:count]
	s.left = s.left[count:]
	return taken
}

// mailings number what has been sent; 0 is nothing.
type mailings struct {
	lists   [][]sending
	numbers map[string]int32
	joined  map[[2]int32]int32
	size    int // of all lists and of joined
}

// maxMailed is the size of mailings at which all are forgotten.
const maxMailed = 1 << 21

// mailing returns the number of what has been sent, which is sorted.
func (e *effects) mailing(sends []sending) int32 {
	if len(sends) == 0 {
		return 0
	}
	key := e.mailKey[:0]
	for _, m := range sends {
		key = appendNumbers(key, m.to, m.event)
	}
	e.mailKey = key
	m := &e.mailings
	if i, ok := m.numbers[string(key)]; ok {
		return i
	}
	i := int32(len(m.lists))
	m.lists = append(m.lists, slices.Clone(sends))
	m.numbers[string(key)] = i
	m.size += len(sends)
	return i
}

// join returns the number of what has been sent first and then.
func (e *effects) join(first, then int32) int32 {
	m := &e.mailings
	switch {
	case first == 0:
		return then
	case then == 0:
		return first
	}
	if i, ok := m.joined[[2]int32{first, then}]; ok {
		return i
	}
	sends := slices.Concat(m.lists[first], m.lists[then])
	e.sort(sends)
	i := e.mailing(sends)
	m.joined[[2]int32{first, then}] = i
	m.size++
	return i
}

// sort sorts sends by receiver, and on unordered channels by event.
func (e *effects) sort(s []sending) {
	for i := range s {
		for j := i; j > 0 && (s[j].to < s[j-1].to || !e.fifo && s[j].to == s[j-1].to && s[j].event < s[j-1].event); j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}
