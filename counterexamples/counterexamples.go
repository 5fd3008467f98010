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
	"io/fs"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/trace"
)

//go:embed README.md *.json *.txt
var files embed.FS

const (
	traceSuffix   = ".json"
	diagramSuffix = ".txt"
)

// Names returns the names of the recorded counterexamples, sorted:
// "bully-duplicate-coordinator".
func Names() []string {
	found, err := fs.Glob(files, "*"+traceSuffix)
	if err != nil {
		panic(err) // the pattern is malformed
	}
	for i, name := range found {
		found[i] = strings.TrimSuffix(name, traceSuffix)
	}
	return found
}

// Open returns the counterexample of a name, with or without ".json". The
// error suggests the name that was probably meant.
func Open(name string) (*trace.Trace, error) {
	data, err := read(name, traceSuffix)
	if err != nil {
		return nil, err
	}
	return trace.Decode(data)
}

// Diagram returns the counterexample of a name as a diagram of 80 columns. The
// error suggests the name that was probably meant.
func Diagram(name string) (string, error) {
	data, err := read(name, diagramSuffix)
	return string(data), err
}

func read(name, suffix string) ([]byte, error) {
	name = strings.TrimSuffix(name, traceSuffix)
	for _, known := range Names() {
		if name == known {
			return files.ReadFile(name + suffix)
		}
	}
	return nil, nearest.Unknown("counterexample", name, Names())
}
