package kabashi

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// The scopes, each under both delay bounds where both is used.
const (
	// crashes: any two of three processes fail, in the middle of a broadcast too.
	crashes = "n=3 start=settled crashes=2 mid-send=yes"
	// crashOfFour: any of four processes fails, and all may notice.
	crashOfFour = "n=4 start=settled crashes=1 mid-send=yes"
	// crashesOfFour: any two of four processes fail.
	crashesOfFour = "n=4 start=settled crashes=2 mid-send=yes"
	// comesBack: one of three processes fails, and comes back.
	comesBack = "n=3 start=settled crashes=1 restarts=1 mid-send=yes"
	// newcomer and newcomers: one or two of three processes are not there yet.
	newcomer  = "n=3 start=settled joins=1"
	newcomers = "n=3 start=settled joins=2"
	// joinsElection: one of four processes joins while others elect.
	joinsElection = "n=4 start=coordinator-down joins=1"
	// crashAndJoin: one of three processes is not there yet, and one fails.
	crashAndJoin = "n=3 start=settled crashes=1 joins=1 mid-send=yes"
	// oneOfFour: one of four processes fails.
	oneOfFour = "n=4 start=settled crashes=1"
	// starts: the system starts, and any may begin.
	starts = "n=3 start=cold initiators=all:lazy"
)

// keeps is evidence on a property in scopes, under both delay bounds.
func keeps(property string, scopes ...string) ledger.EvidenceList {
	return ledger.KeepsIn(ledger.BothDelays(scopes...), property)
}

// keepsBoth is evidence that all end up with the lowest process, in the literal
// reading and where no process has one of the first two ids.
func keepsBoth(scopes ...string) (list ledger.EvidenceList) {
	for _, p := range []string{"agreement", "extreme"} {
		list = append(list, keeps(p, scopes...)...)
		list = append(list, ledger.KeepsIn(scopes, p).Of("sparse")...)
	}
	return list
}

// faults are the scopes with everything that the paper says processes do.
func faults(property string) ledger.EvidenceList {
	return slices.Concat(
		keeps(property, crashes, crashOfFour, newcomers, comesBack, crashAndJoin),
		ledger.KeepsIn([]string{crashesOfFour, joinsElection, starts}, property),
		ledger.KeepsIn([]string{crashesOfFour + " timing=sync:2", joinsElection + " timing=sync:2"}, property).InDeep())
}

// inOrder shows beside the verdict that it does not matter whether the messages
// from one process to another arrive in order.
func inOrder(property string) ledger.EvidenceList {
	return ledger.KeepsIn([]string{
		newcomers + " channels=fifo", comesBack + " channels=fifo", joinsElection + " channels=fifo",
	}, property).Beside("messages from one process to another arrive in order")
}

// readings are the verdicts of the other readings on a safety property, where one
// process fails, where two join, and where one fails and comes back.
func readings(property string) (list ledger.EvidenceList) {
	for _, v := range []string{"prose", "sparse", "goes-on", "knows-all", "keeps-smaller", "pseudocode", "pseudocode-letter"} {
		list = append(list, ledger.KeepsIn([]string{oneOfFour, newcomers}, property).Of(v)...)
		back := ledger.Keeps(property, "n=3 start=settled crashes=1 restarts=1").Of(v)
		if v == "pseudocode" || v == "pseudocode-letter" {
			back = back.InDeep()
		}
		list = append(list, back)
	}
	return list
}

// joinsOf are the verdicts of readings where one process joins while others elect.
func joinsOf(property string, variants ...string) (list ledger.EvidenceList) {
	for _, v := range variants {
		list = append(list, ledger.Keeps(property, joinsElection).Of(v).InDeep())
	}
	return list
}

// onlyCrashes shows beside the verdict what is true where nobody joins.
func onlyCrashes(property string) ledger.EvidenceList {
	return append(keeps(property, crashes, crashOfFour), ledger.Keeps(property, crashesOfFour)).Beside("nobody joins or comes back")
}

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
	"Nobody begins to take part in an election while another process takes part in one.",
	func(e *model.Event) bool {
		return e.From.Participants.Empty() || (e.To.Participants &^ e.From.Participants).Empty()
	})

// claims are what the paper says of its algorithm. What it says of the Bully
// algorithm, in section II and its columns of the tables, is judged there.
// All is judged in the literal reading, in which nothing ends the wait for CID.
var claims = ledger.ReadAs("waits", slices.Concat(safety, liveness, procedure, costs, tables, comparison))

