package invitation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/invitation"
	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/setting"
)

var system = play.In(invitation.Algorithm)

// Each test has a step of the paper's procedures and a run that shows it: what
// its last action sends, and what nodes are in then.
func TestStepsOfTheProcedures(t *testing.T) {
	const (
		apart    = "n=2 channels=fifo detector=off timing=sync:1"
		together = "n=3 channels=fifo detector=off timing=sync:1 start=settled crashes=1 restarts=1"
	)
	finding := []string{
		"tick", "tick", "2 times out (period)", "2->1 AreYouCoordinator(2:1)", "1->2 coordinator: yes(2:1)",
	}
	after := func(more ...string) []string { return append(finding[:len(finding):len(finding)], more...) }
	sentences := []play.Sentence{
		{
			Says: "Recovery: the node forms a group of its own, Normal.", Setting: apart,
			Then: map[model.ID]string{1: "names 1", 2: "names 2"},
		},
		{
			Says: "Check: if s = Normal and c = i, call AreYouCoordinator of all others.", Setting: apart,
			Run:   []string{"tick", "tick", "1 times out (period)"},
			Sends: "1->2 AreYouCoordinator(1:1)",
		},
		{
			Says: "AreYouCoordinator: yes if s = Normal and c = i.", Setting: apart, Run: finding[:4],
			Sends: "1->2 coordinator: yes(2:1)",
		},
		{
			Says: "Check, of the highest: Merge; s := Election, a new group, Invitation to all that were found.", Setting: apart,
			Run: finding, Sends: "2->1 Invitation(2, 2:2)",
			Then: map[model.ID]string{2: "names nobody, in an election"},
		},
		{
			Says: "Check, of a lower one: wait.", Setting: apart,
			Run:  []string{"tick", "tick", "1 times out (period)", "1->2 AreYouCoordinator(1:1)", "2->1 coordinator: yes(1:1)"},
			Then: map[model.ID]string{1: "names 1", 2: "names 2"},
		},
		{
			Says: "Invitation: if s = Normal then s := Election, c := j, g := the new group, call Accept(j).", Setting: apart,
			Run:   after("2->1 Invitation(2, 2:2)"),
			Sends: "1->2 Accept(2:2)",
			Then:  map[model.ID]string{1: "names nobody, in an election"},
		},
		{
			Says: "Accept: if s = Election, c = i and the group is g, one more in Up.", Setting: apart,
			Run:   after("2->1 Invitation(2, 2:2)", "1->2 Accept(2:2)"),
			Sends: "2->1 accepted(2:2)",
		},
		{
			Says: "Invitation, accepted: s := Reorganization.", Setting: apart,
			Run:  after("2->1 Invitation(2, 2:2)", "1->2 Accept(2:2)", "2->1 accepted(2:2)"),
			Then: map[model.ID]string{1: "names 2, in an election", 2: "names nobody, in an election"},
		},
		{
			Says: "Merge, after a reasonable time: s := Reorganization, Ready to all of Up.", Setting: apart,
			Run: after("2->1 Invitation(2, 2:2)", "1->2 Accept(2:2)", "2->1 accepted(2:2)", "tick", "tick",
				"1 times out (long time)", "1->2 AreYouThere(2:2)", "2->1 there: yes(2:2)", "tick", "2 times out (reasonable time)"),
			Sends: "2->1 Ready(2:2, 2)",
			Then:  map[model.ID]string{2: "names 2, in an election"},
		},
		{
			Says: "Ready: if s = Reorganization and the group is g then d := x, s := Normal.", Setting: apart,
			Run: after("2->1 Invitation(2, 2:2)", "1->2 Accept(2:2)", "2->1 accepted(2:2)", "tick", "tick",
				"1 times out (long time)", "1->2 AreYouThere(2:2)", "2->1 there: yes(2:2)", "tick", "2 times out (reasonable time)",
				"2->1 Ready(2:2, 2)", "1->2 ready(2:2)"),
			Then: map[model.ID]string{1: "names 2", 2: "names 2"},
		},
		{
			Says: "Timeout: call AreYouThere(c, g).", Setting: together,
			Run:   []string{"tick", "tick", "1 times out (long time)"},
			Sends: "1->3 AreYouThere(3:1)",
		},
		{
			Says: "Timeout: on timeout, Recovery.", Setting: together,
			Run: []string{
				"3 crashes", "tick", "tick", "1 times out (long time)", "2 times out (long time)", "tick",
				"1->3 AreYouThere(3:1) is dropped", "2->3 AreYouThere(3:1) is dropped", "tick", "1 times out (T)",
			},
			Then: map[model.ID]string{1: "names 1", 2: "names 3"},
		},
		{
			Says: "AreYouThere: no, if the group is another one. Timeout: if the answer is no, Recovery.", Setting: together,
			Run: []string{
				"3 crashes", "3 restarts", "tick", "tick", "1 times out (long time)", "1->3 AreYouThere(3:1)", "3->1 there: no(3:1)",
			},
			Then: map[model.ID]string{1: "names 1", 2: "names 3", 3: "names 3"},
		},
	}
	play.Show(t, invitation.Algorithm, "", "", sentences)
}

