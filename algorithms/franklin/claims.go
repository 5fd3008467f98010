package franklin

import (
	"embed"
	"math"

	"bullyproof/ledger/claimfile"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{"hirschberg-sinclair": hirschbergSinclair})

const abstract = "Franklin 1982"

// hirschbergSinclair is 8N + 8 ceil(N lg N), what their abstract says.
func hirschbergSinclair(n int) int {
	return 8*n + 8*int(math.Ceil(float64(n)*math.Log2(float64(n))))
}
