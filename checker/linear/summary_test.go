package linear_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/kabashi"
	"bullyproof/checker/linear"
	"bullyproof/model/setting"
)

// TestSummarizeWithinTime: the limit is of all questions together, and one that was not
// begun says so.
func TestSummarizeWithinTime(t *testing.T) {
	sys, err := kabashi.Algorithm.Variants[0].In(setting.Must("n=5 start=settled crashes=2 restarts=2"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	questions := linear.Questions()
	questions = questions[:len(questions)-1] // the last one has no tokens here
	s, err := linear.Summarize(ctx, sys, linear.Options{}, questions...)
	require.NoError(t, err)
	require.Len(t, s, len(questions))
	for _, a := range s {
		assert.Equal(t, linear.Undecided, a.Report.Verdict)
		assert.Equal(t, "the search ended before its first step: cancelled", a.Report.Why)
	}
	s, err = linear.Summarize(t.Context(), sys, linear.Options{MaxTime: time.Nanosecond}, questions...)
	require.NoError(t, err)
	for _, a := range s {
		assert.Equal(t, linear.Undecided, a.Report.Verdict)
		assert.Contains(t, a.Report.Why, "limit on time")
	}
}
