// Package canon writes values of any Go type as bytes, the same for equal values, and
// copies them.
//
// A dump follows pointers, slices, maps and interfaces, and reads fields that are not
// exported. It has whatever another piece of code can see of the value: what is nil, the
// type behind an interface, and which parts share memory. It has no addresses, no
// order of a map and no room behind a slice that nobody else sees. So two values have the same dump
// exactly if no code can tell them apart, up to the capacities of slices and what
// Rules leave out.
//
// A copy shares no memory with its original, except strings and what Rules leave out; of
// that, it has maps and slices of its own. Its parts share memory with one another as those of the original do.
//
// Functions are part of a value if what they refer to is known: those of a package, and
// methods that are bound to a part of the value. A closure hides what it refers to. So it is
// refused, and so are channels and unsafe pointers, by the path at which they are.
package canon
