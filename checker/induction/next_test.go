package induction_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
	"bullyproof/internal/test/solvertest"
)

// A token that has come to a process is at the next one or has come there too.
const handed = `
sort process order ring
relation token(process)
relation past(process)
setting n=2..3 topology=ring
init ~token(P) & ~past(P)
step begins(P, Q)
    when next(P, Q)
    add past(P)
    add token(Q)
step passes(P, Q)
    when token(P) & next(P, Q)
    drop token(P)
    add past(P)
    add token(Q)
property kept past(P) & next(P, Q) -> past(Q) | token(Q)
`

// Sentences about neighbours are decided by every solver: proved, or with a step that breaks
// them.
func TestSentencesAboutNeighbours(t *testing.T) {
	list := solvertest.Installed(t, induction.Solvers(t.Context()))
	for _, tt := range []struct {
		name, text, step string
	}{
		{"kept", handed, ""},
		{"lost", strings.Replace(handed, "    add past(P)\n    add token(Q)\nproperty", "    add past(P)\nproperty", 1), "passes"},
	} {
		d, err := relation.Parse(tt.text)
		require.NoError(t, err, tt.name)
		for _, by := range list {
			r, err := induction.Prove(t.Context(), d, nil, induction.Sizes{}, by)
			require.NoError(t, err, "%s by %s", tt.name, by.Name)
			assert.Zero(t, r.Unknown, "%s by %s", tt.name, by.Name)
			if tt.step == "" {
				assert.Len(t, r.Proofs, 1, "%s by %s", tt.name, by.Name)
				continue
			}
			require.Len(t, r.Open, 1, "%s by %s", tt.name, by.Name)
			assert.True(t, strings.HasPrefix(r.Open[0].Step, tt.step+"("), "%s by %s: %s", tt.name, by.Name, r.Open[0].Step)
		}
	}
}