// A coordinator that is invited takes its members with it.
func TestMembersComeAlong(t *testing.T) {
	p := play.Start(t, system(t, "", "n=3 channels=fifo detector=off timing=patient start=settled joins=1 joiners=3"))
	p.Do("3 joins", "3 times out (period)", "3->1 AreYouCoordinator(3:1)", "1->3 coordinator: no(3:1)", "3->2 AreYouCoordinator(3:1)",
		"2->3 coordinator: yes(3:1)", "3->2 Invitation(3, 3:2)")
	assert.Equal(t, "2->1 Invitation(3, 3:2), 2->3 Accept(3:2)", p.Sent())
	p.Do("2->1 Invitation(3, 3:2)", "1->3 Accept(3:2)", "2->3 Accept(3:2)", "3->1 accepted(3:2)", "3->2 accepted(3:2)",
		"3 times out (reasonable time)", "3->1 Ready(3:2, 2)", "1->3 ready(3:2)", "3->2 Ready(3:2, 2)", "2->3 ready(3:2)")
	for id := range model.Upto(3).All() {
		assert.Equal(t, "names 3", p.Of(id))
	}
}

func TestProtocol(t *testing.T) {
	play.Protocols(t, "n=2 channels=fifo crashes=1 restarts=1 detector=off", &invitation.Protocol{}, &invitation.Protocol{Volatile: true})
}

// The pause is what ends it: the same nodes, with pauses of three lengths.
func TestPauses(t *testing.T) {
	for _, tt := range []struct {
		variant string
		n       int
		start   string
		want    checker.Verdict
	}{
		{"equal-waits", 2, "cold", checker.Violated},
		{"short-pauses", 2, "cold", checker.Holds},
		{"short-pauses", 3, "cold", checker.Holds},
		{"short-pauses", 3, "settled joins=1", checker.Violated},
		{"original", 3, "settled joins=1", checker.Holds},
	} {
		setting := fmt.Sprintf("n=%d channels=fifo detector=off timing=sync:1 start=%s", tt.n, tt.start)
		concludes, err := invitation.Algorithm.Property("assertion-4")
		require.NoError(t, err)
		r := play.Check(t, system(t, tt.variant, setting), concludes)
		assert.Equal(t, tt.want, r.Verdict(), "%s, %s", tt.variant, setting)
	}
}

// Three nodes that begin alone, one of them cut off for good or not at all.
func ExampleProtocol() {
	for _, text := range []string{
		"n=3 channels=fifo detector=off timing=sync:1",
		"n=3 channels=fifo detector=off timing=sync:1 start=settled cuts=1",
	} {
		in, err := setting.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		sys, err := model.New(&invitation.Protocol{}, in)
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: invitation.Algorithm.Properties})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.Verdict(), report.Distinct)
	}
	// Output:
	// holds 9252
	// holds 7427
}
