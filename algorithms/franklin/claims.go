package franklin

import (
	"embed"
	"math"

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

var claims = claimfile.Of("claims.txt", written, claimfile.Names{"hirschberg-sinclair": hirschbergSinclair})

const abstract = "Franklin 1982"

// hirschbergSinclair is 8N + 8 ceil(N lg N), what their abstract says.
func hirschbergSinclair(n int) int {
	return 8*n + 8*int(math.Ceil(float64(n)*math.Log2(float64(n))))
}
