// Package counterexamples holds the shortest runs in which published
// algorithms go wrong, some of them for ever, as the explorer found them: a
// trace file for each, and the diagram that it makes. README.md describes the
// files.
//
// They are evidence, not illustrations: the package's test executes every one
// again, step by step, and shows by an exhaustive search that none is shorter.
package counterexamples

import (
	"embed"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/trace"
)

// The diagrams are apart: a program that asks for none has none in it.
var (
	//go:embed *.json
	files embed.FS
	//go:embed *.txt
	diagrams embed.FS
)

// All is the recorded counterexamples.
var All = trace.Collection{Files: files}

// Names returns the names of the recorded counterexamples, sorted:
// "bully-duplicate-coordinator".
func Names() []string { return All.Names() }

// Open returns the counterexample of a name, with or without ".json". The
// error suggests the name that was probably meant.
func Open(name string) (*trace.Trace, error) { return All.Open(name) }

// Diagram returns the counterexample of a name as a diagram of 80 columns. The
// error suggests the name that was probably meant.
func Diagram(name string) (string, error) {
	name = strings.TrimSuffix(name, ".json")
	if !slices.Contains(Names(), name) {
		return "", nearest.Unknown("counterexample", name, Names())
	}
	data, err := diagrams.ReadFile(name + ".txt")
	return string(data), err
}
