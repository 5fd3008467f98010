package mongodb

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"bullyproof/checker"
	"bullyproof/ledger"
)

func TestTry(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("TRY"))
	for _, line := range strings.Split(string(data), "\n") {
		f := strings.SplitN(line, ";", 3)
		if len(f) < 3 {
			continue
		}
		s := in("")
		if w := strings.TrimSpace(f[1]); strings.Contains(w, "settled") {
			s = world(w)
		} else {
			s = in(w)
		}
		var props []*checker.Property
		for _, n := range strings.Fields(f[2]) {
			_, w, err := ledger.Lookup([]*ledger.Algorithm{Algorithm}, "mongodb", strings.TrimSpace(f[0]), n, s)
			_ = w
			if err != nil {
				t.Fatal(err)
			}
			p, err := checker.Lookup(n)
			if err != nil {
				for _, q := range Algorithm.Properties {
					if q.Name == n {
						p = q
					}
				}
			}
			props = append(props, p)
		}
		sys, _, err := ledger.Lookup([]*ledger.Algorithm{Algorithm}, "mongodb", strings.TrimSpace(f[0]), props[0].Name, s)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r, err := checker.Check(context.Background(), sys, checker.Options{Properties: props, MaxStates: 3_000_000})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s: %d states %v bound=%q\n", line, r.Distinct, time.Since(began).Round(10*time.Millisecond), r.Bound)
		for i := range r.Findings {
			x := &r.Findings[i]
			n := 0
			if x.Trace != nil {
				n = len(x.Trace.Steps)
			}
			fmt.Printf("    %s %v %d\n", x.Property.Name, x.Verdict, n)
			if x.Trace != nil && os.Getenv("SHOW") != "" {
				fmt.Println(x.Trace.Listing(), "lasso", x.Trace.Lasso)
				for range 1 {
				}
			}
		}
	}
}
