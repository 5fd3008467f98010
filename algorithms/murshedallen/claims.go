package murshedallen

import (
	_ "embed"
	"fmt"
	"slices"

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
	// crashes: any two of three processes fail, in the middle of their sends too.
	crashes = "n=3 start=settled crashes=2 mid-send=yes"
	// crashesOfFour: any two of four processes fail, and all may notice.
	crashesOfFour = "n=4 start=settled crashes=2 mid-send=yes"
	// comesBack: one of three processes fails, and comes back.
	comesBack = "n=3 start=settled crashes=1 restarts=1 mid-send=yes"
	// newcomer and newcomers: one or two processes of three are not there yet.
	newcomer  = "n=3 start=settled joins=1"
	newcomers = "n=3 start=settled joins=2"
	// newcomersOfFour: three of four processes are not there yet.
	newcomersOfFour = "n=4 start=settled joins=3"
	// crashAndJoin: one of three processes is not there yet, and one fails.
	crashAndJoin = "n=3 start=settled crashes=1 joins=1 mid-send=yes"
	// joinsElection: one of four processes joins while others elect.
	joinsElection = "n=4 start=coordinator-down joins=1"
	// starts: the system starts, and any may begin.
	starts = "n=3 start=cold initiators=all:lazy"
)

// keep is evidence on a property in scopes, under both delay bounds.
func keep(property string, scopes ...string) ledger.EvidenceList {
	return ledger.KeepsIn(ledger.BothDelays(scopes...), property)
}

// faults are the scopes with everything that the source says processes do.
func faults(property string) ledger.EvidenceList {
	return append(most(property), ledger.Keeps(property, newcomersOfFour))
}

// mended is the same for the repaired variant, which takes longer.
func mended(property string) ledger.EvidenceList {
	return append(most(property), ledger.Keeps(property, newcomersOfFour).InDeep()).Of("repaired")
}

func most(property string) ledger.EvidenceList {
	return slices.Concat(
		keep(property, crashes, newcomers, comesBack, crashAndJoin),
		ledger.KeepsIn([]string{crashesOfFour, joinsElection, starts}, property),
		ledger.KeepsIn([]string{
			crashesOfFour + " timing=sync:2", joinsElection + " timing=sync:2", "n=4 start=settled crashes=1 restarts=1",
		}, property).InDeep())
}

// inOrder shows beside the verdict that it does not matter whether the messages
// from one process to another arrive in order.
func inOrder(property string) ledger.EvidenceList {
	return ledger.KeepsIn([]string{
		newcomers + " channels=fifo", comesBack + " channels=fifo", joinsElection + " channels=fifo",
	}, property).Beside("messages from one process to another arrive in order")
}

// onlyCrashes shows beside the verdict what is true where nobody joins.
func onlyCrashes(property string) ledger.EvidenceList {
	return append(keep(property, crashes), ledger.Keeps(property, crashesOfFour)).Beside("nobody joins or comes back")
}

// other are the readings beside the literal one.
var other = []string{"rules", "goes-on", "knows-down", "answers-leader", "rearranges", "tie-breaker", "keeps-higher"}

// readings are the verdicts of the other readings on a property, where one process
// fails, where two join, and where one fails and comes back.
func readings(property string, variants ...string) (list ledger.EvidenceList) {
	for _, v := range variants {
		list = append(list, ledger.KeepsIn([]string{
			"n=4 start=settled crashes=1", newcomers, "n=3 start=settled crashes=1 restarts=1",
		}, property).Of(v)...)
	}
	return list
}

// claims are what the source says of the algorithm.
// All is judged in the literal reading, in which nothing ends the wait for an
// answer.
var claims = ledger.ReadAs("waits", slices.Concat(safety, joining, costs))

const sectionI = "section I"

