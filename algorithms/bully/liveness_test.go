package bully_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
)

// lives decides the standard liveness properties, each under weak fairness and
// then, if it is violated, under strong. It returns what is violated, for short:
// the length of the run and the step that begins its cycle, 0 where the run is
// over, and "strong" if that is still so under strong fairness.
func lives(t *testing.T, name, setting string) string {
	t.Helper()
	var props []*checker.Property
	for _, p := range checker.Liveness() {
		props = append(props, p, p.Under(checker.StrongFairness))
	}
	r := play.Check(t, variant(t, name, setting), props...)
	var found []string
	for i := 0; i < len(props); i += 2 {
		weak, strong := &r.Findings[i], &r.Findings[i+1]
		require.NotEqual(t, checker.Incomplete, weak.Verdict)
		if weak.Verdict != checker.Violated {
			require.Equal(t, weak.Verdict, strong.Verdict, "a run that is strongly fair is weakly fair")
			continue
		}
		text := fmt.Sprintf("%s %d/%d", weak.Property.Name, len(weak.Trace.Steps), weak.Trace.Lasso)
		if strong.Verdict == checker.Violated {
			text += " strong"
		}
		found = append(found, text)
	}
	return strings.Join(found, ", ")
}

// "Algorithm clearly meets the liveness condition E2, by the assumption of
// reliable message delivery." (C) Under any crashes, it does under synchrony in
// the readings of the book, of Wikipedia except for rule 4 literally, and with
// the repair. It does not
//   - without T', as on the slides, and where P's job is done once it was answered
//     (K): if the one who answered crashes, nobody ends the wait, or tells P;
//   - where a process that is asked begins anew each time (W4 literally): with
//     four processes two of them can ask the third so often that its T never
//     expires, since it does not tell them to stop;
//   - where a process that learns of a coordinator goes on waiting for answers: an
//     answer that comes later begins another wait.
func TestLivenessOfCrashes(t *testing.T) {
	most := 3
	if *play.Deep {
		most = 4
	}
	for n := 2; n <= most; n++ {
		for crashes := 1; crashes <= min(n, 3); crashes++ {
			for _, timing := range []string{"sync:1", "sync:2", "last-resort"} {
				if n == 4 && crashes > 1 && (timing == "sync:2" || crashes > 2) {
					continue // takes long
				}
				for _, v := range names() {
					setting := fmt.Sprintf("n=%d start=settled crashes=%d timing=%s", n, crashes, timing)
					want := `^$`
					switch {
					case (v == "tanenbaum" || v == "coulouris-noretry") && n > 2 && crashes > 1:
						want = `^e2 [57]/0 strong, stable-leadership [57]/0 strong, re-election \d+/0 strong$`
					case v == "wikipedia-again" && n > 3 && timing != "last-resort":
						want = `^e2 (17/7|22/8), stable-leadership (17/7|22/8), re-election (17/7|22/8), termination (17/7|22/8)$`
					case v == "coulouris-keeps-waiting" && n > 3 && timing != "last-resort":
						want = `^e2 (21/8|27/10) strong, stable-leadership (21/8|27/10) strong, termination (21/8|27/10) strong$`
					}
					assert.Regexp(t, want, lives(t, v, setting), "%s, %s", v, setting)
				}
			}
		}
	}
}

// answered are readings that differ from another one in the answer to one question. The
// claims judge them.
var answered = []string{"wikipedia-sends", "wikipedia-remembers", "wikipedia-sends-remembers", "tanenbaum-remembers", "tanenbaum-lower", "tanenbaum-once"}

// names returns those of the other readings.
func names() (list []string) {
	for _, v := range bully.Algorithm.Variants {
		if !slices.Contains(answered, v.Name) {
			list = append(list, v.Name)
		}
	}
	return list
}

