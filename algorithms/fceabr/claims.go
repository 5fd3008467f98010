package fceabr

import (
	"embed"
	"fmt"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.lock
var record []byte

// code is what the record is of.
//
//go:embed *.go
var code embed.FS

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, fromGo)

// fromGo is what the file of the claims takes from Go: averages, as they are
// exact there.
var fromGo = claimfile.Names{
	"joined":     func(v *model.View) bool { return v.Present.Len() == int(v.N) },
	"average":    func(n, m int) string { return OnAverage(n, m).FloatString(0) },
	"to-tenths":  func(n, m int) string { return OnAverage(n, m).FloatString(1) },
	"near":       func(printed, n, m int) string { return fmt.Sprint(near(printed, OnAverage(n, m))) },
	"equation-1": func(n, fpn int) string { return fmt.Sprintf("%.1f", formula(float64(n), float64(fpn))) },
	"deviation":  func(n, runs int) string { return fmt.Sprintf("%.3f", Deviation(n, runs)) },
	"simulated":  func(n, m, runs int) string { return fmt.Sprintf("%.1f", Simulated(n, m, runs)) },
}
