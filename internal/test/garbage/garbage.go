// Package garbage has tests that search collect their garbage less often.
package garbage

import (
	"os"
	"runtime/debug"
)

// percent is how much a heap grows until the garbage is collected, in percent of what lives.
const percent = 400

// Seldom has the test collect its garbage a quarter as often as Go does by itself, which
// takes a quarter of its time. GOGC in the environment says otherwise. It returns true, for
// a variable of a package to begin with.
func Seldom() bool {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	return true
}