var safety = []ledger.Claim{
	{
		Name: "one-coordinator", Place: sectionI,
		Text: "\"Each election algorithm must satisfy safety and liveness conditions\": when a process has the status of coordinator, " +
			"\"there is no another process with the same status\".",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Refuted,
		Evidence: slices.Concat(faults("uniqueness"), onlyCrashes("uniqueness"), inOrder("uniqueness"), readings("uniqueness", other...), mended("uniqueness")),
		Note: "The source says this of election algorithms in general. A process with a higher id that joins is coordinator as soon " +
			"as it announces itself, and the old coordinator remains one until it is told. Where no process joins or comes back there " +
			"is never more than one. The source does not say what a process does that joins and has none to ask: here it begins an " +
			"election. If it waits for ever (waits), the claim breaks as well when one has failed and another joins or comes back.",
		Story: "murshedallen-duplicate-coordinator",
		Repair: "repaired: a process takes office a round trip after it has announced itself. By then all that are up have been told, " +
			"and those with higher ids have objected.",
		Idle: []string{"rule 4c"},
	},
	{
		Name: "one-in-the-end", Place: sectionI,
		Text:     "As one-coordinator, when all messages have arrived.",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Refuted,
		Evidence: slices.Concat(faults("settled-uniqueness"), onlyCrashes("settled-uniqueness"), inOrder("settled-uniqueness"), readings("settled-uniqueness", other...), mended("settled-uniqueness")),
		Note: "By rule 3 one process announces another. Such an announcement can arrive after a newer one and make its receiver a " +
			"second coordinator. FIFO channels do not help: the two announcements have different senders.",
		Story: "murshedallen-two-coordinators",
		Repair: "repaired: a process ignores announcements of lower ids than its coordinator's. It forgets that coordinator when it " +
			"detects its failure. A process that another one announces announces itself before it takes office.",
		Idle: []string{"rule 4c"},
	},
	{
		Name: "acknowledged", Place: sectionI,
		Text: "\"Once a decision is made, a process is elected as the coordinator and all the other processes will acknowledge the " +
			"role of that process as the coordinator.\"",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Refuted,
		Evidence: slices.Concat(faults("agreement"), onlyCrashes("agreement"), inOrder("agreement"), readings("agreement", other...), mended("agreement")),
		Note: "Of two announcements in flight a process follows the one that arrives last. If that is the older one, nothing corrects " +
			"it, because the process it follows is alive and so is never suspected. The reading keeps-higher, in which the higher of " +
			"two counts, is right where a process fails and comes back, but not where two join.",
		Story: "murshedallen-lasting-disagreement",
		Repair: "repaired: of two announcements the higher id counts, whichever arrives last; and a process that joins follows the " +
			"highest coordinator that it is told of within a round trip.",
		Idle: []string{"rule 4c"},
	},
	{
		Name: "highest-wins", Place: "rule 3; section IV",
		Text: "\"The electioneer process [...] selects the process with the highest ID as the coordinator\"; the algorithms " +
			"discussed \"choose the process with the highest ID as the coordinator\".",
		Kind:     ledger.SafetyClaim,
		Outcome:  ledger.Refuted,
		Finding:  "acknowledged",
		Evidence: slices.Concat(faults("extreme"), onlyCrashes("extreme"), inOrder("extreme"), readings("extreme", other...), mended("extreme")),
		Note:     "This is true where no process joins or comes back. Otherwise it is like acknowledged.",
		Story:    "murshedallen-lower-wins",
		Repair:   "repaired, as acknowledged; and a process that hears a lower id announced than its own begins an election.",
		Idle:     []string{"rule 4c"},
	},
	{
		Name: "live", Place: sectionI,
		Text: "\"Each election algorithm must satisfy safety and liveness conditions.\" (A process that takes part is sooner or later " +
			"out of the election and has a coordinator; one whose coordinator failed gets another.)",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(faults("e2"), keep("re-election", crashes, newcomers, comesBack),
			faults("e2").Of("rules"), keep("re-election", crashes, newcomers, comesBack).Of("rules"), readings("e2", other[1:]...),
			keep("e2", crashes, comesBack).Of("tie-breaker"), keep("e2", crashes, comesBack).Of("answers-leader"),
			mended("e2"), keep("stable-leadership", newcomers, comesBack).Of("repaired")),
		Note: "A process that joins waits for an answer. If no Candidate is up, nothing ends the wait: the source mentions no limit " +
			"to it. With a limit (rules) the claim holds. The claim asks that some process is coordinator, not that all have the same " +
			"one: see acknowledged.",
		Story:  "murshedallen-newcomer-waits",
		Repair: "rules: a process that joins and gets no answer begins an election",
		Idle:   []string{"rule 4c"},
	},
	{
		Name: "terminated", Place: sectionI,
		Text:    "\"Once the coordinator is selected, the processes reach a state known as a terminated state.\" (Messages cease.)",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(faults("termination"), readings("termination", other...),
			mended("termination")),
		Note: "The source says this of election algorithms in general. Elections end, though perhaps in a disagreement.",
		Idle: []string{"rule 4c"},
	},
	{
		Name: "sets", Place: "section III",
		Text: "\"N/2 Candidate processes and N/2 Ordinary processes, where N is the total number of processes.\"",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{ledger.Adds("Candidates that Table I counts for N = 5: 5/2", "5/2", fmt.Sprint(candidatesOf(5)))},
		Note: "The 5 processes of Tables I and II have no half. The row of Table I is right with 3 Candidates, one of them the " +
			"coordinator that has failed; with 2 it would be 7 messages.",
	},
}

