package surrogatering

import (
	"slices"

	"bullyproof/ledger"
)

// claims are what the paper on FCEABR says of the algorithm.
var claims = []ledger.Claim{
	{
		Name: "fault-tolerance", Place: "section II",
		Text: "It modified the \"ring algorithm to apply fault tolerance to it by choosing another process as surrogate coordinator\": " +
			"every process that knows that the coordinator has failed has another one, which is up.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			keep(down, "served", "live-coordinator", "uniqueness"), keep(down, "served", "live-coordinator", "uniqueness").Of("takes-over"),
			keep(second, "served").Beside("one more process fails"), keep(second, "served").Of("takes-over").Beside("one more process fails"),
		),
		Note: "This is true of the coordinator's own failure, in both readings. If the surrogate fails as well, no process stands in, " +
			"and one that notices that later begins an election, as in the Ring algorithm.",
		Needs: []string{"suspect", "message Election", "message Coordinator"},
	},
	{
		Name: "elects", Place: "section II, and what it says of the Ring algorithm",
		Text: "\"When the packet comes back to informer process, it'll elect coordinator, make a Coordinator packet, and broadcast new " +
			"coordinator's number to the network\": in the end all follow the highest that is up.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Undecided,
		Evidence: slices.Concat(
			keep(down, "agreement", "extreme", "e2", "re-election", "termination"),
			keep(down, "agreement", "extreme", "e2", "re-election", "termination").Of("takes-over"),
			keep(begun, "agreement", "extreme", "e2", "termination"),
			keep(second[:1], "e2", "termination").Beside("one more process fails"),
		),
		Note: "A packet is lost with a process that crashes while it is there, and goes round for ever if its informer crashes. The " +
			"Ring algorithm has the same fault (see silberschatz), and a surrogate does not help.",
		Needs: []string{"message Election", "message Coordinator"},
	},
}

// Scopes: rings whose coordinator has crashed, such in which another process may
// crash, and such that have had no coordinator. Delays are unbounded, and messages
// arrive in any order.
var (
	down = []string{
		"n=4 topology=ring:repaired start=coordinator-down timing=async",
		"n=5 topology=ring:repaired start=coordinator-down detectors=1 channels=fifo timing=lockstep",
	}
	second = []string{"n=4 topology=ring:repaired arrangement=1-2-3-4 start=coordinator-down detectors=1 crashes=1 channels=fifo timing=lockstep"}
	begun  = []string{"n=3 topology=ring initiators=any:lazy timing=async"}
)

// keep is evidence that properties hold in settings.
func keep(settings []string, properties ...string) ledger.EvidenceList {
	return ledger.KeepsIn(settings, properties...)
}
