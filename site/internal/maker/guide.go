package maker

import (
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"bullyproof/docs"
)

// The subjects of the pages of the guide.
const (
	choosingAbout = "What each kind of election needs, what it costs, and what it does when a part of what it needs is missing: a majority, a disk, clocks, a detector, a store."
	clientsAbout  = "Which histories the clients of an election can see."
)

// guided are the names of the variants that the guide is about: algorithm, hyphen, variant.
func guided() []string {
	files, err := fs.Glob(docs.Choosing, "choosing/*.md")
	if err != nil {
		panic(err) // the pattern is malformed
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".md")
	}
	return files
}

// hasGuide reports whether the catalogue has all variants that the guide to choosing an
// election is about.
func (m *maker) hasGuide() bool {
	known := make(map[string]bool)
	for _, a := range m.Algorithms {
		for i := range a.Variants {
			known[a.Name+"-"+a.Variants[i].Name] = true
		}
	}
	for _, name := range guided() {
		if !known[name] {
			return false
		}
	}
	return true
}

// In a table of the guide, named matches the name of a variant at the beginning of a row,
// corner the head above them, and answered the answer of a cell.
var (
	named    = regexp.MustCompile(`<tr>\n<td>(?:<a [^>]*>)?<code>([a-z0-9]+)/([a-z0-9-]+)</code>(?:</a>)?`)
	corner   = regexp.MustCompile(`<tr>\n<th></th>`)
	answered = regexp.MustCompile(`<td>((?:<a href="[^"]*">)?(?:<strong>)?(?:one leader|one per epoch|two leaders|two of one epoch|not one again|yes|no \(|\?|-)[^\n]*)</td>`)
)

// coloured returns the tables of a page of the guide in the colours of comparisons, with the
// names of algorithms as people know them.
func (m *maker) coloured(page string) string {
	page = named.ReplaceAllStringFunc(page, func(row string) string {
		found := named.FindStringSubmatch(row)
		e := m.of(found[1]) // hasGuide has it, or the row stays as it is
		if e == nil {
			return row
		}
		return fmt.Sprintf(`<tr>`+"\n"+`<td class="subject"><a href="%s#reading-%s">%s</a> <code>%s/%[2]s</code>`,
			pageOf(e.Name), found[2], template.HTMLEscapeString(e.Title), e.Name)
	})
	page = corner.ReplaceAllString(page, "<tr>\n<th>Algorithm</th>")
	return answered.ReplaceAllStringFunc(page, func(cell string) string {
		return `<td class="` + answerClass(cell) + `">` + strings.TrimPrefix(cell, "<td>")
	})
}

// answerClass returns the class of an answer for the style sheet, by its worst part.
func answerClass(cell string) string {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(cell, w) })
	}
	switch {
	case has("two leaders", "two of one epoch", "not one again", ">no ("):
		return "bad"
	case has("?"):
		return "none"
	case has("one per epoch"):
		return "open"
	case has("one leader", ">yes"):
		return "good"
	}
	return "none"
}

// guide makes the pages of the guide to choosing an election.
func (m *maker) guide(b *builder) error {
	if !m.hasGuide() {
		return nil
	}
	// Links lead to pages instead of files.
	links := strings.NewReplacer(`href="../choosing-an-election.md`, `href="../`+choosingPage, `href="clients.md`, `href="`+clientsPage, `.md#`, `.html#`)
	type page struct{ file, address, about string }
	pages := []page{{"choosing-an-election.md", choosingPage, choosingAbout}, {"clients.md", clientsPage, clientsAbout}}
	for _, name := range guided() {
		pages = append(pages, page{"choosing/" + name + ".md", "choosing/" + name + ".html", "The searches behind a row of choosing an election, each with its run if something breaks."})
	}
	for _, p := range pages {
		source, err := fs.ReadFile(docs.Choosing, p.file)
		if err != nil {
			return err
		}
		heading, text, err := document(source)
		if err != nil {
			return err
		}
		text = template.HTML(links.Replace(string(text)))
		if p.address == choosingPage || p.address == clientsPage {
			text = template.HTML(m.coloured(string(text)))
		}
		if p.address == choosingPage {
			text = `<p><a href="` + comparePage + `">All algorithms of a network, side by side</a></p>` + "\n" + text
		}
		if err := b.make(sheet{address: p.address, template: "document", title: heading, about: p.about}, text); err != nil {
			return err
		}
	}
	return nil
}
