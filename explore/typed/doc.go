// Package typed is the easy way in to package explore: transition systems over Go
// values, and questions about them by name.
//
// A [Model] has initial states, and for each state the actions and states that follow,
// over any Go type without pointers. [Check] searches it and answers each [Formula]
// about states ([Always], [Sometimes], [NoDeadlock]), transitions ([AlwaysStep]) and
// behaviors without end ([Eventually], [EventuallyAlways], [AlwaysEventually],
// [LeadsTo]) under assumptions of fairness ([Fair]), with a [Behavior] that shows it
// where one does. [Verify] does that in a Go test. [Set], [Queue] and [Bag] are flat
// containers for states.
//
// [Encode] makes a system of a model, for the searches and walks of package explore.
package typed
