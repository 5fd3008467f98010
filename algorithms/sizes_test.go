package algorithms_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/examples/gossip"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Each algorithm, example, variant and mutant either runs with two to eight processes, or says in
// one line how many it can have: no handler asks for what there is not. A quick run looks at
// a few hundred states of some, a deep one at more of all.
func TestEachNumberOfProcesses(t *testing.T) {
	t.Parallel()
	searched, refused := 0, 0
	for _, a := range slices.Concat(algorithms.All, []*ledger.Algorithm{gossip.Algorithm}) {
		t.Run(a.Name, func(t *testing.T) {
			each := func(name string, usual setting.Setting, in func(setting.Setting) (*model.System, error)) {
				for n := 2; n <= 8; n++ {
					s, err := usual.With(fmt.Sprintf("n=%d", n))
					if err != nil || !casecount.Takes(t, *play.Deep, 80, fmt.Sprintf("%s/%s n=%d", a.Name, name, n)) {
						continue // where it errs another word of the setting names a process that is not there
					}
					sys, err := in(s)
					if err != nil {
						assert.Regexp(t, `^[^\n]+: want [^\n]+$`, err.Error(), "%s with n=%d", name, n)
						refused++
						continue
					}
					assert.Empty(t, misuseOf(t, sys), "%s with n=%d", name, n)
					searched++
				}
			}
			for i := range a.Variants {
				each(a.Variants[i].Name, a.Variants[i].Setting, a.Variants[i].In)
			}
			for i := range a.Mutants {
				each(a.Mutants[i].Name, a.Mutants[i].Setting, a.Mutants[i].In)
			}
		})
	}
	t.Logf("%d searched, %d refused", searched, refused)
}

// misuseOf returns what a handler does that it cannot do, if a short search sees that.
func misuseOf(t *testing.T, sys *model.System) string {
	t.Helper()
	opt := checker.Options{Properties: []*checker.Property{checker.Misuse}, MaxStates: 300, MaxTime: time.Second}
	if *play.Deep {
		opt.MaxStates, opt.MaxTime = 20_000, 10*time.Second
	}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			return f.Property.Name + ": " + f.Why
		}
	}
	return ""
}
