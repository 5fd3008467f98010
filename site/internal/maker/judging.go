package maker

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"bullyproof/docs"
)

// judging returns how claims are judged.
func judging() (template.HTML, error) {
	_, text, err := document([]byte(docs.Judging))
	return text, err
}

// document returns the title of a page of the documentation, and the rest of it as HTML.
func document(source []byte) (heading string, text template.HTML, err error) {
	var b bytes.Buffer
	markdown := goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := markdown.Convert(source, &b); err != nil {
		return "", "", err
	}
	page := strings.NewReplacer(`href="ledger.md"`, `href="`+indexPage+`"`, "</table>", "</table></div>", "<pre>", `<pre tabindex="0">`).Replace(b.String())
	if m := title.FindStringSubmatch(page); m != nil {
		heading, page = html.UnescapeString(m[1]), strings.Replace(page, m[0], "", 1)
	}
	tables := 0
	page = table.ReplaceAllStringFunc(page, func(begin string) string {
		tables++
		return fmt.Sprintf(`<div class="scroll" tabindex="0" role="region" aria-label="Table %d">`, tables) + begin
	})
	return heading, template.HTML(page), nil // our own words
}

// title matches the title of a page, and table the beginning of a table.
var (
	title = regexp.MustCompile(`<h1[^>]*>(.*)</h1>\n`)
	table = regexp.MustCompile("<table>")
)
