// Package plain says what the world of a protocol means: every action, when it is
// enabled and what it does. It is written to be read, in structs, slices and maps,
// and computes what package model computes without its layout of bytes, its caches
// and its shortcuts. docs/semantics.md says the same in words.
//
// Read it in this order:
//
//	state.go    what a state is, and when two are the same
//	start.go    the initial states
//	action.go   what can happen in a state, and what it does
//	step.go     what a process does in a step: its handlers, its sends, its timers
//	settled.go  when nothing is left to happen
//	view.go     what properties and people see of a state
//
// With model it shares the vocabulary, and a Node, which notes what a handler asks
// for. [Compare] explores a protocol in both worlds and says where they differ. The
// tests do so with random protocols, and checker.TestProtocol with yours.
package plain
