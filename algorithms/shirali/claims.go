package shirali

import (
	_ "embed"

	"bullyproof/ledger/claimfile"
)

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, nil)
