package model_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

var deep = model.Deep

// cases returns how many random cases to look at: many with -deep.
func cases(few, many int) int {
	if *deep {
		return many
	}
	return few
}

// A suspect is a random protocol in a random setting.
type suspect struct {
	table   *anyprotocol.Table
	setting setting.Setting
	seed    uint64
	like    *anyprotocol.Case // what else it has; nil for nothing
}

// full is all of the suspect.
func (x suspect) full() anyprotocol.Case {
	c := anyprotocol.Case{}
	if x.like != nil {
		c = *x.like
	}
	c.Table, c.Setting, c.Seed = x.table, x.setting, x.seed
	return c
}

// suspectOf returns the suspect of a number.
func suspectOf(seed uint64) suspect {
	r := rand.New(rand.NewPCG(seed, 16))
	s := anyprotocol.Setting(r)
	return suspect{table: anyprotocol.Draw(r, s), setting: s, seed: seed}
}

func (x suspect) String() string { return x.full().String() }

// system returns the protocol in the setting.
func (x suspect) system(t require.TestingT) *model.System {
	sys, err := x.full().System()
	require.NoError(t, err, "%v", x)
	return sys
}

// An answer is what a search of a system comes to.
type answer struct {
	states   int
	levels   []uint64
	depths   []int           // of the first hit of each target, -1 without one
	outcomes map[string]bool // settled states, as properties see them
}

// outcome is what a settled state comes to.
func outcome(v *model.View) string {
	text := fmt.Sprintf("up %v of %v, leaders %v:", v.Up, v.Present, v.Leaders)
	for id := model.ID(1); id <= v.N; id++ {
		text += fmt.Sprintf(" %v", v.Elected(id))
	}
	return text
}

// questions returns what is asked of an election: of each state, of those that are
// settled, and of steps.
func questions() []model.Watch {
	elected := func(v *model.View, wrong func(by, elected model.ID) bool) bool {
		for id := range v.Up.All() {
			if e := v.Elected(id); e != model.None && wrong(id, e) {
				return true
			}
		}
		return false
	}
	states := []func(v *model.View) bool{
		func(v *model.View) bool { return v.Leaders.Len() > 1 },
		func(v *model.View) bool { return v.Settled && v.Leaders.Len() > 1 },
		func(v *model.View) bool {
			return v.Settled && elected(v, func(_, e model.ID) bool { return v.Elected(v.Up.Min()) != e })
		},
		func(v *model.View) bool {
			return v.Settled && elected(v, func(_, e model.ID) bool { return !v.Up.Has(e) })
		},
		func(v *model.View) bool {
			return elected(v, func(_, e model.ID) bool { return e < 1 || e > v.N })
		},
		func(v *model.View) bool {
			return v.Settled && elected(v, func(_, e model.ID) bool { return e != v.Wanted })
		},
	}
	var all []model.Watch
	for _, is := range states {
		all = append(all, model.Watch{State: is})
	}
	return append(all, model.Watch{Step: func(e *model.Event) bool { return e.To.Leaders&^e.From.Leaders != 0 && e.From.Leaders != 0 }})
}

// search returns what a search of a system comes to.
func search(t require.TestingT, sys *model.System, opt explore.Options) (*answer, *explore.Result) {
	a := &answer{outcomes: map[string]bool{}}
	var mu sync.Mutex
	all := append(questions(), model.Watch{State: func(v *model.View) bool {
		if v.Settled {
			mu.Lock()
			defer mu.Unlock()
			a.outcomes[outcome(v)] = true
		}
		return false
	}})
	watched := sys.Watched(all...)
	opt.Targets, opt.Exhaustive = watched.Targets(), true
	r, err := explore.Search(context.Background(), watched, opt)
	require.NoError(t, err)
	a.states, a.levels = int(r.Distinct), r.Levels
	for target := range watched.Targets() {
		a.depths = append(a.depths, -1)
		if h, ok := r.Hit(target); ok {
			a.depths[target] = h.Depth
		}
	}
	return a, r
}

