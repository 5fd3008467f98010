// Package bubble explores a program as it ships, goroutines and all. A process is a function that
// runs in a bubble of testing/synctest: it starts goroutines, waits on channels, sleeps, and has
// contexts with deadlines. An [Env] is its way to the other processes: messages, calls, a transport
// for http.Client, connections, a disk. Faults, settings, properties, runs and reports are those of
// any other protocol.
//
//	w := &bubble.World{T: t, Roles: []bubble.Role{
//		{Name: "candidate", Main: candidate},
//		{Name: "server", Main: server, Processes: 1},
//	}}
//	checker.Verify(t, w.Protocol(), "n=3 timing=lockstep pauses=1", checker.Asking(checker.Uniqueness))
//
// Goroutines cannot be copied. The state of a process is therefore all that has happened to it since
// its boot, and one step of it is a repeat in a new bubble: all of that, and one event more. Each
// repeat compares each event with the first time, so that a program whose outcome is not always the
// same becomes a finding. [Test] looks for such a program in seconds.
//
// Time is that of the bubble, and passes only by events. docs/your-code.md is the guide, and has the
// limits.
package bubble
