// Package cluster makes a breadth-first search whose states are in files that several
// processes share, on one machine or on many. It knows no cluster: a Scheduler has its
// tasks carried out, and package spark is one.
//
// A task is a part of a level: a range of fingerprints. It merges what was found for
// that range in the level before (sorted, with the least predecessor of each state),
// leaves out what was visited before (delayed duplicate detection), expands the rest, and
// writes their successors, combined and sorted, for the next level. Visited states are
// runs of package runfile, those of the search on disk; successors are logs of it.
//
// The Table names all files. It is a file itself, of which there is one for each level
// that is complete: the checkpoint. A file that no table names counts for nothing, so
// that a task may be carried out twice, given up half-way, or end after another one has
// taken its place. Nothing is counted twice: of the answers to a task one goes into the
// table.
//
// Levels with few states are one task, which the process of the search carries out
// itself.
package cluster
