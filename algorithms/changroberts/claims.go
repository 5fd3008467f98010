package changroberts

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, nil)

// homeComing is "a process must receive its own identifier back before sending
// an elected message", and "it is therefore impossible that both receive their
// own identifier back".
var homeComing = checker.Always("greatest-alone",
	"Nobody but the process with the greatest identifier ever believes itself coordinator.",
	func(v *model.View) bool { return v.Leaders.Without(v.Wanted).Empty() }).Reading(model.ReadsLeaders)
