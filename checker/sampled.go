package checker

import (
	"time"

	"bullyproof/explore"
	"bullyproof/setting"
)

// Sampled returns the report, without findings yet, of what saw about so many
// states and not all: walks and hunts.
func Sampled(algorithm, variant string, in setting.Setting, distinct uint64, took time.Duration) *Report {
	return &Report{
		Algorithm: algorithm, Variant: variant, Setting: in, Why: "it saw a sample of the runs", Reason: explore.Sampled,
		CompleteDepth: -1, Distinct: distinct, Generated: distinct, Duration: took,
	}
}

// Undecided returns the finding of a property that was not violated, or met, in a
// sample, and why that decides nothing.
func (p *Property) Undecided(why string) Finding {
	return Finding{Property: p, Verdict: Incomplete, Why: why, known: -1}
}
