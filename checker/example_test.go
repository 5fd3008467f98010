package checker_test

import (
	"context"
	"fmt"
	"testing"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A protocol is checked in a setting: what may happen in its world.
func ExampleCheck() {
	sys, err := model.New(&upstart.Protocol{}, setting.Must("n=3 start=settled crashes=1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), sys, checker.Options{Algorithm: "upstart"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Headline())
	for _, f := range report.Findings {
		fmt.Printf("%s: %s\n", f.Property.Name, f.Line())
	}
	// Output:
	// VIOLATED in this setting: upstart, 4 of 10 properties (5 hold, 1 never came up).
	// uniqueness: violated in 3 steps: P1 and P2 both believe themselves coordinator
	// settled-uniqueness: holds
	// agreement: violated in 5 steps: P1 follows P2; P2 follows P1
	// live-coordinator: holds
	// validity: holds
	// extreme: violated in 3 steps: P1 names P1, although P2 is up; P2 names P1, although P2 is up
	// e2: vacuous: there was never a process in an election
	// stable-leadership: violated, under weak fairness: the run ends after 5 steps: P1 follows P2; P2 follows P1
	// re-election: holds, under weak fairness
	// termination: holds, under weak fairness
}

// A question of one's own: is there a run in which the lowest process leads
// although the highest is up?
func ExampleSometimes() {
	sys, err := model.New(&upstart.Protocol{}, setting.Must("n=3 start=settled crashes=1 restarts=1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := checker.Sometimes("usurper", "The lowest leads although the highest is up.",
		func(v *model.View) bool { return v.Leaders.Has(1) && v.Up.Has(3) })
	report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Findings[0].Verdict, len(report.Findings[0].Trace.Steps))
	// Output: found 2
}

// A question about runs as a whole: does whoever follows a process that is down
// follow one that is up, sooner or later? Not where the next lower process alone
// claims its place, and is down as well.
func ExampleEachLeadsTo() {
	p := checker.EachLeadsTo("recovers", "Whoever follows a process that is down follows one that is up, sooner or later.",
		func(v *model.View, id model.ID) bool { return v.Up.Has(id) && !v.Up.Has(v.Elected(id)) },
		func(v *model.View, id model.ID) bool { return !v.Up.Has(id) || v.Up.Has(v.Elected(id)) },
	).ExplainedEach(func(v *model.View, id model.ID) string {
		return fmt.Sprintf("%s follows %s, which is down", id, v.Elected(id))
	})
	for crashes := 1; crashes <= 2; crashes++ {
		sys, err := model.New(&upstart.Protocol{Modest: true}, setting.Setting{N: 3, Needs: setting.Needs{Start: setting.SettledStart}, World: setting.World{Crashes: crashes}})
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.Findings[0].Line())
	}
	// Output:
	// holds, under weak fairness
	// violated, under weak fairness: the run ends after 2 steps: 1 follows 3, which is down
}

// In a test of its own package, an algorithm is verified in a line. Its known
// faults are stated, and everything else has to hold. Four processes are left out
// with -short, five wait for -args -bullyproof.scope=large.
func ExampleVerify() {
	_ = func(t *testing.T) {
		checker.Verify(t, &upstart.Protocol{Polite: true}, "n=3 start=settled crashes=1",
			checker.Scopes("n=4 start=settled crashes=1", "n=5 start=settled crashes=1"),
			checker.Expect(checker.Uniqueness), checker.AllowGaps("e2"))
	}
}

// A property of steps sees what happens: who receives a claim follows it. (A
// polite process does not follow one that is lower.)
func ExampleAlwaysStep() {
	sys, err := model.NewFrom(&upstart.Protocol{Polite: true}, "n=3 start=settled crashes=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := checker.AlwaysStep("obeys", "Who receives a claim follows it.", func(e *model.Event) bool {
		claim, ok := model.Received[upstart.Message](e)
		return !ok || e.To.Elected(e.Process) == claim.Who
	})
	report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := report.Findings[0]
	last := f.Trace.Steps[len(f.Trace.Steps)-1].Action
	fmt.Println(f.Verdict, "when", last.Process, "receives", last.Message)
	// Output: violated when 2 receives CLAIM(1)
}

// A property may remember: what a state does not tell of its past.
func ExampleProperty_Remembering() {
	sys, err := model.NewFrom(&upstart.Protocol{}, "n=3 start=settled crashes=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	claims := model.NewMonitor("claims", uint8(0), func(count *uint8, e *model.Event) {
		for link := range model.Sends[upstart.Message](e) {
			if link.To == e.From.Wanted && *count < 3 {
				*count++
			}
		}
	})
	p := checker.Always("few-claims", "The process that ought to lead is sent one claim at most.",
		func(v *model.View) bool { return claims.Of(v) < 2 }).Remembering(claims)
	report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Findings[0].Line())
	// Output: holds
}
