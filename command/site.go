//go:build !js

package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/command/internal/site"
	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
)

// siteFlags are the flags of site.
type siteFlags struct {
	source, address         string
	noExplorer, quiet, json bool
}

func (a *app) siteCommand() *cobra.Command {
	var f siteFlags
	cmd := &cobra.Command{
		Use:   "site DIR",
		Short: "write a web site about all algorithms, for readers without Go",
		Long: "Site writes a web site into the directory DIR: what was found, an index of the algorithms, a page for each with\n" +
			"its rules, readings, claims, runs and costs, a page to walk through each run, comparisons, a glossary, and how\n" +
			"claims are judged. It is plain files that need no network: open DIR/index.html, or publish DIR anywhere.\n\n" +
			"The site has the explorer in it: readers step through every run and check settings of their own, in their\n" +
			"browsers. For that the program is compiled once more, by Go, from its source text in the working directory.\n" +
			"Where that cannot be, the site is made without it, and the command says why.\n\n" +
			"DIR is new, empty, or holds a site that was made before, which is brought up to date. The claims are those on\n" +
			"record, and the recorded runs are executed again.\n\n" +
			"Exit status: 0 the site is written, 2 bad usage or input, 3 interrupted.",
		Example: a.examples("site pages"),
		Args:    wantArgs(1, 1, "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.site(cmd.Context(), args[0], &f)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&f.noExplorer, "no-explorer", false, "leave the explorer out")
	cmd.Flags().StringVar(&f.source, "source", "", "link to the source text at this address, `URL`")
	cmd.Flags().StringVar(&f.address, "address", "", "make pictures for previews, as the site will be at this address, `URL`")
	cmd.Flags().BoolVar(&f.json, "json", false, "write what was made as JSON, which help json describes")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "report no progress")
	return cmd
}

// site writes the site of the catalogue.
func (a *app) site(ctx context.Context, dir string, f *siteFlags) error {
	if dir == "" {
		return errors.New("site: DIR is empty: want a directory")
	}
	for _, flag := range []struct{ name, value string }{{"source", f.source}, {"address", f.address}} {
		if u, err := url.Parse(flag.value); flag.value != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("site: flag --%s is %q: want the address of a web page, like https://example.org/%[1]s", flag.name, nearest.Clip(flag.value))
		}
	}
	if _, err := site.Usable(dir); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := canHold(dir); err != nil {
		return fmt.Errorf("site: DIR is %q: %w", nearest.Clip(dir), err)
	}
	p := a.progress()
	opt := site.Options{
		Title: a.Tool.Name, Source: f.source, Address: f.address, Algorithms: a.Algorithms, Examples: a.Examples, Lessons: a.Lessons, Lectures: a.Lectures, Omitted: a.Omitted, Recorded: a.Recorded, Incidents: a.Incidents,
		Publications: a.Publications,
	}
	if !f.quiet {
		opt.Progress = siteProgress(p, a.pace())
	}
	a.searching.Store(true)
	without := "--no-explorer"
	var err error
	if !f.noExplorer {
		opt.Explorer, without, err = explorer(ctx)
	}
	var made *site.Site
	if err == nil {
		made, err = site.Make(ctx, opt)
	}
	if err == nil {
		err = made.Write(ctx, dir)
	}
	p.end()
	switch {
	case ctx.Err() != nil && made == nil:
		a.complain("interrupted: nothing was written")
		return exit(statusIncomplete)
	case ctx.Err() != nil:
		a.complain("interrupted: the site in %s is not complete: make it again", nearest.Path(dir))
		return exit(statusIncomplete)
	case err != nil:
		return fmt.Errorf("site: %w", err)
	}
	return a.tellSite(made, filepath.Join(dir, "index.html"), without, f)
}

// tellSite says what was made, and why it is without an explorer if it is.
func (a *app) tellSite(made *site.Site, index, without string, f *siteFlags) error {
	if f.json {
		return a.writeJSON(siteJSON{
			jsonSchema, index, made.Pages(), made.Algorithms + made.Examples, made.Recorded + made.Elections, made.Bytes(), without, a.runJSON(),
		}, struct{}{})
	}
	fmt.Fprintf(a.out, "Wrote %s: %d pages about %s, with %s and %s, %s\n", index, made.Pages(), a.counted(),
		quantity.Plural(made.Recorded, "recorded run"), quantity.Plural(made.Elections, "normal election"), quantity.Bytes(made.Bytes()))
	if without != "" {
		fmt.Fprintf(a.out, "Without the explorer: %s\n", without)
	}
	return nil
}

// A siteJSON is what site writes with --json.
type siteJSON struct {
	Schema     int     `json:"schema"`
	Index      string  `json:"index"`
	Pages      int     `json:"pages"`
	Algorithms int     `json:"algorithms"`
	Runs       int     `json:"runs"`
	Bytes      int64   `json:"bytes"`
	Without    string  `json:"without_explorer,omitempty"`
	Run        runJSON `json:"run"`
}

// siteProgress returns what tells how far a site is.
func siteProgress(p *progress, due func(time.Duration) bool) func(what string, part, of int) {
	begun := time.Now()
	return func(what string, part, of int) {
		if elapsed := time.Since(begun); due(elapsed) {
			p.write(elapsed, func(columns int) string {
				return fitted(columns, clock(elapsed)+" ", fmt.Sprintf("%d of %d", part, of), what)
			})
		}
	}
}

// explorer compiles this program for the pages of a site. It needs Go, and the source
// text of the program; the reason says what is missing.
func explorer(ctx context.Context) (e *site.Explorer, reason string, err error) {
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
	e = new(site.Explorer)
	if e.Runtime, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Sprintf("Go lacks the script that runs modules: %s", err), nil
	}
	e.Module, err = os.ReadFile(file)
	return e, "", err
}

// inPages is the environment in which a program is compiled for pages.
var inPages = []string{"GOOS=js", "GOARCH=wasm"}

// withoutRecords writes an overlay for the go command, in a directory, by which a program
// has no claims (claims.txt) and no records of them (claims.lock), which are long, and no source
// text to compare them with: its pages show none.
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
		case filepath.Base(name) == "claims.lock", filepath.Base(name) == "claims.txt":
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

// withoutSource writes a copy of a file, with a number, that embeds no source text. It
// returns no name where the file embeds none.
func withoutSource(dir, name string, number int) (copied string, err error) {
	text, err := os.ReadFile(name)
	without := bytes.ReplaceAll(text, []byte("//go:embed *.go\n"), nil)
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
		err = errors.New(nearest.Clip(oneLine(complaint.String())))
	}
	return strings.TrimSpace(string(out)), err
}
