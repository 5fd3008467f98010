// Package checker asks questions of a system made by package model, and
// answers them by exploring every state.
//
// A question is a Property: an invariant of states or of steps, or a witness ("a
// run in which X happens"). Election lists the standard ones of leader
// election. Check decides any number of them in one search, and gives each that
// is violated a minimal trace of its own. An answer is never "holds" where the
// search did not see everything: it is then Incomplete, and says why.
//
// Verify does the same in a go test, prints the trace where a property is
// violated, and keeps it as a test case. TestSystem checks the code of a
// protocol itself: that its handlers are deterministic and share nothing.
//
// Algorithm, Variant and Mutant are what the packages under algorithms are made
// of; Validate checks a list of them.
package checker
