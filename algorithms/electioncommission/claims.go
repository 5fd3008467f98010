package electioncommission

import (
	_ "embed"
	"fmt"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// keep is the evidence that properties hold where processes crash and come back.
func keep(channels string, properties ...string) (list []checker.Evidence) {
	for _, scope := range []string{"n=3 crashes=1 restarts=1", "n=4 crashes=1 restarts=1", "n=4 crashes=2 restarts=1"} {
		for _, timing := range []string{"sync:1", "sync:2"} {
			for _, p := range properties {
				list = append(list, checker.Keeps(p, scope+" start=settled channels="+channels+" timing="+timing))
			}
		}
	}
	return list
}

// alone is what it costs that one process reports a failure, for N from 3 to 5.
func alone() (list []checker.Evidence) {
	for n := 3; n <= 5; n++ {
		for _, timing := range []string{"sync:1", "sync:2"} {
			list = append(list, checker.Takes(checker.WorstCase, checker.Measure{}, checker.Exactly, n+3,
				fmt.Sprintf("n=%d start=coordinator-down channels=fifo detectors=2 timing=%s", n, timing)))
		}
	}
	return list
}

const literature = "the literature, after Rahman and Nahar 2009"

var claims = []checker.Claim{
	{
		Name: "highest-is-followed", Source: literature, Place: "the commission's task",
		Text: "The commission has all processes follow the highest that is up, whoever crashes and comes back.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed,
		Evidence: append(keep("fifo", "commission-agreement", "commission-extreme"),
			checker.Keeps("commission-agreement", "n=3 start=settled crashes=1 restarts=1 timing=sync:1").Beside("channels that do not keep the order")),
		Note: "As long as the commission never fails, and channels keep the order. Otherwise its second announcement may overtake the first, " +
			"and a process follows the wrong one for good.",
		Story: "electioncommission-overtaken", Idle: []string{"misreport"},
	},
	{
		Name: "everybody-is-told", Source: literature, Place: "the commission's task",
		Text: "Whoever reports a failure, or comes up, is told who leads.",
		Kind: checker.LivenessClaim, Outcome: checker.Confirmed,
		Evidence: append(keep("fifo", "commission-e2"),
			checker.Keeps("e2", "n=3 start=settled channels=fifo crashes=2 timing=sync:1").Beside("the commission may crash as well")),
		Note: "As long as the commission never fails: where it does, whoever waits for it waits for ever. It is the one process on which everything hangs.",
	},
	{
		Name: "messages", Source: literature, Place: "performance", Text: "An election takes O(n) messages.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed, Evidence: alone(),
		Note:  "N+3 where one process reports: the report, a question to the coordinator, question and answer of the next, and N-1 announcements.",
		Needs: []string{"suspect", "message REPORT", "message ALIVE"},
	},
}
