//go:build !js

package command

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/checker/expression"
	"bullyproof/internal/nearest"
	"bullyproof/model/setting"
)

// expressions are the flags of check that take expressions over states, and what became of them.
type expressions struct {
	always, sometimes, count []string

	asked map[*checker.Property]asked
}

// asked is an expression, and the flag that it was given by.
type asked struct {
	flag string
	*expression.Expression
}

func (e *expressions) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&e.always, "always", nil, "check that `EXPR` is true in every state, like 'leaders <= 1' (help expressions); may be repeated. Without --property only expressions are checked")
	flags.StringArrayVar(&e.sometimes, "sometimes", nil, "look for a shortest run to a state in which `EXPR` is true; likewise")
	flags.StringArrayVar(&e.count, "count", nil, "visit every state, and say which values `EXPR` has, each in how many states; likewise")
}

// given reports whether there are any.
func (e *expressions) given() bool { return len(e.always)+len(e.sometimes)+len(e.count) > 0 }

// into adds the expressions to the options of a check; properties are those of --property.
func (e *expressions) into(opt *checker.Options, s *subject, in setting.Setting, properties []*checker.Property) error {
	sys, err := s.build(in)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	opt.Properties = append([]*checker.Property{}, properties...)
	e.asked = make(map[*checker.Property]asked)
	for _, of := range []struct {
		flag     string
		texts    []string
		property func(x *expression.Expression, name string) *checker.Property
	}{
		{"always", e.always, (*expression.Expression).Always},
		{"sometimes", e.sometimes, (*expression.Expression).Sometimes},
	} {
		for i, text := range of.texts {
			x, err := expression.Condition(sys, text)
			if err != nil {
				return misread(of.flag, text, err)
			}
			p := of.property(x, numbered(of.flag, i))
			opt.Properties, e.asked[p] = append(opt.Properties, p), asked{of.flag, x}
		}
	}
	for _, text := range e.count {
		x, err := expression.Of(sys, text)
		if err != nil {
			return misread("count", text, err)
		}
		opt.Tallies = append(opt.Tallies, x.Tally())
	}
	return nil
}

// misread says what is wrong with the expression of a flag.
func misread(flag, text string, err error) error {
	return fmt.Errorf("flag --%s is %q: %w", flag, nearest.Clip(text), err)
}

// numbered returns the name of the next property of a kind: always, always-2.
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return name + "-" + strconv.Itoa(i+1)
}

// undefined returns an error if an expression has no value at the end of a run that was found.
func (e *expressions) undefined(r *checker.Report) error {
	for i := range r.Findings {
		f := &r.Findings[i]
		if x, ok := e.asked[f.Property]; ok {
			if err := x.Undefined(f); err != nil {
				return misread(x.flag, x.Text(), err)
			}
		}
	}
	return nil
}

// caret returns the expression with a mark below the place of which an error is; "" if it
// is of none.
func caret(err error) string {
	var in *expression.Error
	if !errors.As(err, &in) {
		return ""
	}
	return in.Caret()
}