var joining = []ledger.Claim{
	{
		Name: "joiner-leads", Place: "rule 4c",
		Text: "A process that joins and has a higher id than the coordinator \"initiates a new election procedure\" (and so becomes " +
			"coordinator, where no other fails or joins).",
		Kind:    ledger.LivenessClaim,
		Outcome: ledger.Refuted,
		Evidence: slices.Concat(keep("e2", newcomer, "n=4 start=settled joins=1"), keep("extreme", newcomer, "n=4 start=settled joins=1"),
			keep("stable-leadership", newcomer, "n=4 start=settled joins=1"), keep("e2", newcomer, "n=4 start=settled joins=1").Of("rules"),
			keep("extreme", newcomer, "n=4 start=settled joins=1").Of("rules"), keep("stable-leadership", newcomer, "n=4 start=settled joins=1").Of("rules"),
			keep("stable-leadership", newcomer, "n=4 start=settled joins=1").Of("repaired")),
		Note: "By rule 4a a process asks the Candidates above it. If one of these is up, the coordinator is above it, too; if none " +
			"is, no process answers. So rule 4c never applies while nothing else happens: it needs a wrong answer, as where three " +
			"join. The process with the highest id waits for ever. The claim is true if a process that has none to ask, or gets no " +
			"answer, begins an election (rules).",
		Story:  "murshedallen-newcomer-waits",
		Repair: "rules: a process that joins and gets no answer begins an election",
		Needs:  []string{"join", "rule 4a", "rule 4b"},
	},
	{
		Name: "joining-elects", Place: "section III.A",
		Text:    "\"When a new process joins [...], the election procedure must start.\"",
		Kind:    ledger.CountClaim,
		Outcome: ledger.Refuted,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.BestCase, announcements, ledger.AtLeast, 1, "n=4 start=settled joins=1 joiners=1,2,3").After(afterJoin, joined),
			ledger.Takes(cost.BestCase, announcements, ledger.AtLeast, 1, "n=4 start=settled joins=1 joiners=1,2,3 timing=sync:2").
				After(afterJoin, joined),
			ledger.Takes(cost.BestCase, announcements, ledger.AtLeast, 1, "n=4 start=settled joins=1 joiners=4").After(afterJoin, joined).
				Beside("where it has the highest id"),
		},
		Note: "By the paper's own rule 4c an election begins only if the id of the process is higher than the coordinator's. A " +
			"process with a lower id asks, is answered, and follows; it announces nothing.",
		Needs: []string{"rule 4a", "rule 4b", "rule 4c", "join"},
	},
	{
		Name: "rearranged", Place: "section III.A",
		Text:    "\"When a new process joins the system the set cardinality must be rearranged.\"",
		Kind:    ledger.SafetyClaim,
		Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			keep("extreme", newcomer, "n=4 start=settled joins=1").Beside("the sets stay as they are"),
			keep("extreme", newcomer, "n=4 start=settled joins=1").Of("rearranges").Beside("they begin at the coordinator")),
		Note: "No rule says how. In the scope all processes are known beforehand, also those that join, so halves remain halves; a " +
			"process that none knew of is outside it. There the claim is not needed: with sets that never change (rules) and with " +
			"sets that move with the coordinator (rearranges) the same claims hold and break.",
	},
}

