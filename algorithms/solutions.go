//go:build !js

package algorithms

import "embed"

// Solutions of the exercises are tests of the packages of the algorithms.
//
//go:embed */repair*_test.go
var solutions embed.FS

// solved returns the text of a solution.
func solved(file string) string {
	data, err := solutions.ReadFile(file)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}
