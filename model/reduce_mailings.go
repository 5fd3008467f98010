package model

import "slices"

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
func (f *foresight) mailing(sends []sending) int32 {
	if len(sends) == 0 {
		return 0
	}
	key := f.mailKey[:0]
	for _, m := range sends {
		key = appendNumbers(key, m.to, m.event)
	}
	f.mailKey = key
	m := &f.mailings
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
func (f *foresight) join(first, then int32) int32 {
	m := &f.mailings
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
	f.sort(sends)
	i := f.mailing(sends)
	m.joined[[2]int32{first, then}] = i
	m.size++
	return i
}

// sort sorts sends by receiver, and on unordered channels by event.
func (f *foresight) sort(s []sending) {
	for i := range s {
		for j := i; j > 0 && (s[j].to < s[j-1].to || !f.fifo && s[j].to == s[j-1].to && s[j].event < s[j-1].event); j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}
