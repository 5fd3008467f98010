//go:build !js

package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/checker/expression"
	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A subject is what ALGO[/VARIANT] names: a variant, or a mutant.
type subject struct {
	algorithm, variant string
	of                 *ledger.Algorithm
	setting            setting.Setting
	build              func(setting.Setting) (*model.System, error)
	figures            []cost.Figure // none for a mutant
}

// name returns ALGO/VARIANT.
func (s *subject) name() string { return s.algorithm + "/" + s.variant }

// properties returns the properties of names.
func (s *subject) properties(names []string) ([]*checker.Property, error) {
	var list []*checker.Property
	for _, name := range names {
		p, err := s.of.Property(name)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// asked returns the properties of names, or what is asked in a setting where no
// name is given.
func (s *subject) asked(names []string, in setting.Setting) ([]*checker.Property, error) {
	if len(names) == 0 {
		return checker.InSetting(s.of.Questions(), in), nil
	}
	return s.properties(names)
}

// find returns the algorithm of a name. The error suggests one that is near, or
// says where all are shown.
func (a *app) find(name string) (*ledger.Algorithm, error) {
	found, err := ledger.Find(a.known(), name)
	if err != nil && len(a.known()) > fewAlgorithms && !strings.Contains(err.Error(), "did you mean") {
		err = fmt.Errorf("unknown algorithm %q: %s list shows the %s", nearest.Clip(name), a.name, a.counted())
	}
	return found, err
}

// fewAlgorithms are so many that an error may name them all.
const fewAlgorithms = 12

// counted says how many algorithms there are, and how many examples beside them.
func (a *app) counted() string {
	text := quantity.Plural(len(a.Algorithms), "algorithm")
	if n := len(a.Examples); n > 0 {
		text += " and " + quantity.Plural(n, "example")
	}
	return text
}

// lookup is the trace.Lookup of the catalogue.
func (a *app) lookup(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	sys, watch, err := ledger.Lookup(a.known(), algorithm, variant, "", s)
	if err == nil {
		if asked, wrong := expression.Asked(sys, property); asked != nil || wrong != nil {
			if wrong == nil {
				watch = asked.Watch()
			}
			return sys, watch, wrong
		}
	}
	return ledger.Lookup(a.known(), algorithm, variant, property, s)
}

// findSubject returns the variant or mutant that a name is of.
func (a *app) findSubject(name string) (*subject, error) {
	algorithm, variant, given := strings.Cut(name, "/")
	of, err := a.find(algorithm)
	if err != nil {
		return nil, err
	}
	if m, err := of.Mutant(variant); err == nil {
		return &subject{of.Name, m.Name, of, m.Setting, m.In, nil}, nil
	}
	v, err := of.Variant(variant)
	if given && variant == "" {
		err = fmt.Errorf("variant of %s is missing after the slash: %s alone stands for %s/%s", of.Name, of.Name, of.Name, v.Name)
	}
	if err != nil {
		return nil, unknownVariant(of, variant, err)
	}
	return &subject{of.Name, v.Name, of, v.Setting, v.In, v.Figures}, nil
}

// unknownVariant suggests a mutant where no variant is near, and names the mutants
// where nothing is.
func unknownVariant(a *ledger.Algorithm, name string, err error) error {
	var mutants, variants []string
	for _, v := range a.Variants {
		variants = append(variants, v.Name)
	}
	for _, m := range a.Mutants {
		mutants = append(mutants, m.Name)
	}
	near := nearest.Name(name, mutants)
	switch {
	case nearest.Name(name, variants) != "":
	case near != "":
		return fmt.Errorf("unknown variant of %s %q: did you mean the mutant %s?", a.Name, name, near)
	case len(mutants) > 0 && !strings.HasSuffix(err.Error(), "?"):
		return fmt.Errorf("%w, or a mutant: %s", err, strings.Join(mutants, ", "))
	}
	return err
}

// completeSubjects offers the names of algorithms, variants and mutants to a
// shell.
func (a *app) completeSubjects(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeAllSubjects(cmd, args, begun)
}

// completeAllSubjects offers them for each argument.
func (a *app) completeAllSubjects(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, of := range a.known() {
		names = append(names, of.Name)
		for _, v := range of.Variants {
			names = append(names, of.Name+"/"+v.Name)
		}
		for _, m := range of.Mutants {
			names = append(names, of.Name+"/"+m.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
