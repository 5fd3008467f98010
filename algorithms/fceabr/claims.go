package fceabr

import (
	"embed"
	"fmt"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, fromGo)

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
