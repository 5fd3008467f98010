package foretell_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/ledger"
	"bullyproof/ledger/foretell"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// run is the one of the first lecture: P2 answers P1 in step 4, and crashes in step 5.
func run(t *testing.T) *trace.Run {
	t.Helper()
	recorded, err := counterexamples.All.Open("bully-waits-for-ever")
	require.NoError(t, err)
	r, err := trace.Replay(recorded, func(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
		return ledger.Lookup(algorithms.All, algorithm, variant, property, s)
	})
	require.NoError(t, err)
	return r
}

func asked(from, to int, answers ...string) *ledger.Prediction {
	p := &ledger.Prediction{Ask: "what?", From: from, To: to}
	for _, is := range answers {
		p.Choices = append(p.Choices, ledger.Choice{Says: is, Is: is})
	}
	return p
}

func TestOf(t *testing.T) {
	r := run(t)
	fates, err := foretell.Of(r, asked(4, 5, "P1.leads", "not P2.up", "not P1.up"))
	require.NoError(t, err)
	assert.Equal(t, []foretell.Fate{foretell.Impossible, foretell.Comes, foretell.Possible}, fates)
	// Two ticks on, P2 may have announced itself in another run. One step on it cannot.
	fates, err = foretell.Of(r, asked(3, 5, "not P2.up", "P2.follows == 1", "not P1.up"))
	require.NoError(t, err)
	assert.Equal(t, []foretell.Fate{foretell.Comes, foretell.Impossible, foretell.Possible}, fates)
}

// A prediction has one right answer, which is not right before, and is about a step that there is.
func TestNoPrediction(t *testing.T) {
	r := run(t)
	for want, p := range map[string]*ledger.Prediction{
		"2 answers are right after step 5: want one":       asked(4, 5, "not P2.up", "not P2.up and P1.up"),
		"0 answers are right after step 5: want one":       asked(4, 5, "P1.leads", "P2.leads"),
		`answer "P1.up" is right before step 5 as well`:    asked(4, 5, "P1.up", "P2.up"),
		"it is about step 6 of 5":                          asked(5, 6, "P1.up", "P2.up"),
		`answer "P1.Moode == 2": `:                         asked(3, 4, "P1.Moode == 2", "P1.leads"),
		"prediction \"what?\": answer \"processes[0].up\"": asked(3, 4, "processes[0].up", "P1.leads"),
	} {
		_, err := foretell.Of(r, p)
		assert.ErrorContains(t, err, want)
	}
}
