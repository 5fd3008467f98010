// Package docs has the pages of the documentation that the program also shows.
package docs

import "embed"

// Judging is how claims are judged, in Markdown.
//
//go:embed how-claims-are-judged.md
var Judging string

// Choosing has the guide to choosing an election, in Markdown: its first page
// choosing-an-election.md, a page in choosing/ of each variant that it is about, by name,
// and clients.md, what clients can expect.
//
//go:embed choosing-an-election.md choosing/*.md clients.md
var Choosing embed.FS
