package kalternatives

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"fmt"
	"slices"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

const (
	paper = "FCEABR (IJITCS 5(1), 2013)"
	heap  = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"
)

// Scopes in which processes fail, in the middle of sending as well, and in which
// one comes back.
var (
	crashes      = ledger.BothDelays("n=4 start=settled crashes=3")
	midSend      = []string{"n=4 start=settled crashes=3 mid-send=yes timing=sync:1"}
	deepCrashes  = []string{"n=5 start=settled crashes=3 mid-send=yes timing=sync:1"}
	cold         = ledger.BothDelays("n=3 initiators=any:lazy")
	returnScopes = ledger.BothDelays(returned)
	deepReturns  = ledger.BothDelays("n=4 start=settled crashes=1 restarts=1")
)

// keep is the evidence that properties hold where processes crash.
func keep(properties ...string) ledger.EvidenceList {
	return append(ledger.KeepsIn(crashes, properties...), ledger.KeepsIn(midSend, properties...)...)
}

// elections is the evidence that so many elections are held at worst where so many
// alternatives fail along with the coordinator, whoever notices.
func elections(variant string, alternatives, figure int) (list ledger.EvidenceList) {
	for _, setting := range ledger.BothDelays(fmt.Sprintf("n=4 start=coordinator-down crashes=%d", alternatives)) {
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Kind: "ELECTION"}, ledger.Exactly, figure, setting).Of(variant))
	}
	return list
}

var claims = []ledger.Claim{
	{
		Name: "no-election", Source: paper, Place: "section II",
		Text: "\"There won't be any need to launch new election until k-1 alternatives will fail.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(elections("", 1, 0), elections("one", 0, 0), elections("silent", 1, 0),
			elections("", 2, 0)[:1].Beside("k alternatives fail"), elections("one", 1, 0)[:1].Beside("k alternatives fail")),
		Note: "This is true of k-1, and the bound is not tight: with k-1 of k alternatives down there is one left. An election is " +
			"held when all k have failed.",
		Needs: []string{"crash", "suspect", "message NEXT"},
	},
	{
		Name: "alternatives-replace", Source: paper, Place: "section II",
		Text: "\"After coordinator failure, alternatives are replaced as coordinator in the system.\" All follow the one, and there are never two.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(keep("agreement", "uniqueness", "e2", "re-election"),
			keep("agreement", "uniqueness", "e2", "re-election").Of("silent"), keep("agreement", "uniqueness", "e2", "re-election").Of("one"),
			ledger.KeepsIn(deepCrashes, "agreement", "uniqueness", "e2", "re-election").InDeep()),
		Note:  "Here processes crash and do not come back. (For those that do see safe-when-replaced.)",
		Needs: []string{"crash", "suspect", "message NEXT", "rule the coordinator is down", "rule hold an election"},
	},
	{
		Name: "elects-alternatives", Source: paper, Place: "section II",
		Text: "\"Based on Bully\", it \"elects k alternatives in addition to coordinator\": the highest that are up, and all know them.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(cold, "extreme", "same-list", "highest-listed"), keep("extreme", "same-list", "highest-listed"),
			ledger.KeepsIn(returnScopes, "extreme", "same-list", "highest-listed"),
			ledger.KeepsIn(deepReturns, "extreme", "same-list", "highest-listed").InDeep()),
		Note: "Some of the alternatives may have failed since: no process watches them before it is their turn.",
	},
	{
		Name: "safe-when-replaced", Source: heap, Place: "section 1, on every leader election algorithm",
		Text: "\"The safety condition for leader election requires that only a single node can enter the elected state.\" Here: also where " +
			"a process that has failed comes back.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(returnScopes, "uniqueness"), ledger.KeepsIn(returnScopes, "uniqueness").Of("silent"),
			ledger.KeepsIn(returnScopes, "uniqueness", "agreement", "same-list", "e2", "re-election").Of("repaired"),
			keep("agreement", "uniqueness", "e2", "re-election").Of("repaired"),
			ledger.KeepsIn(deepReturns, "uniqueness", "agreement", "e2").Of("repaired").InDeep(),
			ledger.KeepsIn([]string{"n=3 start=settled crashes=2 restarts=1 timing=sync:1"}, "uniqueness", "agreement").Of("repaired").
				Beside("two fail, and one of them comes back")),
		Note: "The description does not mention processes that come back. Read as \"based on Bully\" they hold an election, which runs " +
			"beside the succession. For a moment two lead; in the end all agree on the process that won the election.",
		Story: "kalternatives-two-coordinators",
		Repair: "repaired: a process that comes back asks who leads, and takes the shortest list. If a second process fails " +
			"meanwhile, the repair breaks as well.",
		Needs: []string{"crash", "restart", "suspect", "rule comes up", "rule the coordinator is down"},
	},
	{
		Name: "live", Source: heap, Place: "section 1, on every leader election algorithm",
		Text: "\"The liveness condition states that every node will eventually enter an elected state or a non-elected state.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(cold, "e2", "termination"), keep("e2", "termination"), ledger.KeepsIn(returnScopes, "e2", "termination", "agreement")),
	},
}
