// Package list has bounded lists for the states and messages of protocols: queues, logs,
// paths, ranks. A list is flat, so it may stand in a state, and canonical: lists with the same
// elements are the same bytes. Snapshots and traces show it as what it is, "[3 5]".
// Where ids are permuted or rotated (docs/reductions.md), those in a list are.
//
//	type P struct {
//		Waiting list.Of[model.ID, [4]model.ID] // at most four
//	}
package list

import (
	"fmt"
	"iter"
	"strings"
)

// An Array is room for elements: as many as it has, 16 at most.
type Array[T any] interface {
	~[1]T | ~[2]T | ~[3]T | ~[4]T | ~[5]T | ~[6]T | ~[7]T | ~[8]T |
		~[9]T | ~[10]T | ~[11]T | ~[12]T | ~[13]T | ~[14]T | ~[15]T | ~[16]T
}

// Of is a list of elements of a flat type T, in order and numbered from 0, with the room of
// an array A of them. The zero value is empty. A list is a value: an assignment copies it, and
// == compares it.
//
// An impossible operation panics, with the list in its text: an element that is not there, or
// one more than there is room for. A handler that panics is a misuse of its protocol, which a
// check reports with the run that leads there.
type Of[T comparable, A Array[T]] struct {
	len uint8
	of  A // zero behind len
}

// From returns the list of some elements. It panics if they are more than there is room for.
func From[A Array[T], T comparable](elements ...T) (l Of[T, A]) {
	for _, e := range elements {
		l.Append(e)
	}
	return l
}

// Len returns how many elements there are.
func (l *Of[T, A]) Len() int { return int(l.len) }

// Cap returns for how many there is room.
func (l *Of[T, A]) Cap() int { return len(l.of) }

// Full reports whether there is room for no more.
func (l *Of[T, A]) Full() bool { return l.Len() == l.Cap() }

// At returns element i, 0 to Len-1. It panics if there is none.
func (l *Of[T, A]) At(i int) T {
	l.need(i)
	return l.of[i]
}

// Set makes e element i, 0 to Len-1. It panics if there is none.
func (l *Of[T, A]) Set(i int, e T) {
	l.need(i)
	l.of[i] = e
}

// need panics unless there is an element i.
func (l *Of[T, A]) need(i int) {
	if i < 0 || i >= l.Len() {
		panic(fmt.Sprintf("there is no element %d in the list %v of %d; from 0 on there are as many as Len says", i, *l, l.Len()))
	}
}

// Append puts e behind the last element. It panics if the list is Full.
func (l *Of[T, A]) Append(e T) { l.Insert(l.Len(), e) }

// Insert makes e element i, 0 to Len; those from i on come behind it. It panics if there is no
// such place, or the list is Full.
func (l *Of[T, A]) Insert(i int, e T) {
	if l.Full() {
		panic(fmt.Sprintf("there is no room for %v in the list %v, which has its %d elements; use a larger array", e, *l, l.Cap()))
	}
	l.len++
	l.need(i)
	for j := l.Len() - 1; j > i; j-- {
		l.of[j] = l.of[j-1]
	}
	l.of[i] = e
}

// Remove takes element i out, 0 to Len-1, and returns it: Remove(0) is the next of a queue.
// It panics if there is none.
func (l *Of[T, A]) Remove(i int) T {
	e := l.At(i)
	for ; i < l.Len()-1; i++ {
		l.of[i] = l.of[i+1]
	}
	l.Truncate(i)
	return e
}

// Truncate leaves the first n elements, all if there are fewer, none if n is negative.
func (l *Of[T, A]) Truncate(n int) {
	n = max(n, 0)
	var zero T
	for i := n; i < l.Len(); i++ {
		l.of[i] = zero
	}
	l.len = uint8(min(n, l.Len()))
}

// Index returns the number of the first element that is e, or -1 if none is.
func (l *Of[T, A]) Index(e T) int {
	for i, other := range l.All() {
		if other == e {
			return i
		}
	}
	return -1
}

// All yields the elements with their numbers, in order.
func (l *Of[T, A]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range l.Len() {
			if !yield(i, l.of[i]) {
				return
			}
		}
	}
}

// String returns the elements in brackets: "[3 5]".
func (l Of[T, A]) String() string {
	texts := make([]string, l.Len())
	for i, e := range l.All() {
		texts[i] = fmt.Sprint(e)
	}
	return "[" + strings.Join(texts, " ") + "]"
}
