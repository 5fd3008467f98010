// Package protocol is the terms in which a protocol is written, and runs its handlers.
//
// Its author writes a [Protocol] with the methods of [Optional] that it needs, and acts
// through a [Net]. Package model has these under the same names.
//
// Whoever runs handlers knows none of the protocol's types: [Code] has what does not
// change, [Hands] run the handlers, and a [Call] has what one of them saw and did. A
// world is one such, and a [Node] or a [Machine], which is one process outside of any
// search, another.
package protocol
