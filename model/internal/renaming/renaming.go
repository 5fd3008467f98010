// Package renaming gives the processes that encoded values name other ids.
package renaming

import (
	"bytes"
	"math/bits"
	"reflect"

	"bullyproof/internal/flat"
	"bullyproof/model/process"
)

// A To says for each position where what is there goes: process id is at position id-1.
type To [process.MaxID]uint8

// ID renames an id, or a port that is one, among n processes. Other numbers stay.
func (to *To) ID(id byte, n int) byte {
	if id == 0 || int(id) > n {
		return id
	}
	return to[id-1] + 1
}

// Set renames a set among n processes.
func (to *To) Set(s process.Set, n int) process.Set {
	all := process.Upto(process.ID(n))
	renamed := s &^ all
	for t := s & all; t != 0; t &= t - 1 {
		renamed |= 1 << to[t.Min()-1]
	}
	return renamed
}

// Kinds tells the types that name processes from others.
type Kinds struct {
	// Named has those whose values are ids or numbers of ports, of a byte. A process.ID and a
	// process.Set are known.
	Named []reflect.Type
	// Elem returns the type of the elements of a type that has one for each process.
	Elem func(t reflect.Type) (reflect.Type, bool)
}

// A site is where an encoded value says something about processes by their ids.
type site struct {
	kind   kind
	at     int
	size   int  // of a set, or of an element, encoded
	nested bool // in an element
	plain  bool // of elements: no site is in one
}

type kind uint8

const (
	ofID kind = iota
	ofSet
	ofEach // an element for each process, whose sites come before it
)

// Names says where the encoded values of a type name processes. It is not safe for use by
// several goroutines at once.
type Names struct {
	n     int
	sites []site
	mask  []byte // 0 where a site is
	moved []byte // scratch
}

// Of returns where values of a type, encoded by a plan, name one of n processes.
func Of(t reflect.Type, plan *flat.Plan, n int, kinds Kinds) *Names {
	names := &Names{n: n, mask: bytes.Repeat([]byte{0xff}, plan.Size())}
	before := func(offset uintptr) (size int) {
		for _, r := range plan.Ranges() {
			size += max(0, min(r.Size, int(offset)-r.Offset))
		}
		return size
	}
	names.walk(t, 0, before, kinds, false)
	for _, s := range names.sites {
		if s.kind == ofEach {
			s.size *= n
		}
		clear(names.mask[s.at : s.at+s.size])
	}
	return names
}

// walk adds the sites of a type whose value is at an offset in memory.
func (names *Names) walk(t reflect.Type, at uintptr, before func(uintptr) int, kinds Kinds, nested bool) {
	here := site{at: before(at), size: before(at+t.Size()) - before(at), nested: nested}
	if here.size == 0 {
		return
	}
	switch t {
	case reflect.TypeFor[process.Set]():
		here.kind = ofSet
		names.sites = append(names.sites, here)
		return
	case reflect.TypeFor[process.ID]():
		names.sites = append(names.sites, here)
		return
	}
	for _, named := range kinds.Named {
		if t == named {
			names.sites = append(names.sites, here)
			return
		}
	}
	if elem, ok := kinds.Elem(t); ok {
		inner := len(names.sites)
		for i := range names.n {
			names.walk(elem, at+uintptr(i)*elem.Size(), before, kinds, true)
		}
		here.kind, here.size, here.plain = ofEach, before(at+elem.Size())-before(at), inner == len(names.sites)
		names.sites = append(names.sites, here)
		return
	}
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			names.walk(t.Elem(), at+uintptr(i)*t.Elem().Size(), before, kinds, nested)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			names.walk(t.Field(i).Type, at+t.Field(i).Offset, before, kinds, nested)
		}
	}
}

// Rename renames the processes that a value names.
func (names *Names) Rename(data []byte, to *To) {
	n := names.n
	for i := range names.sites {
		switch s := &names.sites[i]; s.kind {
		case ofID:
			data[s.at] = to.ID(data[s.at], n)
		case ofSet:
			renamed := to.Set(setAt(data[s.at:s.at+s.size]), n)
			for b := range s.size {
				data[s.at+b] = byte(renamed >> (8 * b))
			}
		case ofEach:
			names.moved = append(names.moved[:0], data[s.at:s.at+n*s.size]...)
			for pos := range n {
				copy(data[s.at+int(to[pos])*s.size:], names.moved[pos*s.size:(pos+1)*s.size])
			}
		}
	}
}

// Sign adds to a sign what a value says to the processes at two positions that it is
// about: the same whatever others are called.
func (names *Names) Sign(sign uint64, data []byte, one, other int) uint64 {
	for i, m := range names.mask {
		sign = Mixed(sign, uint64(data[i]&m))
	}
	for i := range names.sites {
		s := &names.sites[i]
		if s.nested {
			continue
		}
		switch s.kind {
		case ofID:
			sign = Mixed(sign, uint64(names.relation(data[s.at], one, other)))
		case ofSet:
			all := uint64(setAt(data[s.at : s.at+s.size]))
			sign = Mixed(sign, uint64(bits.OnesCount64(all))<<2|all>>one&1<<1|all>>other&1)
		case ofEach:
			sum := uint64(0)
			for pos := 0; s.plain && pos < names.n; pos++ {
				sum += Mixed(s.element(data, pos), 0)
			}
			sign = Mixed(sign, sum)
		}
	}
	return sign
}

// relation says who an id is to two processes.
func (names *Names) relation(id byte, one, other int) byte {
	switch {
	case id == 0 || int(id) > names.n:
		return id
	case int(id)-1 == one:
		return 1
	case int(id)-1 == other:
		return 2
	}
	return 3
}

// Named tells which positions a value names, and a sign of how, the same whatever they are
// called.
func (names *Names) Named(data []byte, tell func(how uint64, pos int)) {
	for i := range names.sites {
		s, how := &names.sites[i], uint64(i)
		switch {
		case s.nested:
		case s.kind == ofEach:
			for pos := 0; s.plain && pos < names.n; pos++ {
				tell(Mixed(how, s.element(data, pos)), pos)
			}
		case s.kind == ofSet:
			for who := setAt(data[s.at:s.at+s.size]) & process.Upto(process.ID(names.n)); who != 0; who &= who - 1 {
				tell(how, int(who.Min())-1)
			}
		case data[s.at] != 0 && int(data[s.at]) <= names.n:
			tell(how, int(data[s.at])-1)
		}
	}
}

// element is a sign of the element of a position, which names nobody.
func (s *site) element(data []byte, pos int) uint64 {
	sign := uint64(5)
	for _, b := range data[s.at+pos*s.size:][:s.size] {
		sign = Mixed(sign, uint64(b))
	}
	return sign
}

func setAt(at []byte) (s process.Set) {
	for i, b := range at {
		s |= process.Set(b) << (8 * i)
	}
	return s
}

// Mixed returns a hash of two numbers, of which the order counts.
func Mixed(a, b uint64) uint64 {
	h := (bits.RotateLeft64(a, 23) ^ b) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}
