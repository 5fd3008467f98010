package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// The catalogue and the examples are complete, and no two have one name.
func TestOurs(t *testing.T) {
	require.NoError(t, ledger.Usable(append(ours.Algorithms[:len(ours.Algorithms):len(ours.Algorithms)], ours.Examples...)))
	for _, a := range ours.Examples {
		assert.NotEmpty(t, a.Assumptions, a.Name)
		for _, v := range a.Variants {
			for _, as := range a.AssumptionsOf(v.Name) {
				assert.True(t, as.Premise.HoldsIn(v.Setting), "%s/%s assumes %s, and its setting has %s", a.Name, v.Name, as.Premise, as.Premise.Lack())
			}
		}
	}
}

// An example stands beside algorithms of the catalogue.
func TestCompareWithAnExample(t *testing.T) {
	var out, errs bytes.Buffer
	status := ours.Run(t.Context(), strings.Fields("compare bully kabashi fceabr raft --faults none -n 2 --max-states 2000 --brief --quiet"),
		strings.NewReader(""), &out, &errs)
	assert.Contains(t, []int{0, 3}, status)
	assert.Empty(t, errs.String())
	assert.Regexp(t, `bully +kabashi +fceabr +raft\n`, out.String())
	assert.Contains(t, out.String(), "raft/figure-2 never settles")
}
