package kabashi

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/checker"
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
	// starts: the system starts, and any may begin.
	starts = "n=3 start=cold initiators=all:lazy"
)

// keeps is evidence on a property in scopes, under both delay bounds.
func keeps(property string, scopes ...string) (list []checker.Evidence) {
	for _, s := range scopes {
		list = append(list, checker.Keeps(property, s+" timing=sync:1"), checker.Keeps(property, s+" timing=sync:2"))
	}
	return list
}

// of is evidence about another variant.
func of(variant string, list []checker.Evidence) []checker.Evidence {
	list = slices.Clone(list)
	for i := range list {
		list[i] = list[i].Of(variant)
	}
	return list
}

// beside is evidence that decides nothing.
func beside(why string, list []checker.Evidence) []checker.Evidence {
	list = slices.Clone(list)
	for i := range list {
		list[i] = list[i].Beside(why)
	}
	return list
}

// faults are the scopes with everything that the paper says processes do.
func faults(property string) []checker.Evidence {
	return slices.Concat(
		keeps(property, crashes, crashOfFour, newcomers, comesBack),
		[]checker.Evidence{
			checker.Keeps(property, crashesOfFour), checker.Keeps(property, joinsElection), checker.Keeps(property, starts),
			checker.Keeps(property, crashesOfFour+" timing=sync:2").InDeep(),
			checker.Keeps(property, joinsElection+" timing=sync:2").InDeep(),
		},
	)
}

// readings are the verdicts of the other readings on a safety property, where
// one process fails and where two join.
func readings(property string) (list []checker.Evidence) {
	for _, v := range []string{"goes-on", "knows-all", "keeps-smaller", "pseudocode", "pseudocode-letter"} {
		list = append(list, checker.Keeps(property, "n=4 start=settled crashes=1").Of(v), checker.Keeps(property, newcomers).Of(v))
	}
	return list
}

// onlyCrashes shows beside the verdict what is true where nobody joins.
func onlyCrashes(property string) []checker.Evidence {
	return beside("nobody joins or comes back", keeps(property, crashes, crashOfFour))
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
	func(from, to *model.View) bool {
		return from.Participants.Empty() || (to.Participants &^ from.Participants).Empty()
	})

// claims are what the paper says of its algorithm, and the figures that it
// prints for the Bully algorithm.
var claims = slices.Concat(safety, liveness, procedure, costs, tables, comparison)