var safety = []ledger.Claim{
	{
		Name: "one-coordinator", Place: "abstract, sections I, IV and VII",
		Text: "\"It ensures that the system has only one coordinator at any given time.\" Section I: where a process has that status, " +
			"\"there is no another process with the same status\".",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(faults("uniqueness"), onlyCrashes("uniqueness"), inOrder("uniqueness"),
			readings("uniqueness"), keeps("uniqueness", newcomer).Of("sparse"), faults("uniqueness").Of("repaired")),
		Note: "No process has to fail or to join. When the system starts, two processes announce themselves before they have heard of " +
			"each other (Fig. 3). Later, a process that joins with a lower id is coordinator as soon as it announces itself, and the " +
			"old coordinator remains one until it is told.",
		Story: "kabashi-duplicate-coordinator",
		Repair: "repaired: a process takes office a round trip after it has announced itself. By then all that are up have been told, " +
			"and any process with a lower id has objected.",
	},
	{
		Name: "one-in-the-end", Place: "section IV, rule 6",
		Text: "A process that receives COORDINATOR with a higher id than its own announces itself: \"This ensures that we have only " +
			"one coordinator at any given time.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(faults("settled-uniqueness"), onlyCrashes("settled-uniqueness"), inOrder("settled-uniqueness"),
			readings("settled-uniqueness"), joinsOf("settled-uniqueness", "prose", "knows-all", "keeps-smaller"),
			faults("settled-uniqueness").Of("repaired")),
		Note: "This row judges rule 6 after all messages have arrived. Even then two processes may each believe themselves " +
			"coordinator. Rule 6 protects a process from announcements of higher ids. It does not protect the others from an older " +
			"announcement that arrives last, and that announcement may make its receiver coordinator. In the readings in which a " +
			"process goes on with its election, the failure of one coordinator is enough. Under equal delays announcements arrive in " +
			"the order in which they were made, and the claim holds in every scope.",
		Story: "kabashi-two-minima",
		Repair: "repaired: a process ignores announcements of higher ids than its coordinator's. It forgets that coordinator when it " +
			"notices its failure.",
	},
	{
		Name: "acknowledged", Place: "section I",
		Text: "\"Once a decision is made, a process is elected as the coordinator and all the other processes will acknowledge the " +
			"role of that process as the coordinator.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(faults("agreement"), onlyCrashes("agreement"), inOrder("agreement"), readings("agreement"),
			faults("agreement").Of("repaired")),
		Note: "Of two announcements in flight a process follows the one that arrives last. If that is the older one, its sender may " +
			"by then follow another process, and nothing corrects it, because the process it follows is alive and so is never " +
			"suspected. The reading keeps-smaller, in which the lower of two counts, is right where a process fails and comes back, " +
			"but not where two join: one of them may accept the answer of a coordinator that already has a successor. FIFO channels " +
			"do not help; equal delays do, in every scope.",
		Story: "kabashi-figure-3",
		Repair: "repaired: of two announcements the lower id counts, whichever arrives last; and a process that joins follows the " +
			"lowest id that it is told of within a round trip.",
	},
	{
		Name: "smallest-wins", Place: "abstract, section IV, rule 4, section VI",
		Text:    "The algorithm \"chooses the process with the smallest ID as the coordinator\".",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Refuted,
		Finding: "acknowledged",
		Evidence: slices.Concat(faults("extreme"), onlyCrashes("extreme"), inOrder("extreme"), readings("extreme"),
			faults("extreme").Of("repaired")),
		Note: "When the system starts, a process may hear of the smallest id first and, by an older message, of a larger one last. It " +
			"then follows the larger one for ever. The same happens where a process joins or comes back. Under equal delays it does " +
			"not.",
		Story:  "kabashi-larger-wins",
		Repair: "repaired, as acknowledged.",
	},
	{
		Name: "figure-1", Place: "Fig. 1",
		Text: "The coordinator fails. The process with the second minimum ID detects it, or is asked, and announces itself (a, b); where it is down, " +
			"process 5 selects the lowest that answers (c). All follow the lowest that is up.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: keepsBoth("n=5 start=coordinator-down detectors=2", "n=5 start=coordinator-down detectors=5", "n=4 start=coordinator-down crashes=1"),
		Needs:    []string{"rule 1a", "rule 1b", "rule 3a", "rule 3b", "rule 4", "suspect"},
	},
	{
		Name: "figure-2", Place: "Fig. 2",
		Text: "A process joins: with the minimum ID it announces itself (a); any other asks, is answered by the coordinator, and announces itself if " +
			"its ID is smaller (b). All follow the lowest that is up.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: keepsBoth("n=4 start=settled joins=1", "n=5 start=settled joins=1 joiners=1"),
		Note: "Here one process joins and none fails. In (b) no process has the minimum ID, and the one that joins is below the " +
			"coordinator (sparse).",
		Needs: []string{"rule 5a", "rule 5b", "join"},
	},
	{
		Name: "figure-3", Place: "Fig. 3, rule 6",
		Text: "Process 2 receives COORDINATOR_3, which has a higher ID than its own, and announces itself: \"this ensures that we have only one " +
			"coordinator\". (All come to follow it.)",
		Kind: ledger.SafetyClaim, Outcome: ledger.Refuted, Finding: "acknowledged",
		Evidence: keepsBoth("n=3 start=cold initiators=2:lazy", "n=3 start=cold initiators=2:lazy channels=fifo"),
		Note: "In the drawing a third process hears of 3 first and of 2 last. If it hears of 2 first, it follows 3 for ever, and 3 " +
			"follows 2. (Our processes have the IDs 1 and 2.) Under equal delays this does not happen.",
		Story:  "kabashi-figure-3",
		Repair: "repaired, as acknowledged.",
		Needs:  []string{"rule 6", "message COORDINATOR"},
	},
	{
		Name: "no-ids-known", Place: "section VI",
		Text:    "\"The processes do not need to know the ID of any process.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keeps("agreement", crashes, crashOfFour), keeps("extreme", crashes, crashOfFour),
			[]ledger.Evidence{ledger.Keeps("extreme", crashesOfFour), ledger.Keeps("agreement", crashesOfFour)},
			keeps("extreme", crashes, crashOfFour).Of("sparse"),
			keeps("extreme", crashes, crashOfFour).Of("knows-all")),
		Note: "Elections end correctly where processes fail, and no rule looks at any id but the process's own, that of a message, " +
			"and the known minimum. This needs the reading in which the second minimum ID is the one above that minimum. A process " +
			"cannot tell which one is second among the living (knows-all) without their ids, and asking for it leads to two " +
			"coordinators. Rule 4 has a process wait for \"the responses from all processes with smaller ID\", which it cannot know " +
			"either; here it waits for a round trip.",
		Needs: []string{"rule 1a", "rule 1b", "rule 2", "rule 3a", "rule 3b", "rule 4", "crash"},
	},
	{
		Name: "minimum-stays", Place: "section VI",
		Text:    "\"There is no need to update the minimum ID that the process may take.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keeps("extreme", crashes, crashOfFour), keeps("agreement", crashes, crashOfFour),
			[]ledger.Evidence{ledger.Keeps("extreme", crashesOfFour), ledger.Keeps("agreement", crashesOfFour)}),
		Note:  "The process with that id may be down or absent: the rules need only the number.",
		Needs: []string{"rule 1a", "rule 1b", "rule 2", "rule 3b", "rule 4", "crash"},
	},
	{
		Name: "no-sets", Place: "section VII",
		Text:    "\"There is no need to divide processes into sets\", unlike in the improved Bully algorithm.",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(keeps("extreme", crashes, crashOfFour), keeps("agreement", crashes, crashOfFour),
			ledger.KeepsIn([]string{crashesOfFour}, "extreme", "agreement"), keeps("extreme", crashes, crashOfFour).Of("sparse")),
		Note: "No rule has sets, and elections end correctly where processes fail. The rules treat the two lowest possible ids apart; " +
			"if no process has one of them (sparse), elections end correctly as well.",
		Needs: []string{"rule 1a", "rule 1b", "rule 2", "rule 3a", "rule 3b", "rule 4", "crash"},
	},
	{
		Name: "any-topology", Place: "section VI",
		Text:    "\"It is suitable for different process topologies.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Undecided,
		Note: "By the rules a process broadcasts, and answers the process that asked. The paper does not say how it does either where " +
			"not all are connected, nor how messages are counted there. This was checked where every process can send to every other.",
	},
}

