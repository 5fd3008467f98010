package algorithms_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger"
	"bullyproof/ledger/foretell"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// ruled returns what of properties a variant or mutant keeps in a setting.
func ruled(t *testing.T, a *ledger.Algorithm, variant string, in setting.Setting, props []*checker.Property) *checker.Report {
	t.Helper()
	sys, _, err := ledger.Lookup([]*ledger.Algorithm{a}, a.Name, variant, "", in)
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: props, Reduce: checker.ReduceAuto})
	require.NoError(t, err)
	return r
}

// Each lecture has three questions about steps of its run, and predictions of which one answer
// is what the run does next. Its exercise is broken where a class begins, and there is a
// solution: the code of one is the test of the exercise with a repair in it.
func TestLectures(t *testing.T) {
	t.Parallel()
	require.NoError(t, ledger.ValidateLectures(algorithms.All, &incidents.Catalogue, algorithms.Lectures))
	require.Len(t, algorithms.Lectures, 8)
	for i := range algorithms.Lectures {
		l := &algorithms.Lectures[i]
		a, c, incident, err := l.About(algorithms.All, &incidents.Catalogue)
		require.NoError(t, err)
		runs, name := counterexamples.All, l.Incident
		if incident != nil {
			runs = incidents.Runs
		} else {
			name = c.Story
		}
		recorded, err := runs.Open(name)
		require.NoError(t, err, l.Title)
		assert.Equal(t, trace.Violation, recorded.Kind, l.Title)
		run, err := trace.Replay(recorded, func(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
			return ledger.Lookup(algorithms.All, algorithm, variant, property, s)
		})
		require.NoError(t, err, l.Title)
		assert.NotEmpty(t, l.Predictions, l.Title)
		last := 0
		for k := range l.Predictions {
			p := &l.Predictions[k]
			assert.GreaterOrEqual(t, p.From, last, "%s: %s", l.Title, p.Ask)
			last = p.To
			fates, err := foretell.Of(run, p)
			require.NoError(t, err, l.Title)
			for n, f := range fates {
				if strings.Contains(p.Choices[n].Why, "nother run") {
					assert.Equal(t, foretell.Possible, f, "%s: %s", l.Title, p.Choices[n].Says)
				}
			}
		}
		assert.Len(t, l.Tasks, 3, l.Title)
		last = 0
		for _, task := range l.Tasks {
			assert.GreaterOrEqual(t, task.Step, last, "%s: %s", l.Title, task.Ask)
			assert.NotEmpty(t, task.Mistake, "%s: %s", l.Title, task.Ask)
			last = task.Step
		}
		assert.LessOrEqual(t, last, len(run.Steps), l.Title)
		for variant, want := range map[string]checker.Verdict{l.Exercise.From: checker.Violated, l.Exercise.Solution: checker.Holds} {
			assert.Equal(t, want, ruled(t, a, variant, l.Exercise.Setting, l.Exercise.Asked()).Verdict(), "%s: %s", l.Title, variant)
		}
		code := l.Exercise.Solved(a.Name)
		for line := range strings.Lines(l.Exercise.Test(a.Name)) {
			_, rest, ok := strings.Cut(code, line)
			assert.True(t, ok, "%s: its solution has no line %q, or another order:\n%s", l.Title, line, code)
			code = rest
		}
		assert.Positive(t, min(l.Minutes.Predict, l.Minutes.Watch, l.Minutes.Questions, l.Minutes.Hunt, l.Minutes.Repair), l.Title)
		assert.LessOrEqual(t, l.Minutes.All(), 90, l.Title)
	}
}

// Of the options of a hunt exactly those keep a property that the teacher's sheet names, and it
// breaks where a class begins.
func TestHunts(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	for i := range algorithms.Lectures {
		l := &algorithms.Lectures[i]
		a, _, _, err := l.About(algorithms.All, &incidents.Catalogue)
		require.NoError(t, err)
		var props []*checker.Property
		for _, kept := range l.Hunt.Kept {
			p, err := a.Property(kept.Property)
			require.NoError(t, err, l.Title)
			props = append(props, p)
		}
		options, err := l.Hunt.Options(a)
		require.NoError(t, err)
		assert.Contains(t, options, l.Hunt.Given, l.Title)
		assert.NotContains(t, l.Hunt.Kept[0].By, l.Hunt.Given, l.Title)
		for n, kept := range l.Hunt.Kept {
			var by []string
			for _, option := range options {
				_, sys, err := l.Hunt.At(a, option)
				require.NoError(t, err, "%s: %s", l.Title, option)
				r, err := checker.Check(t.Context(), sys, checker.Options{Properties: props[n : n+1], Reduce: checker.ReduceAuto})
				require.NoError(t, err, "%s: %s", l.Title, option)
				if r.Verdict() == checker.Holds {
					by = append(by, option)
				} else {
					assert.Equal(t, checker.Violated, r.Verdict(), "%s: %s", l.Title, option)
				}
			}
			assert.ElementsMatch(t, kept.By, by, "%s: %s", l.Title, kept.Property)
		}
	}
}

// A lecture is about a recorded run, its exercises are about variants that there are, and
// nothing of it is empty.
func TestLectureThatIsNone(t *testing.T) {
	hunt := ledger.Hunt{Text: "t", Switch: ledger.SwitchVersion, Given: "coulouris", Setting: algorithms.Lectures[0].Hunt.Setting}
	exercise := algorithms.Lectures[0].Exercise
	mended := exercise
	mended.Text, mended.Solution = "", "mended"
	err := ledger.ValidateLectures(algorithms.All, &incidents.Catalogue, []ledger.Lecture{
		{
			Lesson: ledger.Lesson{Claim: "bully/e2", Title: "t", Text: "t"}, Tasks: []ledger.Task{{Ask: "a"}}, Exercise: mended, Hunt: hunt,
			Predictions: []ledger.Prediction{{Ask: "p", From: 2, To: 2}},
		},
		{Lesson: ledger.Lesson{Claim: "bully/equation-1", Title: "u", Text: "t"}},
		{Lesson: ledger.Lesson{Title: "v", Text: "t"}, Incident: "etcd-824"},
		{Lesson: ledger.Lesson{Claim: "bully/e2", Title: "w", Text: "t"}, Exercise: exercise, Hunt: ledger.Hunt{Variant: "coulouris", Switch: "anwered"}},
	})
	for _, want := range []string{
		`unknown variant of bully "mended"`, "field Idea of a lecture is empty", "field Answer of a task is empty", "field Text of an exercise is empty",
		`lecture "u": the claim bully/equation-1 has no recorded run`, "field Text of a hunt is empty", `lecture "v": unknown incident with a run "etcd-824"`,
		`the prediction "p" has 0 choices, after step 2 about step 2`, `unknown switch of bully/coulouris "anwered": did you mean answered?`,
	} {
		assert.ErrorContains(t, err, want)
	}
}
