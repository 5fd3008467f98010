package effatparvarring

import (
	_ "embed"
	"fmt"

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

// failed is a ring of n whose leader has crashed, in every arrangement; any of
// the others may notice.
func failed(n int, more string) string {
	return fmt.Sprintf("n=%d topology=ring:repaired start=coordinator-down %s", n, more)
}

// crash has another node crash.
const crash = "crashes=1 channels=fifo"
