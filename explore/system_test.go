package explore

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSuccessorsMisuse has a system misuse Successors in its third state, which
// a search expands in one batch with the states before it.
func TestSuccessorsMisuse(t *testing.T) {
	step := func(out *Successors) { out.Add(make([]byte, 8), 1) }
	for name, test := range map[string]struct {
		at   func(n int64, out *Successors)
		want string
	}{
		"a reason too large": {func(_ int64, out *Successors) { out.Cut(64) }, "Cut(64)"},
		"a negative reason":  {func(_ int64, out *Successors) { out.Cut(-1) }, "Cut(-1)"},
		"a step before it is there": {func(_ int64, out *Successors) { out.HitStep(0, 7) },
			"HitStep(0, 7) came before the End"},
		"a label before its transition": {func(_ int64, out *Successors) { out.Label(3) },
			"Label came before the End"},
		"a label too many": {func(_ int64, out *Successors) { step(out); out.Label(3); out.Label(4) },
			"Label came twice for one transition (number 3, then 4)"},
		"a label too few": {func(_ int64, out *Successors) { step(out); out.Label(3); step(out) },
			"labels some transitions and not others"},
		"a label for the second transition": {func(_ int64, out *Successors) { step(out); step(out); out.Label(3) },
			"labels some transitions and not others"},
		"two marks":      {func(_ int64, out *Successors) { out.Mark(1); out.Mark(2) }, "Mark came twice for one state (0x1, then 0x2)"},
		"a mark too few": {func(n int64, out *Successors) { out.Mark(uint64(n)) }, "marks some states and not others"},
		"not what Begin returned": {func(_ int64, out *Successors) { step(out); out.End([]byte{1}, 1) },
			"End got fewer bytes than Begin returned"},
		"no such target":    {func(_ int64, out *Successors) { out.Hit(1, 0) }, "target 1"},
		"a negative target": {func(_ int64, out *Successors) { out.Hit(-1, 0) }, "target -1"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := fan3{at: func(n int64, out *Successors) {
				if n == 2 {
					test.at(n, out)
				}
			}}
			// A second label or mark is known as such where the states before had theirs.
			sys.alone = strings.Contains(test.want, "twice")
			for _, opt := range []Options{{}, {Graph: true}, {Exact: true, Graph: true}, {Order: DepthFirst}} {
				if opt.Order == DepthFirst && name == "a mark too few" {
					continue // it expands one state at a time, and keeps no marks
				}
				opt.Targets = 1
				_, err := Search(context.Background(), sys, opt)
				require.ErrorContains(t, err, test.want, "%+v", opt)
				if strings.Contains(test.want, " came ") || strings.Contains(test.want, "Cut") {
					require.Regexp(t, `\(system_test\.go:\d+\)`, err, "the place of the call")
				}
			}
			_, err := Walk(context.Background(), sys, WalkOptions{Targets: 1, Walks: 100})
			if name != "a mark too few" { // as above
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

// A fan3 has three initial states, of which two lead to the first; alone it
// has the third.
type fan3 struct {
	at    func(n int64, out *Successors)
	alone bool
}

func (f fan3) Initial(yield func([]byte) bool) {
	for n := range byte(3) {
		if (!f.alone || n == 2) && !yield([]byte{n}) {
			return
		}
	}
}

func (f fan3) NewExpander() Expander { return f }

func (f fan3) Expand(state []byte, out *Successors) {
	f.at(int64(state[0]), out)
	if state[0] < 2 {
		out.Add([]byte{0}, 0)
	}
}

func TestErrOfSuccessors(t *testing.T) {
	var out Successors
	assert.NoError(t, out.Err())
	out.Cut(99)
	out.Cut(98)
	assert.ErrorContains(t, out.Err(), "Cut(99)", "the first one")
	out.Reset()
	assert.NoError(t, out.Err())
}

// A hit is of the state under expansion or of the step to one successor.
func TestHitIn(t *testing.T) {
	var out Successors
	out.Add([]byte{1}, 0)
	out.HitStep(0, 0)
	out.Add([]byte{2}, 0)
	out.Hit(1, 0)
	for _, c := range []struct {
		target, successor int
		want              bool
	}{{0, 0, true}, {0, 1, false}, {0, -1, false}, {1, -1, true}, {1, 0, false}, {1, 1, false}, {2, -1, false}} {
		assert.Equal(t, c.want, out.HitIn(c.target, c.successor), "target %d, successor %d", c.target, c.successor)
	}
	out.Reset()
	assert.False(t, out.HitIn(0, 0))
	require.NoError(t, out.Err())
}
