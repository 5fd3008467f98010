package checker

import (
	"cmp"
	"context"
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
// restarts. FairnessClasses lists those of a system.
type Class struct {
	what   string
	single bool // one class, by its name
	match  func(m member) bool
}

// A member is one fairness class of a system.
type member struct {
	kind model.ActionKind
	name string
	// extra says that it is one only for a fairness that names it: nobody owes its
	// transitions, or they belong to another class as well.
	extra bool
}

func ofKind(what string, kinds ...model.ActionKind) Class {
	return Class{what: what, match: func(m member) bool { return slices.Contains(kinds, m.kind) && !isOutcome(m) }}
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
// "short") of these. Strong fairness to them has a coin that is thrown for ever
// show each side again and again.
func Outcomes(choice string, outcomes ...string) Class {
	what := "outcomes of " + choice
	if len(outcomes) > 0 {
		what = choice + "=" + strings.Join(outcomes, "|")
	}
	return Class{what: what, match: func(m member) bool {
		if !isOutcome(m) {
			return false
		}
		text, _ := strings.CutPrefix(m.name, outcomePrefix)
		if len(outcomes) == 0 {
			return strings.HasPrefix(text, choice+"=")
		}
		return slices.ContainsFunc(outcomes, func(o string) bool { return strings.HasPrefix(text, choice+"="+o+ofWhom) })
	}}
}

// ClassNamed is the one class of a name: "report of 3 to position 1".
func ClassNamed(name string) Class {
	return Class{what: name, single: true, match: func(m member) bool { return m.name == name }}
}

// ClassesWhere are the classes whose names match. What says in a few words which
// these are: "what 3 says".
func ClassesWhere(what string, match func(name string) bool) Class {
	if match == nil {
		return Class{what: what}
	}
	return Class{what: what, match: func(m member) bool { return match(m.name) }}
}

// FairnessClasses returns the names of all fairness classes of a system, sorted,
// by exploring it within the limits of opt. The error says what it did not see.
func FairnessClasses(ctx context.Context, sys *model.System, opt Options) ([]string, error) {
	labels, err := sys.Labelled()
	if err != nil {
		return nil, err
	}
	_, why, err := Graph(ctx, labels, opt)
	if err != nil {
		return nil, err
	}
	classes, _ := classesOf(labels)
	names := make([]string, len(classes))
	for i, m := range classes {
		names[i] = m.name
	}
	if why != "" {
		return names, fmt.Errorf("not all fairness classes are known: %s", why)
	}
	return names, nil
}

const (
	outcomePrefix = "choice "
	ofWhom        = " of "
)

func isOutcome(m member) bool { return m.extra && strings.HasPrefix(m.name, outcomePrefix) }

// extras are the classes of a transition that a fairness has to name.
func extras(kind model.ActionKind, owed bool, outcomes []string) (list []member) {
	switch {
	case kind == model.Heals && !owed:
		list = append(list, member{kind, "heal that nobody owes", true})
	case kind == model.Restarts:
		list = append(list, member{kind, "restart", true})
	}
	if owed {
		for _, text := range outcomes {
			list = append(list, member{model.Delivers, outcomePrefix + text, true})
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

func labelMembers(l *model.Label) []member {
	list := extras(l.Kind, l.Class != "", l.Outcomes)
	if l.Class != "" {
		list = append(list, member{kind: ownKind(l.Kind), name: l.Class})
	}
	return list
}

// membersOf returns the classes of a transition. The outcomes of choices are
// named by processes in it, and by positions in labels, which comes to the same.
func membersOf(t *model.Transition) []member {
	var outcomes []string
	for _, text := range t.Action.Outcomes {
		if strings.Contains(text, "=") {
			outcomes = append(outcomes, fmt.Sprintf("%s%s%s", text, ofWhom, t.Action.Process))
		}
	}
	list := extras(t.Action.Kind, t.Class != "", outcomes)
	if t.Class != "" {
		list = append(list, member{kind: ownKind(t.Action.Kind), name: t.Class})
	}
	return list
}

// classesOf numbers the fairness classes of a system's labels, sorted by name,
// and says which each label is of.
func classesOf(labels *model.Labels) (classes []member, of [][]int32) {
	lists := make([][]member, labels.Len())
	for i := range lists {
		l := labels.Label(uint32(i))
		lists[i] = labelMembers(&l)
		classes = append(classes, lists[i]...)
	}
	slices.SortFunc(classes, func(a, b member) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind))
	})
	classes = slices.Compact(classes)
	number := make(map[member]int32, len(classes))
	for i, m := range classes {
		number[m] = int32(i)
	}
	of = make([][]int32, len(lists))
	for i, list := range lists {
		for _, m := range list {
			of[i] = append(of[i], number[m])
		}
	}
	return classes, of
}
