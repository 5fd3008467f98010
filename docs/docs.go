// Package docs has those pages of the documentation that the program shows, too.
package docs

import _ "embed"

// Judging is how claims are judged, in Markdown.
//
//go:embed how-claims-are-judged.md
var Judging string
