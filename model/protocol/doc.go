// Package protocol is the terms in which a protocol is written, and runs its handlers.
//
// An author writes a [Protocol]: two types, the state of a process and the message, and handlers that
// act through a [Net].
//
//	type State struct{ Leader protocol.ID }
//
//	type Lead struct{ Leader protocol.ID }
//
//	func (Lead) Kind() protocol.Kind { return 0 }
//	func (m Lead) String() string    { return fmt.Sprintf("LEAD(%d)", m.Leader) }
//
//	type Heralds struct {
//		protocol.Passive[State, Lead] // the handlers that it has no rule for
//	}
//
//	func (Heralds) Start(p *State, net *protocol.Net[Lead]) {
//		p.Leader = net.Self()
//		net.Broadcast(Lead{net.Self()})
//	}
//
//	func (Heralds) Receive(p *State, net *protocol.Net[Lead], from protocol.Port, m Lead) {
//		p.Leader = m.Leader
//	}
//
//	func (Heralds) Belief(p *State) protocol.Belief { return protocol.Belief{Elected: p.Leader} }
//	func (Heralds) Names() protocol.Names           { return protocol.Names{Kinds: []string{"LEAD"}} }
//
// [Optional] lists further methods that a protocol may have. Package [bullyproof/model] has
// all of these under the same names, and puts a protocol into a world.
//
// The caller of handlers knows none of the protocol's types: [Code] has what does not
// change, [Hands] run the handlers, and a [Call] has what one of them saw and did. A
// world is one such, and a [Node] or a [Machine], which is one process outside of any
// search, another.
package protocol
