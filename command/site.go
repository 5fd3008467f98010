//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
)

// A Publisher makes the web sites of site. Module bullyproof/site has one.
type Publisher interface {
	// Usable returns an error unless a site can be written into a directory.
	Usable(dir string) error
	// Publish makes the site of a tool, and writes it. It returns nothing of a site of which
	// nothing was written.
	Publish(ctx context.Context, t *Tool, o SiteOptions) (*SiteMade, error)
}

// SiteOptions say what is asked for.
type SiteOptions struct {
	// Dir is the directory of the site.
	Dir string
	// Source and Address are where the source text is, and where the site will be: the
	// addresses of web pages, or empty.
	Source, Address string
	// NoExplorer leaves the explorer out.
	NoExplorer bool
	// Progress, where it is not nil, is called with what is made next, and which of
	// how many parts that is.
	Progress func(what string, part, of int)
}

// A SiteMade says what a site has.
type SiteMade struct {
	// Pages are all, and Algorithms, Recorded and Elections are algorithms and examples, runs
	// on record, and normal elections with a page.
	Pages, Algorithms, Recorded, Elections int
	// Bytes is how much all files hold.
	Bytes int64
	// Without says why there is no explorer; it is empty where there is one.
	Without string
}

// published says what has sites, where a command has none.
const published = "this command makes no web site; the one of module site does: go run -C site ./cmd/bullyproof site ../DIR" +
	"; one of your own does by a line in its main (docs/class.md)"

// A siteCommand is the command site with its flags.
type siteCommand struct {
	app                     *app
	source, address         string
	noExplorer, quiet, json bool
}

func (c *siteCommand) command() *cobra.Command {
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
		Example: c.app.examples("site pages"),
		Args:    wantArgs(1, 1, "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), args[0])
		},
	}
	if c.app.Site == nil {
		cmd.Long, cmd.Example = prose.Capital(published)+".\n\n"+cmd.Long, ""
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&c.noExplorer, "no-explorer", false, "leave the explorer out")
	cmd.Flags().StringVar(&c.source, "source", "", "link to the source text at this address, `URL`")
	cmd.Flags().StringVar(&c.address, "address", "", "make pictures for previews, as the site will be at this address, `URL`")
	cmd.Flags().BoolVar(&c.json, "json", false, "write what was made as JSON, which help json describes")
	cmd.Flags().BoolVarP(&c.quiet, "quiet", "q", false, "report no progress")
	return cmd
}

// run writes the site of the catalogue.
func (c *siteCommand) run(ctx context.Context, dir string) error {
	if dir == "" {
		return errors.New("site: DIR is empty: want a directory")
	}
	for _, flag := range []struct{ name, value string }{{"source", c.source}, {"address", c.address}} {
		if u, err := url.Parse(flag.value); flag.value != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
			return fmt.Errorf("site: flag --%s is %q: want the address of a web page, like https://example.org/%[1]s", flag.name, nearest.Clip(flag.value))
		}
	}
	if c.app.Site == nil {
		return errors.New("site: " + published)
	}
	if err := c.app.Site.Usable(dir); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if err := canHold(dir); err != nil {
		return fmt.Errorf("site: DIR is %q: %w", nearest.Clip(dir), err)
	}
	p := c.app.progress()
	opt := SiteOptions{Dir: dir, Source: c.source, Address: c.address, NoExplorer: c.noExplorer}
	if !c.quiet {
		opt.Progress = siteProgress(p, c.app.pace())
	}
	c.app.searching.Store(true)
	made, err := c.app.Site.Publish(ctx, &c.app.Tool, opt)
	p.end()
	switch {
	case ctx.Err() != nil && made == nil:
		c.app.complain("interrupted: nothing was written")
		return exit(statusIncomplete)
	case ctx.Err() != nil:
		c.app.complain("interrupted: the site in %s is not complete: make it again", nearest.Path(dir))
		return exit(statusIncomplete)
	case err != nil:
		return fmt.Errorf("site: %w", err)
	}
	return c.tell(made, filepath.Join(dir, "index.html"))
}

// tell says what was made, and why it is without an explorer if it is.
func (c *siteCommand) tell(made *SiteMade, index string) error {
	if c.json {
		return c.app.writeJSON(siteJSON{
			jsonSchema, index, made.Pages, made.Algorithms, made.Recorded + made.Elections, made.Bytes, made.Without, c.app.runJSON(),
		}, struct{}{})
	}
	fmt.Fprintf(c.app.out, "Wrote %s: %d pages about %s, with %s and %s, %s\n", index, made.Pages, c.app.counted(),
		quantity.Plural(made.Recorded, "recorded run"), quantity.Plural(made.Elections, "normal election"), quantity.Bytes(made.Bytes))
	if made.Without != "" {
		fmt.Fprintf(c.app.out, "Without the explorer: %s\n", made.Without)
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
