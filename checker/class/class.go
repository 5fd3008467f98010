// Package class has the words for what fairness is about: sets of transitions that
// a run may pass over or not. Fairness.But of package checker takes them:
//
//	checker.WeakFairness.But(liveness.Strong, class.Reports())
package class

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
)

// A Class is a set of fairness classes: of things that a run may pass over or
// not. Each timer of a process, each report of the failure detector (to whom,
// about whom), each process that is to boot or to start, and each message on an
// unordered channel is a class of its own; on FIFO channels each link is. So are,
// for a Fairness that names them, each outcome of a named choice, heals and
// restarts. checker.FairnessClasses lists those of a system.
type Class struct {
	what   string
	single bool // one class, by its name
	match  func(m Member) bool
}

// A Member is one fairness class of a system.
type Member struct {
	// Kind is the kind of its actions, and Name what it is called: "report of 3 to
	// position 1".
	Kind model.ActionKind
	Name string
	// Extra says that it is one only for a fairness that names it: nobody owes its
	// transitions, or they belong to another class as well.
	Extra bool
}

// Has reports whether a class is in the set; nothing is in the zero Class.
func (c Class) Has(m Member) bool { return c.match != nil && c.match(m) }

// Single reports whether it is one class by its name (Named).
func (c Class) Single() bool { return c.single }

// String says which classes they are: "reports".
func (c Class) String() string { return c.what }

func ofKind(what string, kinds ...model.ActionKind) Class {
	return Class{what: what, match: func(m Member) bool { return slices.Contains(kinds, m.Kind) && !isOutcome(m) }}
}

// Reports are the reports of the failure detector, each one a class.
func Reports() Class { return ofKind("reports", model.Suspects) }

// Timers are the timers of processes, each one a class.
func Timers() Class { return ofKind("timers", model.Expires) }

// Mail is the messages, each one a class, or the links where channels are FIFO.
func Mail() Class { return ofKind("mail", model.Delivers) }

// Heals is that the network heals: a class each for what the setting owes, and
// one for what it does not.
func Heals() Class { return ofKind("heals", model.Heals) }

// Restarts is that a process comes up again, whichever it is: one class.
func Restarts() Class { return ofKind("restarts", model.Restarts) }

// Outcomes are the outcomes of a named choice (model.ChoiceName), each of each
// process a class: Outcomes("timeout") of all, Outcomes("timeout", "long",
// "short") of these. Strong fairness to them has a coin that is thrown again
// and again show each side again and again.
func Outcomes(choice string, outcomes ...string) Class {
	what := "outcomes of " + choice
	if len(outcomes) > 0 {
		what = choice + "=" + strings.Join(outcomes, "|")
	}
	return Class{what: what, match: func(m Member) bool {
		if !isOutcome(m) {
			return false
		}
		text, _ := strings.CutPrefix(m.Name, outcomePrefix)
		if len(outcomes) == 0 {
			return strings.HasPrefix(text, choice+"=")
		}
		return slices.ContainsFunc(outcomes, func(o string) bool { return strings.HasPrefix(text, choice+"="+o+ofWhom) })
	}}
}

// Named is the one class of a name: "report of 3 to position 1".
func Named(name string) Class {
	return Class{what: name, single: true, match: func(m Member) bool { return m.Name == name }}
}

// Where are the classes whose names match. The text what says in a few words
// which these are: "what 3 says".
func Where(what string, match func(name string) bool) Class {
	if match == nil {
		return Class{what: what}
	}
	return Class{what: what, match: func(m Member) bool { return match(m.Name) }}
}

const (
	outcomePrefix = "choice "
	ofWhom        = " of "
)

func isOutcome(m Member) bool { return m.Extra && strings.HasPrefix(m.Name, outcomePrefix) }

// extras are the classes of a transition that a fairness has to name.
func extras(kind model.ActionKind, owed bool, outcomes []string) (list []Member) {
	switch {
	case kind == model.Heals && !owed:
		list = append(list, Member{kind, "heal that nobody owes", true})
	case kind == model.Restarts:
		list = append(list, Member{kind, "restart", true})
	}
	if owed {
		for _, text := range outcomes {
			list = append(list, Member{model.Delivers, outcomePrefix + text, true})
		}
	}
	return list
}

// ownKind is the kind of action that a class is about: mail that is dropped is
// mail.
func ownKind(k model.ActionKind) model.ActionKind {
	if k == model.Drops {
		return model.Delivers
	}
	return k
}

// OfLabel returns the classes of a label.
func OfLabel(l *model.Label) []Member {
	list := extras(l.Kind, l.Class != "", l.Outcomes)
	if l.Class != "" {
		list = append(list, Member{Kind: ownKind(l.Kind), Name: l.Class})
	}
	return list
}

// OfTransition returns the classes of a transition. The outcomes of choices are
// named by processes in it, and by positions in labels, which comes to the same.
func OfTransition(t *model.Transition) []Member {
	var outcomes []string
	for _, text := range t.Action.Outcomes {
		if strings.Contains(text, "=") {
			outcomes = append(outcomes, fmt.Sprintf("%s%s%s", text, ofWhom, t.Action.Process))
		}
	}
	list := extras(t.Action.Kind, t.Class != "", outcomes)
	if t.Class != "" {
		list = append(list, Member{Kind: ownKind(t.Action.Kind), Name: t.Class})
	}
	return list
}
