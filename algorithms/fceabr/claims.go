package fceabr

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	_ "embed"
	"fmt"
	"slices"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// The timings: the same time between any two neighbours, as the paper supposes;
// and delays that differ, up to one tick or two.
const (
	equal  = " timing=lockstep"
	differ = " timing=sync:1"
	more   = " timing=sync:2"
)

// fresh is a ring in which processes begin an election at a cold start.
func fresh(n int, initiators string) string {
	return fmt.Sprintf("n=%d topology=biring initiators=%s channels=fifo", n, initiators)
}

// running is a ring that closes round who has crashed, with a coordinator.
func running(n, crashes int) string {
	return fmt.Sprintf("n=%d topology=biring:repaired start=settled crashes=%d channels=fifo", n, crashes)
}

// shaken is a ring that closes round who has crashed, in which an election has begun.
func shaken(n int, initiators string) string {
	return fmt.Sprintf("n=%d topology=biring:repaired initiators=%s crashes=1 channels=fifo", n, initiators)
}

// claims are what the paper says of the algorithm.
// All is judged in the literal reading, in which both copies of a message are
// handled at once where they meet.
var claims = ledger.JudgedIn(literal, copied(slices.Concat(electionClaims, crashClaims, costClaims, tableClaims)))

// literal is the literal reading: "two processes will receive messages from their
// two sides at the same time" (IV), and the figures with an even number of
// processes (5, 8 and 10) have one process that does.
const literal = "at-once"

// copied puts the questions that are asked of paper to the literal reading, too,
// where a claim has none of its own, and the deep ones do not.
func copied(list []ledger.Claim) []ledger.Claim {
	for i := range list {
		c := &list[i]
		has := slices.ContainsFunc(c.Evidence, func(e ledger.Evidence) bool { return e.Variant == literal && e.Property == "" })
		var more []ledger.Evidence
		for k := range c.Evidence {
			switch e := &c.Evidence[k]; {
			case e.Property == "" && e.Cost == nil:
				e.Variant = literal // a sum is the same in all readings
			case e.Variant == "" && !e.Deep && !has:
				more = append(more, e.Of(literal))
			}
		}
		c.Evidence = append(more, c.Evidence...)
	}
	return list
}

// electionClaims are about elections in which nobody crashes.
var electionClaims = []ledger.Claim{
	{
		Name: "elects", Place: "sections V.1, V.2 and V.4",
		Text: "An Election message is answered by at least one Coordinator message that tells all processes the greatest number as " +
			"coordinator and the next as surrogate. This holds also where several processes begin: messages of lower initiators are " +
			"stopped.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keeps(fresh(3, "any:lazy")+equal, "uniqueness", "agreement", "extreme", "surrogate", "e2", "termination"),
			keeps(fresh(4, "any:lazy")+equal, "uniqueness", "agreement", "extreme", "surrogate", "e2", "termination"),
			keeps(fresh(3, "any:lazy")+differ, "uniqueness", "agreement", "extreme", "surrogate", "termination"),
			keeps(fresh(3, "any:lazy")+more, "uniqueness", "agreement", "extreme", "surrogate", "termination"),
			[]ledger.Evidence{
				ledger.Keeps("e2", fresh(3, "any:lazy")+differ).Beside("delays that differ"),
				ledger.Keeps("e2", fresh(3, "any:lazy")+more).Beside("delays that differ"),
			},
			keeps(fresh(4, "one")+equal, "extreme").Of("maker-left-out"),
			keeps(fresh(3, "any:lazy")+equal, "extreme", "e2").Of("remembers"),
			keeps(fresh(3, "any:lazy")+differ, "agreement", "extreme", "surrogate", "e2", "termination").Of("repaired"),
			keeps(fresh(3, "any:lazy")+more, "agreement", "extreme", "surrogate", "e2", "termination").Of("repaired"),
			keeps(fresh(4, "any:lazy")+equal, "agreement", "extreme", "surrogate", "e2", "termination").Of("repaired"),
		),
		Note: "This needs equal delays between any two neighbours, which the paper supposes. Where delays differ, the Election of a " +
			"lower initiator that begins late can reach processes whose election is over, and leave them in an election that never " +
			"ends (see fceabr-left-behind). And the process at which two copies meet has to compare its own number, which the steps " +
			"of V.2 leave out: if it does not, the greatest number can be missed.",
		Idle: []string{"rule V.3", "rule V.4: one SElection", "message SElection", "message SCoordinator", "rule V: one's own message"},
	},
	{
		Name: "same-result", Place: "section IV, and V.3",
		Text: "With an odd number of processes two neighbours create the announcement: \"since election result of these two " +
			"processes are same as each other, throwing Coordinator message in the network isn't important\".",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keeps(fresh(3, "one")+equal, "one-result"),
			keeps(fresh(5, "one")+equal, "one-result"),
			keeps(fresh(3, "one")+differ, "one-result"),
			keeps(fresh(3, "one")+more, "one-result"),
			keeps(fresh(4, "one")+differ, "one-result"),
			keeps(fresh(5, "one")+equal, "one-result").Of("at-once"),
			keeps(fresh(5, "one")+equal, "one-result").Of("maker-left-out"),
		),
		Note:  "This needs a process that compares its own number with those of the two copies that meet at it.",
		Needs: []string{"rule V.2: one Election", "rule IV: a second", "message Coordinator"},
	},
}

