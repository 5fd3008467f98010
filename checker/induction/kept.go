package induction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/relation"
)

// Text writes proofs as they are kept beside relations.txt.
func Text(d *relation.Description, algorithm string, proofs []Proof) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Why properties of relations.txt are true for every number of processes: all sentences below one are\n"+
		"# true in every initial state, and each step keeps them together. `go test ./algorithms -run TestProofsStand/%s -update` writes this\n"+
		"# file, and the tests check it again with each solver that is installed.\n", algorithm)
	for _, p := range proofs {
		fmt.Fprintf(&b, "\nproperty %s\n", p.Property.Name)
		for i := range p.Sentences {
			if s := &p.Sentences[i]; s.Name != p.Property.Name {
				fmt.Fprintf(&b, "    %s\n", d.Text(s))
			}
		}
	}
	return b.String()
}

// ReadProofs reads what Text writes. Errors name the line.
func ReadProofs(d *relation.Description, text string) (list []Proof, err error) {
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		trimmed := strings.TrimSpace(line)
		name, begins := strings.CutPrefix(trimmed, "property ")
		switch {
		case trimmed == "":
		case begins:
			at := slices.IndexFunc(d.Properties, func(p relation.Sentence) bool { return p.Name == name })
			if at < 0 {
				return nil, fmt.Errorf("line %d: no property %q in the description", i+1, name)
			}
			list = append(list, Proof{Property: d.Properties[at], Sentences: []relation.Sentence{d.Properties[at]}})
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: a sentence before any property", i+1)
		default:
			p := &list[len(list)-1]
			s, err := d.Sentence(fmt.Sprint("line ", i+1), trimmed)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			p.Sentences = append(p.Sentences, s)
		}
	}
	return list, nil
}

// An Obligation is a text that no model must have: then a sentence of a proof is true in every
// initial state, or a step keeps it.
type Obligation struct {
	Name string
	// Head declares the relations, and is the same for all obligations of a description;
	// Text goes on from there.
	Head, Text string
}

// Obligations returns what a proof comes to, as SMT-LIB: all of it is unsatisfiable if, and
// only if, the proof is right.
func Obligations(d *relation.Description, p *Proof) (list []Obligation) {
	w := writer{d}
	head, initial := w.head(), w.initial()
	for i := range p.Sentences {
		var b strings.Builder
		b.WriteString(initial)
		w.broken(&b, &p.Sentences[i], w.before)
		list = append(list, Obligation{fmt.Sprintf("%s-initially-%d", p.Property.Name, i+1), head, b.String()})
	}
	var before strings.Builder
	for i := range p.Sentences {
		w.suppose(&before, &p.Sentences[i])
	}
	for k := range d.Steps {
		st := &d.Steps[k]
		for i := range p.Sentences {
			var b strings.Builder
			b.WriteString(before.String())
			of := w.guard(&b, st)
			w.broken(&b, &p.Sentences[i], w.after(st, of))
			list = append(list, Obligation{fmt.Sprintf("%s-%s-%d", p.Property.Name, st.Name, i+1), head, b.String()})
		}
	}
	return list
}

// Whole is the text of an obligation for a solver that reads a file.
func (o *Obligation) Whole() string { return o.Head + o.Text + "(check-sat)\n" }

// ErrNotProved says that a solver finds an obligation of a proof satisfiable, or does not
// decide it.
var ErrNotProved = errors.New("the proof does not stand")

// Check has a solver decide each obligation of a proof. It returns ErrNotProved, with the name
// of the first that is not unsatisfiable.
func Check(ctx context.Context, d *relation.Description, p *Proof, by Solver) error {
	s, err := by.start(ctx, by.refuting)
	if err != nil {
		return err
	}
	defer s.end()
	s.say(writer{d}.head())
	for _, o := range Obligations(d, p) {
		s.say("(push)\n" + o.Text)
		a, err := s.ask()
		if err != nil {
			return err
		}
		if a != unsat {
			return fmt.Errorf("%w: %s says %s of %s", ErrNotProved, by.Name, a, o.Name)
		}
		s.say("(pop)\n")
	}
	return nil
}
