// Package starter is a store and its clients: P1 is the store, which grants a lock for a time, and the
// others are clients, which lead while they have it.
//
// It is a beginning: Protocol has a fault, which Mended does not have, and the test shows both. Change
// the roles to those of your system, run "go test", and look at what breaks.
package starter

import (
	"bullyproof/model"
	"bullyproof/model/roles"
)

// lease is for how many ticks the store grants the lock. A client leads for one tick less.
const lease = 6

// theStore is the process that has the first role.
const theStore model.ID = 1

// Protocol is the system with the fault: a client counts its lease from the moment when it hears that
// it has the lock, and the store from when it granted it.
func Protocol() model.Protocol[roles.State[Store, Client], M] { return two(&client{}) }

// Mended is the system without it: a client counts from the moment when it asked.
func Mended() model.Protocol[roles.State[Store, Client], M] { return two(&client{FromAsking: true}) }

// two gives the store its role, and the others that of a client.
func two(c *client) model.Protocol[roles.State[Store, Client], M] {
	return roles.Two(
		roles.Role[Store, M]{Name: "store", Protocol: &store{}},
		roles.Role[Client, M]{Name: "client", Protocol: c},
		model.Upto(model.MaxID).Without(theStore))
}

// M is a message. Its sender comes with it.
type M struct{ Type model.Kind }

// The kinds of messages, which both roles share.
const (
	ask     model.Kind = iota // a client wants the lock
	granted                   // it has the lock
)

var kinds = []string{"ask", "granted"}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String describes the message in traces.
func (m M) String() string { return kinds[m.Type] }
