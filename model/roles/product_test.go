package roles_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/garbage"
	"bullyproof/model"
	"bullyproof/model/plain"
	"bullyproof/model/roles"
	"bullyproof/model/setting"
)

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// pair is the state of a process that has one of two random roles.
type pair = roles.State[anyprotocol.State, anyprotocol.State]

// product is what Two makes of two random protocols, made by hand. It has all optional
// methods, which do what is so without them where a role has none.
type product struct {
	tables [2]*anyprotocol.Table
	roles  [2]anyprotocol.Protocol
	second model.Set
	names  model.Names
}

func productOf(c *anyprotocol.Case, names model.Names) product {
	other := *c.Other
	other.FirstTimer = model.Timer(len(c.Table.Protocol().Names().Timers))
	return product{
		[2]*anyprotocol.Table{c.Table, &other}, [2]anyprotocol.Protocol{c.Table.Protocol(), other.Protocol()}, c.Second, names,
	}
}

// at returns the role of a process, and the part of its state that is of it.
func (y product) at(p *pair, self model.ID) (anyprotocol.Protocol, *anyprotocol.State) {
	if p.Second = y.second.Has(self); p.Second {
		return y.roles[1], &p.Other
	}
	return y.roles[0], &p.First
}

func (y product) Init(p *pair, net *model.Net[anyprotocol.Message], why model.Boot) {
	role, of := y.at(p, net.Self())
	role.Init(of, net, why)
}

func (y product) Start(p *pair, net *model.Net[anyprotocol.Message]) {
	role, of := y.at(p, net.Self())
	role.Start(of, net)
}

func (y product) Suspect(p *pair, net *model.Net[anyprotocol.Message], who model.ID) {
	role, of := y.at(p, net.Self())
	role.Suspect(of, net, who)
}

func (y product) Receive(p *pair, net *model.Net[anyprotocol.Message], from model.Port, m anyprotocol.Message) {
	role, of := y.at(p, net.Self())
	role.Receive(of, net, from, m)
}

func (y product) Timeout(p *pair, net *model.Net[anyprotocol.Message], timer model.Timer) {
	role, of := y.at(p, net.Self())
	role.Timeout(of, net, timer)
}

// now returns the role that a process has found that it has, and its state.
func (y product) now(p *pair) (*anyprotocol.Table, anyprotocol.Protocol, *anyprotocol.State) {
	if p.Second {
		return y.tables[1], y.roles[1], &p.Other
	}
	return y.tables[0], y.roles[0], &p.First
}

func (y product) Belief(p *pair) model.Belief {
	_, role, of := y.now(p)
	return role.Belief(of)
}

func (y product) Names() model.Names { return y.names }

func (y product) Settle(p *pair, self, coordinator model.ID, live model.Set) {
	*p = pair{}
	_, of := y.at(p, self)
	of.Elected = coordinator
}

// Stable keeps what the method of the table keeps, and not which role it is.
func (y product) Stable(p *pair) {
	table, _, of := y.now(p)
	kept := anyprotocol.State{}
	switch table.Methods {
	case anyprotocol.KeepsElected:
		kept.Elected = of.Elected
	case anyprotocol.KeepsTerm:
		kept.Term, kept.Mode = of.Term, of.Mode
	case anyprotocol.WantsLow:
		kept.Seen = of.Seen
	}
	if *p = (pair{First: kept}); table == y.tables[1] {
		*p = pair{Other: kept}
	}
}

func (y product) Watches(p *pair, _ model.ID) model.Set {
	table, _, of := y.now(p)
	switch {
	case table.Methods == anyprotocol.WatchesAll:
		return model.Upto(model.MaxID)
	case of.Elected != model.None && of.Elected != model.Me:
		return model.SetOf(of.Elected)
	}
	return 0
}

// Wanted is that of the first role that says whom it wants.
func (y product) Wanted(live model.Set) model.ID {
	if y.tables[0].Methods == anyprotocol.WantsLow || y.tables[1].Methods == anyprotocol.WantsLow {
		return live.Min()
	}
	return live.Max()
}

func (y product) Beyond(p *pair) string {
	_, role, of := y.now(p)
	if bounded, ok := model.As[interface {
		Beyond(p *anyprotocol.State) string
	}](role); ok {
		return bounded.Beyond(of)
	}
	return ""
}

// byHand is the product in the plain world, and what Two makes of the roles in searches.
type byHand struct {
	plain.Protocol
	two plain.Protocol
}

func (b byHand) System(s setting.Setting) (*model.System, error) { return b.two.System(s) }

// A protocol of two random roles does in searches what one that is made of them by hand does
// in the plain world.
func TestTwoAreTheProductByHand(t *testing.T) {
	compared, saw := 0, map[string]int{}
	for seed := range casecount.Numbers(t, false, 30, 4_000) {
		c := anyprotocol.FlavourOf(anyprotocol.Roles).Draw(seed)
		two := c.Plain()
		sys, err := two.System(c.Setting)
		if err != nil {
			require.ErrorContains(t, err, "more than links hold", "%v", c)
			continue
		}
		seen, err := plain.Compare(byHand{plain.Of(productOf(&c, sys.Names())), two}, c.Setting, 80)
		require.NoError(t, err, "%v", c)
		compared++
		for what, n := range seen {
			saw[what] += n
		}
	}
	t.Logf("flavour roles by hand: %d cases, %d compared", compared, compared)
	for _, what := range []string{"timeout", "deliver", "start", "suspect", "restart", "mid-send", "beyond"} {
		assert.Positive(t, saw[what], what)
	}
}
