package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
	"bullyproof/internal/site"
)

func (a *app) siteCommand() *cobra.Command {
	var quiet, inJSON bool
	cmd := &cobra.Command{
		Use:   "site DIR",
		Short: "write a web site about all algorithms, for readers without Go",
		Long: "Site writes a web site into the directory DIR: what was found, an index of the algorithms, a page for each with\n" +
			"its rules, readings, claims, runs and costs, a page to walk through each run, comparisons, a glossary, and how\n" +
			"claims are judged. It is plain files that need no network: open DIR/index.html, or publish DIR anywhere.\n\n" +
			"DIR is new, empty, or holds a site that was made before, which is brought up to date. The claims are those on\n" +
			"record, and the recorded runs are executed again.\n\n" +
			"Exit status: 0 the site is written, 2 bad usage or input, 3 interrupted.",
		Example: a.examples("site DIR"),
		Args:    wantArgs(1, 1, "one DIR"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.site(cmd.Context(), args[0], quiet, inJSON) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&inJSON, "json", false, "write what was made as JSON, which help json describes")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "report no progress")
	return cmd
}

// site writes the site of the catalogue.
func (a *app) site(ctx context.Context, dir string, quiet, inJSON bool) error {
	if dir == "" {
		return errors.New("site: DIR is empty: want a directory")
	}
	if _, err := site.Usable(dir); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	p := a.progress()
	opt := site.Options{
		Title: a.name, Algorithms: a.Algorithms, Examples: a.Examples, Lessons: a.Lessons, Omitted: a.Omitted, Recorded: a.Recorded,
	}
	if !quiet {
		opt.Progress = siteProgress(p, a.pace())
	}
	a.searching.Store(true)
	made, err := site.Make(ctx, opt)
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
	index := filepath.Join(dir, "index.html")
	if inJSON {
		return a.writeJSON(siteJSON{jsonSchema, index, made.Pages(), made.Algorithms, made.Runs, made.Bytes(), a.runJSON()}, struct{}{})
	}
	fmt.Fprintf(a.out, "Wrote %s: %d pages about %s and %s, %s\n", index, made.Pages(),
		quantity.Plural(made.Algorithms, "algorithm"), quantity.Plural(made.Runs, "run"), quantity.Bytes(made.Bytes()))
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
