package algorithms_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/peterson"
	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/explore"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A ringCost is what elections on rings of n processes cost that all begin, over all
// arrangements: the least and the most messages, and the mean over the
// arrangements as a fraction; none where the order of arrival makes a
// difference. Elected, the n messages of the announcement, is left out.
type ringCost struct {
	n, least, most int
	mean           string
	how            extent
}

// An extent says how a cost is looked at.
type extent int

const (
	searched     extent = iota
	searchedDeep        // in deep runs
	straight            // in deep runs, by one order of arrival for each arrangement: on smaller rings the order makes no difference
)

// extrema are the algorithms that find the greatest id of an asynchronous ring: what
// others have counted of each, and the reading in which a process that does not
// begin by itself is no candidate. Each arrangement has one cost, whatever order
// messages arrive in (except for hirschbergsinclair on four, where a candidate that
// hears of the outcome first does not begin another phase).
var extrema = []struct {
	of         *ledger.Algorithm
	initiators string
	costs      []ringCost
}{
	{peterson.Algorithm, "relays", []ringCost{
		{2, 5, 5, "5", searched}, {3, 8, 8, "8", searched}, {4, 11, 16, "38/3", searched}, {5, 14, 21, "55/3", searched},
		{6, 17, 27, "121/5", searchedDeep}, {7, 20, 32, "", straight}, {8, 23, 46, "", straight},
	}},
	{dolevklawerodeh.Algorithm, "initiators", []ringCost{
		{2, 6, 6, "6", searched}, {3, 9, 9, "9", searched}, {4, 12, 20, "44/3", searched}, {5, 15, 25, "65/3", searched},
		{6, 18, 30, "142/5", searchedDeep}, {7, 21, 35, "", straight}, {8, 24, 56, "", straight},
	}},
	{franklin.Algorithm, "initiators", []ringCost{
		{2, 8, 8, "8", searched}, {3, 12, 12, "12", searched}, {4, 16, 24, "56/3", searched}, {5, 20, 30, "80/3", searched},
		{6, 24, 36, "172/5", searchedDeep}, {7, 28, 42, "", straight}, {8, 32, 64, "", straight},
	}},
	{hirschbergsinclair.Algorithm, "", []ringCost{
		{2, 10, 10, "10", searched}, {3, 23, 23, "23", searched}, {4, 28, 32, "", searched}, {5, 49, 55, "158/3", searched},
		{6, 54, 68, "", searchedDeep},
	}},
}

func TestCostsOfExtrema(t *testing.T) {
	t.Parallel()
	for _, a := range extrema {
		t.Run(a.of.Name, func(t *testing.T) {
			for _, c := range a.costs {
				in := a.of.Variants[0].Setting
				in.N, in.FIFO = c.n, true
				sys, err := a.of.Variants[0].New(in)
				require.NoError(t, err)
				switch {
				case !*play.Deep && c.n > 4:
				case c.how != searched && !*play.Deep:
				case c.how == searched || c.how == searchedDeep:
					c.search(t, sys)
				default:
					sent := play.Straight(t, sys)
					assert.Equal(t, []int{c.least + c.n, c.most + c.n}, []int{slices.Min(sent), slices.Max(sent)}, "N=%d", c.n)
				}
			}
		})
	}
}

// search checks a cost by a search through all orders of arrival.
func (c ringCost) search(t *testing.T, sys *model.System) {
	r := play.Costs(t, sys)
	found := r.Cost(cost.Measure{})
	assert.Equal(t, []int{c.least + c.n, c.most + c.n}, []int{found.Best, found.Worst}, "N=%d", c.n)
	mean := ""
	if found.Fixed() != nil {
		mean = new(big.Rat).Sub(found.Fixed(), big.NewRat(int64(c.n), 1)).RatString()
	}
	assert.Equal(t, c.mean, mean, "N=%d", c.n)
	assert.Equal(t, fmt.Sprint(c.n), r.Cost(cost.Measure{Kind: "elected"}).Fixed().RatString())
	assert.Zero(t, r.Stuck)
	assert.False(t, r.Endless)
}

// Of four processes in any arrangement the greatest of those wins that begin by
// themselves, whoever they are, in the reading where others are no candidates.
func TestGreatestInitiatorWins(t *testing.T) {
	t.Parallel()
	for _, a := range extrema {
		for set := model.Set(1); set < 1<<4 && a.initiators != ""; set++ {
			wins := checker.Always("wins", "Once settled, all name the greatest initiator.", func(v *model.View) bool {
				if !v.Settled {
					return true
				}
				for id := range v.Up.All() {
					if v.Elected(id) != set.Max() {
						return false
					}
				}
				return true
			})
			v, err := a.of.Variant(a.initiators)
			require.NoError(t, err)
			in := v.Setting
			in.N, in.Initiators = 4, setting.Initiators{Which: setting.These, Set: set}
			sys, err := v.New(in)
			require.NoError(t, err)
			assert.Equal(t, checker.Holds, play.Check(t, sys, wins).Verdict(), "%s, %v", a.of.Name, set)
		}
	}
}

// They tolerate no failures: what is lost with a process is waited for. With one
// crash nobody wrong is elected, and the election may never end.
func TestExtremaTolerateNoFailure(t *testing.T) {
	for _, a := range extrema {
		in := a.of.Variants[0].Setting
		in.N, in.Crashes = 3, 1
		sys, err := a.of.Variants[0].New(in)
		require.NoError(t, err)
		r := play.Check(t, sys, checker.Uniqueness, checker.E2)
		assert.Equal(t, checker.Holds, r.Finding("uniqueness").Verdict, a.of.Name)
		assert.Equal(t, checker.Violated, r.Finding("e2").Verdict, a.of.Name)
	}
}

// Every process of dolevklawerodeh reads a single channel, so that a reduced system has
// hardly more than one run for each arrangement.
func TestReducedStatesOfOneChannel(t *testing.T) {
	for _, tt := range []struct {
		n      int
		states uint64 // of 58,232 and 946,768
	}{{6, 4248}, {7, 30512}} {
		if testing.Short() && tt.n > 6 {
			continue
		}
		in := dolevklawerodeh.Algorithm.Variants[0].Setting
		in.N = tt.n
		sys, err := dolevklawerodeh.Algorithm.Variants[0].New(in)
		require.NoError(t, err)
		w, err := sys.Watched().Reduced(model.Reduction{Reads: model.ReadsLeaders | model.ReadsEachElected})
		require.NoError(t, err)
		result, err := explore.Search(t.Context(), w, explore.Options{Targets: w.Targets(), Exhaustive: true})
		require.NoError(t, err)
		assert.Equal(t, tt.states, result.Distinct)
	}
}
