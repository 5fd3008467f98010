//go:build !js

package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/site/internal/maker"
)

// explorer compiles this program for the pages of a site. It needs Go, and the source
// text of the program; the reason says what is missing.
func explorer(ctx context.Context) (e *maker.Explorer, reason string, err error) {
	main, reason := mainPackage(ctx)
	if reason != "" {
		return nil, reason, nil
	}
	dir, err := os.MkdirTemp("", "bullyproof-")
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "module.wasm")
	overlay, err := withoutRecords(ctx, dir, main)
	if err != nil {
		return nil, "", err
	}
	_, err = golang(ctx, inPages, "build", "-overlay="+overlay, "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", file, main)
	if err != nil {
		return nil, fmt.Sprintf("%s does not compile for pages: %s", main, err), nil
	}
	root, err := golang(ctx, nil, "env", "GOROOT")
	if err != nil {
		return nil, fmt.Sprintf("go env GOROOT: %s", err), nil
	}
	e = new(maker.Explorer)
	if e.Runtime, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Sprintf("Go lacks the script that runs modules: %s", err), nil
	}
	e.Module, err = os.ReadFile(file)
	return e, "", err
}

// inPages is the environment in which a program is compiled for pages.
var inPages = []string{"GOOS=js", "GOARCH=wasm"}

// withoutRecords writes an overlay for the go command, in a directory, by which a program
// has no claims (claims.txt), no records of them (claims.lock) and no proofs, which are long, and
// no source text to compare them with: its pages show none. The open questions stay, which are
// switches there.
func withoutRecords(ctx context.Context, dir, main string) (overlay string, err error) {
	none := filepath.Join(dir, "none.txt")
	if err := os.WriteFile(none, []byte("# There are none.\n"), 0o666); err != nil {
		return "", err
	}
	// A package that cannot be listed does not compile either, and then the compiler says why.
	list, _ := golang(ctx, inPages, "list", "-deps", "-f", `{{range .EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, main)
	replace := make(map[string]string)
	for name := range strings.SplitSeq(list, "\n") {
		switch name = filepath.FromSlash(name); {
		case filepath.Base(name) == "claims.txt":
			if replace[name], err = questionsAlone(dir, name, len(replace)); err != nil {
				return "", err
			}
		case slices.Contains([]string{"claims.lock", "relations.txt", "proofs.txt"}, filepath.Base(name)):
			replace[name] = none
		case filepath.Ext(name) == ".go": // embedded as a part of the source text
			copied, err := withoutSource(dir, name, len(replace))
			if err != nil {
				return "", err
			}
			if copied != "" {
				replace[name] = copied
			}
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o666)
}

// questionsAlone writes a copy of a file of claims, with a number, that has the sources and their
// open questions alone.
func questionsAlone(dir, name string, number int) (copied string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	kept := "# The open questions.\n"
	for block := range strings.SplitSeq(string(text), "\n\n") {
		if block = strings.TrimSpace(block); strings.HasPrefix(block, "source ") || strings.HasPrefix(block, "question ") {
			kept += "\n" + block + "\n"
		}
	}
	copied = filepath.Join(dir, fmt.Sprintf("questions%d.txt", number))
	return copied, os.WriteFile(copied, []byte(kept), 0o666)
}

// withoutSource writes a copy of a file, with a number, that embeds no source text beside other files. It
// returns no name where the file embeds none.
func withoutSource(dir, name string, number int) (copied string, err error) {
	text, err := os.ReadFile(name)
	without := bytes.ReplaceAll(text, []byte("//go:embed *.go "), []byte("//go:embed "))
	if err != nil || len(without) == len(text) {
		return "", err
	}
	copied = filepath.Join(dir, fmt.Sprintf("without%d.go", number))
	return copied, os.WriteFile(copied, without, 0o666)
}

// mainPackage returns the package that this program was made of, if its source text
// can be compiled from here.
func mainPackage(ctx context.Context) (name, reason string) {
	info, ok := debug.ReadBuildInfo()
	switch {
	case !ok || info.Path == "":
		return "", "the program does not say which package it was made of"
	case strings.HasSuffix(info.Path, ".test"):
		return "", "the program is a test"
	}
	name = info.Path
	if name == "command-line-arguments" { // of go run FILE
		name = "."
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", "it takes Go to compile the explorer, and there is no go command"
	}
	kind, err := golang(ctx, nil, "list", "-f", "{{.Name}}", name)
	if err != nil || kind != "main" {
		return "", fmt.Sprintf("the source text of %s is not here: make the site in the directory of its module", name)
	}
	return name, ""
}

// golang runs the go command and returns what it says. The error has the first thing
// that it complains of.
func golang(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil && complaint.Len() > 0 {
		err = errors.New(nearest.Clip(strings.Join(strings.Fields(complaint.String()), " ")))
	}
	return strings.TrimSpace(string(out)), err
}
