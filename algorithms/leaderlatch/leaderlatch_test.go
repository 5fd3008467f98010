package leaderlatch

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// fresh says that names which are used again are known to nobody any more: where that
// holds, runs are those of names that are never used again.
var fresh = checker.AlwaysStep("fresh",
	"A node gets a name that no message and no watch has.",
	func(e *model.Event) bool {
		m, ok := model.Received[M](e)
		if !ok || m.Type != Create {
			return true
		}
		for _, other := range model.Mail[M](e.From) {
			named := other.Type == Watch || other.Type == NoNode || other.Type == Owner || other.Type == Owned || other.Type == Deleted
			if named && other.Node == m.Node {
				return false
			}
			for _, n := range other.List.all() {
				if n == m.Node {
					return false
				}
			}
		}
		return true
	},
).GivenStep("a node is created", func(e *model.Event) bool {
	m, ok := model.Received[M](e)
	return ok && m.Type == Create
})

func TestNamesAreFresh(t *testing.T) {
	for _, c := range []struct {
		name  string
		latch model.Protocol[P, M]
		in    string
	}{
		{"any delays", &Latch{}, "suspicions=2 timing=async"},
		{"a client comes back", &Latch{}, "crashes=1 restarts=1 crashers=1,2 timing=async"},
		{"pulsar", &Latch{Single: true}, "suspicions=2 timing=async"},
		{"resets, two names", resetsGone{resets{&Latch{NodeNames: 2}}}, "suspicions=1 timing=async"},
		{"curator", &Latch{Pings: true}, "cuts=1 cut-by=link detector=off timing=sync:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checker.Verify(t, c.latch, world+c.in, checker.Asking(fresh), checker.AllowGaps("*"))
		})
	}
	checker.Verify(t, resetsGone{resets{&Latch{NodeNames: 1}}}, world+"suspicions=1 timing=async",
		checker.Asking(fresh), checker.Expect(fresh), checker.AllowGaps("*"))
}

// Of one node that whoever creates it leads by, the clients agree in the end, whatever the
// delays.
func TestSingle(t *testing.T) {
	for in, states := range map[string]uint64{"suspicions=1 crashes=1 crashers=1,2": 4_484, "suspicions=2": 23_972} {
		t.Run(in, func(t *testing.T) {
			r := checker.Verify(t, &Latch{Single: true}, world+"timing=async "+in, checker.Asking(settles, checker.LeaderAgain), checker.AllowGaps("*"))
			assert.Equal(t, states, r.Distinct)
		})
	}
}

// A session ends at the store before its client knows. Without clocks two clients lead for
// a while, whatever the client does; with them a client is suspended in time.
func TestTwoAtOnce(t *testing.T) {
	for _, c := range []struct {
		name   string
		latch  *Latch
		in     string
		steps  int
		states uint64
	}{
		{"any delays", &Latch{}, "suspicions=1 timing=async", 17, 3_508},
		{"a cut, and a client that suspends", &Latch{Pings: true}, "cuts=1 cut-by=link detector=off timing=sync:1", 0, 88_628},
		{"a cut that heals", &Latch{Pings: true}, "cuts=1 cut-by=link heals=1 detector=off timing=sync:1", 0, 427_369},
		{"a crash, and a client that suspends", &Latch{Pings: true}, "crashes=1 crashers=1,2 detector=off timing=sync:1", 0, 40_481},
		{"a cut, and a client that does not", &Latch{Pings: true, Recipe: true}, "cuts=1 cut-by=link detector=off timing=sync:1", 33, 58_056},
	} {
		if c.states > 80_000 && !*play.Deep {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			options := []checker.Option{checker.Asking(checker.Uniqueness, checker.LeaderAgain), checker.AllowGaps("*")}
			if c.name == "a cut that heals" { // a request that is lost in it is not made again
				options[0] = checker.Asking(checker.Uniqueness)
			}
			if c.steps > 0 {
				options = append(options, checker.Expect(checker.Uniqueness))
			}
			r := checker.Verify(t, c.latch, world+c.in, options...)
			assert.Equal(t, c.states, r.Distinct)
			if c.steps > 0 {
				assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, c.steps)
			}
		})
	}
}
