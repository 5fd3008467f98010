// Package liveness answers questions about what goes on for ever, on the graph that a
// search of package explore has kept: what a broken promise of progress looks like.
//
// [FindLasso] finds a run that goes on for ever, or that is stuck, and that is fair.
// [FindComponents] finds the parts of the graph in which a run can stay. [Reversed] says
// how far it is to where something is true, and [Cyclic] whether every run ends.
package liveness
