package assistant

import (
	_ "embed"

	"bullyproof/checker"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

const paper = "FCEABR (IJITCS 5(1), 2013)"

// keep is the evidence that properties hold where processes crash.
func keep(properties ...string) (list []checker.Evidence) {
	for _, setting := range []string{
		"n=3 start=settled crashes=2 mid-send=yes timing=sync:1", "n=3 start=settled crashes=2 mid-send=yes timing=sync:2",
		"n=4 start=settled crashes=2 timing=sync:1", "n=4 start=settled crashes=2 timing=sync:2",
	} {
		for _, p := range properties {
			list = append(list, checker.Keeps(p, setting))
		}
	}
	return list
}

// noElection is the evidence that no election is held while the assistant is up.
func noElection() (list []checker.Evidence) {
	for _, setting := range []string{
		"n=3 start=coordinator-down timing=sync:1", "n=4 start=coordinator-down timing=sync:1",
		"n=3 start=coordinator-down timing=sync:2", "n=4 start=coordinator-down timing=sync:2",
	} {
		list = append(list, checker.Takes(checker.WorstCase, checker.Measure{Kind: "ELECTION"}, checker.Exactly, 0, setting))
	}
	return append(list, checker.Takes(checker.WorstCase, checker.Measure{Kind: "ELECTION"}, checker.Exactly, 0,
		"n=4 start=coordinator-down crashes=1 timing=sync:1").Beside("the assistant may crash as well"))
}

var claims = []checker.Claim{
	{
		Name: "no-election", Source: paper, Place: "section II",
		Text: "If the coordinator fails it is not necessary to launch a new election.",
		Kind: checker.CountClaim, Outcome: checker.Confirmed, Evidence: noElection(),
		Note:  "As long as the assistant is up; where it fails too, whoever told it waits, and then holds an election.",
		Needs: []string{"suspect", "message CRASH", "message COORDINATOR", "rule the assistant takes over"},
	},
	{
		Name: "elects-an-assistant", Source: paper, Place: "section II",
		Text: "It elects an assistant for the coordinator as well.",
		Kind: checker.SafetyClaim, Outcome: checker.Confirmed, Evidence: keep("assisted"),
		Note: "The assistant may have crashed since: nobody watches it.", Idle: []string{"rule comes up"},
	},
	{
		Name: "takes-the-place", Source: paper, Place: "section II",
		Text: "After a failure of the coordinator the assistant is coordinator, and all follow it.",
		Kind: checker.LivenessClaim, Outcome: checker.Confirmed,
		Evidence: append(keep("agreement", "uniqueness", "e2", "re-election"),
			checker.Keeps("agreement", "n=3 start=settled crashes=1 restarts=1 timing=sync:1").Beside("a process may come back")),
		Note: "Where a process comes back it holds an election, and its outcome and what the assistant announces may arrive in either order: " +
			"agreement breaks. The description says nothing of that case.",
		Idle: []string{"rule comes up"},
	},
	{
		Name: "any-network", Source: paper, Place: "section II",
		Text: "The algorithm is not based on a special topology, so it can be applied to any network.",
		Kind: checker.SafetyClaim, Outcome: checker.Beyond,
		Note: "It was checked where every process can send to every other. On another topology messages would have to be forwarded, of which the description says nothing.",
	},
}
