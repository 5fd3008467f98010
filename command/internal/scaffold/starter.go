package scaffold

import "embed"

// starterFiles are the package to begin with. It is one of this module, so that
// it compiles, and its tests run.
//
//go:embed starter
var starterFiles embed.FS
