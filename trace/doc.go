// Package trace is about single runs: what a run is on disk, how to execute it
// again, and how to show it to people.
//
// A [Trace] names an algorithm and a setting, and lists what happened, step by
// step: each [Step] has the action in terms that mean the same in every state,
// and all that it did. [Record] makes one by executing actions; [Begin] and
// [Run.Do] make one step by step. [Trace.Encode] and [Decode] are the file
// format (JSON, one file per finding, refused if anything in it is unknown),
// [Load], [Trace.WriteFile] and [Trace.Save] the files.
//
// A trace is evidence because it can be executed: [Replay] looks the algorithm
// up, takes each recorded action, compares what it does with what was recorded,
// and checks that the property breaks at the end and not before.
//
// [Lay] turns a run into a [Layout], the space-time diagram as plain data: a
// column for each process, a row for each step, an arrow for each message from
// its sending to its end. [Layout.Tell] and [Layout.BeliefText] say in words what
// happens; package render draws it, for terminals and pages and other tools.
//
// The package knows no algorithm and no property. Its caller passes a
// [Lookup].
package trace
