// Package overlay writes a few files of Go's standard library anew, for go test -overlay. With them
// the goroutines of a bubble run one at a time, and what is left to chance in a program becomes a
// choice: which case a select takes, which goroutine is next, a random number. Package
// checker/shipped/bubble is built for that by the tag [Tag].
//
// The files are those of the Go that is there, with a new text in some thirty places. A release that
// was never tried is refused, since its runtime may differ where nobody looked.
package overlay

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Tag is the build tag under which a program knows that it is built with the overlay.
const Tag = "controlled"

// Releases are those of Go with which the overlay was tried.
func Releases() []string { return []string{"go1.26.8", "go1.26.9", "go1.27.3"} }

//go:embed turns.go.txt
var turns string

// A Go is an installation of Go.
type Go struct {
	Root    string // its directory
	Version string // as "go version" says it: "go1.26.8"
	Modules string // the directory of downloaded modules
}

// Installed returns the Go that a go command in the working directory runs.
func Installed(ctx context.Context) (Go, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOVERSION", "GOMODCACHE")
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return Go{}, fmt.Errorf("go env: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	lines := strings.Fields(string(out))
	if len(lines) != 3 {
		return Go{}, fmt.Errorf("go env GOROOT GOVERSION GOMODCACHE says %q: want directories and a version, without spaces in them", out)
	}
	return Go{lines[0], lines[1], lines[2]}, nil
}

// ErrRelease is wrapped by the error about a release that was never tried.
var ErrRelease = errors.New("never tried with the overlay")

// Write writes the overlay for g to files in dir, which it makes, and returns the name of the one for
// go test -overlay. Files that are as they should be stay, so that nothing is compiled again. It fails
// for a release that was never tried, and if g does not have the places that change.
func Write(g Go, dir string) (file string, err error) {
	if !slices.Contains(Releases(), g.Version) {
		all := Releases()
		return "", fmt.Errorf("%s is %w: want one of %s", g.Version, ErrRelease, strings.Join(all, ", "))
	}
	if within, err := filepath.Rel(g.Modules, g.Root); g.Modules != "" && err == nil && filepath.IsLocal(within) {
		return "", fmt.Errorf("%s is among the downloaded modules (%s), where go replaces no file: want a Go that is installed elsewhere", g.Version, g.Root)
	}
	texts, err := changed(os.DirFS(filepath.Join(g.Root, "src")))
	if err != nil {
		return "", fmt.Errorf("%s: %w", g.Version, err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range texts {
		own := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := keep(own, text); err != nil {
			return "", err
		}
		replace[filepath.Join(g.Root, "src", filepath.FromSlash(name))] = own
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, keep(file, string(list))
}

// keep has a file hold a text.
func keep(name, text string) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == text {
		return nil
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
