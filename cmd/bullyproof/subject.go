package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// A subject is what ALGO[/VARIANT] names: a variant, or a mutant.
type subject struct {
	algorithm, variant string
	of                 *checker.Algorithm
	setting            model.Setting
	build              func(model.Setting) (*model.System, error)
	figures            []checker.Figure // none for a mutant
}

// name returns ALGO/VARIANT.
func (s *subject) name() string { return s.algorithm + "/" + s.variant }

// findSubject returns the variant or mutant that a name is of.
func findSubject(name string) (*subject, error) {
	algorithm, variant, given := strings.Cut(name, "/")
	a, err := algorithms.Find(algorithm)
	if err != nil {
		return nil, err
	}
	if m, err := a.Mutant(variant); err == nil {
		return &subject{a.Name, m.Name, a, m.Setting, m.In, nil}, nil
	}
	v, err := a.Variant(variant)
	if given && variant == "" {
		err = fmt.Errorf("variant of %s is missing after the slash: %s alone stands for %s/%s", a.Name, a.Name, a.Name, v.Name)
	}
	if err != nil {
		return nil, unknownVariant(a, variant, err)
	}
	return &subject{a.Name, v.Name, a, v.Setting, v.In, v.Figures}, nil
}

// unknownVariant suggests a mutant where no variant is near.
func unknownVariant(a *checker.Algorithm, name string, err error) error {
	var mutants, variants []string
	for _, v := range a.Variants {
		variants = append(variants, v.Name)
	}
	for _, m := range a.Mutants {
		mutants = append(mutants, m.Name)
	}
	near := nearest.Name(name, mutants)
	if near == "" || nearest.Name(name, variants) != "" {
		return err
	}
	return fmt.Errorf("unknown variant of %s %q: did you mean the mutant %s?", a.Name, name, near)
}

// completeSubjects offers the names of algorithms, variants and mutants to a
// shell.
func completeSubjects(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, a := range algorithms.All {
		names = append(names, a.Name)
		for _, v := range a.Variants {
			names = append(names, a.Name+"/"+v.Name)
		}
		for _, m := range a.Mutants {
			names = append(names, a.Name+"/"+m.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
