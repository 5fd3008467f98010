package peterson

import (
	_ "embed"

	"bullyproof/ledger/claimfile"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, nil)
