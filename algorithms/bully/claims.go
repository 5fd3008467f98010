package bully

import (
	_ "embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, claimfile.Names{
	"dead-answers": deadAnswers,
	"joined":       func(v *model.View) bool { return v.Up.Has(1) },
}, withoutT)

// oneCall is what the slides say of who begins elections.
var oneCall = checker.AlwaysStep("one-call", "Nobody that takes part in an election begins another.",
	func(e *model.Event) bool {
		if !e.From.Participants.Has(e.Process) {
			return true
		}
		for _, m := range model.Sends[M](e) {
			if m.Type == Election {
				return false
			}
		}
		return true
	})

// withoutT judges claims of the slides in their literal reading, which lacks T'.
// What becomes of safety and liveness with T' stands beside it.
func withoutT(list []ledger.Claim) []ledger.Claim {
	for i := range list {
		c := &list[i]
		if c.Source != slidesName {
			continue
		}
		given := c.Evidence
		c.Evidence = ledger.ReadAs("coulouris-noretry", []ledger.Claim{*c})[0].Evidence
		if c.Kind != ledger.SafetyClaim && c.Kind != ledger.LivenessClaim {
			continue
		}
		for _, e := range given {
			if e.Variant == "" && e.Aside == "" {
				c.Evidence = append(c.Evidence, e)
			}
		}
	}
	return list
}
