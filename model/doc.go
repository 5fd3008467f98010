// Package model makes a transition system of a protocol: of handlers that every
// process runs, and of a world that delays, loses and reorders their messages,
// lets their timers expire, crashes them and brings them back.
//
//	sys, err := model.NewFrom(heralds{}, "n=3 initiators=2 timing=patient crashes=1")
//	for state := range sys.Initial {
//		for _, t := range sys.Transitions(state) {
//			fmt.Println(t.Action.Kind, "at", t.Action.Process, "leaves", len(sys.Snapshot(t.Next).InFlight), "in flight")
//		}
//	}
//
// prints "deliver at 1 leaves 1 in flight" and so on: P2 has told two others that it leads.
//
// A [Protocol] is written over two flat value types, the state of a process and
// the message, and acts through a [Net]. Package [bullyproof/model/protocol] has both, and
// all else that a protocol is written in, with an example:
//
//	go doc bullyproof/model/protocol Net
//
// A [setting.Setting] says what the world may do: how many processes there are and
// how they are connected, what channels do, which discipline delays and timers
// follow, and how many faults may happen. It has a canonical text ([setting.Parse]),
// which every verdict and every recorded run carries.
//
// [New] puts the two together, as [NewFrom] does with the text of a setting. The [System] that it returns is what package
// explore searches: its states are bytes that hold whatever decides the future
// and nothing else, so that two states are the same exactly if their bytes are.
//
//	header      what is left of the budgets; who has yet to begin; the cut; ids
//	processes   status, timers and state of each, at fixed offsets
//	monitors    what properties ask of the past, if any ([Monitor])
//	messages    a record each, sorted: receiver, port, message, ticks left
//
// The events that can happen in a state:
//
//	boot, start      a process comes up; an initiator begins an election
//	deliver, drop    a message arrives, or is lost since nobody is there
//	timeout          a timer expires, as the Timing allows
//	suspect          the failure detector reports a process that is down or cut off
//	tick             a unit of time passes
//	crash, restart, join, lose, duplicate, cut, heal, misreport
//	                 faults and the like, each paid for from its budget
//
// Those of the first five lines are owed: where they stay enabled they happen,
// sooner or later. A crash between the sends of one is not owed, and neither is a
// timer that expires too early. A state in which nothing owed is enabled and nobody
// is in an election is settled. An action that would change nothing is not enabled. If
// one outcome of a choice changes something, all its outcomes are steps: a coin may show
// tails again and again.
//
// Package plain defines all of these, in code that is written to be read.
//
// [NewNode] runs the handlers of one process outside of any search: in a test of
// a handler, or in a program with a network and a clock.
//
// People see states and steps by [System.Snapshot] and [System.Transitions],
// properties see them as a [View] and an [Event], which have the messages
// ([Mail], [Received], [Sends]) and what is on disks ([Stored]), and ask the past
// by a [Monitor]. Searches for runs that never end, or for
// what they cost, see them by their [Label].
package model
