package assistant

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"slices"
	"strings"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

const (
	paper = "FCEABR (IJITCS 5(1), 2013)"
	heap  = "M. R. Effatparvar et al., Improved Algorithms for Leader Election in Distributed Systems, ICCET 2010"
)

// crashes are scopes in which processes fail, in the middle of sending as well.
var crashes = ledger.BothDelays(
	"n=3 start=settled crashes=2 mid-send=yes", "n=4 start=settled crashes=2",
)

// deepCrashes are more of them.
var deepCrashes = ledger.BothDelays("n=4 start=settled crashes=3 mid-send=yes")

// returnScopes are those in which a process fails and comes back.
var returnScopes = ledger.BothDelays(returned)

// deepReturns are more of them.
var deepReturns = ledger.BothDelays("n=4 start=settled crashes=1 restarts=1")

// elections is evidence that so many elections are held where the coordinator has
// failed, whoever notices.
func elections() (list ledger.EvidenceList) {
	for _, setting := range ledger.BothDelays("n=3 start=coordinator-down", "n=4 start=coordinator-down", "n=5 start=coordinator-down") {
		e := ledger.Takes(cost.WorstCase, cost.Measure{Kind: "ELECTION"}, ledger.Exactly, 0, setting)
		e.Deep = strings.HasPrefix(setting, "n=5")
		list = append(list, e)
	}
	return list
}

var claims = []ledger.Claim{
	{
		Name: "no-election", Source: paper, Place: "section II",
		Text: "\"If the coordinator failed, it won't be necessary to launch new election.\"",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: append(elections(), ledger.Takes(cost.WorstCase, cost.Measure{Kind: "ELECTION"}, ledger.Exactly, 0,
			"n=4 start=coordinator-down crashes=1 timing=sync:1").Beside("the assistant may crash as well")),
		Note: "This holds if the assistant is up. If the assistant fails too, a process that told it waits, and then holds an " +
			"election. The description does not say what happens in that case.",
		Needs: []string{"suspect", "message CRASH", "message COORDINATOR", "rule the assistant takes over"},
	},
	{
		Name: "elects-an-assistant", Source: paper, Place: "section II",
		Text: "It \"elects assistant for the coordinator as well\".",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(crashes, "assisted"), ledger.KeepsIn(deepCrashes, "assisted").InDeep()),
		Note:     "The assistant may have crashed since, and no process watches it.", Idle: []string{"rule comes up"},
	},
	{
		Name: "takes-the-place", Source: paper, Place: "section II",
		Text: "After a failure of the coordinator the assistant is coordinator, and all follow it; there are never two.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(crashes, "agreement", "uniqueness", "e2", "re-election"),
			ledger.KeepsIn(deepCrashes, "agreement", "uniqueness", "e2", "re-election").InDeep()),
		Note: "Here processes crash and do not come back. (For those that do see safe-when-replaced.)",
		Idle: []string{"rule comes up"},
	},
	{
		Name: "safe-when-replaced", Source: heap, Place: "section 1, on every leader election algorithm",
		Text: "\"The safety condition for leader election requires that only a single node can enter the elected state.\" Here: also where " +
			"a process that has failed comes back.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(returnScopes, "uniqueness", "agreement"),
			ledger.KeepsIn(returnScopes, "uniqueness", "agreement", "assisted", "e2", "re-election").Of("repaired"),
			ledger.KeepsIn(crashes, "agreement", "uniqueness", "e2", "re-election").Of("repaired"),
			ledger.KeepsIn(deepReturns, "uniqueness", "agreement", "e2").Of("repaired").InDeep(),
			ledger.KeepsIn([]string{"n=3 start=settled crashes=2 restarts=1 timing=sync:1"}, "uniqueness", "agreement").Of("repaired").
				Beside("two fail, and one of them comes back")),
		Note: "The description does not mention processes that come back. As in the Bully, they hold an election here. Its outcome " +
			"and the assistant's announcement arrive in either order. No rule says which of the two announcements is newer.",
		Story: "assistant-crossed-announcements",
		Repair: "repaired: a process that comes back asks who leads, asks again while any succession is under way, and follows the " +
			"leader. If a second process fails meanwhile, the repair breaks as well.",
		Needs: []string{"crash", "restart", "suspect", "two participants at once", "rule comes up", "rule the assistant takes over"},
	},
	{
		Name: "live", Source: heap, Place: "section 1, on every leader election algorithm",
		Text: "\"The liveness condition states that every node will eventually enter an elected state or a non-elected state.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(ledger.KeepsIn(crashes, "e2", "termination"), ledger.KeepsIn(returnScopes, "e2", "termination")),
	},
	{
		Name: "any-network", Source: paper, Place: "section II",
		Text: "\"This algorithm isn't based on special topology so could be applied to any network.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Note: "This was checked where every process can send to every other. On another topology messages would have to be forwarded, " +
			"and the description says nothing about that.",
	},
}
