package render

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

// FrameHTML defines the template "begin" of a Frame: the text of a page before what its body
// has. It has a block "meta" for further lines.
//
//go:embed assets/frame.html
var FrameHTML string

// A Frame is what pages of one file have around what they show: each has its own style and
// script, and its policy allows nothing else.
type Frame struct {
	// Titled is the title in the window.
	Titled, Description, Policy string
	Head, Style, Script         template.HTML
}

// Framed returns the frame of a page with a style and a script, which may be empty, of a site,
// if it has one. Both are written as they are.
func Framed(s *Site, title, description, style, script string) (Frame, error) {
	head, err := s.Head()
	f := Frame{Titled: s.Titled(title), Description: description, Head: head, Style: template.HTML("<style>" + style + "</style>")}
	allowed := "'none'"
	if script != "" {
		f.Script, allowed = template.HTML("<script>"+script+"</script>"), PolicyHash(script)
	}
	f.Policy = "default-src 'none'; img-src data:; style-src " + PolicyHash(style) + "; script-src " + allowed + "; base-uri 'none'; form-action 'none'"
	return f, err
}

// PolicyHash returns how the Content-Security-Policy of a page names an inline
// style sheet or script that it allows: 'sha256-...', quotes included.
func PolicyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
