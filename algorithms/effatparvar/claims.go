package effatparvar

import (
	"embed"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/ledger/claimfile"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.lock
var record []byte

// code is what the record is of.
//
//go:embed *.go
var code embed.FS

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, fromGo)

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
