package typed

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// Containers for the states of a Model. They are flat, and equal contents are
// equal values, with ==: two states with the same elements are one state. The
// zero values are empty. Methods with pointer receivers change the container;
// assigning one copies it.

// A Set is a set of values of an integer type from 0 to 63, such as an
// enumeration or the numbers of processes.
type Set[E ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64] struct{ bits uint64 }

// SetOf returns the set of elements. It panics where Add does.
func SetOf[E ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](elements ...E) (s Set[E]) {
	for _, e := range elements {
		s.Add(e)
	}
	return s
}

// Add adds an element. It panics for one that is not from 0 to 63, as an index
// out of range does: a model that panics is reported with the state.
func (s *Set[E]) Add(e E) {
	if uint64(e) > 63 {
		panic(fmt.Sprintf("explore: %d is no element of a Set, which are from 0 to 63", int64(e)))
	}
	s.bits |= 1 << uint64(e)
}

// Remove removes an element, if it is there.
func (s *Set[E]) Remove(e E) {
	if s.Has(e) {
		s.bits &^= 1 << uint64(e)
	}
}

// Has reports whether e is an element.
func (s Set[E]) Has(e E) bool { return uint64(e) <= 63 && s.bits>>uint64(e)&1 != 0 }

// Len returns the number of elements.
func (s Set[E]) Len() int { return bits.OnesCount64(s.bits) }

// All yields the elements, least first.
func (s Set[E]) All() iter.Seq[E] {
	return func(yield func(E) bool) {
		for b := s.bits; b != 0; b &= b - 1 {
			if !yield(E(bits.TrailingZeros64(b))) {
				return
			}
		}
	}
}

// Union returns the elements of either set.
func (s Set[E]) Union(t Set[E]) Set[E] { return Set[E]{s.bits | t.bits} }

// Intersection returns the elements of both sets.
func (s Set[E]) Intersection(t Set[E]) Set[E] { return Set[E]{s.bits & t.bits} }

// Difference returns the elements of s that are not in t.
func (s Set[E]) Difference(t Set[E]) Set[E] { return Set[E]{s.bits &^ t.bits} }

// Contains reports whether all elements of t are in s.
func (s Set[E]) Contains(t Set[E]) bool { return t.bits&^s.bits == 0 }

// String returns the elements in braces: "{1 3}".
func (s Set[E]) String() string { return "{" + list(s.All()) + "}" }

// A Room is an array: what there is room for in a Queue or Bag of T. Queue[Msg,
// [4]Msg] holds at most four.
type Room[T any] interface {
	~[1]T | ~[2]T | ~[3]T | ~[4]T | ~[5]T | ~[6]T | ~[7]T | ~[8]T | ~[10]T | ~[12]T | ~[16]T | ~[20]T | ~[24]T | ~[32]T | ~[48]T | ~[64]T
}

// A Queue is a bounded queue: first in, first out.
type Queue[T comparable, R Room[T]] struct {
	items R // zero from n on
	n     uint8
}

// Push adds an element at the end, and reports whether there was room for it.
func (q *Queue[T, R]) Push(x T) bool {
	if int(q.n) == len(q.items) {
		return false
	}
	q.items[q.n] = x
	q.n++
	return true
}

// Pop removes the first element, and reports whether there was one.
func (q *Queue[T, R]) Pop() (x T, ok bool) {
	if q.n == 0 {
		return x, false
	}
	x = q.items[0]
	q.RemoveAt(0)
	return x, true
}

// RemoveAt removes element i and keeps the order of the others: a message that
// is lost. It panics if there is no element i.
func (q *Queue[T, R]) RemoveAt(i int) {
	q.At(i)
	for ; i+1 < int(q.n); i++ {
		q.items[i] = q.items[i+1]
	}
	q.n--
	var zero T
	q.items[q.n] = zero
}

// Len returns the number of elements.
func (q Queue[T, R]) Len() int { return int(q.n) }

// Cap returns how many elements there may be.
func (q Queue[T, R]) Cap() int { return len(q.items) }

// At returns element i, of which 0 is the first. It panics if there is none.
func (q Queue[T, R]) At(i int) T {
	if i < 0 || i >= int(q.n) {
		panic(fmt.Sprintf("explore: there is no element %d of %d", i, q.n))
	}
	return q.items[i]
}

// All yields the elements, the first one first.
func (q Queue[T, R]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range int(q.n) {
			if !yield(q.items[i]) {
				return
			}
		}
	}
}

// String returns the elements in brackets.
func (q Queue[T, R]) String() string { return "[" + list(q.All()) + "]" }

// An Ordered type has a method that compares: negative if the value is less than
// other, 0 only if they are equal (with ==), positive if it is greater.
type Ordered[T any] interface {
	comparable
	Compare(other T) int
}

// A Bag is a bounded multiset: messages in a network that keeps no order. Equal
// contents are equal values, whatever the order in which they came.
type Bag[T Ordered[T], R Room[T]] struct{ sorted Queue[T, R] }

// Add adds an element once more, and reports whether there was room for it.
func (b *Bag[T, R]) Add(x T) bool {
	q := &b.sorted
	if !q.Push(x) {
		return false
	}
	i := q.Len() - 1
	for ; i > 0 && q.items[i-1].Compare(x) > 0; i-- {
		q.items[i] = q.items[i-1]
	}
	q.items[i] = x
	return true
}

// Remove removes an element once, and reports whether it was there.
func (b *Bag[T, R]) Remove(x T) bool {
	for i := range b.sorted.Len() {
		if b.sorted.At(i) == x {
			b.sorted.RemoveAt(i)
			return true
		}
	}
	return false
}

// Count returns how many times x is in the bag.
func (b Bag[T, R]) Count(x T) (n int) {
	for y := range b.sorted.All() {
		if x == y {
			n++
		}
	}
	return n
}

// Len returns the number of elements, each as often as it is there.
func (b Bag[T, R]) Len() int { return b.sorted.Len() }

// Cap returns how many elements there may be.
func (b Bag[T, R]) Cap() int { return b.sorted.Cap() }

// All yields the elements in order, each as often as it is there.
func (b Bag[T, R]) All() iter.Seq[T] { return b.sorted.All() }

// Distinct yields the elements in order, each once: a transition for each of
// them is enough.
func (b Bag[T, R]) Distinct() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range b.sorted.Len() {
			if x := b.sorted.At(i); (i == 0 || x != b.sorted.At(i-1)) && !yield(x) {
				return
			}
		}
	}
}

// String returns the elements in double brackets, as bags are written.
func (b Bag[T, R]) String() string { return "⟦" + list(b.All()) + "⟧" }

// list returns elements in words, with spaces between.
func list[T any](elements iter.Seq[T]) string {
	var words []string
	for e := range elements {
		words = append(words, describe(e))
	}
	return strings.Join(words, " ")
}
