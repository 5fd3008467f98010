// Package shipped explores code as it ships: a Go type that handles messages and timers is
// the process of a model, in the worlds, with the properties, runs, pages and reports of any
// other protocol.
//
// A [Machine] says how the code is driven: how a process is made, how it handles an event
// and what it believes. [New] makes a protocol of it. The state of a process, in the
// model, is the identity of a value: a hash of its canonical dump, under which the value is
// kept. To run a handler, the protocol copies the value, or where it cannot be copied,
// repeats what happened to the process since it was made.
//
// The code has to be deterministic and driven by events. Its clocks and random numbers have to
// be handed in; the code may have no goroutines and use no channels, unless the machine
// repeats each call in a bubble of testing/synctest. [Test] looks for whatever breaks these
// rules, and for a dump that leaves out what matters. docs/your-code.md is the guide.
package shipped
