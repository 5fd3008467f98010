// Package reduce leaves out of a search what leads to nothing new. It is the map of
// docs/reductions.md: each argument there has a file here, which says it shortly, has its
// conditions, and can be asked to do without one of them (a [Flaw]), as tests do that see
// whether anybody notices.
//
// It knows the world by a narrow door. [Facts] are what a setting says and where things
// stand in a state, [Handlers] run what a process does, and a [World] says what is enabled.
// A [Reducer] answers with the actions that are enough, with the end of a whole tick, or
// with the state that stands for others. All of it is a function of the state.
//
// The events that can still come, and their effects:
//
//	ahead.go         handlers run ahead, and what is read of a process    Again, Back, Reports
//	foresight.go     the state that is looked from, and the parts that look
//	closure.go       all that can happen before time passes               Closure
//	commute.go       which events commute                                 Commute, Ranks
//	memory.go        what is remembered of it
//
// The arguments, by their sections of the document:
//
//	persistent.go    Persistent sets, in lockstep and under synchronous timing    Dropped, Elsewhere, Enabled, Faults, Loss, Periodic, Visible
//	postpone.go      Postponing                                                   Past, Visible, Waits
//	dead.go          Dead messages                                                Echo, Expiry, Later, Surplus
//	crashes.go       Crashes that are left                                        Talk, Visible
//	late.go          Crashes that are left                                        Beat, Blocked, Idle
//	restarts.go      Restarts that are left
//	losses.go        Losses that are left                                         Faults
//	ticks.go         Whole ticks, in lockstep                                     Alone, Ends, Heard, Kept, Order, Prefix, Twice, Witness
//	prospects.go     Whole ticks, in lockstep                                     OnTheWay, Unsent
//	ends.go          Whole ticks, in lockstep
//	cycles.go        Persistent sets without ticks: a condition on cycles         Cycle, Faults, Ranks
//	recurrent.go     Persistent sets without ticks: a condition on cycles
//	rings.go         FIFO rings without time                                      Passed
//	rotations.go     Rotations of anonymous rings                                 Mail, Pending
//	permutations.go  Permutations of complete graphs                              Disks, Divided, Mail, Named, Names, Pending
//	kinds.go         What is refused
//
// And what holds them together:
//
//	world.go         the world as it is asked
//	reducer.go       which of them comes in where    Faults, Severed, Spent
//	restore.go       runs of the system for those that are found    Choice
//	flaws.go         the mutants
package reduce
