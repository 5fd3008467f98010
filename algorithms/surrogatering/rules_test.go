package surrogatering_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/surrogatering"
	"bullyproof/model"
)

func TestProtocol(t *testing.T) {
	play.Protocols(t, surrogatering.Algorithm.Variants[0].Setting.String(), &surrogatering.Protocol{}, surrogatering.TakesOver{Protocol: &surrogatering.Protocol{}})
}

// Each test has words of the description, or a rule of the reconstruction, and a
// run that shows it.
func TestTheDescription(t *testing.T) {
	const (
		down = "n=4 topology=ring:repaired arrangement=1-2-3-4 start=coordinator-down channels=fifo timing=async"
		both = "n=4 topology=ring:repaired arrangement=1-2-3-4 start=coordinator-down crashes=1 channels=fifo timing=async"
	)
	round := []string{"1 suspects 4", "prev->2 Election by 1, 4 down: {1}", "prev->3 Election by 1, 4 down: {1,2}"}
	round = append(round, "prev->1 Election by 1, 4 down: {1,2,3}")
	told := []string{"1 suspects 4", "prev->2 Crash by 1, 4 down: to 3", "prev->3 Crash by 1, 4 down: to 3"}
	play.Show(t, surrogatering.Algorithm, "", down, []play.Sentence{
		{
			Says: "each process which figures out the failure must create an Election packet; the surrogate stands in", Run: round[:1],
			Rule:  "1: create an Election packet; the surrogate stands in for who has failed",
			Sends: "1->2 Election by 1, 4 down: {1}",
			Then:  map[model.ID]string{1: "names 3, in an election", 2: "names 4"},
		},
		{
			Says: "and collect all active processes numbers", Run: round[:2],
			Sends: "2->3 Election by 1, 4 down: {1,2}",
			Then:  map[model.ID]string{2: "names 3"},
		},
		{
			Says: "choosing another process as surrogate coordinator", Run: round,
			Rule:  "3: one's own Election comes back: choose coordinator and surrogate, make a Coordinator packet",
			Sends: "1->2 Coordinator by 1: 3, then 2",
			Then:  map[model.ID]string{1: "names 3"},
		},
		{
			Says: "broadcast new coordinator's number", Run: append(round[:4:4], "prev->2 Coordinator by 1: 3, then 2"),
			Sends: "2->3 Coordinator by 1: 3, then 2",
			Then:  map[model.ID]string{2: "names 3"},
		},
		{
			Says: "who notices tells the surrogate", Variant: "takes-over", Run: told[:1],
			Sends: "1->2 Crash by 1, 4 down: to 3",
			Then:  map[model.ID]string{1: "names 3, in an election"},
		},
		{
			Says: "the surrogate takes over", Variant: "takes-over", Run: told,
			Rule:  "8: the surrogate is told: be coordinator, and look for a surrogate",
			Sends: "3->1 Election by 3, 4 down, for 3: {3}",
			Then:  map[model.ID]string{3: "names 3, in an election"},
		},
		{
			Says: "the surrogate has failed, too", Variant: "takes-over", Setting: both,
			Run:   []string{"1 suspects 4", "3 crashes", "prev->2 Crash by 1, 4 down: to 3", "prev->1 Crash by 1, 4 down: to 3"},
			Rule:  "9: one's own Crash comes back: the surrogate has failed, too",
			Sends: "1->2 Election by 1, 3 down: {1}",
		},
	})
}
