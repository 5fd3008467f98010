package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/ledger"
	"bullyproof/trace"
)

// Each lecture has three questions about steps of its run. Its exercise is broken where
// a class begins, and there is a solution.
func TestLectures(t *testing.T) {
	t.Parallel()
	require.NoError(t, ledger.ValidateLectures(algorithms.All, algorithms.Lectures))
	require.Len(t, algorithms.Lectures, 5)
	for i := range algorithms.Lectures {
		l := &algorithms.Lectures[i]
		a, c, err := l.Of(algorithms.All)
		require.NoError(t, err)
		run, err := counterexamples.All.Open(c.Story)
		require.NoError(t, err, l.Title)
		assert.Len(t, l.Tasks, 3, l.Title)
		last := 0
		for _, task := range l.Tasks {
			assert.GreaterOrEqual(t, task.Step, last, "%s: %s", l.Title, task.Ask)
			last = task.Step
		}
		assert.LessOrEqual(t, last, len(run.Steps), l.Title)
		for variant, want := range map[string]checker.Verdict{l.Exercise.From: checker.Violated, l.Exercise.Solution: checker.Holds} {
			v, err := a.Variant(variant)
			require.NoError(t, err)
			sys, err := v.In(l.Exercise.Setting)
			require.NoError(t, err, l.Title)
			r, err := checker.Check(t.Context(), sys, checker.Options{Properties: l.Exercise.Asked(), Reduce: checker.ReduceAuto})
			require.NoError(t, err, l.Title)
			assert.Equal(t, want, r.Verdict(), "%s: %s", l.Title, variant)
		}
		assert.Equal(t, trace.Violation, run.Kind, l.Title)
	}
}

// A lecture is about a recorded run, its exercise is about variants that there are, and
// nothing of it is empty.
func TestLectureThatIsNone(t *testing.T) {
	err := ledger.ValidateLectures(algorithms.All, []ledger.Lecture{
		{Lesson: ledger.Lesson{Claim: "bully/e2", Title: "t", Text: "t"}, Tasks: []ledger.Task{{Ask: "a"}}, Exercise: ledger.Exercise{From: "coulouris", Solution: "mended"}},
		{Lesson: ledger.Lesson{Claim: "bully/equation-1", Title: "u", Text: "t"}},
	})
	for _, want := range []string{
		`unknown variant of bully "mended"`, "field Idea of a lecture is empty", "field Answer of a task is empty", "field Text of an exercise is empty",
		`lecture "u": the claim bully/equation-1 has no recorded run`,
	} {
		assert.ErrorContains(t, err, want)
	}
}
