// Package counterexamples holds the shortest runs in which published
// algorithms go wrong, some of them for good, as the explorer found them: a
// trace file for each. README.md describes the files.
//
// They are evidence, not illustrations: the package's test executes every one
// again, step by step, and shows by an exhaustive search that none is shorter.
package counterexamples

import (
	"embed"

	"bullyproof/trace"
)

//go:embed *.json
var files embed.FS

// All is the recorded counterexamples.
var All = trace.Collection{Files: files}

// Names returns the names of the recorded counterexamples, sorted:
// "bully-duplicate-coordinator".
func Names() []string { return All.Names() }

// Open returns the counterexample of a name, with or without ".json". The
// error suggests the name that was probably meant.
func Open(name string) (*trace.Trace, error) { return All.Open(name) }
