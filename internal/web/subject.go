package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A subject is what an address names: a variant of an algorithm, or a mutant.
type subject struct {
	algorithm *ledger.Algorithm
	name, doc string
	mutant    bool
	usual     setting.Setting // what is explored unless somebody says otherwise
	build     func(setting.Setting) (*model.System, error)
	// base names the variant whose open questions somebody may answer otherwise, also of a
	// mutant. answers are those to its silences, by question.
	base    string
	answers map[string]string
	// also are properties that a check asks beside those of the algorithm.
	also []*checker.Property
}

// subjects returns the variants and the mutants of an algorithm.
func subjects(a *ledger.Algorithm) []*subject {
	var list []*subject
	for i := range a.Variants {
		v := &a.Variants[i]
		list = append(list, &subject{a, v.Name, v.Doc, false, v.Setting, v.In, v.Name, nil, nil})
	}
	for i := range a.Mutants {
		m := &a.Mutants[i]
		list = append(list, &subject{a, m.Name, m.Doc, true, m.Setting, m.In, m.Of, nil, nil})
	}
	return list
}

// findSubject returns the variant or mutant of a name; "" is the name of the
// default variant. The error suggests the name that was probably meant.
func findSubject(all []*ledger.Algorithm, algorithm, variant string) (*subject, error) {
	a, err := ledger.Find(all, algorithm)
	if err != nil {
		return nil, err
	}
	list := subjects(a)
	if variant == "" {
		return list[0], nil
	}
	variant, answers, composed := strings.Cut(variant, answered)
	names := make([]string, len(list))
	for i, s := range list {
		if s.name == variant && composed {
			return s.composed(strings.Split(answers, answered))
		}
		if s.name == variant {
			return s, nil
		}
		names[i] = s.name
	}
	return nil, nearest.Unknown("variant of "+a.Name, variant, names)
}

// verbAsk names properties that a check asks beside those of the algorithm, with commas between.
const verbAsk = "ask"

// asking returns the subject of a check that asks what a request names as well.
func (s *subject) asking(names string) (*subject, error) {
	if names == "" {
		return s, nil
	}
	to := *s
	for _, name := range strings.Split(names, ",") {
		p, err := s.algorithm.Property(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(to.also, p) && !slices.Contains(s.algorithm.Questions(), p) {
			to.also = append(to.also, p)
		}
	}
	return &to, nil
}

// questions are the properties that a check asks.
func (s *subject) questions() []*checker.Property {
	return append(s.algorithm.Questions(), s.also...)
}

// asks returns the names of what a check asks beside the questions of the algorithm.
func (s *subject) asks() string {
	names := make([]string, len(s.also))
	for i, p := range s.also {
		names[i] = p.Name
	}
	return strings.Join(names, ",")
}

// errNowhere says that a link names no initial state, and there are several.
var errNowhere = errors.New("there are several initial states, and the link names none of them")

// begin returns the initial state that a link names in the system of its
// origin: the only one, or that in which processes have chosen these as they
// came up.
func begin(sys *model.System, choices []int) ([]byte, error) {
	states, more, err := initial(sys, 1)
	switch {
	case err != nil:
		return nil, err
	case len(states) == 0:
		return nil, errors.New("the setting has no initial state")
	case len(choices) > 0:
		state, err := sys.Begin(choices)
		if err != nil {
			err = fmt.Errorf("parameter choices: %w", err)
		}
		return state, err
	case more:
		return nil, errNowhere
	}
	return states[0].state, nil
}

// chosenBefore says in words what processes chose as they came up, in a system that has
// one origin.
func chosenBefore(sys *model.System, choices []int) (texts []string) {
	if len(choices) == 0 {
		return nil
	}
	sys.Origins(func(o model.Origin) bool {
		if slices.Equal(o.Choices, choices) {
			texts = o.Chosen
		}
		return texts == nil
	})
	return texts
}

// A beginning is an initial state: the setting narrowed to it, and what
// processes chose as they came up.
type beginning struct {
	state   []byte
	origin  setting.Setting
	choices []int
	chosen  []string // the choices in words
}

// initial returns the initial states of a system, each once, or the first so
// many of them, and whether there are more. It fails where there can be none:
// the processes send more than the links hold as they come up, say.
func initial(sys *model.System, most int) (list []beginning, more bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the initial states cannot be made: %v", r)
		}
	}()
	sys.Origins(func(o model.Origin) bool {
		if n := len(list); n > 0 && slices.Equal(list[n-1].state, o.State) {
			return true
		}
		if more = len(list) == most; !more {
			list = append(list, beginning{slices.Clone(o.State), o.Setting, o.Choices, o.Chosen})
		}
		return !more
	})
	return list, more, nil
}
