package murshedallen

import (
	"embed"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{"joined": joined})

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

// table1 is what Table I has: election to each Candidate, which half of the
// processes are, an OK from each but the coordinator that has failed, coordinator
// to all others.
func table1(n int) int {
	candidates := (n + 1) / 2
	return candidates + candidates - 1 + n - 1
}