var safety = []checker.Claim{
	{
		Name: "one-coordinator", Place: "abstract, sections IV, VI and VII",
		Text:    "\"It ensures that the system has only one coordinator at any given time.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Refuted,
		Evidence: slices.Concat(faults("uniqueness"), onlyCrashes("uniqueness"),
			readings("uniqueness"), of("sparse", keeps("uniqueness", newcomer)), of("repaired", faults("uniqueness"))),
		Note: "Whoever joins with a lower id is coordinator from the moment it says so, and the coordinator so far remains one " +
			"until it has been told. Where nobody joins or comes back the rules of section IV keep the claim; the pseudocode, " +
			"and a reading in which the second minimum ID is that of the living, do not even then.",
		Story: "kabashi-duplicate-coordinator",
		Repair: "repaired: whoever announces itself takes office a round trip later. By then all that are up have been told, and " +
			"whoever has a lower id has objected.",
	},
	{
		Name: "one-in-the-end", Place: "section IV, rule 6",
		Text: "Whoever receives COORDINATOR with a higher id than its own announces itself: \"This ensures that we have only one " +
			"coordinator at any given time.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Refuted,
		Evidence: slices.Concat(faults("settled-uniqueness"), onlyCrashes("settled-uniqueness"),
			readings("settled-uniqueness"), []checker.Evidence{
				checker.Keeps("settled-uniqueness", joinsElection).Of("knows-all"),
				checker.Keeps("settled-uniqueness", joinsElection).Of("keeps-smaller"),
			}, of("repaired", faults("settled-uniqueness"))),
		Note: "This judges rule 6 when all messages have arrived: even then two may be left that each believe themselves " +
			"coordinator. Rule 6 protects a process from announcements of higher ids. It does not protect the others from an older " +
			"announcement that arrives last, and that may be one that makes its receiver coordinator. In the readings where a " +
			"process goes on with its election, the failure of one coordinator is enough for that.",
		Story: "kabashi-two-minima",
		Repair: "repaired: a process ignores announcements of higher ids than that of its coordinator, which it forgets when it " +
			"notices its failure.",
	},
	{
		Name: "acknowledged", Place: "section I",
		Text: "\"Once a decision is made, a process is elected as the coordinator and all the other processes will acknowledge the " +
			"role of that process as the coordinator.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Refuted,
		Evidence: slices.Concat(faults("agreement"), onlyCrashes("agreement"), readings("agreement"),
			of("repaired", faults("agreement"))),
		Note: "Of two announcements that are in flight at once a process follows the one that arrives last. If that is the older " +
			"one, of a process which by then follows another, nothing ever corrects it: whom it follows is up.",
		Story: "kabashi-lasting-disagreement",
		Repair: "repaired: of two announcements the lower id counts, whichever comes last; and a process that joins goes by the " +
			"lowest that it is told of within a round trip.",
	},
	{
		Name: "smallest-wins", Place: "abstract, section IV, rule 4, section VI",
		Text:    "The algorithm \"chooses the process with the smallest ID as the coordinator\".",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Refuted,
		Evidence: slices.Concat(faults("extreme"), onlyCrashes("extreme"), readings("extreme"),
			of("repaired", faults("extreme"))),
		Note: "True where nobody joins or comes back. Otherwise as acknowledged: a process may be left that follows, or " +
			"is, a coordinator with another id.",
		Story:  "kabashi-larger-wins",
		Repair: "repaired, as acknowledged.",
	},
	{
		Name: "no-ids-known", Place: "section VI",
		Text:    "\"The processes do not need to know the ID of any process.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: slices.Concat(keeps("agreement", crashes, crashOfFour), keeps("extreme", crashes, crashOfFour),
			[]checker.Evidence{checker.Keeps("extreme", crashesOfFour), checker.Keeps("agreement", crashesOfFour)},
			of("sparse", keeps("extreme", crashes, crashOfFour)),
			of("knows-all", keeps("extreme", crashes, crashOfFour))),
		Note: "Elections come out right where processes fail, and no rule looks at any id but one's own, that of a message, and the " +
			"known minimum. That takes the reading in which the second minimum ID is the one above that minimum. Who is second " +
			"among the living (knows-all) cannot be told without their ids, and asking for it leads to two coordinators.",
		Needs: []string{"rule 1a", "rule 1b", "rule 2", "rule 3a", "rule 3b", "rule 4", "crash"},
	},
	{
		Name: "minimum-stays", Place: "section VI",
		Text:    "\"There is no need to update the minimum ID that the process may take.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Confirmed,
		Evidence: slices.Concat(keeps("extreme", crashes, crashOfFour), keeps("agreement", crashes, crashOfFour),
			[]checker.Evidence{checker.Keeps("extreme", crashesOfFour), checker.Keeps("agreement", crashesOfFour)}),
		Note:  "The process with that id may be down or absent; the rules need the number alone.",
		Needs: []string{"rule 1a", "rule 1b", "rule 2", "rule 3b", "rule 4", "crash"},
	},
	{
		Name: "any-topology", Place: "section VI",
		Text:    "\"It is suitable for different process topologies.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Beyond,
		Note: "The rules broadcast, and answer whoever asked. The paper does not say how either is done where not all are " +
			"connected, nor how messages are counted there. It was checked where every process can send to every other.",
	},
}

var liveness = []checker.Claim{
	{
		Name: "live", Place: "section I",
		Text: "\"Each election algorithm must satisfy safety and liveness conditions\"; elections are needed when the system starts " +
			"and when the coordinator fails. (Who takes part is sooner or later out of it and has a coordinator; who has one " +
			"that failed gets another; messages cease.)",
		Kind:    checker.LivenessClaim,
		Outcome: checker.Confirmed,
		Evidence: slices.Concat(faults("e2"), keeps("re-election", crashes, crashOfFour, newcomers, comesBack),
			keeps("termination", crashes, crashOfFour, newcomers, comesBack),
			of("waits", keeps("e2", "n=2 start=settled crashes=1 joins=1")),
			of("pseudocode", keeps("e2", "n=2 start=settled crashes=1 joins=1")),
			of("repaired", faults("e2")), of("repaired", keeps("stable-leadership", newcomers, comesBack))),
		Note: "It needs a limit to the wait for CID, which the paper does not mention: without one, a process that asks when there is " +
			"no coordinator waits for ever (waits, pseudocode). That somebody is coordinator is not that all have the same one: " +
			"see acknowledged.",
	},
	{
		Name: "keeps-its-part", Place: "section I",
		Text: "In an election each process is a participant or not. \"Once a process enters into a particular state, it remains in " +
			"that state until the end of the election.\"",
		Kind:    checker.LivenessClaim,
		Outcome: checker.Refuted,
		Evidence: slices.Concat(keeps("keeps-part", crashOfFour),
			[]checker.Evidence{checker.Keeps("keeps-part", "n=4 start=coordinator-down detectors=4").Beside("where one process notices")}),
		Note:  "Several may notice the failure one after another, and each is a participant from then until it is told.",
		Story: "kabashi-joins-in",
		Repair: "Not known: who notices cannot know of others before it is told. It does no harm where the elections come to the " +
			"same end.",
		Needs: []string{"rule 1b", "two participants at once"},
	},
}

