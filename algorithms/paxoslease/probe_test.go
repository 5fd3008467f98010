package paxoslease

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullyproof/checker"
	"bullyproof/trace/render"
)

var rt render.TextOptions

// PROBE="words|key=val,key=val|prop"
func TestProbe(t *testing.T) {
	for _, line := range strings.Split(os.Getenv("PROBE"), ";") {
		f := strings.Split(line, "|")
		l := with(func(l *Lease) {
			for _, kv := range strings.Split(f[1], ",") {
				k, v, _ := strings.Cut(kv, "=")
				n, _ := strconv.Atoi(v)
				switch k {
				case "T":
					l.Span = n
				case "First":
					l.First = n
				case "M":
					l.Wait = n
				case "More":
					l.More = n
				case "late":
					l.AtPropose = true
				case "pat":
					l.Patience = n
				case "delay":
					l.Delay = n
				case "same":
					l.SameDelay = true
				case "random":
					l.Random = true
				case "ext":
					l.Extensions = uint8(n)
				case "always":
					l.Always = true
				case "own":
					l.Own = true
				case "one":
					l.OneTimer = true
				case "rel":
					l.Releases = true
				case "nocounter":
					l.NoCounter = true
				case "up":
					l.CatchesUp = true
				case "raises":
					l.Raises = true
				case "runs":
					l.Runs = uint8(n)
				}
			}
		})
		s, err := in("").With(f[0])
		if err != nil {
			t.Fatal(err)
		}
		var props []*checker.Property
		for _, name := range strings.Split(f[2], ",") {
			p, err := checker.Lookup(name)
			if err != nil {
				for _, q := range Algorithm.Properties {
					if q.Name == name {
						p, err = q, nil
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			props = append(props, p)
		}
		sys, err := of(l)(s)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r, err := checker.Check(t.Context(), sys, checker.Options{Properties: props, MaxStates: 3_000_000})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s  %d states %v", line, r.Headline(), r.Distinct, time.Since(start).Round(time.Millisecond))
		for _, p := range props {
			fi := r.Finding(p.Name)
			n := 0
			if fi.Trace != nil {
				n = len(fi.Trace.Steps)
			}
			t.Logf("   %s %v %d", p.Name, fi.Verdict, n)
		}
		if os.Getenv("SHOW") != "" {
			r.WriteTraces(os.Stdout, rt)
		}
	}
}