// livesIn is evidence that a reading is live, in the scopes of readings.
func livesIn(variant string) ledger.EvidenceList {
	return ledger.KeepsIn([]string{oneOfFour, newcomers, "n=3 start=settled crashes=1 restarts=1"}, "e2", "termination").Of(variant)
}

var liveness = []ledger.Claim{
	{
		Name: "live", Place: "section I",
		Text: "\"Each election algorithm must satisfy safety and liveness conditions\"; elections are needed when the system starts and " +
			"when the coordinator fails. (A process that takes part is sooner or later out of the election and has a coordinator; one " +
			"whose coordinator failed gets another.)",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(keeps("e2", "n=2 start=settled crashes=1 joins=1"), faults("e2"),
			keeps("re-election", crashes, crashOfFour, newcomers, comesBack),
			keeps("e2", "n=2 start=settled crashes=1 joins=1").Of("pseudocode"),
			faults("e2").Of("prose"), keeps("re-election", crashes, crashOfFour, newcomers, comesBack).Of("prose"),
			livesIn("sparse"), livesIn("goes-on"), livesIn("knows-all"), livesIn("keeps-smaller"),
			ledger.KeepsIn([]string{crashesOfFour, comesBack}, "e2").Of("asks-first"),
			faults("e2").Of("repaired"), keeps("stable-leadership", newcomers, comesBack).Of("repaired")),
		Note: "A process that joins asks for the coordinator's ID and waits. If there is no coordinator, no process answers, and " +
			"nothing ends the wait: the paper mentions no limit to it. With a limit (prose) the claim holds. The claim asks that some " +
			"process is coordinator, not that all have the same one: see acknowledged.",
		Story:  "kabashi-newcomer-waits",
		Repair: "prose: a process that gets no answer within a round trip begins an election",
	},
	{
		Name: "terminated", Place: "section I",
		Text:    "\"Once the coordinator is selected, the processes reach a state known as a terminated state.\" (Messages cease.)",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(faults("termination"), faults("termination").Of("prose"), faults("termination").Of("repaired"),
			ledger.KeepsIn([]string{crashesOfFour, comesBack}, "termination").Of("asks-first")),
		Note: "Rule 6 cannot go on for ever: each objection comes from a lower id than the announcement that it objects to.",
	},
	{
		Name: "keeps-its-part", Place: "section I",
		Text: "In an election each process is a participant or not. \"Once a process enters into a particular state, it remains in " +
			"that state until the end of the election.\"",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.RefutedBeyond,
		Exceeds: "several processes that notice one after another: the sentence is about one election",
		Evidence: slices.Concat(keeps("keeps-part", crashOfFour), ledger.EvidenceList{
			ledger.Keeps("keeps-part", "n=4 start=coordinator-down detectors=4").Beside("where one process notices"),
		}, keeps("keeps-part", crashOfFour, crashesOfFour).Of("asks-first")),
		Note: "Several processes may notice the failure one after another, and each is a participant from then until it is told. This " +
			"does no harm: their elections have the same result.",
		Story: "kabashi-joins-in",
		Repair: "asks-first: a process that notices announces that to all and waits a round trip before it begins; of two the lower " +
			"id goes first, and the others stay out. This costs a broadcast. (It is judged where processes fail. A process that joins " +
			"is a participant while it asks for the coordinator.)",
		Needs: []string{"rule 1b", "two participants at once"},
	},
}

