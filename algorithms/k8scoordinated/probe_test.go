package k8scoordinated

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bullyproof/checker"
)

func TestProbe(t *testing.T) {
	for _, name := range strings.Split(os.Getenv("OF"), ",") {
		e := map[string]*Election{"shipped": shipped, "cleared": cleared, "mended": mended, "rollback": rollback, "both": both}[name]
		for _, s := range strings.Split(os.Getenv("IN"), ";") {
			sys, err := of(e)(in(s))
			if err != nil {
				t.Fatal(err)
			}
			r, err := checker.Check(t.Context(), sys, checker.Options{MaxStates: 1000000, Properties: []*checker.Property{checker.Uniqueness, leadsAgain, bestLeads, untilExpiry, ackedFirst}})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println("==", name, s, r.Verdict(), r.Distinct)
			for _, f := range r.Findings {
				fmt.Println("   ", f.Property.Name, f.Verdict, f.Explanation)
				if os.Getenv("TRACE") == f.Property.Name && f.Trace != nil {
					for _, st := range f.Trace.Steps {
						fmt.Println("       ", st)
					}
				}
			}
			if os.Getenv("IDLE") != "" {
				fmt.Println(r.Gaps)
			}
		}
	}
}
