package bully

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{
	"dead-answers": deadAnswers,
	"joined":       func(v *model.View) bool { return v.Up.Has(1) },
})

// takesOver is what Wikipedia's rule 1 says of a process that recovers.
var takesOver = checker.AlwaysStep("takes-over",
	"The process with the highest id announces itself to all others as soon as it comes back, and believes itself coordinator.",
	func(e *model.Event) bool {
		if !comesBackHighest(e) {
			return true
		}
		told := 0
		for _, m := range model.Sends[M](e) {
			if m.Type == Coordinator {
				told++
			}
		}
		return told == int(e.To.N)-1 && e.To.Leaders.Has(e.Process)
	}).GivenStep("the process with the highest id comes back", comesBackHighest)

// comesBackHighest reports whether the process with the highest id comes back.
func comesBackHighest(e *model.Event) bool { return e.Kind == model.Restarts && e.Process == e.To.N }

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

// silentFailed is what the slides conclude from T, where nobody comes back: a process that has
// failed is still down when T ends.
var silentFailed = checker.AlwaysStep("silent-failed", "When T ends without an answer, no process that was asked is up.",
	func(e *model.Event) bool {
		return !noAnswer(e) || e.From.Up.Max() <= e.Process
	}).GivenStep("T ends without an answer", noAnswer)

// noAnswer reports whether the wait for an answer ends.
func noAnswer(e *model.Event) bool { return e.Kind == model.Expires && e.Timer == T }
