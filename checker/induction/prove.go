package induction

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/relation"
)

// A Proof is why a property is true for every number of things: the sentences are true in
// every initial state, each step keeps all of them, and the property is one of them.
type Proof struct {
	Property  relation.Sentence
	Sentences []relation.Sentence // the property among them
}

// A Result says which properties of a description are proved.
type Result struct {
	Proofs []Proof
	// Open are the properties that are not proved, each with a step that would break it
	// where the sentences that were found are true.
	Open []Counterexample
	// Tried are how many sentences were looked at, the properties and lemmas among them, and
	// Kept how many are true for every number. Unknown is how often the solver did not decide
	// in time.
	Tried, Kept, Queries, Unknown int
}

// A prover tries the sentences of a pool.
type prover struct {
	writer
	Solver
	families []*family
	literals int
	pool     []relation.Sentence
	alive    []bool
	texts    map[string]bool // of the pool
	out      *Result
	tell     func(format string, args ...any)
}

// Prove looks for sentences that are true in every initial state and that each step keeps
// where all of them are true before, the properties and lemmas among them. Where a step breaks
// one, the shortest clauses join that are true in all states that were seen and that bar the
// state before; where there is none, the sentence goes. A property is left in the end exactly
// if it is among the clauses of these sizes that keep each other (the greatest such set, which
// Houdini's algorithm finds by trying all of them), unless the solver did not decide: that
// counts against a sentence.
func Prove(ctx context.Context, d *relation.Description, seen []relation.Seen, s Sizes, by Solver) (*Result, error) {
	return prove(ctx, d, families(d, seen, s.Things), s.Literals, by, func(string, ...any) {})
}

func prove(ctx context.Context, d *relation.Description, list []*family, literals int, by Solver, tell func(format string, args ...any)) (*Result, error) {
	p := &prover{writer: writer{d}, Solver: by, families: list, literals: literals, texts: map[string]bool{}, out: &Result{}, tell: tell}
	if err := p.join(ctx, slices.Concat(d.Properties, d.Lemmas)); err != nil {
		return nil, err
	}
	for changed := true; changed; {
		changed = false
		for i := range d.Steps {
			some, err := p.consecution(ctx, &d.Steps[i])
			if err != nil {
				return nil, err
			}
			changed = changed || some
		}
	}
	p.out.Tried, p.out.Kept = len(p.pool), p.left()
	for i := range d.Properties {
		if err := p.conclude(ctx, i); err != nil {
			return nil, err
		}
	}
	return p.out, nil
}

// join adds sentences to the pool, except those that an initial state breaks.
func (p *prover) join(ctx context.Context, list []relation.Sentence) error {
	if len(list) == 0 {
		return nil
	}
	return p.where(ctx, nil, func(s *session, of []string) error {
		for _, one := range list {
			p.texts[p.Text(&one)] = true
			p.pool = append(p.pool, one)
			x, err := p.breaks(s, len(p.pool)-1, nil, of)
			if err != nil {
				return err
			}
			p.alive = append(p.alive, x == nil)
		}
		return nil
	})
}

// left is how many sentences nothing has broken.
func (p *prover) left() (n int) {
	for _, yes := range p.alive {
		if yes {
			n++
		}
	}
	return n
}

// in runs a session that knows what is always true.
func (p *prover) in(ctx context.Context, do func(s *session) error) error {
	s, err := p.start(ctx, p.showing)
	if err != nil {
		return err
	}
	defer s.end()
	s.say(p.head())
	if err := do(s); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	return nil
}

// where runs a session in which a step happens, to these terms, where all sentences that are
// left are true before it; or, without a step, in which the state is an initial one.
func (p *prover) where(ctx context.Context, st *relation.Step, do func(s *session, of []string) error) error {
	return p.in(ctx, func(s *session) error {
		if st == nil {
			s.say(p.initial())
			return do(s, nil)
		}
		var b strings.Builder
		for i := range p.pool {
			if p.alive[i] {
				p.suppose(&b, &p.pool[i])
			}
		}
		of := p.guard(&b, st)
		s.say(b.String())
		return do(s, of)
	})
}

// consecution has a step try all sentences, and reports whether one went, or others joined.
func (p *prover) consecution(ctx context.Context, st *relation.Step) (changed bool, err error) {
	next := 0
	for again := true; again && err == nil; {
		again = false
		p.tell("step %s: %d of %d sentences left", st.Name, p.left(), len(p.pool))
		err = p.where(ctx, st, func(s *session, of []string) error {
			for ; next < len(p.pool); next++ {
				if !p.alive[next] {
					continue
				}
				x, err := p.breaks(s, next, st, of)
				if err != nil {
					return err
				}
				if x == nil {
					continue
				}
				changed = true
				// Others that join are true before from now on, and so a session begins anew.
				if again, err = p.barred(ctx, x); again || err != nil {
					return err
				}
				p.alive[next] = false
			}
			return nil
		})
	}
	return changed, err
}

