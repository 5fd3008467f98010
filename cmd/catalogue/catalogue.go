// Package catalogue is what the command of this module knows: all algorithms, examples,
// recorded runs, incidents and lessons. Another command of the same catalogue adds to it.
package catalogue

import (
	"bullyproof/algorithms"
	"bullyproof/command"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/examples/gossip"
	"bullyproof/ledger"
)

// Tool returns the command of the catalogue.
func Tool() command.Tool {
	return command.Tool{
		Algorithms:   algorithms.All,
		Examples:     []*ledger.Algorithm{gossip.Algorithm},
		Lessons:      algorithms.Lessons,
		Lectures:     algorithms.Lectures,
		Recorded:     counterexamples.All,
		Incidents:    incidents.Catalogue,
		Omitted:      algorithms.Omitted,
		Publications: algorithms.Publications,
	}
}
