package mutate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An Order says what a program of mutants is to judge.
type Order struct {
	Algorithm string        `json:"algorithm"`
	Rules     string        `json:"rules"`
	Count     int           `json:"count"` // of the points of all algorithms
	Points    []Point       `json:"points"`
	Most      uint64        `json:"most"`
	Time      time.Duration `json:"time"`
	// Of are the points to look at.
	Of []int `json:"of"`
	// Show asks for runs.
	Show bool `json:"show,omitempty"`
}

// Begun says which point a program begins to look at.
type Begun struct {
	Begins *int `json:"begins,omitempty"`
}

// A Program is the code of algorithms, compiled with their points.
type Program struct {
	// Root is the directory of the module, and Binary the program.
	Root, Binary string
	Packages     []*Package
	Count        int
}

// main is the code of the program. It stands for a file that there is not.
const mainCode = `package main

import (
	"fmt"
	"os"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/mutate/board"
	"bullyproof/algorithms/internal/mutate/judge"
)

func main() {
	if err := judge.Main(algorithms.All, &board.Of, os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

// boardCode is the code of the package that algorithms and program share.
const boardCode = `package board

import "bullyproof/algorithms/internal/mutate/point"

var Of point.Board
`

// Build compiles the algorithms of the module in root with the points of those that are
// named, and leaves the program and its code in dir.
func Build(ctx context.Context, root, dir string, names []string) (*Program, error) {
	p := &Program{Root: root, Binary: filepath.Join(dir, "judge")}
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	put := func(name string, code []byte) error {
		file := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(name, root), string(filepath.Separator), "_")+".txt")
		overlay.Replace[name] = file
		return os.WriteFile(file, code, 0o600)
	}
	for _, name := range names {
		pkg, err := Find(filepath.Join(root, "algorithms", name), p.Count)
		if err != nil {
			return nil, err
		}
		p.Packages, p.Count = append(p.Packages, pkg), p.Count+len(pkg.Points)
		for file, code := range pkg.Files {
			if err := put(file, code); err != nil {
				return nil, err
			}
		}
	}
	below := filepath.Join(root, "algorithms", "internal", "mutate")
	if err := put(filepath.Join(below, "board", "board.go"), []byte(boardCode)); err != nil {
		return nil, err
	}
	if err := put(filepath.Join(below, "program", "main.go"), []byte(mainCode)); err != nil {
		return nil, err
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-o", p.Binary, "./algorithms/internal/mutate/program")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the mutants do not compile: %w\n%s", err, out)
	}
	return p, nil
}
