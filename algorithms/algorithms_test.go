package algorithms_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

var _ trace.Lookup = algorithms.Lookup

// The author of a new algorithm learns by name what is missing: docs/catalogue.md.
func TestCatalogueIsValid(t *testing.T) {
	t.Parallel()
	require.NoError(t, ledger.Validate(algorithms.All))
	for _, a := range algorithms.All {
		assert.NotNil(t, a.Files, "%s: Files is nil: want the package's own files, by //go:embed *.go claims.*, as bully/claims.go has it", a.Name)
		assert.NotEmpty(t, a.Assumptions, "%s: Assumptions is empty: say what the source assumes, by ledger.Said or ledger.Tacit", a.Name)
		assert.FileExists(t, filepath.Join(a.Name, "rules.txt"), "%s: want the sentences of the source there, each with a run that shows it", a.Name)
	}
}

// Handlers are deterministic and share nothing, those of mutants too in a deep
// run. In another there are two processes, enough to share something, and some variants:
// TestProtocols puts each reading to the test.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, a := range algorithms.All {
		for _, v := range a.Variants {
			if !casecount.Takes(t, *play.Deep, 20, a.Name+"/"+v.Name) {
				continue
			}
			setting := v.Setting
			if two, err := setting.With("n=2"); err == nil && two.Validate() == nil && !*play.Deep {
				setting = two
			}
			sys, err := v.In(setting)
			require.NoError(t, err)
			assert.NoError(t, checker.TestSystem(sys), "%s/%s", a.Name, v.Name)
		}
		if !*play.Deep {
			continue
		}
		for _, m := range a.Mutants {
			sys, err := m.System()
			require.NoError(t, err)
			assert.NoError(t, checker.TestSystem(sys), "%s/%s", a.Name, m.Name)
		}
	}
}

// caughtLate are mutants that it takes many seconds to catch, which only a deep run does.
var caughtLate = []string{"dijkstra/fewer-states", "fle/waits", "sentinel/forgets"}

// A mutant is caught by the property that it names, in a setting in which the
// variant that it was made from has that property.
func TestMutantsAreCaught(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("searches what TestConformance has run")
	}
	for _, a := range algorithms.All {
		if *play.Deep {
			t.Run(a.Name, func(t *testing.T) { ledger.VerifyMutants(t, a) })
			continue
		}
		for i := range a.Mutants { // some are enough to show that they are looked for
			m := &a.Mutants[i]
			if name := a.Name + "/" + m.Name; casecount.Takes(t, false, 20, name) && !slices.Contains(caughtLate, name) {
				assert.NoError(t, a.Catches(t.Context(), m), a.Name)
			}
		}
	}
}

// Of what is on record no fault that is known could pass unnoticed: the samples by which
// records are known tell every mutant from its original.
func TestRecordsKnowMutants(t *testing.T) {
	t.Parallel()
	for _, a := range algorithms.All {
		for i := range a.Mutants {
			if m := &a.Mutants[i]; casecount.Takes(t, *play.Deep, 12, a.Name+"/"+m.Name) {
				assert.NoError(t, a.Notices(m), a.Name)
			}
		}
	}
}

// The code that a record is of is all that is the algorithm's own: none is in a package
// that the samples alone know.
func TestRecordsKnowCode(t *testing.T) {
	for _, a := range algorithms.All {
		if a.Files == nil {
			continue // TestCatalogueIsValid says so
		}
		files, err := fs.Glob(a.Files, "*.go")
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := fs.ReadFile(a.Files, name)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
			require.NoError(t, err)
			for _, imported := range file.Imports {
				if strings.Contains(imported.Path.Value, "/algorithms/") {
					assert.Contains(t, imported.Path.Value, "/algorithms/internal/sources", "%s/%s", a.Name, name)
				}
			}
		}
		assert.NotEmpty(t, files, a.Name)
	}
}

// Each standard property catches a mutant: none is idle.
func TestPropertiesCatch(t *testing.T) {
	catches := make(map[string]bool)
	for _, a := range algorithms.All {
		for _, m := range a.Mutants {
			catches[m.Caught] = true
		}
	}
	for _, p := range checker.Election() {
		assert.True(t, catches[p.Name], p.Name)
	}
}

func TestLookup(t *testing.T) {
	s := setting.Must("n=3 start=settled")
	sys, watch, err := algorithms.Lookup("bully", "", "uniqueness", s)
	require.NoError(t, err)
	assert.True(t, sys.Setting().Equal(s))
	assert.Contains(t, sys.Names().Kinds, "election")
	assert.NotNil(t, watch.State)

	_, watch, err = algorithms.Lookup("changroberts", "once", "", setting.Must("n=3 topology=ring"))
	require.NoError(t, err)
	assert.Nil(t, watch.State)
	assert.Nil(t, watch.Step)

	for _, tt := range []struct{ algorithm, variant, property, want string }{
		{"buly", "", "", `unknown algorithm "buly": did you mean bully?`},
		{"bully", "wikpedia", "", `unknown variant of bully "wikpedia": did you mean wikipedia?`},
		{"bully", "", "uniquness", `unknown property "uniquness": did you mean uniqueness?`},
	} {
		_, _, err := algorithms.Lookup(tt.algorithm, tt.variant, tt.property, s)
		assert.EqualError(t, err, tt.want)
	}
	_, _, err = algorithms.Lookup("changroberts", "", "", s)
	assert.ErrorContains(t, err, "is a ring algorithm (want topology=ring)")
}

// The usual setting of an algorithm grants its assumptions: it is asked only
// there whether it is right.
func TestUsualSettingsGrantWhatIsAssumed(t *testing.T) {
	for _, a := range algorithms.All {
		for _, v := range a.Variants {
			assumed := a.AssumptionsOf(v.Name)
			inOrder := false
			for _, as := range assumed {
				assert.True(t, as.Premise.HoldsIn(v.Setting),
					"%s/%s assumes %s, and its setting has %s", a.Name, v.Name, as.Premise, as.Premise.Lack())
				inOrder = inOrder || as.Premise == ledger.InOrder
			}
			granted := !v.Setting.FIFO || strings.Contains(v.Assumes, "in any order") // to have fewer states
			assert.True(t, inOrder || granted, "%s/%s has channels in order, which it does not say it assumes", a.Name, v.Name)
		}
	}
}

func TestLessons(t *testing.T) {
	require.NoError(t, ledger.ValidateLessons(algorithms.All, algorithms.Lessons))
	assert.Len(t, algorithms.Lessons, 10)
	err := ledger.ValidateLessons(algorithms.All, []ledger.Lesson{{Claim: "bully/two-anounce", Title: "t", Text: "t"}})
	assert.ErrorContains(t, err, "did you mean two-announce?")
}

// Every property takes a state in which nobody is up: before the first process of a cold start
// has come up.
func TestPropertiesWhereNobodyIsUp(t *testing.T) {
	looked := 0
	for _, a := range algorithms.All {
		v := &a.Variants[0]
		in, err := v.Setting.With("start=cold:interleaved")
		if err != nil || in.Validate() != nil {
			continue
		}
		sys, err := v.In(in)
		if err != nil {
			continue
		}
		looked++
		assert.NotPanics(t, func() {
			_, err := checker.Check(t.Context(), sys, checker.Options{Properties: checker.InSetting(a.Questions(), in), MaxStates: 200})
			assert.NoError(t, err, a.Name)
		}, a.Name)
	}
	assert.Greater(t, looked, 20)
}