// plainly returns what a search with a map and a queue comes to, by what people
// read of transitions; nil where there are more states than the limit.
func plainly(sys *model.System, limit int) *answer {
	watches := questions()
	a := &answer{outcomes: map[string]bool{}, depths: make([]int, len(watches)+2)}
	for i := range a.depths {
		a.depths[i] = -1
	}
	hit := func(target, depth int) {
		if a.depths[target] < 0 {
			a.depths[target] = depth
		}
	}
	depth := map[string]int{}
	var queue []string
	meet := func(state []byte, d int) {
		if _, ok := depth[string(state)]; ok {
			return
		}
		if d == len(a.levels) {
			a.levels = append(a.levels, 0)
		}
		a.levels[d]++
		depth[string(state)] = d
		queue = append(queue, string(state))
	}
	for state := range sys.Initial {
		meet(state, 0)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if len(depth) > limit {
			return nil
		}
		from := []byte(queue[0])
		d := depth[queue[0]]
		v := sys.View(from)
		if v.Settled {
			a.outcomes[outcome(v)] = true
		}
		for i, w := range watches {
			if w.State != nil && w.State(v) {
				hit(i, d)
			}
		}
		leaders := v.Leaders
		for _, tr := range sys.Transitions(from) {
			if tr.Misuse != "" {
				hit(len(watches)+1, d+1)
			}
			if tr.Next == nil {
				continue
			}
			to := sys.View(tr.Next)
			if to.Leaders&^leaders != 0 && leaders != 0 {
				hit(len(watches)-1, d+1)
			}
			meet(tr.Next, d+1)
		}
	}
	a.states = len(depth)
	return a
}

// TestSearchesAgree has every way to search a random protocol in a random
// setting come to what a plain search comes to.
func TestSearchesAgree(t *testing.T) {
	dir, onDisk := t.TempDir(), 0
	compared, limit := 0, 300
	if *deep {
		limit = 3000
	}
	for seed := range casecount.Numbers(t, *deep, 25, 1_500) {
		x := suspectOf(seed)
		sys := x.system(t)
		want := plainly(sys, limit)
		if want == nil {
			continue
		}
		compared++
		for _, opt := range []explore.Options{
			{Workers: 1}, {Workers: 2}, {Workers: 3}, {Workers: 1, Exact: true}, {Workers: 3, Exact: true}, {Workers: 2, Graph: true},
			{Workers: 2, Disk: explore.Disk{InMemory: 20}}, {Order: explore.DepthFirst}, {Order: explore.DepthFirst, Exact: true},
		} {
			if opt.Disk.InMemory > 0 {
				opt.Disk.Dir, opt.Disk.Identity = filepath.Join(dir, fmt.Sprint(seed)), x.String()
			}
			got, r := search(t, sys, opt)
			where := fmt.Sprintf("%v, %+v", x, opt)
			if !x.table.Terms || !x.table.Bounded || r.Reason != explore.CutBySystem {
				require.Equal(t, explore.Complete, r.Reason, where)
			}
			if r.DiskBytes > 0 {
				onDisk++
			}
			require.NoError(t, r.Close())
			require.Equal(t, want.states, got.states, where)
			require.Equal(t, want.outcomes, got.outcomes, where)
			if opt.Order == explore.BreadthFirst {
				require.Equal(t, want.levels, got.levels, where)
				require.Equal(t, want.depths, got.depths, where)
				continue
			}
			for target, depth := range want.depths {
				require.Equal(t, depth >= 0, got.depths[target] >= 0, "%s, target %d", where, target)
				require.GreaterOrEqual(t, got.depths[target], depth, "%s, target %d", where, target)
			}
		}
	}
	require.Positive(t, compared)
	require.Positive(t, onDisk)
}
