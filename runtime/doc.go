// Package runtime runs a protocol that was checked: the same handlers, driven
// by a network, by clocks and by a disk instead of by a search.
//
// A [Process] is one process of a system, in an operating-system process of its
// own or not. It has
//
//   - a network: UDP datagrams, or TCP connections with a length before each
//     packet. A packet carries the HMAC-SHA256 of a shared key, sender and receiver,
//     the sessions of both and a number, so that nobody without the key makes one,
//     and nobody at all plays one back. A packet that is forged, torn, too long,
//     repeated or meant for somebody else is counted ([Counters]) and dropped. Over
//     TCP, connections of strangers take no room from those of peers: a peer is let
//     in as long as its first packet comes before 64 more strangers do from its own
//     address, or five seconds pass. Nothing is encrypted, and whoever can fill the
//     network between two processes cuts them off.
//   - timers: a tick of the model is [Config.Tick] long. Where the setting bounds
//     delays by D ticks, handlers rely on that: the tick has to be long enough.
//   - a failure detector, where the setting has one: processes send heartbeats,
//     and one that is silent for [Config.Silence] is reported to those who watch
//     it, when the setting has it report. It can be wrong, as every real one can.
//   - stable storage: a file that holds what the protocol's Stable keeps, on the
//     disk before any message of the handler leaves. It also tells a restart from
//     a first start, also for protocols without stable storage. A lock keeps a
//     second process out that was started in its place: it would overwrite the
//     vote that this one has promised to keep. (Windows, and file systems without
//     locks, have none.)
//   - an event log: each handler that ran, with what it sent and what the process
//     believes then, in the form of package eventlog. Package validate says
//     whether the model allows it.
//
// It assumes nothing that the model does not: over TCP messages arrive once and in
// order, and those on their way are lost when a connection breaks or a process at
// one end goes down; over UDP they can be lost or overtake each other. A process
// that is paused finds its timers overdue; messages that have come by then are
// handled first.
//
// The state of a protocol has as much room here as in the model: a process whose
// handler finds a list full ends with the handler's error.
package runtime
