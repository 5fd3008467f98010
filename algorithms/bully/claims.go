package bully

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{
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
