package kabashi

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{"joined": joined})

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

// atMostOne is what the paper says of who begins elections.
var atMostOne = checker.Always("one-election", "No two processes are in an election that they have begun at a time.",
	func(v *model.View) bool { return initiators(v) <= 1 })

func initiators(v *model.View) (n int) {
	for id := range v.Participants.All() {
		if p := model.State[P](v, id); p != nil && p.Mode == Responses {
			n++
		}
	}
	return n
}

// steadfast is what section I says of elections in general.
var steadfast = checker.AlwaysStep("keeps-part",
	"No process enters an election while another is in one.",
	func(e *model.Event) bool {
		return e.From.Participants.Empty() || (e.To.Participants &^ e.From.Participants).Empty()
	})

// broadcasts counts a broadcast as one message, as the paper does.
var broadcasts = cost.Measure{Unit: cost.Operations}

// equation2 is what the paper says that an election takes at worst, where b is
// the number of messages that a broadcast is.
func equation2(b, n int) int { return 2*b + n - 1 }
