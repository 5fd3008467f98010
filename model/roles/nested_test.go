package roles_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/roles"
	"bullyproof/trace"
)

type role[P any] = roles.Role[P, anyprotocol.Message]

// Three roles are a role and two, or two and a role: both do the same.
func TestRolesOfRoles(t *testing.T) {
	met := map[string]int{}
	for seed := range casecount.Numbers(t, false, 60, 4_000) {
		drawn := rand.New(rand.NewPCG(seed, 51))
		c := anyprotocol.FlavourOf(anyprotocol.Roles).Draw(seed)
		a, b, third := c.Table, c.Other, anyprotocol.Draw(drawn, c.Setting)
		third.Hops, third.Periodic = a.Hops, 0
		for _, table := range []*anyprotocol.Table{a, b, third} {
			anyprotocol.Looking(drawn, table)
			table.Looks = seed%2 == 0
		}
		thirds := model.SetOf(c.Second.Max())

		// The names of the roles within stand behind an empty one.
		inner := roles.Two(role[anyprotocol.State]{Name: "b", Protocol: b.Protocol()}, role[anyprotocol.State]{Name: "c", Protocol: third.Protocol()}, thirds)
		right, err := model.New(roles.Two(role[anyprotocol.State]{Name: "a", Protocol: a.Protocol()}, role[pair]{Protocol: inner}, c.Second), c.Setting)
		first := roles.Two(role[anyprotocol.State]{Name: "a", Protocol: a.Protocol()}, role[anyprotocol.State]{Name: "b", Protocol: b.Protocol()}, c.Second)
		left, otherwise := model.New(roles.Two(role[pair]{Protocol: first}, role[anyprotocol.State]{Name: "c", Protocol: third.Protocol()}, thirds), c.Setting)
		require.Equal(t, err == nil, otherwise == nil, "%v", c)
		if err != nil {
			require.ErrorContains(t, err, "more than links hold", "%v", c)
			continue
		}
		require.Equal(t, left.Names(), right.Names())
		for id := model.ID(1); int(id) <= c.Setting.N; id++ {
			require.Equal(t, left.Role(id), right.Role(id))
			met[left.Role(id)]++
		}
		sideBySide(t, left, right, 1_500, met, c)
	}
	for _, what := range []string{"a", "b", "c", "timeout of c", "timeout of b", "timeout of a"} {
		assert.Positive(t, met[what], what)
	}
}

// sideBySide follows two systems side by side, as far as so many states.
func sideBySide(t *testing.T, left, right *model.System, most int, met map[string]int, c anyprotocol.Case) {
	t.Helper()
	var states [][2]string
	other := map[string]string{}
	meet := func(l, r []byte) {
		known, ok := other[string(l)]
		if !ok {
			other[string(l)] = string(r)
			states = append(states, [2]string{string(l), string(r)})
			return
		}
		require.Equal(t, known, string(r), "%v", c)
	}
	var first [2][][]byte
	for i, sys := range []*model.System{left, right} {
		sys.Initial(func(state []byte) bool {
			first[i] = append(first[i], append([]byte(nil), state...))
			return true
		})
	}
	require.Len(t, first[1], len(first[0]))
	for i, l := range first[0] {
		meet(l, first[1][i])
	}
	for i := 0; i < len(states) && i < most; i++ {
		l, r := []byte(states[i][0]), []byte(states[i][1])
		lv, rv := left.View(l), right.View(r)
		require.Equal(t, lv.Leaders, rv.Leaders, "%v", c)
		require.Equal(t, lv.Up, rv.Up, "%v", c)
		lt, rt := left.Transitions(l), right.Transitions(r)
		require.Len(t, rt, len(lt), "%v", c)
		for k := range lt {
			require.Equal(t, trace.ActionText(lt[k].Action), trace.ActionText(rt[k].Action), "%v", c)
			require.Equal(t, lt[k].Misuse, rt[k].Misuse, "%v", c)
			require.Equal(t, lt[k].Rules, rt[k].Rules, "%v", c)
			if lt[k].Misuse == "" {
				meet(lt[k].Next, rt[k].Next)
			}
			if lt[k].Action.Kind == model.Expires {
				met["timeout of "+left.Role(lt[k].Action.Process)]++
			}
		}
	}
}
