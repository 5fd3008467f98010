package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/thorough"
	"bullyproof/model"
	"bullyproof/model/plain"
)

// A score is what the cases of a flavour came to. Its text is what .ci/attack sums.
type score struct{ cases, compared, smaller, plain, reduced, plainly int }

func (n *score) add(m match) {
	n.cases++
	if m.reduced > 0 {
		n.compared, n.plain, n.reduced = n.compared+1, n.plain+m.plain, n.reduced+m.reduced
		if m.reduced < m.plain {
			n.smaller++
		}
	}
}

func (n *score) String() string {
	return fmt.Sprintf("%d cases, %d compared, %d smaller, %d states, %d reduced, %d plainly", n.cases, n.compared, n.smaller, n.plain, n.reduced, n.plainly)
}

// flavoured returns the suspect of a number in a flavour.
func flavoured(f *anyprotocol.Flavour, seed uint64) suspect {
	c := f.Draw(seed)
	return suspect{table: c.Table, setting: c.Setting, seed: seed, like: &c}
}

// attackFlavour compares a search of a case with a reduced one, by the reductions that its
// flavour is about.
func attackFlavour(t *testing.T, f *anyprotocol.Flavour, seed, limit uint64, flaw model.Flaw) match {
	x := flavoured(f, seed)
	if _, err := x.full().System(); err != nil {
		require.True(t, pilesUp(err), "%v: %v", x, err)
		return match{}
	}
	switch f.Name {
	case anyprotocol.SymmetricCases, anyprotocol.SymmetricFaults:
		return attackPermutations(t, x, limit, flaw)
	}
	r := model.Reduction{}.Flawed(flaw)
	m := attack(t, x, r, limit)
	if m.differ != "" && flaw == 0 {
		x = smallest(t, x, r, limit)
		m = attack(t, x, r, limit)
		require.Fail(t, m.differ, "%v: %d states, reduced %d", x, m.plain, m.reduced)
	}
	return m
}

// A look at a flavour is what its cases came to.
type look struct {
	of    anyprotocol.Flavour
	score score
	saw   map[string]int // what comparisons with the plain world counted
}

// at attacks one case of the flavour.
func (l *look) at(t *testing.T, seed uint64) {
	limit, few := uint64(200), 60
	if *deep || casecount.Attacking() {
		limit = 600
	}
	if !l.of.Reduced {
		few = 100 // there is nothing else to be compared
	}
	m := attackFlavour(t, &l.of, seed, limit, 0)
	require.Empty(t, m.differ, "%v", flavoured(&l.of, seed))
	l.score.add(m)
	c := l.of.Draw(seed)
	if _, err := c.System(); err != nil {
		return
	}
	seen, err := plain.Compare(c.Plain(), c.Setting, few)
	require.NoError(t, err, "%v", c)
	for what, count := range seen {
		l.saw[what] += count
	}
	l.score.plainly++
}

// unmet returns what has not been seen of the flavour.
func (l *look) unmet() (what []string) {
	if l.of.Reduced && l.score.smaller < 2 {
		what = append(what, "smaller")
	}
	for _, word := range l.of.Sees {
		if l.saw[word] == 0 {
			what = append(what, word)
		}
	}
	return what
}

// TestEachFlavourIsAttacked has random cases of each flavour compared: reduced searches with
// plain ones, and the world with the plain world. It says how many, and that what the flavour
// is about is met. Where it is neither deep nor an attack it ends when that is so.
func TestEachFlavourIsAttacked(t *testing.T) {
	thorough.Only(t)
	few, many := !*deep && !casecount.Attacking(), uint64(200)
	if *deep {
		many = 500
	}
	for _, f := range anyprotocol.Flavours() {
		t.Run(f.Name, func(t *testing.T) {
			l := look{of: f, saw: map[string]int{}}
			first := casecount.First(t, 0)
			for seed := first; seed < first+many; seed++ {
				if l.at(t, seed); few && l.score.cases >= 5 && len(l.unmet()) == 0 {
					break
				}
			}
			t.Logf("flavour %s: %v", f.Name, &l.score)
			assert.Empty(t, l.unmet())
			assert.Equal(t, f.Reduced, l.score.smaller > 0)
			assert.Positive(t, l.score.plainly)
		})
	}
}

// plantedFaults are conditions of reductions, with the flavour that shows the lack of each.
var plantedFaults = []struct {
	flaw, flavour string
	near          uint64
}{
	{"passed", anyprotocol.Rings, 0},
	{"mail", anyprotocol.SymmetricCases, 0},
	{"periodic", anyprotocol.Periodic, 0},
}

// TestPlantedFaultsAreFound drops a condition that a flavour is about. With .ci/attack
// --planted it begins with fresh cases.
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, planted := range plantedFaults {
		t.Run(planted.flaw+" on "+planted.flavour, func(t *testing.T) {
			f := anyprotocol.FlavourOf(planted.flavour)
			first, end := casecount.First(t, planted.near), uint64(1_000)
			requireShown(t, first, first+end, func(seed uint64) match {
				return attackFlavour(t, f, seed, 400, model.Flaws[planted.flaw])
			})
		})
	}
}
