package checker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
)

// alike is what checks of the cases of a flavour came to.
type alike struct{ cases, compared, smaller, violated, whole, decided int }

// TestEachFlavourIsDecidedAlike holds reduced checks of random cases of each flavour against
// checks of the systems as they are: the same verdicts, and runs of the same length to what is
// asked of states. A system that is not reduced is checked nevertheless.
func TestEachFlavourIsDecidedAlike(t *testing.T) {
	few, first := uint64(8), casecount.First(t, 0)
	if *deep || casecount.Attacking() {
		few = 150
	}
	for _, f := range anyprotocol.Flavours() {
		t.Run(f.Name, func(t *testing.T) {
			var n alike
			for seed := first; seed < first+few; seed++ {
				n.cases++
				n.decide(t, f.Draw(seed))
			}
			t.Logf("flavour %s, decided: %d cases, %d compared, %d smaller, %d violated, %d whole, %d decided", f.Name, n.cases, n.compared, n.smaller, n.violated, n.whole, n.decided)
			require.Positive(t, n.compared)
			require.Equal(t, f.Reduced, n.decided > 0)
		})
	}
}

// decide compares two checks of a case.
func (n *alike) decide(t *testing.T, c anyprotocol.Case) {
	const limit = 1_000
	sys, err := c.System()
	if err != nil {
		require.ErrorContains(t, err, "more than links hold", "%v", c)
		return
	}
	opt := checker.Options{Properties: checker.Standard(), Exhaustive: true, MaxStates: limit, Workers: 1}
	want, err := checker.Check(t.Context(), sys, opt)
	if err == nil && (want.Distinct >= limit || want.Reason == explore.SizeLimit) {
		return
	}
	require.NoError(t, err, "%v", c)
	opt.Reduce, opt.MaxStates = checker.ReduceAuto, 0
	got, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err, "%v", c)
	n.compared++
	if r := got.Reduction; r != nil {
		if n.decided += len(r.Properties); r.Distinct > 0 && r.Distinct < want.Distinct {
			n.smaller++
		}
	}
	for i := range want.Findings {
		w, g := &want.Findings[i], &got.Findings[i]
		where := fmt.Sprintf("%v: %s: %s", c, w.Property.Name, g.Why)
		require.Equal(t, w.Verdict, g.Verdict, where)
		require.Equal(t, w.Trace == nil, g.Trace == nil, where)
		if w.Trace == nil {
			continue
		}
		if n.violated++; w.Property.Temporal() {
			n.whole++
			continue
		}
		require.Len(t, g.Trace.Steps, len(w.Trace.Steps), where)
	}
}