var procedure = []ledger.Claim{
	{
		Name: "one-initiator", Place: "section VII",
		Text:    "\"Unlike the Bully Algorithm, only one process initiates an election procedure and determines the coordinator.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.RefutedBeyond,
		Exceeds: "several processes that notice at once: the sentence is about one",
		Evidence: []ledger.Evidence{
			ledger.Keeps("one-election", "n=4 start=coordinator-down timing=sync:1"),
			ledger.Keeps("one-election", "n=4 start=coordinator-down timing=sync:2"),
			ledger.Keeps("one-election", "n=3 start=coordinator-down").Beside("three processes, two of them up"),
			ledger.Keeps("one-election", "n=4 start=coordinator-down detectors=4").Beside("where one process notices"),
			ledger.Keeps("one-election", "n=4 start=coordinator-down").Of("repaired"),
			ledger.Keeps("one-election", "n=4 start=coordinator-down timing=sync:1").Of("asks-first"),
			ledger.Keeps("one-election", "n=4 start=coordinator-down timing=sync:2").Of("asks-first"),
			ledger.Keeps("one-election", crashesOfFour).Of("asks-first"), ledger.Keeps("one-election", comesBack).Of("asks-first"),
			ledger.Keeps("one-election", joinsElection).Of("asks-first"),
			ledger.Keeps("one-election", "n=5 start=coordinator-down").Of("asks-first").InDeep(),
		},
		Note:  "Unlike in the Bully algorithm no process begins an election because it is asked. But all that notice the failure do.",
		Story: "kabashi-two-initiators",
		Repair: "asks-first: a process that notices announces that to all and waits a round trip before it begins; of two the lower " +
			"id goes first, and the others leave the election to it. This costs a broadcast and a round trip.",
		Needs: []string{"rule 1b", "two participants at once"},
	},
	{
		Name: "first-two-do-not-elect", Place: "sections VI and VII",
		Text: "\"The first two processes do not initiate an election process\": the one with the minimum ID, and, when the " +
			"coordinator fails, the one with the second minimum ID automatically become coordinator.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: firstTwo(),
		Needs:    []string{"rule 1a", "rule 5a", "join", "suspect"},
	},
	{
		Name: "second-at-once", Place: "section VII",
		Text: "\"If a process that has the second minimum ID detects the failure of the coordinator or receives an ELECTION message, " +
			"it immediately becomes the coordinator.\" (All know within the delay of one message, or of two.)",
		Kind:     ledger.TimeClaim,
		Outcome:  ledger.Confirmed,
		Evidence: atOnceCoordinator(),
		Note: "By rule 3 it does so only if its ID is below that of the process that asks; the one with the minimum ID never asks. If " +
			"a process that is told goes on with its own election (goes-on), it takes longer.",
		Needs: []string{"rule 1a", "rule 1b", "rule 3a", "rule 6: COORDINATOR: follow it", "suspect"},
	},
	{
		Name: "join-without-election", Place: "section VI",
		Text:     "\"There is no need to start a new election when a new process joins the system.\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: withoutElection(),
		Note: "This is right where there is a coordinator. Where there is none, no process answers, and the paper does not say what " +
			"the process does then; here it begins an election.",
		Needs: []string{"rule 5a", "rule 5b", "join"},
	},
}