// announcements counts coordinator messages.
var announcements = cost.Measure{Kind: "coordinator"}

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

const afterJoin = "from when it joins"

// candidatesOf is the number of Candidates among n processes.
func candidatesOf(n int) int { return (n + 1) / 2 }

// table1 is what Table I has: election to each Candidate, an OK from each but
// the coordinator that has failed, coordinator to all others.
func table1(n int) int { return candidatesOf(n) + candidatesOf(n) - 1 + n - 1 }

// alone is an election of n processes, the coordinator among them, of which p
// alone detects that it has failed.
func alone(n, p int) string { return fmt.Sprintf("n=%d start=coordinator-down detectors=%d", n, p) }

// anybody is such an election where any may detect it.
func anybody(n int) string { return fmt.Sprintf("n=%d start=coordinator-down", n) }

// both returns evidence on a cost under both delay bounds.
func both(c cost.Case, r ledger.Relation, figure int, setting string) []ledger.Evidence {
	return []ledger.Evidence{
		ledger.Takes(c, cost.Measure{}, r, figure, setting+" timing=sync:1"),
		ledger.Takes(c, cost.Measure{}, r, figure, setting+" timing=sync:2"),
	}
}

var asks = []string{"rule 1a", "rule 2", "rule 3", "message OK", "suspect"}

var costs = []ledger.Claim{
	{
		Name: "best-order", Place: "section III.A",
		Text:     "\"Best case: O(n).\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: bestOrder(),
		Note: "It takes n messages for 2 to 6 processes, where the one below the coordinator detects its failure: one election " +
			"message to the coordinator and n-1 announcements.",
		Needs: []string{"rule 1b", "rule 3", "suspect"},
	},
	{
		Name: "worst-order", Place: "section III.A",
		Text:     "\"Worst case: O(n²).\"",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: worstOrder(),
		Note: "If nothing else fails, each of n-1 processes that detect the failure holds one election, of at most as many messages " +
			"as Table I has. There are 8, 16 and 30 for 3, 4 and 5 processes; 16 and 30 are more than the n²-1 of the Bully column of " +
			"Table I. If another process fails meanwhile there are more: 38 for four processes.",
		Needs: asks,
	},
	{
		Name: "fewer-than-bully", Place: "section III, Table I",
		Text:     "It improves on the Bully algorithm: fewer messages in the worst case.",
		Kind:     ledger.CountClaim,
		Outcome:  ledger.Confirmed,
		Evidence: fewerThanBully(),
		Note: "Where only the lowest process detects the failure, Table I has 9 against 24 for five processes; the Bully algorithm " +
			"really sends at least 20. Where any may detect it, it is 8 against 9 among three and 16 against 23 among four. The " +
			"reason is that a process that is asked does not begin an election. In the best case (Table II) neither takes fewer.",
		Needs: asks,
	},
	{
		Name: "table1-5", Place: "Table I, 5 processes, the improved algorithm",
		Text:    "9 messages in the worst case.",
		Kind:    ledger.CountClaim,
		Outcome: ledger.Confirmed,
		Evidence: slices.Concat(both(cost.WorstCase, ledger.Exactly, 9, alone(5, 1)), both(cost.WorstCase, ledger.AtMost, 9, alone(5, 2)),
			both(cost.WorstCase, ledger.AtMost, 9, alone(5, 3)), both(cost.WorstCase, ledger.AtMost, 9, alone(5, 4)),
			[]ledger.Evidence{
				ledger.Adds("3 election, 2 OK, 4 coordinator", 9, table1(5)),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 9, alone(5, 1)).Of("knows-down"),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 9, alone(5, 1)+" crashes=1").
					Beside("where another process fails"),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 9, alone(5, 1)+" timing=last-resort").
					Beside("under last resort"),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 9, anybody(4)).Beside("four processes, any of which may detect"),
			}),
		Note: "This is right where one process detects the failure and no other fails. It counts a message to the coordinator that " +
			"has failed. It is not the worst case: if several processes detect the failure, four processes send up to 16.",
		Needs: asks,
	},
	{
		Name: "table1-10", Place: "Table I, 10 processes, the improved algorithm",
		Text:    "18 messages in the worst case.",
		Kind:    ledger.CountClaim,
		Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 18, alone(10, 1)+" timing=sync:1"),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 18, alone(10, 1)+" timing=sync:2"),
			ledger.Adds("5 election, 4 OK, 9 coordinator", 18, table1(10)),
		},
		Note:  "For the conditions see table1-5.",
		Needs: asks,
	},
	{
		Name: "table1-20", Place: "Table I, 20 processes, the improved algorithm",
		Text:    "38 messages in the worst case.",
		Kind:    ledger.FigureClaim,
		Outcome: ledger.Right,
		Evidence: []ledger.Evidence{
			ledger.Adds("10 election, 9 OK, 19 coordinator", 38, table1(20)),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, table1(12), alone(12, 1)).Beside("12 processes"),
		},
		Note: "For the conditions see table1-5. A search of 20 processes is too large. Though the paper says \"O(n²)\", it grows no " +
			"faster than n.",
	},
	tableII("table2-5", 5, 4, 4), tableII("table2-10", 10, 9, 9),
	{
		Name: "table2-20", Place: "Table II, 20 processes, the improved algorithm",
		Text:    "19 messages in the best case.",
		Kind:    ledger.FigureClaim,
		Outcome: ledger.Wrong,
		Finding: "table2-5",
		Evidence: []ledger.Evidence{
			ledger.Adds("1 election, 19 coordinator", 19, 1+19),
		},
		Note: tableIINote + " 20 processes are more than are searched.",
	},
}

