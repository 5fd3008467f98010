// Package linear asks elections what they are for: clients ask who leads, take
// and release a lock, and read and write a register, and porcupine decides whether
// their histories are linearizable.
//
// A [History] is what clients asked and were answered, with the instants of both,
// and a [Spec] what the answers would be if one thing happened after another.
// [Decide] says whether an order of the operations explains the answers. Histories
// come from runs of a model ([Check]), and from systems that run ([Recorder],
// [ReadHistory], and the event logs of [Logged]).
//
// [New] makes a [World] of any system of package model: the system as it is, and
// beside it clients, and a store that never fails. The clients look at it from
// outside: who leads to them is what processes believe.
//
//   - The leader ([Leader], [Instant]): a client asks any process that is up
//     and knows a coordinator (with Workload.Claims only one that believes
//     itself coordinator), and is told what it believes.
//   - The register and the lock ([Register], [Lock]): a process that comes to
//     believe itself coordinator takes over: it reads the store, and answers from
//     that copy from then on. Writes of clients go through it to the store and
//     take time, during which coordinators may come and go. One that is deposed,
//     or down, answers no more, and what it has sent still arrives.
//
// The copy is what makes a coordinator worth having, and what makes two of them
// dangerous: the old one writes over what the new one has read. A [Fence] at the
// store mends that: each coordinator writes with a token, and the store refuses
// those lower than one that it has seen. Reads from an old copy remain, unless
// the store is also asked for these (FenceAll).
//
// A [Server] and a [Store] do for a system that runs what a World does for a model:
// a process of package runtime tells its server what it believes, clients ask the
// servers, and a [Recorder] notes the history.
//
// Sources: Maurice Herlihy and Jeannette Wing, "Linearizability: A Correctness
// Condition for Concurrent Objects", TOPLAS 1990; Gavin Lowe, "Testing for
// Linearizability", 2017, whose algorithm porcupine has; fencing tokens as in
// Martin Kleppmann, "Designing Data-Intensive Applications", 2017, chapter 8.
package linear
