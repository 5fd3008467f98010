package changroberts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// lives decides E1 and the standard liveness properties. It returns what is
// violated, with the length of the run and the step that begins its cycle, 0
// where the run is over.
func lives(t *testing.T, variant, text string) string {
	t.Helper()
	var found []string
	for _, f := range play.Broken(t, system(t, variant, text), append([]*checker.Property{checker.E1}, checker.Liveness()...)...) {
		found = append(found, fmt.Sprintf("%s %d/%d", f.Property.Name, len(f.Trace.Steps), f.Trace.Lasso))
	}
	return strings.Join(found, ", ")
}

// "Condition E1 is met." "Condition E2 follows immediately from the guaranteed
// traversals of the ring (there are no failures)." Both hold, over all
// arrangements and sets of initiators, where channels keep the order of
// messages. Otherwise an old election message makes a process that has been
// told a participant again, and may leave it one: with four processes, and with
// three if one election is all there is. Whom it names does not change.
func TestE1AndE2(t *testing.T) {
	most := 5
	if testing.Short() {
		most = 4
	}
	for n := 2; n <= most; n++ {
		for _, who := range []string{"any", "any:lazy"} {
			setting := fmt.Sprintf("n=%d topology=ring initiators=%s timing=patient channels=fifo", n, who)
			for _, v := range []string{"coulouris", "once"} {
				assert.Empty(t, lives(t, v, setting), "%s, %s", v, setting)
			}
		}
	}
	const unordered = "n=%d topology=ring initiators=all:lazy timing=patient"
	assert.Empty(t, lives(t, "coulouris", fmt.Sprintf(unordered, 2)))
	assert.Empty(t, lives(t, "coulouris", fmt.Sprintf(unordered, 3)))
	assert.Equal(t, "e2 12/0", lives(t, "coulouris", fmt.Sprintf(unordered, 4)))
	assert.Empty(t, lives(t, "once", fmt.Sprintf(unordered, 2)))
	assert.Equal(t, "e2 10/0", lives(t, "once", fmt.Sprintf(unordered, 3)))
}

// It does not tolerate failures: an id lost with a process leaves participants
// behind, and a ring that is repaired passes the id of a process that has failed
// on and on.
func TestFailures(t *testing.T) {
	assert.Equal(t, "e1 7/0, e2 2/0, stable-leadership 1/0, re-election 7/0",
		lives(t, "coulouris", "n=3 topology=ring initiators=any:lazy timing=patient channels=fifo crashes=1"))
	assert.Equal(t, "e1 7/0, e2 2/0, stable-leadership 1/0, re-election 9/8, termination 6/5",
		lives(t, "coulouris", "n=3 topology=ring:repaired initiators=any:lazy timing=patient channels=fifo crashes=1"))
}

// retires has the coordinator begin one more election as soon as all know it.
type retires struct{ changroberts.Numbered }

func (c retires) Receive(p *changroberts.P, net *model.Net[changroberts.M], from model.Port, m changroberts.M) {
	c.Numbered.Receive(p, net, from, m)
	if m.Type == changroberts.Elected && m.ID == net.Self() && m.Number == 0 {
		c.Start(p, net)
	}
}

// elsewhere has the process before it do so, when it is told.
type elsewhere struct{ changroberts.Numbered }

func (c elsewhere) Receive(p *changroberts.P, net *model.Net[changroberts.M], from model.Port, m changroberts.M) {
	c.Numbered.Receive(p, net, from, m)
	if m.Type == changroberts.Elected && m.ID == net.Self()+1 && m.Number == 0 {
		c.Start(p, net)
	}
}

// The repair numbers elections: it takes more than one, begun by the
// coordinator or by another process, whatever order messages arrive in.
func TestRepairedElectsAgain(t *testing.T) {
	most := 4
	if testing.Short() {
		most = 3
	}
	repaired := changroberts.Numbered{Protocol: &changroberts.Protocol{}}
	for _, p := range []model.Protocol[changroberts.P, changroberts.M]{retires{repaired}, elsewhere{repaired}} {
		for n := 2; n <= most; n++ {
			sys, err := model.New(p, setting.Setting{N: n, Needs: setting.Needs{Topology: setting.Ring, Initiators: setting.Initiators{Lazy: true}, Timing: setting.Timing{Kind: setting.Patient}}})
			require.NoError(t, err)
			r := play.Check(t, sys, append(checker.InSetting(checker.Standard(), sys.Setting()), checker.E1)...)
			assert.Equal(t, checker.Holds, r.Verdict(), "%T, n=%d: %s", p, n, fmt.Sprint(r.Distinct))
		}
	}
}