// With processes that come back, everybody learns of somebody, and messages
// cease, and yet there need not be one leader in the end: that is the
// disagreement that agreement is about. Only who goes on waiting when it learns
// of a coordinator never leaves its election.
func TestLivenessOfRestarts(t *testing.T) {
	tests := []struct {
		setting string
		deep    bool
		want    map[string]string // "" is the rest; without it they are left out
	}{
		{"n=2 start=settled crashes=1 restarts=1", false, map[string]string{
			"coulouris": "", "coulouris-noretry": "", "coulouris-knows": "", "wikipedia-refuses": "",
			"coulouris-keeps-waiting": "e2 10/3 strong, stable-leadership 10/3 strong, termination 10/3 strong",
			"":                        "stable-leadership 9/0 strong",
		}},
		{"n=3 start=settled crashes=1 restarts=1", true, map[string]string{
			"coulouris": "stable-leadership 10/0 strong", "coulouris-noretry": "stable-leadership 10/0 strong",
			"coulouris-knows":         "stable-leadership 6/0 strong",
			"coulouris-keeps-waiting": "e2 11/3 strong, stable-leadership 17/3 strong, termination 11/3 strong",
			"":                        "stable-leadership 11/0 strong",
		}},
		{"n=3 start=settled crashes=1 restarts=1 timing=sync:2", true, map[string]string{
			"coulouris": "stable-leadership 12/0 strong", "coulouris-knows": "stable-leadership 6/0 strong",
			"coulouris-keeps-waiting": "e2 15/3 strong, stable-leadership 21/3 strong, termination 21/3 strong",
		}},
		{"n=3 start=settled crashes=1 restarts=1 timing=last-resort", true, map[string]string{
			"coulouris": "stable-leadership 8/0 strong", "coulouris-noretry": "stable-leadership 8/0 strong",
			"coulouris-knows":         "stable-leadership 6/0 strong",
			"coulouris-keeps-waiting": "e2 7/3 strong, stable-leadership 13/3 strong, termination 13/3 strong",
			"":                        "stable-leadership 9/0 strong",
		}},
		{"n=3 start=settled crashes=1 restarts=1 channels=fifo", true, map[string]string{
			"coulouris": "stable-leadership 10/0 strong", "coulouris-noretry": "stable-leadership 10/0 strong",
			"coulouris-knows":         "stable-leadership 6/0 strong",
			"coulouris-keeps-waiting": "stable-leadership 10/0 strong",
			"":                        "stable-leadership 11/0 strong",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.setting, func(t *testing.T) {
			if !*play.Deep && tt.deep {
				t.Skip("takes long: -deep")
			}
			for _, name := range names() {
				want, ok := tt.want[name]
				if !ok && name != "repaired" {
					want, ok = tt.want[""]
				}
				if !ok {
					continue
				}
				assert.Equal(t, want, lives(t, name, tt.setting), name)
			}
		})
	}
}

// Elections that begin again and again, with nobody failing once they have
// begun, and what it takes to end them.
func TestLiveLocks(t *testing.T) {
	tests := []struct{ name, setting, want string }{
		// T' of one process expires again and again, and T of another never, since
		// timers have no length. Strong fairness ends it, and so do T' > T and a
		// reading without T'.
		{"coulouris", "n=3 start=coordinator-down timing=patient",
			"e2 5/3, stable-leadership 5/3, re-election 5/3, termination 5/3"},
		{"wikipedia", "n=3 start=coordinator-down timing=patient",
			"e2 5/3, stable-leadership 5/3, re-election 5/3, termination 5/3"},
		{"coulouris", "n=3 start=coordinator-down timing=last-resort", ""},
		{"coulouris", "n=3 start=coordinator-down timing=sync:1", ""},
		{"coulouris-noretry", "n=3 start=coordinator-down timing=patient", ""},
		// The announcement overtakes the answer, and a process that goes on waiting
		// waits once more. No fairness ends it; the order of messages does, and so
		// does to end the wait when the announcement comes.
		{"coulouris-keeps-waiting", "n=2 initiators=1 timing=sync:1",
			"e2 9/2 strong, stable-leadership 9/2 strong, termination 9/2 strong"},
		{"coulouris-keeps-waiting", "n=2 initiators=1 timing=sync:1 channels=fifo", ""},
		{"coulouris", "n=2 initiators=1 timing=sync:1", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, lives(t, tt.name, tt.setting), "%s, %s", tt.name, tt.setting)
	}
}

// E1, literally, needs that nobody fails who was elected in the run, and that
// nobody comes up in it who is better.
func TestE1(t *testing.T) {
	broken := func(name, setting string) int {
		r := play.Check(t, variant(t, name, setting), checker.E1)
		if f := r.Finding("e1"); f.Verdict != checker.Holds {
			return len(f.Trace.Steps)
		}
		return 0
	}
	for _, v := range names() {
		if !casecount.Takes(t, *play.Deep, 3, v) {
			continue
		}
		assert.Zero(t, broken(v, "n=3 initiators=any"), v)
		assert.Zero(t, broken(v, "n=3 start=settled crashes=1"), v)
		assert.Zero(t, broken(v, "n=4 start=coordinator-down"), v)
		assert.NotZero(t, broken(v, "n=3 start=settled crashes=2"), "%s: 2 is elected, and crashes before all is quiet", v)
		assert.NotZero(t, broken(v, "n=3 start=settled crashes=1 restarts=1"), v)
		assert.NotZero(t, broken(v, "n=3 start=settled crashes=1 timing=async:1"), "%s: a timer is too short", v)
	}
}
