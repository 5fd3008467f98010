package bully

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

var claims = claimfile.Of("claims.txt", written, claimfile.Names{
	"dead-answers": deadAnswers,
	"joined":       func(v *model.View) bool { return v.Up.Has(1) },
})

// oneCall is what the slides say of who begins elections. A process that begins again at the
// end of T' has given the other election up.
var oneCall = checker.AlwaysStep("one-call", "No process that is in an election begins another, unless it has given that up.",
	func(e *model.Event) bool {
		if !e.From.Participants.Has(e.Process) || e.Kind == model.Expires && e.Timer == TPrime {
			return true
		}
		for _, m := range model.Sends[M](e) {
			if m.Type == Election {
				return false
			}
		}
		return true
	})
