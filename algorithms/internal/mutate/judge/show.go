package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/algorithms/internal/mutate"
	"bullyproof/algorithms/internal/mutate/point"
	"bullyproof/internal/test/play"
	"bullyproof/model"
)

// mostPairs is how many pairs of states are looked at for a run in one setting, and mostTime how long in all.
const mostPairs, mostTime = 5_000, 5 * time.Second

// show looks for a run in which a mutant goes on otherwise, in the systems in which it
// may, and says which one it is as in rules.txt.
func (b *bench) show(p mutate.Point) string {
	start := time.Now()
	for _, c := range b.cases {
		if !c.differs[p.ID] {
			continue
		}
		if text := b.apart(c, p); text != "" {
			return text
		}
		if time.Since(start) > mostTime {
			return "no run was found in time in which a message or a belief is another one"
		}
	}
	return ""
}

// A pair is a state of an algorithm, and the one that a mutant is in after the same run.
type pair struct {
	is, mutant []byte
	run        []string
}

// apart looks for a shortest run after which a mutant sends something else, or believes
// something else, or can do something else.
func (b *bench) apart(c *trial, p mutate.Point) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "it fails: " + firstLine(fmt.Sprint(r))
		}
	}()
	defer b.board.Set(point.None, 0)
	var sys [2]*model.System
	ends := [2]int{point.None, p.ID}
	var first pair
	for i, on := range ends {
		b.board.Set(on, 50_000_000)
		s, err := c.in()
		if err != nil {
			return ""
		}
		sys[i] = s
		s.Initial(func(state []byte) bool {
			*[]*[]byte{&first.is, &first.mutant}[i] = slices.Clone(state)
			return false
		})
	}
	seen := map[string]bool{string(first.is) + "\n" + string(first.mutant): true}
	for open := []pair{first}; len(open) > 0 && len(seen) < mostPairs; open = open[1:] {
		now := open[0]
		b.board.Set(point.None, 0)
		is := sys[0].Transitions(now.is)
		b.board.Set(p.ID, 50_000_000)
		mutant := sys[1].Transitions(now.mutant)
		for i := range is {
			action := play.Text(is[i].Action)
			if slices.ContainsFunc(is[:i], func(t model.Transition) bool { return play.Text(t.Action) == action }) {
				continue
			}
			run := append(slices.Clone(now.run), action)
			k := slices.IndexFunc(mutant, func(t model.Transition) bool { return play.Text(t.Action) == action })
			if k < 0 {
				return b.tell(c, sys[0], run, &is[i], "the mutant cannot do the last of these")
			}
			if mutant[k].Misuse != "" {
				return b.tell(c, sys[0], run, &is[i], "the mutant: "+mutant[k].Misuse)
			}
			if is[i].Misuse != "" {
				continue
			}
			if a, m := does(sys[0], &is[i]), does(sys[1], &mutant[k]); a != m {
				return b.tell(c, sys[0], run, &is[i], "the mutant  "+m)
			}
			key := string(is[i].Next) + "\n" + string(mutant[k].Next)
			if !seen[key] {
				seen[key] = true
				open = append(open, pair{is[i].Next, mutant[k].Next, run})
			}
		}
	}
	return ""
}

// does says what an action comes to.
func does(sys *model.System, t *model.Transition) string {
	var are []string
	s := sys.Snapshot(t.Next)
	for i := range s.Processes {
		are = append(are, s.Processes[i].ID.Name()+" "+play.Is(&s.Processes[i]))
	}
	return "sends  " + play.Sends(t) + "  then  " + strings.Join(are, "; ")
}

// tell says what was found.
func (b *bench) tell(c *trial, sys *model.System, run []string, t *model.Transition, but string) string {
	rules := strings.Join(t.Rules, ", ")
	return fmt.Sprintf("in   %s (%s)\nrun  %s\nrule %s\nit   %s\nbut  %s", sys.Setting(), c.name, strings.Join(run, "; "), rules, does(sys, t), but)
}