var procedure = []checker.Claim{
	{
		Name: "one-initiator", Place: "section VII",
		Text:    "\"Unlike the Bully Algorithm, only one process initiates an election procedure and determines the coordinator.\"",
		Kind:    checker.SafetyClaim,
		Outcome: checker.Refuted,
		Evidence: []checker.Evidence{
			checker.Keeps("one-election", "n=4 start=coordinator-down timing=sync:1"),
			checker.Keeps("one-election", "n=4 start=coordinator-down timing=sync:2"),
			checker.Keeps("one-election", "n=3 start=coordinator-down").Beside("three processes, two of them up"),
			checker.Keeps("one-election", "n=4 start=coordinator-down detectors=4").Beside("where one process notices"),
			checker.Keeps("one-election", "n=4 start=coordinator-down").Of("repaired"),
		},
		Note:  "True of a process that is asked: it begins no election of its own. But all that notice the failure do.",
		Story: "kabashi-two-initiators",
		Repair: "Not known without a way to hold others back before they notice; tried was only what the other repairs need, which " +
			"makes concurrent elections agree.",
		Needs: []string{"rule 1b", "two participants at once"},
	},
	{
		Name: "first-two-do-not-elect", Place: "sections VI and VII",
		Text: "\"The first two processes do not initiate an election process\": the one with the minimum ID, and, when the " +
			"coordinator fails, the one with the second minimum ID automatically become coordinator.",
		Kind:     checker.CountClaim,
		Outcome:  checker.Confirmed,
		Evidence: firstTwo(),
		Needs:    []string{"rule 1a", "rule 5a", "join", "suspect"},
	},
	{
		Name: "join-without-election", Place: "section VI",
		Text:     "\"There is no need to start a new election when a new process joins the system.\"",
		Kind:     checker.CountClaim,
		Outcome:  checker.Confirmed,
		Evidence: withoutElection(),
		Note: "Where there is a coordinator. Where there is none, nobody answers, and what the process does then the paper does " +
			"not say; here it begins an election.",
		Needs: []string{"rule 5a", "rule 5b", "join"},
	},
}

// elections counts broadcasts of ELECTION.
var elections = checker.Measure{Unit: checker.Operations, Kind: "ELECTION"}

// broadcasts counts a broadcast as one message, as the paper does.
var broadcasts = checker.Measure{Unit: checker.Operations}

// messages counts a broadcast as the N-1 messages that it is elsewhere.
var messages = checker.Measure{}

// joined is true when nobody is missing any more.
func joined(v *model.View) bool { return v.Present.Len() == int(v.N) }

const afterJoin = "from when it joins"

func firstTwo() (list []checker.Evidence) {
	for n := 2; n <= 5; n++ {
		for _, d := range []int{1, 2} {
			second := fmt.Sprintf("n=%d start=coordinator-down detectors=2 timing=sync:%d", n, d)
			first := fmt.Sprintf("n=%d start=settled joins=1 joiners=1 timing=sync:%d", n, d)
			list = append(list,
				checker.Takes(checker.WorstCase, elections, checker.Exactly, 0, second), checker.Keeps("extreme", second),
				checker.Takes(checker.WorstCase, elections, checker.Exactly, 0, first).After(afterJoin, joined), checker.Keeps("extreme", first))
		}
	}
	return list
}

func withoutElection() (list []checker.Evidence) {
	for n := 2; n <= 5; n++ {
		for _, d := range []int{1, 2} {
			s := fmt.Sprintf("n=%d start=settled joins=1 timing=sync:%d", n, d)
			list = append(list, checker.Takes(checker.WorstCase, elections, checker.Exactly, 0, s).After(afterJoin, joined),
				checker.Takes(checker.WorstCase, elections, checker.Exactly, 0, s).After(afterJoin, joined).Of("sparse"))
		}
	}
	return append(list, checker.Takes(checker.WorstCase, elections, checker.Exactly, 0, joinsElection).
		After(afterJoin, joined).Beside("where the coordinator is down"))
}
