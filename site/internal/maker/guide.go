package maker

import (
	"html/template"
	"io/fs"
	"path"
	"regexp"
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

// named matches the name of a variant at the beginning of a row.
var named = regexp.MustCompile(`(<tr>\n<td>)<code>([a-z0-9]+)/([a-z0-9-]+)</code>`)

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
		if p.address == choosingPage {
			text = template.HTML(named.ReplaceAllString(string(text), `$1<a href="algorithms/$2.html#reading-$3"><code>$2/$3</code></a>`))
		}
		if err := b.make(sheet{address: p.address, template: "document", title: heading, about: p.about}, text); err != nil {
			return err
		}
	}
	return nil
}
