package counterexamples_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/trace"
)

// A run that was recorded when everything had another name is the same run by its actions: names
// alone differ, and it is recorded anew as it is.
func TestRecordedUnderOtherNames(t *testing.T) {
	renamed := 0
	for _, name := range counterexamples.Names() {
		tr, err := counterexamples.Open(name)
		require.NoError(t, err)
		want, err := tr.Encode()
		require.NoError(t, err)
		rename(tr)
		r, err := trace.Redo(tr, algorithms.Lookup)
		require.NoError(t, err, name)
		require.NoError(t, r.Why, name)
		for _, d := range r.Differences {
			assert.True(t, d.Name, "%s: %s", name, d)
			renamed++
		}
		got, err := r.Trace.Encode()
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), name)
		_, err = trace.Replay(tr, algorithms.Lookup)
		assert.Error(t, err, name)
	}
	assert.Greater(t, renamed, 1000)
}

// rename gives another name to all that has one in the program.
func rename(tr *trace.Trace) {
	other := func(text *string) {
		if *text != "" {
			*text = "old " + *text
		}
	}
	field := func(text *string) {
		for _, of := range []string{"state.", "timer "} {
			if rest, ok := strings.CutPrefix(*text, of); ok {
				*text = of + "old " + rest
			}
		}
	}
	for i := range tr.Steps {
		s := &tr.Steps[i]
		other(&s.Action.Message)
		other(&s.Action.Timer)
		for j := range s.Action.Outcomes {
			other(&s.Action.Outcomes[j])
		}
		for j := range s.Rules {
			other(&s.Rules[j])
		}
		for j := range s.Sent {
			other(&s.Sent[j].Text)
		}
		for j := range s.Dropped {
			other(&s.Dropped[j].Text)
		}
		for j := range s.Changes {
			field(&s.Changes[j].Field)
		}
	}
}
