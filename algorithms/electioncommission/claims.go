package electioncommission

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

// failing are scopes in which processes fail and come back.
func failing(channels string) []string {
	return ledger.BothDelays("n=3 start=settled crashes=1 restarts=1 channels="+channels,
		"n=4 start=settled crashes=1 restarts=1 channels="+channels, "n=4 start=settled crashes=2 restarts=1 channels="+channels)
}

// keep is the evidence that properties hold there.
func keep(channels string, properties ...string) ledger.EvidenceList {
	return ledger.KeepsIn(failing(channels), properties...)
}

// falsely are scopes in which the detector may be wrong.
var falsely = ledger.BothDelays("n=3 start=settled channels=fifo suspicions=2", "n=4 start=settled channels=fifo suspicions=2")

// alone is what it costs that one process reports a failure, for N from 3 to 5.
func alone() (list []ledger.Evidence) {
	for n := 3; n <= 5; n++ {
		for _, timing := range []string{"sync:1", "sync:2"} {
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, n+3,
				fmt.Sprintf("n=%d start=coordinator-down channels=fifo detectors=2 timing=%s", n, timing)))
		}
	}
	return list
}

// concurrently is what an election costs at worst where any process may report
// the failure.
func concurrently(kind string, r ledger.Relation, figure func(n int) int) (list ledger.EvidenceList) {
	for n := 3; n <= 5; n++ {
		for _, setting := range ledger.BothDelays(fmt.Sprintf("n=%d start=coordinator-down channels=fifo", n)) {
			e := ledger.Takes(cost.WorstCase, cost.Measure{Kind: kind}, r, figure(n), setting)
			e.Deep = n == 5
			list = append(list, e)
		}
	}
	return list
}

const minID = "Q. Kabashi, A. Zeqiri, M. Zabeli, The Reduction of Number Messages in Election Bully Algorithm"

const literature = "the literature, after Rahman and Nahar 2009"

var claims = []ledger.Claim{
	{
		Name: "highest-is-followed", Source: literature, Place: "the commission's task",
		Text: "The commission makes all processes follow the highest that is up, whichever processes crash and come back.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: append(slices.Concat(keep("fifo", "commission-agreement", "commission-extreme"),
			keep("unordered", "commission-agreement", "commission-extreme").Of("repaired")),
			ledger.Keeps("commission-agreement", "n=3 start=settled crashes=1 restarts=1 timing=sync:1").Beside("channels that do not keep the order")),
		Note: "This holds if the commission never fails and channels are FIFO. Otherwise its second announcement may overtake the " +
			"first, and a process follows the wrong one for ever. The repair numbers announcements and needs no order.",
		Story: "electioncommission-overtaken", Idle: []string{"misreport"},
	},
	{
		Name: "everybody-is-told", Source: literature, Place: "the commission's task",
		Text: "A process that reports a failure, or comes up, is told who leads.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: append(keep("fifo", "commission-e2"),
			ledger.Keeps("e2", "n=3 start=settled channels=fifo crashes=2 timing=sync:1").Beside("the commission may crash as well")),
		Note: "This holds if the commission never fails. If it fails, every process that waits for it waits for ever: it is a single " +
			"point of failure.",
	},
	{
		Name: "one-coordinator", Source: minID, Place: "section I, on all election algorithms, this one among them",
		Text: "\"When the status of any process i is set to leader/coordinator [...] there is no another process with the same status.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(keep("fifo", "uniqueness"),
			keep("fifo", "uniqueness", "commission-agreement", "commission-extreme", "commission-e2").Of("repaired"),
			keep("unordered", "uniqueness").Of("repaired"),
			ledger.KeepsIn(ledger.BothDelays("n=4 start=settled channels=fifo crashes=3"), "uniqueness").Beside("nobody comes back")),
		Note: "One agent decides, and decides on one process at a time. But it tells the processes one by one. If a higher process " +
			"comes back while the old coordinator is up, the new coordinator may hear of it before the old one does.",
		Story:  "electioncommission-told-too-early",
		Repair: "repaired: the commission tells the winner last, D after all others",
		Needs:  []string{"crash", "restart", "suspect", "rule 6: a higher one", "message COORDINATOR"},
	},
	{
		Name: "false-reports", Source: literature, Place: "the failure detector",
		Text: "The commission verifies a report before it holds an election: a false one changes nothing.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: ledger.KeepsIn(falsely, "uniqueness", "commission-agreement", "commission-extreme", "commission-e2"),
		Needs:    []string{"misreport", "rule 2: the coordinator is up", "message VERIFY", "message ALIVE"},
	},
	{
		Name: "one-election", Source: literature, Place: "duplicate reports",
		Text: "There is one election for a failure, however many processes report it.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: concurrently("VERIFY", ledger.Exactly, func(int) int { return 2 }),
		Note: "There are two questions, one to the coordinator that has failed and one to the next process, whichever process " +
			"reports and whenever it does.",
		Needs: []string{"suspect", "rule 5: a report", "rule 5 and 6"},
	},
	{
		Name: "messages", Source: literature, Place: "performance", Text: "An election takes O(n) messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: append(alone(), concurrently("", ledger.AtMost, func(n int) int { return 3*n - 3 })...),
		Note: "It is N+3 where one process reports: the report, a question to the coordinator, question and answer of the next " +
			"process, and N-1 announcements. Where all N-2 others report, each late report is answered as well: at most 3N-3.",
		Needs: []string{"suspect", "message REPORT", "message ALIVE"},
	},
}
