package shirali_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/shirali"
	"bullyproof/model"
)

func TestProtocol(t *testing.T) {
	play.Protocols(t, shirali.Algorithm.Variants[0].Setting.String(), &shirali.Protocol{Reach: 1}, &shirali.Protocol{})
}

// Each test has a part of the sentence that describes the algorithm, or a rule of
// the reconstruction, and a run that shows it.
func TestTheDescription(t *testing.T) {
	const down = "n=5 topology=biring:repaired arrangement=1-2-3-4-5 start=coordinator-down channels=fifo timing=async"
	out := []string{"1 suspects 5", "prev->2 Election(1,1, 1 more)", "next->4 Election(1,1, 1 more)"}
	out = out[:len(out):len(out)]
	// The group of 1 ends at 3, whom its message reaches from 2, and who is head of
	// a group of its own: 4 is in a group then.
	ended := append(out, "prev->3 Election(1,2)", "next->3 Election(1,4)")
	ended = ended[:len(ended):len(ended)]
	back := append(ended, "next->2 Result(1,2)", "next->1 Result(1,2)", "prev->4 Election(3,3, 1 more)", "prev->4 Result(1,4)")
	back = back[:len(back):len(back)]

	// Two groups on a ring of three: 3 is in that of 2.
	const three = "n=3 topology=biring arrangement=1-2-3 initiators=1,2:lazy channels=fifo timing=async"
	two := []string{
		"1 starts an election", "2 starts an election", "prev->3 Election(2,2)", "next->3 Election(1,1)", "next->1 Election(2,2)",
		"prev->1 Election(2,3)", "prev->2 Election(1,1)", "next->1 Result(1,1)", "prev->1 Result(1,1)", "prev->2 Result(2,2)",
	}
	two = two[:len(two):len(two)]
	both := append(two, "prev->2 Compare(1)", "next->3 Result(2,3)", "next->2 Result(2,3)")
	home := append(both[:len(both):len(both)], "prev->3 Compare(3)", "prev->1 Compare(3)", "prev->2 Compare(3)")
	home = home[:len(home):len(home)]
	play.Show(t, shirali.Algorithm, "", down, []play.Sentence{
		{
			Says: "creates groups of processes", Run: out[:1],
			Rule:  "1: create a group around oneself: send Election both ways",
			Sends: "1->2 Election(1,1, 1 more), 1->4 Election(1,1, 1 more)",
			Then:  map[model.ID]string{1: "names nobody, in an election", 2: "names 5"},
		},
		{
			Says: "distributes the election in them", Run: out[:2],
			Sends: "2->3 Election(1,2)",
			Then:  map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "a group has two neighbours: the next process is head of another", Run: append(out, "prev->3 Election(1,2)"),
			Rule:  "3: an Election message that goes no further: the group ends here, send the result back",
			Sends: "3->2 Result(1,2), 3->4 Election(3,3, 1 more), 3->2 Election(3,3, 1 more)",
		},
		{
			Says: "a group goes as far as the next one", Variant: "informers",
			Run:   []string{"1 suspects 5", "2 suspects 5", "prev->2 Election(1,1)"},
			Sends: "2->1 Result(1,1)",
		},
		{
			Says: "where it ends, the result goes back", Run: ended,
			Sends: "3->4 Result(1,4)",
		},
		{
			Says: "group's coordinator: both sides are back", Run: append(back, "prev->1 Result(1,4)"),
			Rule:  "4: the results of both sides are in: send the group's coordinator to the next head",
			Sends: "1->2 Compare(4)",
		},
		{
			Says: "compared group's coordinator with each other: it waits for its own", Setting: three, Variant: "informers",
			Run:  append(two, "prev->2 Compare(1)"),
			Rule: "5: a group's coordinator comes before one's own is elected: keep the greatest",
			Then: map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "the greater of the two goes on", Setting: three, Variant: "informers", Run: both,
			Rule:  "4: the results of both sides are in: send the group's coordinator to the next head",
			Sends: "2->3 Compare(3)",
		},
		{
			Says: "a greater group's coordinator passes", Setting: three, Variant: "informers", Run: home[:len(home)-1],
			Rule: "6: a greater group's coordinator: pass it on", Sends: "1->2 Compare(3)",
		},
		{
			Says: "to elect the main coordinator afterward", Setting: three, Variant: "informers", Run: home,
			Rule:  "8: one's own group's coordinator comes back: it is the main coordinator, announce it",
			Sends: "2->3 Coordinator(3)",
			Then:  map[model.ID]string{2: "names 3", 3: "names nobody, in an election"},
		},
		{
			Says: "and everybody learns of it", Setting: three, Variant: "informers",
			Run:   append(home, "prev->3 Coordinator(3)"),
			Sends: "3->1 Coordinator(3)",
			Then:  map[model.ID]string{3: "names 3"},
		},
	})
}