// elections counts broadcasts of ELECTION.
var elections = cost.Measure{Unit: cost.Operations, Kind: "ELECTION"}

// broadcasts counts a broadcast as one message, as the paper does.
var broadcasts = cost.Measure{Unit: cost.Operations}

// messages counts a broadcast as the N-1 messages that it is elsewhere.
var messages = cost.Measure{}

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

const afterJoin = "from when it joins"

func firstTwo() (list []ledger.Evidence) {
	for n := 2; n <= 5; n++ {
		for _, d := range []int{1, 2} {
			second := fmt.Sprintf("n=%d start=coordinator-down detectors=2 timing=sync:%d", n, d)
			first := fmt.Sprintf("n=%d start=settled joins=1 joiners=1 timing=sync:%d", n, d)
			list = append(list,
				ledger.Takes(cost.WorstCase, elections, ledger.Exactly, 0, second), ledger.Keeps("extreme", second),
				ledger.Takes(cost.WorstCase, elections, ledger.Exactly, 0, first).After(afterJoin, joined), ledger.Keeps("extreme", first))
		}
	}
	return list
}

// atOnceCoordinator is evidence that an election that the second minimum ID
// begins, or hears of, is over when it has announced itself.
func atOnceCoordinator() (list []ledger.Evidence) {
	for n := 3; n <= 5; n++ {
		for d := 1; d <= 2; d++ {
			timing := fmt.Sprintf(" timing=sync:%d", d)
			list = append(list, ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, d, alone(n, 2)+timing),
				ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, 2*d, alone(n, n)+timing))
		}
	}
	return append(list, ledger.Takes(cost.WorstCase, ticks, ledger.AtMost, 2, alone(4, 4)).Of("goes-on"))
}

func withoutElection() (list []ledger.Evidence) {
	for n := 2; n <= 5; n++ {
		for _, d := range []int{1, 2} {
			s := fmt.Sprintf("n=%d start=settled joins=1 timing=sync:%d", n, d)
			list = append(list, ledger.Takes(cost.WorstCase, elections, ledger.Exactly, 0, s).After(afterJoin, joined),
				ledger.Takes(cost.WorstCase, elections, ledger.Exactly, 0, s).After(afterJoin, joined).Of("sparse"))
		}
	}
	return append(list, ledger.Takes(cost.WorstCase, elections, ledger.Exactly, 0, joinsElection).
		After(afterJoin, joined).Beside("where the coordinator is down"))
}
