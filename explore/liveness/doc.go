// Package liveness answers questions about runs without end, on the graph that a
// search of package explore has kept: what a broken promise of progress looks like.
//
// [FindLasso] finds a fair run that never ends or is stuck. [FindComponents] finds the
// parts of the graph in which a run can stay. [Reversed] says how far it is to where
// something is true, and [Cyclic] whether every run ends.
package liveness
