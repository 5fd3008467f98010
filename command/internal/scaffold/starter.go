package scaffold

import "embed"

// starters are the packages to begin with. They are packages of this module, so that
// they compile, and their tests run.
//
//go:embed starter roles/starter
var starters embed.FS
