// Package rings tests what is said of all algorithms that find the greatest id
// of an asynchronous ring: what they cost, who wins, and that they tolerate no
// failures.
package rings

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
)

// A Cost is what elections on rings of N processes cost that all begin, over all
// arrangements: the least and the most messages, and the mean over the
// arrangements as a fraction; none where the order of arrival makes a
// difference. Elected, the N messages of the announcement, is left out.
type Cost struct {
	N, Least, Most int
	Mean           string

	// Straight has one order of arrival tried for each arrangement, for rings too large
	// to be searched: on smaller ones the order makes no difference. Deep costs are for
	// -deep.
	Straight, Deep bool
}

// Costs checks what elections cost.
func Costs(t *testing.T, a *ledger.Algorithm, costs ...Cost) {
	t.Helper()
	for _, c := range costs {
		switch {
		case c.Deep && !*play.Deep:
		case c.Straight:
			c.straight(t, a)
		default:
			c.searched(t, a)
		}
	}
}

// elected counts the announcement.
var elected = cost.Measure{Kind: "elected"}

// Eager returns the first variant of an algorithm on rings of n, in its own
// setting with channels that keep the order, where all begin.
func Eager(a *ledger.Algorithm, n int) (*model.System, error) {
	v := a.Variants[0]
	setting := v.Setting
	setting.N, setting.FIFO = n, true
	return v.New(setting)
}

// searched checks the cost by a search through all orders of arrival.
func (c Cost) searched(t *testing.T, a *ledger.Algorithm) {
	t.Helper()
	sys, err := Eager(a, c.N)
	require.NoError(t, err)
	r, err := cost.Of(t.Context(), sys, cost.Options{})
	require.NoError(t, err)
	found := r.Cost(cost.Measure{})
	assert.Equal(t, []int{c.Least + c.N, c.Most + c.N}, []int{found.Best, found.Worst}, "N=%d", c.N)
	mean := ""
	if found.Fixed() != nil {
		mean = new(big.Rat).Sub(found.Fixed(), big.NewRat(int64(c.N), 1)).RatString()
	}
	assert.Equal(t, c.Mean, mean, "N=%d", c.N)
	assert.Equal(t, fmt.Sprint(c.N), r.Cost(elected).Fixed().RatString())
	assert.Zero(t, r.Stuck)
	assert.False(t, r.Endless)
}

// straight checks the cost by one order of arrival for each arrangement.
func (c Cost) straight(t *testing.T, a *ledger.Algorithm) {
	t.Helper()
	sys, err := Eager(a, c.N)
	require.NoError(t, err)
	sent := play.Straight(t, sys)
	assert.Equal(t, []int{c.Least + c.N, c.Most + c.N}, []int{slices.Min(sent), slices.Max(sent)}, "N=%d", c.N)
}

// Range returns the least and the most messages of an election on rings of n
// where all begin, without the announcement: "5..5".
func Range(a *ledger.Algorithm, n int) string {
	sys, err := Eager(a, n)
	if err != nil {
		return err.Error()
	}
	r, err := cost.Of(context.Background(), sys, cost.Options{})
	if err != nil {
		return err.Error()
	}
	c := r.Cost(cost.Measure{})
	return fmt.Sprintf("%d..%d", c.Best-n, c.Worst-n)
}

// GreatestInitiatorWins checks that of four processes in any arrangement the
// greatest of those wins that begin by themselves, whoever they are.
func GreatestInitiatorWins(t *testing.T, a *ledger.Algorithm, variant string) {
	v, err := a.Variant(variant)
	require.NoError(t, err)
	for set := model.Set(1); set < 1<<4; set++ {
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
		in := v.Setting
		in.N, in.Initiators = 4, setting.Initiators{Which: setting.These, Set: set}
		sys, err := v.New(in)
		require.NoError(t, err)
		assert.Equal(t, checker.Holds, verdicts(t, sys, wins)[0], "%v", set)
	}
}

// NoTolerance checks that what is lost with a process is waited for: with one
// crash nobody wrong is elected, and the election may never end.
func NoTolerance(t *testing.T, a *ledger.Algorithm) {
	v := a.Variants[0]
	setting := v.Setting
	setting.N, setting.Crashes = 3, 1
	sys, err := v.New(setting)
	require.NoError(t, err)
	assert.Equal(t, []checker.Verdict{checker.Holds, checker.Violated}, verdicts(t, sys, checker.Uniqueness, checker.E2))
}

func verdicts(t *testing.T, sys *model.System, properties ...*checker.Property) (list []checker.Verdict) {
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: properties})
	require.NoError(t, err)
	for _, p := range properties {
		list = append(list, r.Finding(p.Name).Verdict)
	}
	return list
}
