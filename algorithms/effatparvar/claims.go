package effatparvar

import (
	"embed"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/ledger/claimfile"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, fromGo)

// fromGo is what the file of the claims takes from Go.
var fromGo = claimfile.Names{
	"growth-of-equation-1": func() string {
		return sources.Growth(func(n int) int { return most(n, func(i int) int { return equation1(n, i) }) })
	},
	"growth-of-equation-2": func() string {
		return sources.Growth(func(n int) int {
			return most(n, func(i int) int {
				return most(n, func(chosen int) int { return equation2(n, i, max(i+1, chosen)) })
			})
		})
	},
}
