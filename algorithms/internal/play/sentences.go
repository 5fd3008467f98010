package play

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/ledger"
	"bullyproof/model"
)

// A Sentence is one of a source, and a run that shows it.
type Sentence struct {
	// Says is the sentence, and Where where it stands, if that is told.
	Says, Where string
	// Variant is the reading of the source that it is shown of ("" is the first
	// variant), and Setting the setting, where it is not the same for all sentences of a
	// test.
	Variant, Setting string
	// Run is the run: see Do.
	Run []string
	// Rule is one that the last action of the run applies; any if it is empty.
	Rule string
	// Sends is all that the last action of the run sends: see Sent.
	Sends string
	// Then is what processes are in the end: see Of.
	Then map[model.ID]string
}

// Show checks that an algorithm does what sentences say, by a variant and in a setting
// where they name none.
func Show(t *testing.T, a *ledger.Algorithm, variant, setting string, sentences []Sentence) {
	t.Helper()
	for _, s := range sentences {
		s.shows(t, System(t, a, cmp.Or(s.Variant, variant), cmp.Or(s.Setting, setting)))
	}
}

// shows checks that a system does what a sentence says.
func (s Sentence) shows(t *testing.T, sys *model.System) {
	name := strings.TrimPrefix(s.Variant+": "+s.Says, ": ")
	t.Run(cmp.Or(s.Where, name), func(t *testing.T) {
		p := Start(t, sys)
		p.Do(s.Run...)
		assert.Equal(t, s.Sends, p.Sent(), s.Says)
		if s.Rule != "" {
			assert.Contains(t, p.Rules(), s.Rule, s.Says)
		}
		for id, want := range s.Then {
			assert.Equal(t, want, p.Of(id), "process %v: %s", id, s.Says)
		}
	})
}
