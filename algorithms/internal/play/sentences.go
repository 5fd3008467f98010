package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/model"
)

// A Sentence is one of a source, and a run that shows it.
type Sentence struct {
	// Variant is the reading of the source that it is shown of.
	Variant string
	// Says is the sentence.
	Says string
	// Run is the run: see Do.
	Run []string
	// Rule is one that the last action of the run applies; any if it is empty.
	Rule string
	// Sends is all that the last action of the run sends: see Sent.
	Sends string
	// Then is what processes are in the end: see Of.
	Then map[model.ID]string
}

// Shows checks that a system does what a sentence says.
func (s Sentence) Shows(t *testing.T, sys *model.System) {
	t.Run(strings.TrimPrefix(s.Variant+": "+s.Says, ": "), func(t *testing.T) {
		p := Start(t, sys)
		p.Do(s.Run...)
		assert.Equal(t, s.Sends, p.Sent())
		if s.Rule != "" {
			assert.Contains(t, p.Rules(), s.Rule)
		}
		for id, want := range s.Then {
			assert.Equal(t, want, p.Of(id), "process %v", id)
		}
	})
}
