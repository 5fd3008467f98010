package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// collect makes trials of all evidence that there is on an algorithm.
func (b *bench) collect() error {
	sentences, err := play.Sentences(b.opt.Rules)
	if err != nil {
		return err
	}
	for i := range sentences {
		s := &sentences[i]
		in := func() (*model.System, error) { return system(b.a)(s.Scope()) }
		variant, _ := s.Scope()
		b.cases = append(b.cases, &trial{name: "rule: " + s.Name(), in: in, faulty: b.isMutant(variant), run: func(context.Context) outcome { return shown(b.a, s) }})
	}
	states, err := recorded(b.a)
	if err != nil {
		return err
	}
	groups := make(map[string]*scope)
	var order []*scope
	for i := range b.a.Claims() {
		c := &b.a.Claims()[i]
		for k := range c.Evidence {
			e := c.Evidence[k]
			if e.Property == "" && e.Cost == nil && e.Chance == nil || states[asked(e.Variant, e.Setting, e.Asks())] > b.opt.Most {
				continue
			}
			of := fmt.Sprintf("%s in %q, costs: %t", e.Variant, e.Setting, e.Cost != nil)
			if e.Cost != nil {
				of += e.Cost.When
			}
			if e.Chance != nil {
				of += ", chances: " + e.Chance.When
			}
			if groups[of] == nil {
				groups[of] = &scope{most: b.opt.Most * 10}
				order = append(order, groups[of])
			}
			groups[of].add(c.Name, e)
		}
	}
	for _, s := range order {
		b.cases = append(b.cases, &trial{name: "claim: " + s.name(), in: s.system(b.a), run: func(ctx context.Context) outcome { return s.look(ctx, b.a) }})
	}
	for i := range b.a.Mutants {
		m := &b.a.Mutants[i]
		for _, of := range []string{m.Of, m.Name} {
			s := &scope{most: b.opt.Most * 4, mutants: true}
			s.add(m.Name, ledger.Evidence{Variant: of, Setting: m.Setting.String(), Property: m.Caught})
			b.cases = append(b.cases, &trial{name: "mutant: " + s.name(), in: s.system(b.a), faulty: of == m.Name, run: func(ctx context.Context) outcome { return s.look(ctx, b.a) }})
		}
	}
	return nil
}

// isMutant reports whether a variant is a mutant.
func (b *bench) isMutant(variant string) bool {
	_, err := b.a.Mutant(variant)
	return err == nil
}

// recorded returns how many states the evidence on an algorithm took, where they are so many
// that they are on record.
func recorded(a *ledger.Algorithm) (map[string]uint64, error) {
	list, err := a.Searched()
	if err != nil {
		return nil, err
	}
	states := make(map[string]uint64)
	for i := range list {
		of := asked(list[i].Variant, list[i].Setting, list[i].Asked)
		states[of] = max(states[of], list[i].States)
	}
	return states, nil
}

// asked says what a piece of evidence asks.
func asked(variant, in, what string) string {
	if s, err := setting.Parse(in); err == nil && in != "" {
		in = s.String()
	}
	return strings.Join([]string{variant, in, what}, "\n")
}

// A scope is evidence that one search decides.
type scope struct {
	most     uint64
	mutants  bool // whether variants may be mutants
	claims   []string
	evidence []ledger.Evidence
}

// add adds a piece of evidence on a claim.
func (s *scope) add(claim string, e ledger.Evidence) {
	if e.MaxStates == 0 || e.MaxStates > s.most {
		e.MaxStates = s.most
	}
	e.Deep, e.Aside, e.If = false, "", ""
	if !slices.Contains(s.claims, claim) {
		s.claims = append(s.claims, claim)
	}
	s.evidence = append(s.evidence, e)
}

// system returns the function that makes the system that is searched.
func (s *scope) system(a *ledger.Algorithm) func() (*model.System, error) {
	return func() (*model.System, error) { return system(a)(s.evidence[0].Variant, s.evidence[0].Setting) }
}

// system returns the function that makes the system that a variant, or a mutant, of an
// algorithm is in a setting.
func system(a *ledger.Algorithm) func(variant, in string) (*model.System, error) {
	return func(variant, in string) (*model.System, error) {
		s, err := setting.Parse(in)
		if err != nil {
			return nil, err
		}
		if m, err := a.Mutant(variant); err == nil {
			return m.In(s)
		}
		v, err := a.Variant(variant)
		if err != nil {
			return nil, err
		}
		return v.In(s)
	}
}

// name says on which claims it is, of which variant and in which setting.
func (s *scope) name() string {
	return strings.Join(s.claims, ", ") + " of " + s.evidence[0].Variant + " in " + s.evidence[0].Setting
}

// look asks a copy of an algorithm that has this evidence alone, and nothing on record.
func (s *scope) look(ctx context.Context, a *ledger.Algorithm) outcome {
	of := *a
	of.Files, of.Silent = nil, nil // no tree is asked
	of.Written = ledger.Listed(ledger.Claim{Name: "scope", Supposes: "nothing else", Evidence: s.evidence})
	if s.mutants {
		of.Variants = slices.Clone(a.Variants)
		for _, m := range a.Mutants {
			of.Variants = append(of.Variants, ledger.Variant{Name: m.Name, Setting: m.Setting, New: m.New})
		}
	}
	found, err := ledger.Judgements(ctx, &of, ledger.JudgeOptions{Workers: 1})
	if err != nil {
		return outcome{failed: firstLine(err.Error())}
	}
	var o outcome
	var figures []string
	for _, x := range found[0].Exhibits {
		o.answers = append(o.answers, fmt.Sprintf("%s: %v", x.Asked, x.Ruling))
		o.open = append(o.open, x.Ruling == ledger.Open)
		figures = append(figures, fmt.Sprintf("%s (%d states, depth %d)", x.Found, x.States, x.Depth))
	}
	o.figures = strings.Join(figures, "; ")
	return o
}

// shown plays the run of a sentence.
func shown(a *ledger.Algorithm, s *play.Sentence) (o outcome) {
	defer func() {
		if r := recover(); r != nil && r != (stopped{}) {
			o.failed = "panic: " + firstLine(fmt.Sprint(r))
		}
	}()
	t := &recorder{out: &o}
	s.Show(t, a)
	return o
}

// stopped is what a recorder panics with where a test ends.
type stopped struct{}

// A recorder notes whether a test fails.
type recorder struct {
	testing.TB
	out *outcome
}

func (*recorder) Helper() {}

func (*recorder) Name() string { return "a sentence" }

func (r *recorder) Errorf(format string, args ...any) {
	if r.out.failed == "" {
		r.out.failed = "it does something else"
	}
}

func (r *recorder) FailNow() {
	r.Errorf("")
	panic(stopped{})
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.FailNow()
}