// together is how many clauses join at once, at most.
const together = 3

// barred has clauses join that bar the state before a step, and reports whether there are any.
func (p *prover) barred(ctx context.Context, x *Counterexample) (bool, error) {
	if x.In == nil {
		return false, nil
	}
	for clauses := range bars(p.Description, p.families, x.In, x.Before, p.literals) {
		for some := range slices.Chunk(p.fresh(clauses), together) {
			was := p.left()
			if err := p.join(ctx, some); err != nil || p.left() > was {
				return true, err
			}
		}
	}
	return false, nil
}

// fresh returns those of some clauses that are not in the pool, each once.
func (p *prover) fresh(clauses []relation.Sentence) (list []relation.Sentence) {
	texts := map[string]bool{}
	for _, c := range clauses {
		if text := p.Text(&c); !p.texts[text] && !texts[text] {
			texts[text] = true
			list = append(list, c)
		}
	}
	return list
}

// breaks asks whether a step breaks a sentence of the pool, or where there is no step whether
// an initial state does. A counterexample without an instance stands for no answer.
func (p *prover) breaks(s *session, i int, st *relation.Step, of []string) (*Counterexample, error) {
	atom := p.before
	var c constants
	if st != nil {
		atom = p.after(st, of)
		c.add(&st.Scope, of)
	}
	var b strings.Builder
	b.WriteString("(push)\n")
	c.add(&p.pool[i].Scope, p.broken(&b, &p.pool[i], atom))
	s.say(b.String())
	p.out.Queries++
	a, err := s.ask()
	if err != nil {
		return nil, err
	}
	var x *Counterexample
	switch a {
	case unknown:
		p.out.Unknown++
		x = &Counterexample{}
	case sat:
		if x, err = p.draw(s, c, st, atom); err != nil {
			return nil, err
		}
	}
	if x != nil {
		x.Sentence = p.pool[i]
	}
	s.say("(pop)\n")
	return x, nil
}

// conclude says of a property why it is proved, or which step is in the way.
func (p *prover) conclude(ctx context.Context, i int) error {
	if p.alive[i] {
		needed, err := p.needed(ctx, i)
		if err != nil {
			return err
		}
		p.out.Proofs = append(p.out.Proofs, Proof{Property: p.pool[i], Sentences: needed})
		return nil
	}
	p.alive[i] = true
	defer func() { p.alive[i] = false }()
	steps := []*relation.Step{nil} // none: an initial state
	for k := range p.Steps {
		steps = append(steps, &p.Steps[k])
	}
	for _, st := range steps {
		var x *Counterexample
		err := p.where(ctx, st, func(s *session, of []string) (err error) {
			x, err = p.breaks(s, i, st, of)
			return err
		})
		if err != nil {
			return err
		}
		if x != nil {
			p.out.Open = append(p.out.Open, *x)
			return nil
		}
	}
	return fmt.Errorf("property %s: no step breaks it, and it was dropped; that should not be", p.pool[i].Name)
}

// needed returns the sentences without which a property is not kept, and those that these
// need: what solvers name as the reasons.
func (p *prover) needed(ctx context.Context, property int) ([]relation.Sentence, error) {
	in := make([]bool, len(p.pool))
	in[property] = true
	for queue := []int{property}; len(queue) > 0; queue = queue[1:] {
		for k := range p.Steps {
			core, err := p.core(ctx, queue[0], k, in)
			if err != nil {
				return nil, err
			}
			for _, i := range core {
				if !in[i] {
					in[i] = true
					queue = append(queue, i)
				}
			}
		}
	}
	var list []relation.Sentence
	for i, yes := range in {
		if yes {
			list = append(list, p.pool[i])
		}
	}
	return list, nil
}

// core returns which sentences a solver needs so that a step keeps one. Those that are needed
// anyway are tried alone first.
func (p *prover) core(ctx context.Context, i, step int, have []bool) (core []int, err error) {
	for _, all := range []bool{false, true} {
		enough := false
		err := p.in(ctx, func(s *session) error {
			for k := range p.pool {
				if have[k] || all && p.alive[k] {
					s.say(fmt.Sprintf("(assert (! %s :named reason!%d))\n", p.always(&p.pool[k]), k))
				}
			}
			var b strings.Builder
			of := p.guard(&b, &p.Steps[step])
			p.broken(&b, &p.pool[i], p.after(&p.Steps[step], of))
			s.say(b.String())
			p.out.Queries++
			a, err := s.ask()
			if err != nil || a != unsat {
				return err
			}
			enough = true
			s.say("(get-unsat-core)\n")
			core, err = s.reasons()
			return err
		})
		if err != nil || enough {
			return core, err
		}
	}
	return nil, fmt.Errorf("%s does not decide again that step %s keeps %s", p.Name, p.Steps[step].Name, p.pool[i].Name)
}