// crashClaims are about crashes, and about who joins.
var crashClaims = []ledger.Claim{
	{
		Name: "no-waiting", Place: "abstract, V.3, and section IX",
		Text: "\"If a coordinator was failed, each process could continue its functions without waiting, which means the process's " +
			"waiting time is led to zero. Each process could tolerate one failure.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keeps(running(3, 1)+equal, "no-waiting", "uniqueness", "agreement", "extreme", "stable-leadership", "re-election", "termination"),
			keeps(running(3, 1)+differ, "no-waiting", "uniqueness", "agreement", "extreme", "stable-leadership", "re-election", "termination"),
			keeps(running(3, 1)+more, "no-waiting", "uniqueness", "agreement", "extreme", "stable-leadership", "re-election", "termination"),
			keeps(running(4, 1)+equal, "no-waiting", "uniqueness", "agreement", "extreme", "stable-leadership", "re-election", "termination"),
			keeps(running(4, 1)+equal+" mid-send=yes", "no-waiting", "uniqueness", "agreement", "extreme"),
			keeps(running(4, 1)+differ, "no-waiting", "uniqueness", "agreement", "extreme", "stable-leadership", "re-election").InDeep(),
			[]ledger.Evidence{ledger.Keeps("no-waiting", running(3, 2)+equal).Beside("a second crash")},
		),
		Note: "It survives one failure. Suppose that the next coordinator crashes before the new surrogate is known, or that the " +
			"surrogate crashed before. Then a process that detects the crash has no surrogate to turn to until an election is over.",
		Idle: []string{
			"rule V.1", "rule V.2: one Election", "message Election", "message Coordinator", "rule V: one's own message",
			"two participants at once",
		},
	},
	{
		Name: "surrogate-each-step", Place: "section IX; V.3",
		Text: "\"In each step a coordinator and its surrogate coordinator was identified\": after a crash SElection and SCoordinator " +
			"tell all processes a new surrogate.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(
			keeps(running(3, 1)+equal, "surrogate"),
			keeps(running(3, 1)+differ, "surrogate"),
			keeps(running(3, 1)+more, "surrogate"),
			keeps(running(4, 1)+equal, "surrogate"),
			keeps(running(4, 1)+equal, "surrogate").Of("own-surrogate"),
			keeps(running(3, 1)+equal, "surrogate").Of("informer-counts"),
			keeps(running(3, 1)+differ, "surrogate").Of("informer-counts"),
			keeps(running(4, 1)+equal, "surrogate").Of("informer-counts"),
			keeps(running(3, 1)+equal, "surrogate").Of("repaired"),
			keeps(running(3, 1)+differ, "surrogate").Of("repaired"),
			keeps(running(4, 1)+equal, "surrogate").Of("repaired"),
		),
		Note: "The sender of an SElection puts zero into its surrogate section, and its own number is never put there. So of two " +
			"processes that are left none becomes surrogate, and of three the wrong one may. If the new coordinator compares its own " +
			"number, too, as \"each process\" does to the letter, it becomes its own surrogate.",
		Story: "fceabr-no-surrogate",
		Repair: "informer-counts: the sender of an SElection puts its own number into the surrogate section, unless it is the new " +
			"coordinator. This is a part of variant repaired.",
		Idle: []string{
			"rule V.1", "rule V.2: one Election", "message Election", "message Coordinator", "rule V: one's own message",
			"two participants at once",
		},
	},
	{
		Name: "two-sides", Place: "section V.2, and the title",
		Text: "\"At least one process will receive Election messages (which have the same informer number) from its two sides\" " +
			"and end the election: the algorithm is fault tolerant.",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash of a process that is not the coordinator, in the middle of an election: each process is said to tolerate one failure, the coordinator's",
		Evidence: slices.Concat(
			keeps(shaken(3, "any")+equal, "e2", "stable-leadership"),
			keeps(shaken(3, "1")+differ+" arrangement=1-2-3", "e2"),
			keeps(shaken(3, "1")+more+" arrangement=1-2-3", "e2").InDeep(),
			keeps(shaken(3, "any")+equal+" mid-send=yes", "e2"),
			keeps(shaken(3, "any")+equal, "e2").Of("watches-surrogate"),
			keeps(shaken(3, "any")+equal, "e2").Of("remembers"),
			keeps(shaken(3, "any")+equal+" mid-send=yes", "e2", "stable-leadership", "termination", "agreement", "extreme").Of("repaired"),
			keeps(shaken(3, "any")+differ+" mid-send=yes", "e2", "stable-leadership", "termination", "agreement", "extreme").Of("repaired"),
			keeps(shaken(4, "any")+equal, "e2", "stable-leadership", "termination", "agreement", "extreme").Of("repaired"),
			keeps(shaken(3, "any")+more+" mid-send=yes", "e2", "stable-leadership", "termination", "agreement", "extreme").InDeep().Of("repaired"),
			keeps(shaken(4, "any")+equal+" mid-send=yes", "e2", "stable-leadership", "termination").InDeep().Of("repaired"),
		),
		Note: "If a process crashes while a copy of the message is with it, that copy is lost, and the other copy never meets it. " +
			"There are no timeouts, and a process that waits for the outcome has no coordinator whose crash it could detect. (Links " +
			"that forward what was sent to a crashed process would not be enough: if a process crashes between its two sends, only " +
			"one copy is left, and it never meets another.)",
		Story: "fceabr-lost-election",
		Repair: "repaired: a process that has heard of an election, but not of its end within the longest time that an election " +
			"takes, begins another with a higher number.",
		Idle: []string{"rule V.3: an SElection"},
	},
	{
		Name: "fault-tolerant", Place: "title; V.3; VI.2, equations 7 to 10",
		Text: "Fault tolerance by a surrogate: whenever the coordinator crashes, all turn to its surrogate; if that has crashed, too, " +
			"an election gives them a new coordinator.",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a second crash before the first is settled: each process is said to tolerate one failure",
		Evidence: slices.Concat(
			keeps(twoDetect+equal, "agreement", "uniqueness", "e2"),
			keeps(running(3, 2)+equal, "agreement", "extreme", "e2"),
			keeps(running(3, 2)+differ, "agreement", "extreme", "e2"),
			keeps(running(3, 2)+more, "agreement", "extreme", "e2"),
			keeps(threeLeft+equal, "agreement").InDeep().Of(literal), keeps(threeLeft+equal, "agreement").InDeep().Of("paper"),
			keeps(twoDetect+evenBusy+equal, "agreement", "uniqueness", "e2"),
			keeps(running(3, 2)+evenBusy+equal, "agreement", "extreme", "e2"),
			keeps(twoDetect+evenBusy+equal, "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "termination").Of("informer-counts"),
			keeps(running(3, 2)+evenBusy+differ, "agreement", "extreme", "e2", "stable-leadership").Of("informer-counts"),
			keeps(twoDetect+evenBusy+equal, "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "termination").Of("repaired"),
			keeps(running(3, 2)+evenBusy+differ, "agreement", "extreme", "e2", "stable-leadership", "termination").Of("repaired"),
			ledger.EvidenceList{
				ledger.Keeps("uniqueness", twoDetect+equal).Within(50_000),
				ledger.Keeps("agreement", twoDetect+equal).Within(600_000).InDeep(),
			}.Of("coordinator-counts"),
			keeps(twoDetect+equal, "agreement").Of("remembers"),
			keeps(twoDetect+equal, "agreement").Of("watches-surrogate"),
			keeps(twoDetect+equal, "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "termination").Of("informer-counts"),
			keeps(running(3, 2)+equal, "agreement", "extreme", "e2", "stable-leadership").Of("informer-counts"),
			keeps(running(3, 2)+differ, "agreement", "extreme", "e2", "stable-leadership").Of("informer-counts"),
			keeps(running(3, 2)+more, "agreement", "extreme", "e2", "stable-leadership").Of("informer-counts"),
			keeps(afterOne+equal, "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "termination").InDeep().Of("informer-counts"),
			keeps(twoDetect+equal+" mid-send=yes", "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "re-election", "termination").Of("repaired"),
			keeps(running(3, 2)+differ+" mid-send=yes", "agreement", "extreme", "e2", "stable-leadership", "re-election", "termination").Of("repaired"),
			keeps(running(3, 2)+more+" mid-send=yes", "agreement", "extreme", "e2", "stable-leadership", "re-election", "termination").Of("repaired"),
			keeps(running(4, 2)+equal+" mid-send=yes", "agreement", "uniqueness", "extreme", "e2", "stable-leadership", "re-election", "termination").Of("repaired"),
			keeps(afterOne+" mid-send=yes"+differ,
				"agreement", "extreme", "e2", "stable-leadership", "re-election", "termination").InDeep().Of("repaired"),
			keeps("n=4 topology=biring:repaired arrangement=1-4-3-2 start=settled crashes=3 channels=fifo"+equal,
				"agreement", "extreme", "e2", "stable-leadership", "re-election", "termination").InDeep().Of("repaired"),
		),
		Note: "If the next coordinator crashes while the messages about the first crash are still under way, processes that know a " +
			"new surrogate turn to it, and the others hold an election. Labels and initiators do not tell which result is newer, and " +
			"an old message undoes a new one. So there are two coordinators for ever, with equal delays and reliable links, even if a " +
			"coordinator never steps down and every process switches only to its own surrogate. This takes four processes, two of " +
			"which are left, and happens with three left as well. Half a repair is not enough: if the sender of an SElection puts its " +
			"own number into the surrogate section (informer-counts), both turn to the same new surrogate, but only if a process that " +
			"takes part in an election is not told of crashes meanwhile.",
		Story: "fceabr-three-left",
		Repair: "repaired: elections of both kinds are numbered, every message of an earlier election is stopped, and an election " +
			"that does not end begins again. The sender of an SElection counts itself.",
		Idle: []string{"rule V: one's own message"},
	},
	{
		Name: "stops-messages", Place: "section IV, and V.3",
		Text: "Processes that receive messages with same label and same initiator from both sides \"will kill the message to avoid " +
			"exchanging waste extra messages\".",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a second crash before the first is settled, together with delays that differ by more than a tick",
		Evidence: slices.Concat(
			keeps(running(3, 2)+equal, "termination"),
			keeps(running(3, 2)+differ, "termination"),
			keeps(running(3, 2)+more, "termination"),
			keeps(fresh(4, "any:lazy")+equal, "termination"),
			keeps(running(4, 2)+equal, "termination").InDeep().Of(literal), keeps(running(4, 2)+equal, "termination").InDeep().Of("paper"),
			keeps(running(4, 1)+equal, "termination"),
			keeps(running(3, 2)+equal, "termination").Of("coordinator-counts"),
			keeps(oneOfFour+equal, "termination").InDeep().Of("coordinator-counts"),
			keeps(running(3, 2)+equal, "termination").Of("remembers"),
			keeps(running(3, 2)+equal, "termination").Of("repaired"),
			keeps(running(3, 2)+differ, "termination").Of("repaired"),
			keeps(running(3, 2)+more, "termination").Of("repaired"),
		),
		Note: "With equal delays it holds, with two crashes among three and among four processes. Where delays differ by two ticks and the initiator " +
			"crashes, a message whose other copy is lost is stopped by no process and goes round for ever. Where messages are handled one by " +
			"one (paper), equal delays are enough in a ring of which one process is left, which sends to itself. A process that never " +
			"forgets an initiator (remembers) stops such a message, but then it also stops elections that lower ones begin later.",
		Story: "fceabr-round-and-round",
		Repair: "repaired: a process stops a message of an election that is over for it, since the message carries the number of its " +
			"election.",
	},
	{
		Name: "newcomer-waits", Place: "section V",
		Text: "\"If one process with the larger number comes into the network before coordinator failure, system will omit it in " +
			"election until next the next one.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: slices.Concat(
			keeps(joined(3, 1)+equal, "newcomer-waits", "undisturbed"),
			keeps(joined(3, 2)+differ, "newcomer-waits", "undisturbed"),
			keeps(joined(3, 2)+more, "newcomer-waits", "undisturbed"),
			keeps(joined(4, 1)+equal, "newcomer-waits", "undisturbed"),
		),
		Note: "It becomes surrogate after the first crash, and coordinator after the second. The paper does not say how it learns " +
			"which coordinator the others have; here it learns that from the first message that reaches it.",
		Needs: []string{"join", "crash", "message SElection", "message SCoordinator", "rule V.3: the coordinator"},
	},
	{
		Name: "newcomer-costs-nothing", Place: "section V",
		Text: "The system leaves a newcomer with a larger number out of elections \"until the next one to avoid 2n message overhead\".",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: comeIn(),
		Note:     "No message at all until the next crash. An election for its sake would take 2n and more (least-messages).",
		Needs:    []string{"join"},
	},
}

// comeIn is what it costs that the process with the greatest number comes in,
// while nobody fails.
func comeIn() (list ledger.EvidenceList) {
	for n := 3; n <= 5; n++ {
		in := fmt.Sprintf("n=%d topology=biring:repaired start=settled joins=1 joiners=%d channels=fifo", n, n) + equal
		list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 0, in).Of(literal).
			After("from when it comes in", func(v *model.View) bool { return v.Present.Len() == int(v.N) }))
	}
	return list
}

// twoDetect is a ring of four in which a second process crashes after the
// coordinator, and the first two find crashes out.
const twoDetect = "n=4 topology=biring:repaired arrangement=1-4-3-2 start=coordinator-down crashes=1 detectors=1,2 channels=fifo"

// threeLeft is a ring of five in which a second process crashes after the
// coordinator, and all find crashes out.
const threeLeft = "n=5 topology=biring:repaired arrangement=1-5-4-2-3 start=coordinator-down crashes=1 channels=fifo"

// evenBusy has the failure detector report to processes that take part in an
// election, too. (Without it a process that does learns of a crash when it is
// out of the election.)
const evenBusy = " reports=always"

// afterOne is such a ring in any order of its processes, all of which may find
// crashes out.
const afterOne = "n=4 topology=biring:repaired start=coordinator-down crashes=1 channels=fifo"

// oneOfFour is one in which the first process alone finds crashes out.
const oneOfFour = "n=4 topology=biring:repaired arrangement=1-4-3-2 start=coordinator-down crashes=1 detectors=1 channels=fifo"

// joined is a ring into which the process with the greatest number comes.
func joined(n, crashes int) string {
	return fmt.Sprintf("%s joins=1 joiners=%d", running(n, crashes), n)
}

// keeps is evidence that properties hold in a setting.
func keeps(setting string, properties ...string) ledger.EvidenceList {
	return ledger.KeepsIn([]string{setting}, properties...)
}
