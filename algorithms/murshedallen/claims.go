package murshedallen

import (
	"embed"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
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

var claims = claimfile.Of("claims.txt", written, claimfile.Names{"joined": joined})

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

// table1 is what Table I has: election to each Candidate, which half of the
// processes are, an OK from each but the coordinator that has failed, coordinator
// to all others.
func table1(n int) int {
	candidates := (n + 1) / 2
	return candidates + candidates - 1 + n - 1
}
