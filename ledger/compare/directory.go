package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"bullyproof/internal/wholefile"
	"bullyproof/trace/render"
)

// Names of the files of a comparison in its directory.
const (
	pageFile     = "index.html"
	markdownFile = "compare.md"
	jsonFile     = "compare.json"
	runsFolder   = "runs"
)

// WriteDir writes the comparison into a directory, which is made if it is not
// there: index.html, compare.md and compare.json, whose cells link to their
// runs, and in the folder runs each run as a trace file and, unless it is very long,
// as a page to walk through it. Files of these names are replaced. It returns the name of the
// page.
func (c *Comparison) WriteDir(dir string) (page string, err error) {
	if err := os.MkdirAll(filepath.Join(dir, runsFolder), 0o777); err != nil {
		return "", err
	}
	c.files = make(map[*Shown]string)
	for _, r := range c.runs() {
		if err := r.write(dir); err != nil {
			return "", fmt.Errorf("%s: %w", r.name, err)
		}
		c.files[r.Shown] = path.Join(runsFolder, r.name)
	}
	page = filepath.Join(dir, pageFile)
	for _, file := range []struct {
		name  string
		write func(w io.Writer) error
	}{
		{pageFile, c.WritePage},
		{markdownFile, c.WriteMarkdown},
		{jsonFile, c.indented},
	} {
		if err := wholefile.Fill(filepath.Join(dir, file.name), file.write); err != nil {
			return "", err
		}
	}
	return page, nil
}

// indented writes the comparison as JSON for people.
func (c *Comparison) indented(w io.Writer) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// mostPaged is how many steps a run has at most that gets a page. One that is
// longer has a page that nobody could walk through, of many megabytes.
const mostPaged = 400

// paged reports whether the run gets a page.
func (s *Shown) paged() bool { return len(s.Trace.Steps) <= mostPaged }

// A named is a run with the name of its files, without an ending.
type named struct {
	*Shown
	name string
}

// write writes the trace file and the page of a run.
func (r *named) write(dir string) error {
	base := filepath.Join(dir, runsFolder, r.name)
	if err := r.Trace.WriteFile(base + ".json"); err != nil || !r.paged() {
		return err
	}
	layout, err := r.lay()
	if err != nil {
		return err
	}
	return wholefile.Fill(base+".html", func(w io.Writer) error { return render.Page(w, layout, render.PageOptions{}) })
}

// runs returns every run of the comparison under a name of its own.
func (c *Comparison) runs() (list []named) {
	add := func(s *Shown, words ...string) {
		if s != nil {
			list = append(list, named{s, fileName(words...)})
		}
	}
	for i := range c.Trials {
		t := &c.Trials[i]
		for j := range t.Cells {
			add(t.Cells[j].Shown, t.Subject, t.Fault.Name, fmt.Sprintf("n%d", t.N), t.Cells[j].Property)
		}
	}
	for i := range c.Costs {
		k := &c.Costs[i]
		add(k.Best, k.Subject, "messages", fmt.Sprintf("n%d", k.N), "best")
		add(k.Worst, k.Subject, "messages", fmt.Sprintf("n%d", k.N), "worst")
	}
	for i := range c.Answers {
		add(c.Answers[i].Shown, c.Answers[i].Subject, "also", c.Answers[i].Name)
	}
	for i := range c.Premises {
		w := &c.Premises[i]
		for j := range w.Before.Cells {
			add(w.Before.Cells[j].Shown, w.Subject, "as assumed", w.Before.Cells[j].Property)
		}
		for j := range w.Trial.Cells {
			add(w.Trial.Cells[j].Shown, w.Subject, "with", w.Assumption.Premise.Lack(), w.Trial.Cells[j].Property)
		}
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		add(d.RunA, "difference", d.A, d.B, "first")
		add(d.RunB, "difference", d.A, d.B, "second")
	}
	return list
}

// fileName makes the name of a file of words.
func fileName(words ...string) string {
	for i, w := range words {
		words[i] = strings.Trim(strings.Map(func(r rune) rune {
			switch {
			case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
				return r
			case 'A' <= r && r <= 'Z':
				return r + 'a' - 'A'
			case r == '/':
				return '.'
			}
			return '-'
		}, w), "-")
	}
	return strings.Join(words, "_")
}

// page returns the address of the page of a run, or of its trace file where it
// has none; empty where it has no files.
func (c *Comparison) page(s *Shown) string {
	switch {
	case s == nil || c.files[s] == "":
		return ""
	case !s.paged():
		return c.files[s] + ".json"
	}
	return c.files[s] + ".html"
}
