package induction

import (
	"errors"
	"slices"
	"strings"

	"bullyproof/checker/relation"
	"bullyproof/model"
)

// A Counterexample is a step that breaks a sentence: a state in which all that was supposed
// is true, the step, and the state behind it. No run needs to lead there.
type Counterexample struct {
	Sentence relation.Sentence
	// Step is the step with its things; empty where an initial state breaks the sentence.
	Step string
	// In has the things that the sentence and the step are about.
	In            *relation.Instance
	Before, After []uint64 // After is nil where the solver cannot say
	// Reached says whether runs of the instances come to such a state before the step.
	Reached Reach
}

// A Reach says whether runs of the instances come to a state in which some things stand like
// this, beside others perhaps.
type Reach string

// The answers.
const (
	// Reached: they do. So no sentence about so few things bars the step.
	Reached Reach = "yes"
	// Unreached: they do not. A sentence that the search did not try may bar the step.
	Unreached Reach = "no"
	// Beyond: no instance has so many things.
	Beyond Reach = "unknown"
)

// reached looks for the state before among those that were seen.
func (x *Counterexample) reached(seen []relation.Seen) {
	if x.In == nil {
		return
	}
	x.Reached = Beyond
	for _, in := range seen {
		at, fits := x.In.Like(x.Before, in)
		switch {
		case at >= 0:
			x.Reached = Reached
			return
		case fits:
			x.Reached = Unreached
		}
	}
}

// constants are the terms of a query, by sort.
type constants struct {
	list []string
	sort []int
}

func (c *constants) add(s *relation.Scope, of []string) {
	for _, v := range s.Free {
		c.list, c.sort = append(c.list, of[v]), append(c.sort, s.Vars[v].Sort)
	}
}

// addMeetings adds the processes in which quorums meet.
func (c *constants) addMeetings(d *relation.Description) {
	for i, one := range c.list {
		for k, other := range c.list[:i+1] {
			if of := d.Sorts[c.sort[i]].QuorumOf; of >= 0 && c.sort[k] == c.sort[i] {
				c.list, c.sort = append(c.list, apply("meet", one, other)), append(c.sort, of)
			}
		}
	}
}

// A picture makes an instance of what a solver says of the constants of a query.
type picture struct {
	writer
	s   *session
	c   constants
	rep [][]int // of each thing of a sort: a constant that it is
	err error
}

func (p *picture) holds(formula string) bool {
	if p.err != nil {
		return false
	}
	yes, err := p.s.value(formula)
	p.err = err
	return yes
}

// draw makes the instance, and the states before and behind the step, of which the first
// constants are; st is nil for an initial state.
func (w writer) draw(s *session, c constants, st *relation.Step, after func(rel int, args []string) string) (*Counterexample, error) {
	c.addMeetings(w.Description)
	p := &picture{writer: w, s: s, c: c, rep: make([][]int, len(w.Sorts))}
	p.classes()
	sizes := make([]int, len(w.Sorts))
	for i, r := range p.rep {
		sizes[i] = len(r)
	}
	in := w.Of(p.ring(), sizes, p.quorums())
	x := &Counterexample{In: in, Before: in.Empty(), After: in.Empty()}
	if st != nil {
		things := make([]int, len(st.Free))
		for i := range things {
			things[i] = p.thing(i)
		}
		x.Step = in.StepText(st, things)
	}
	for rel, r := range w.Relations {
		if r.Fixed {
			continue
		}
		p.each(r.Sorts, func(things []int, args []string) {
			if p.holds(w.before(rel, args)) {
				in.Set(x.Before, rel, things...)
			}
			if p.err == nil && x.After != nil && p.holds(after(rel, args)) {
				in.Set(x.After, rel, things...)
			}
			if errors.Is(p.err, errNoValue) {
				x.After, p.err = nil, nil
			}
		})
	}
	return x, p.err
}

// each calls do with all things of these sorts, and a term for each.
func (p *picture) each(sorts []int, do func(things []int, args []string)) {
	var grow func(things []int, args []string)
	grow = func(things []int, args []string) {
		if len(things) == len(sorts) {
			do(things, args)
			return
		}
		for i, r := range p.rep[sorts[len(things)]] {
			grow(append(things, i), append(args, p.c.list[r]))
		}
	}
	grow(nil, nil)
}

// thing returns which thing of its sort a constant is.
func (p *picture) thing(constant int) int {
	return slices.IndexFunc(p.rep[p.c.sort[constant]], func(r int) bool {
		return r == constant || p.holds(apply("=", p.c.list[constant], p.c.list[r]))
	})
}

// classes finds which constants are the same, and puts those of a sort in order.
func (p *picture) classes() {
	for i, term := range p.c.list {
		sort := p.c.sort[i]
		if !slices.ContainsFunc(p.rep[sort], func(r int) bool { return p.holds(apply("=", term, p.c.list[r])) }) {
			p.rep[sort] = append(p.rep[sort], i)
		}
	}
	for sort, list := range p.rep {
		if !p.Sorts[sort].Ordered {
			continue
		}
		slices.SortFunc(list, func(a, b int) int {
			if a != b && p.holds(apply(p.less(sort), p.c.list[a], p.c.list[b])) {
				return -1
			}
			if a == b {
				return 0
			}
			return 1
		})
	}
}

// ring puts the processes in the order of the ring.
func (p *picture) ring() []model.ID {
	ids := make([]model.ID, len(p.rep[relation.Process]))
	for i := range ids {
		ids[i] = model.ID(i + 1)
	}
	if p.Sorts[relation.Process].Ring && len(ids) > 2 {
		term := func(id model.ID) string { return p.c.list[p.rep[relation.Process][id-1]] }
		slices.SortFunc(ids[1:], func(a, b model.ID) int {
			if a != b && p.holds(apply("btw", term(1), term(a), term(b))) {
				return -1
			}
			return 1
		})
	}
	return ids
}

// quorums are the members of the quorums among the processes.
func (p *picture) quorums() []model.Set {
	rel := p.Relation("member")
	if rel < 0 || !p.Relations[rel].Fixed {
		return nil
	}
	list := make([]model.Set, len(p.rep[p.Relations[rel].Sorts[1]]))
	p.each(p.Relations[rel].Sorts, func(things []int, args []string) {
		if p.holds(p.before(rel, args)) {
			list[things[1]] = list[things[1]].With(model.ID(things[0] + 1))
		}
	})
	return list
}

// Text draws a counterexample in words.
func (x *Counterexample) Text() string {
	if x.In == nil {
		return "the solver did not decide in time"
	}
	var b strings.Builder
	d := x.In.Description
	b.WriteString(d.Text(&x.Sentence))
	if d.Sorts[relation.Process].Ring {
		b.WriteString("\n  ring:   ")
		for i, id := range x.In.Ring {
			if i > 0 {
				b.WriteString(" -> ")
			}
			b.WriteString("P" + id.String())
		}
	}
	if x.Step == "" {
		b.WriteString("\n  an initial state has " + x.In.StateText(x.Before))
		return b.String()
	}
	b.WriteString("\n  before: " + x.In.StateText(x.Before))
	b.WriteString("\n  step:   " + x.Step)
	if x.After != nil {
		b.WriteString("\n  after:  " + x.In.StateText(x.After))
	}
	return b.String()
}
