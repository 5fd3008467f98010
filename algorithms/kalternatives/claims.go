package kalternatives

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

const paper = "FCEABR (IJITCS 5(1), 2013)"

// keep is the evidence that properties hold where processes crash.
func keep(variant string, properties ...string) (list []checker.Evidence) {
	for _, setting := range []string{
		"n=4 start=settled crashes=3 mid-send=yes timing=sync:1", "n=4 start=settled crashes=3 timing=sync:2",
		"n=3 start=settled crashes=1 restarts=1 timing=sync:1", "n=3 start=settled crashes=1 restarts=1 timing=sync:2",
	} {
		for _, p := range properties {
			list = append(list, checker.Keeps(p, setting).Of(variant))
		}
	}
	return list
}

// noElection is the evidence that nobody holds an election after so many
// alternatives have failed along with the coordinator.
func noElection(variant string, alternatives int) (list []checker.Evidence) {
	for _, timing := range []string{"sync:1", "sync:2"} {
		setting := fmt.Sprintf("n=4 start=coordinator-down crashes=%d timing=%s", alternatives, timing)
		list = append(list, checker.Takes(checker.WorstCase, checker.Measure{Kind: "ELECTION"}, checker.Exactly, 0, setting).Of(variant))
	}
	return list
}

var claims = []checker.Claim{
	{
		Name: "no-election", Source: paper, Place: "section II",
		Text: "There is no need to launch a new election until k-1 alternatives have failed.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed,
		Evidence: slices.Concat(noElection("", 1), noElection("one", 0), noElection("silent", 1),
			[]checker.Evidence{noElection("", 2)[0].Beside("k alternatives fail")}),
		Note:  "It is true of k-1, and the bound is not tight: with k-1 of k alternatives down there is one left. An election is held when all k have failed.",
		Needs: []string{"crash", "suspect", "message NEXT"},
	},
	{
		Name: "alternatives-replace", Source: paper, Place: "section II",
		Text: "After a failure of the coordinator the alternatives are replaced as coordinator.",
		Kind: checker.LivenessClaim, Outcome: checker.Confirmed,
		Evidence: append(slices.Concat(keep("", "agreement", "e2", "re-election"), keep("silent", "agreement", "e2", "re-election"), keep("one", "agreement", "e2", "re-election")),
			checker.Keeps("uniqueness", "n=3 start=settled crashes=1 restarts=1 timing=sync:1").Beside("a process may come back")),
		Note: "Where the failed coordinator comes back its election and the succession run at the same time, and for a moment two processes believe " +
			"themselves coordinator. The description says nothing of that case.",
		Idle: []string{"two participants at once"},
	},
	{
		Name: "elects-alternatives", Source: paper, Place: "section II",
		Text: "Based on Bully, it elects k alternatives in addition to the coordinator: the highest processes that are up.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed, Evidence: keep("", "extreme"),
		Idle: []string{"two participants at once"},
	},
}
