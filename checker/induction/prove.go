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
	// Candidates are how many sentences were tried, Kept how many are true for every number,
	// and Unknown how often the solver did not decide in time.
	Candidates, Kept, Rounds, Queries, Unknown int
}

// A prover tries the sentences of a pool.
type prover struct {
	writer
	Solver
	pool  []relation.Sentence
	alive []bool
	out   *Result
}

// Prove keeps those of the candidates, lemmas and properties that are true in every initial
// state and that each step keeps where all of them are true before (Houdini's algorithm), and
// says which properties are among them. A query that the solver does not decide counts
// against the sentence.
func Prove(ctx context.Context, d *relation.Description, candidates []relation.Sentence, by Solver) (*Result, error) {
	return prove(ctx, d, candidates, by, func(string, ...any) {})
}

func prove(ctx context.Context, d *relation.Description, candidates []relation.Sentence, by Solver, tell func(format string, args ...any)) (*Result, error) {
	p := &prover{writer: writer{d}, Solver: by, out: &Result{}}
	p.pool = slices.Concat(d.Properties, d.Lemmas, candidates)
	p.alive = make([]bool, len(p.pool))
	for i := range p.alive {
		p.alive[i] = true
	}
	p.out.Candidates = len(p.pool) - len(d.Properties)
	if err := p.beginnings(ctx); err != nil {
		return nil, err
	}
	for dropped := true; dropped; {
		dropped = false
		p.out.Rounds++
		for i := range d.Steps {
			tell("round %d, step %s: %d sentences left", p.out.Rounds, d.Steps[i].Name, p.left())
			some, err := p.consecution(ctx, i)
			if err != nil {
				return nil, err
			}
			dropped = dropped || some
		}
	}
	p.out.Kept = p.left()
	for i := range d.Properties {
		if err := p.conclude(ctx, i); err != nil {
			return nil, err
		}
	}
	return p.out, nil
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
	s, err := p.start(ctx)
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

// suppose says that the sentences of the pool are true before a step.
func (p *prover) suppose(s *session) {
	for i := range p.pool {
		if p.alive[i] {
			s.say(fmt.Sprintf("(assert %s)\n", p.always(&p.pool[i])))
		}
	}
}

// beginnings drops what an initial state breaks.
func (p *prover) beginnings(ctx context.Context) error {
	return p.in(ctx, func(s *session) error {
		s.say(p.initial())
		for i := range p.pool {
			x, err := p.breaks(s, i, nil, nil)
			if err != nil {
				return err
			}
			p.alive[i] = x == nil
		}
		return nil
	})
}

// consecution drops what a step breaks, and reports whether it dropped anything.
func (p *prover) consecution(ctx context.Context, step int) (dropped bool, err error) {
	err = p.in(ctx, func(s *session) error {
		p.suppose(s)
		var b strings.Builder
		st := &p.Steps[step]
		of := p.guard(&b, st)
		s.say(b.String())
		for i := range p.pool {
			if !p.alive[i] {
				continue
			}
			x, err := p.breaks(s, i, st, of)
			if err != nil {
				return err
			}
			if x == nil {
				continue
			}
			dropped, p.alive[i] = true, false
			for k := range p.pool { // what the same step breaks needs no query
				if p.alive[k] && x.In != nil && ofFew(p.pool[k].Formula) && !x.In.Always(&p.pool[k], x.After) {
					p.alive[k] = false
				}
			}
		}
		return nil
	})
	return dropped, err
}

// ofFew reports whether a formula is as true among a few things as it is among all: a picture
// shows some.
func ofFew(f *relation.Formula) bool {
	switch f.Op {
	case relation.Next, relation.Succ, relation.ForAll, relation.Exists:
		return false
	}
	return !slices.ContainsFunc(f.Sub, func(sub *relation.Formula) bool { return !ofFew(sub) })
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
		if x, err = p.draw(s, c, atom); err != nil {
			return nil, err
		}
	}
	if x != nil {
		x.Sentence = p.pool[i]
		if st != nil {
			x.Step = st.Name
		}
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
	for k := -1; k < len(p.Steps); k++ {
		var x *Counterexample
		err := p.in(ctx, func(s *session) (err error) {
			if k < 0 {
				s.say(p.initial())
				x, err = p.breaks(s, i, nil, nil)
				return err
			}
			p.suppose(s)
			var b strings.Builder
			of := p.guard(&b, &p.Steps[k])
			s.say(b.String())
			x, err = p.breaks(s, i, &p.Steps[k], of)
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
