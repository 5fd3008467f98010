package relation

import (
	"fmt"
	"strings"
)

// An Op is what a formula is made with.
type Op uint8

// The kinds of formulas. Args and Sub of a Formula are said beside each.
const (
	True    Op = iota
	False      // neither has parts
	Atom       // relation Rel of Args
	Equal      // the two Args are the same
	Less       // the first of two Args comes before the second
	Between    // from the first of three Args round the ring, the second comes before the third
	Next       // the second of two Args is the neighbour of the first, round the ring
	Succ       // the second of two Args is the least one after the first
	Not        // of one Sub
	And        // of Sub
	Or         // of Sub
	Implies    // of two Sub
	Iff        // of two Sub
	ForAll     // of one Sub, for each value of the variables Args
	Exists     // of one Sub, for some value of the variables Args
)

// A Formula is a sentence of first-order logic over the relations of a Description.
type Formula struct {
	Op   Op
	Rel  int   // of an Atom: the relation, by its place in the Description
	Args []int // variables, by their places in the Scope
	Sub  []*Formula
}

// A Var is a variable, and the sort of what it stands for.
type Var struct {
	Name string
	Sort int // by its place in the Description, or -1 while it is not known
}

// A Scope has the variables of one sentence or step, those that quantifiers bind among them.
type Scope struct {
	Vars []Var
	Free []int // those that no quantifier binds, in the order of the text
}

// A Sentence is a formula with a name. It speaks of all values of its free variables.
type Sentence struct {
	Name string
	Scope
	Formula *Formula
}

// Text returns the formula of a sentence as one writes it.
func (d *Description) Text(s *Sentence) string { return d.text(&s.Scope, s.Formula, 0) }

// How tightly operators bind, the loosest first.
const (
	bindIff = 1 + iota
	bindImplies
	bindOr
	bindAnd
	bindNot
)

func (d *Description) text(s *Scope, f *Formula, within int) string {
	names := func() string {
		list := make([]string, len(f.Args))
		for i, v := range f.Args {
			list[i] = s.Vars[v].Name
		}
		return strings.Join(list, ", ")
	}
	join := func(op string, bind int) string {
		list := make([]string, len(f.Sub))
		for i, sub := range f.Sub {
			list[i] = d.text(s, sub, bind+1)
		}
		return enclosed(strings.Join(list, op), bind < within)
	}
	switch f.Op {
	case True:
		return "true"
	case False:
		return "false"
	case Atom:
		return d.Relations[f.Rel].Name + "(" + names() + ")"
	case Equal:
		return enclosed(strings.Replace(names(), ", ", " = ", 1), within > bindNot)
	case Less:
		return enclosed(strings.Replace(names(), ", ", " < ", 1), within > bindNot)
	case Between:
		return "btw(" + names() + ")"
	case Next:
		return "next(" + names() + ")"
	case Succ:
		return "succ(" + names() + ")"
	case Not:
		if sub := f.Sub[0]; sub.Op == Equal {
			return enclosed(fmt.Sprintf("%s ~= %s", s.Vars[sub.Args[0]].Name, s.Vars[sub.Args[1]].Name), within > bindNot)
		}
		return "~" + d.text(s, f.Sub[0], bindNot+1)
	case And:
		return join(" & ", bindAnd)
	case Or:
		return join(" | ", bindOr)
	case Implies:
		return join(" -> ", bindImplies)
	case Iff:
		return join(" <-> ", bindIff)
	default:
		word := "forall "
		if f.Op == Exists {
			word = "exists "
		}
		return enclosed(word+names()+". "+d.text(s, f.Sub[0], 0), within > 0)
	}
}

func enclosed(text string, yes bool) string {
	if yes {
		return "(" + text + ")"
	}
	return text
}

// both returns the conjunction of two formulas, of which the first may be missing.
func both(f, g *Formula) *Formula {
	if f == nil {
		return g
	}
	if f.Op == And {
		return &Formula{Op: And, Sub: append(f.Sub[:len(f.Sub):len(f.Sub)], g)}
	}
	return &Formula{Op: And, Sub: []*Formula{f, g}}
}