func bestOrder() (list []ledger.Evidence) {
	for n := 2; n <= 4; n++ {
		list = append(list, both(cost.BestCase, ledger.Exactly, n, anybody(n))...)
	}
	for n := 5; n <= 6; n++ {
		list = append(list, ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, n, alone(n, n-1)))
	}
	return list
}

// What the Bully algorithm sends, the coordinator having failed; a test computes
// it.
const (
	bullyFive  = 20 // among five, where the lowest alone detects it: at least
	bullyThree = 9  // at worst among three, where any may
	bullyFour  = 23 // at worst among four, where any may
)

func fewerThanBully() (list []ledger.Evidence) {
	list = both(cost.WorstCase, ledger.AtMost, bullyFive-1, alone(5, 1))
	list = append(list, both(cost.WorstCase, ledger.AtMost, bullyThree-1, anybody(3))...)
	return append(list, both(cost.WorstCase, ledger.AtMost, bullyFour-1, anybody(4))...)
}

func worstOrder() (list []ledger.Evidence) {
	for n := 3; n <= 4; n++ {
		list = append(list, both(cost.WorstCase, ledger.AtMost, (n-1)*table1(n), anybody(n))...)
	}
	return append(list,
		ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 4*table1(5), anybody(5)).InDeep(),
		ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 3*table1(4), anybody(4)+" crashes=1").
			Beside("where another process fails"))
}

// tableII is a row of Table II: printed messages at best among n processes,
// where p detects the failure.
func tableII(name string, n, p, printed int) ledger.Claim {
	best := both(cost.BestCase, ledger.Exactly, printed, alone(n, p))
	finding := "table2-5"
	if name == finding {
		finding = ""
	}
	return ledger.Claim{
		Finding: finding,
		Name:    name, Place: fmt.Sprintf("Table II, %d processes, the improved algorithm", n),
		Text:    fmt.Sprintf("%d messages in the best case.", printed),
		Kind:    ledger.CountClaim,
		Outcome: ledger.Refuted,
		Evidence: append(best,
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, printed, alone(n, p)).Of("knows-down")),
		Note:  tableIINote,
		Needs: []string{"rule 1b", "rule 3", "suspect"},
	}
}

const tableIINote = "The process below the coordinator sends election to it, which has failed, and then n-1 announcements: n. The row is right " +
	"where it does not ask the coordinator that it has just found dead (knows-down); but Table I counts that message. The two " +
	"tables agree with no one reading."
