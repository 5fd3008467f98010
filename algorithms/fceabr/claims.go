package fceabr

import (
	_ "embed"
	"fmt"
	"slices"

	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, fromGo, copied)

// fromGo is what the file of the claims takes from Go: averages, as they are
// exact there.
var fromGo = claimfile.Names{
	"joined":     func(v *model.View) bool { return v.Present.Len() == int(v.N) },
	"average":    func(n, m int) string { return OnAverage(n, m).FloatString(0) },
	"to-tenths":  func(n, m int) string { return OnAverage(n, m).FloatString(1) },
	"near":       func(printed, n, m int) string { return fmt.Sprint(near(printed, OnAverage(n, m))) },
	"equation-1": func(n, fpn int) string { return fmt.Sprintf("%.1f", formula(float64(n), float64(fpn))) },
	"deviation":  func(n, runs int) string { return fmt.Sprintf("%.3f", Deviation(n, runs)) },
}

// literal is the literal reading: "two processes will receive messages from their
// two sides at the same time" (IV), and the figures with an even number of
// processes (5, 8 and 10) have one process that does.
const literal = "at-once"

// copied puts the questions that are asked of paper to the literal reading, too,
// where a claim has none of its own, and the deep ones do not. The evidence on the
// literal reading comes first.
func copied(list []ledger.Claim) []ledger.Claim {
	for i := range list {
		c := &list[i]
		has := slices.ContainsFunc(c.Evidence, func(e ledger.Evidence) bool { return e.Variant == literal && e.Property == "" })
		var more []ledger.Evidence
		for k := range c.Evidence {
			switch e := &c.Evidence[k]; {
			case e.Property == "" && e.Cost == nil:
				e.Variant = literal // a sum is the same in all readings
			case e.Variant == "" && !e.Deep && !has:
				more = append(more, e.Of(literal))
			}
		}
		c.Evidence = append(more, c.Evidence...)
	}
	return ledger.JudgedIn(literal, list)
}
