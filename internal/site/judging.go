package site

import (
	"bytes"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"bullyproof/docs"
)

// judging returns how claims are judged, the page of the documentation as HTML
// without its title.
func judging() (template.HTML, error) {
	var b bytes.Buffer
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := markdown.Convert([]byte(docs.Judging), &b); err != nil {
		return "", err
	}
	text := strings.ReplaceAll(b.String(), `href="ledger.md"`, `href="`+indexPage+`"`)
	text = title.ReplaceAllString(text, "")
	text = strings.NewReplacer("<table>", `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`).Replace(text)
	return template.HTML(text), nil // our own words
}

// title matches the title of a page.
var title = regexp.MustCompile(`<h1[^>]*>.*</h1>\n`)
