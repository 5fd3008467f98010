package render

import (
	_ "embed"
	"html/template"
	"strings"

	"bullyproof/trace"
)

//go:embed assets/base.css
var baseStyle string

// A Site is what the pages of a web site have in common: its name, and the links
// at the head of each page.
type Site struct {
	// Name is the site's, and Home the address of its first page.
	Name, Home string
	// Links are at the head of each page. Here is the File of the one that leads to
	// this page, or to what it is a part of; empty for none.
	Links []trace.Link
	Here  string
}

var siteTemplate = template.Must(template.New("site").Parse(`<header class="site"><nav aria-label="Site"><a class="brand" href="{{.Home}}">{{.Name}}</a>` +
	`{{range .Links}}<a href="{{.File}}"{{if eq .File $.Here}} aria-current="page"{{end}}>{{.Text}}</a>{{end}}</nav></header>`))

// Head returns the head of a page; it is empty where there is no site. PageStyle has
// its style.
func (s *Site) Head() (template.HTML, error) {
	if s == nil {
		return "", nil
	}
	var b strings.Builder
	err := siteTemplate.Execute(&b, s)
	return template.HTML(b.String()), err
}

// Titled returns the title of a page in its window: its own, and the site's.
func (s *Site) Titled(title string) string {
	if s == nil || s.Name == title {
		return title
	}
	return title + " · " + s.Name
}

// PageStyle returns the style sheet that pages share: that of diagrams, colours,
// text, and the head of a site.
func PageStyle() string { return diagramStyle + baseStyle }

// Brief shortens a text to so many characters, between words.
func Brief(text string, most int) string {
	if len([]rune(text)) <= most {
		return text
	}
	cut := string([]rune(text)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.") + " …"
}
