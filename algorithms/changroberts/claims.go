package changroberts

import (
	"embed"

	"bullyproof/checker"
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

var claims = claimfile.Of("claims.txt", written, nil)

// homeComing is "a process must receive its own identifier back before sending
// an elected message", and "it is therefore impossible that both receive their
// own identifier back".
var homeComing = checker.Always("greatest-alone",
	"Nobody but the process with the greatest identifier ever believes itself coordinator.",
	func(v *model.View) bool { return v.Leaders.Without(v.Wanted).Empty() }).Reading(model.ReadsLeaders)
