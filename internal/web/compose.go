package web

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/ledger"
)

// answered stands, in the name of a variant, before an answer that is not what its code does:
// "coulouris+told=goes-on".
const answered = "+"

// rulePrefix begins the names of parameters that answer an open question. ruleVersion is that of
// the version, and ruleFault that of the fault that is made.
const (
	rulePrefix  = "rule-"
	ruleVersion = ledger.SwitchVersion
	ruleFault   = ledger.SwitchFault
)

// composed returns the variant with answers to its silences, like "told=goes-on".
func (s *subject) composed(list []string) (*subject, error) {
	if s.mutant {
		of := strings.Join(append([]string{s.base}, list...), answered)
		return nil, errors.New(nearest.Clip(s.name) + " is a fault, which has no answers to questions; a variant has them: " + nearest.Clip(of))
	}
	answers := make(map[string]string)
	for _, text := range list {
		name, answer, ok := strings.Cut(text, "=")
		if !ok {
			return nil, errors.New("an answer to a question is missing in the name of the variant: want NAME+QUESTION=ANSWER, not " + nearest.Clip(text))
		}
		answers[name] = answer
	}
	build, given, err := ledger.Composed(s.algorithm, s.name, answers)
	if err != nil {
		return nil, err
	}
	to := *s
	to.answers = make(map[string]string)
	for _, text := range given {
		name, answer, _ := strings.Cut(text, "=")
		to.answers[name] = answer
		to.name += answered + text
	}
	if len(given) > 0 {
		to.build = build
		to.doc += " Composed: " + strings.Join(given, ", ") + "."
	}
	return &to, nil
}

// A ruleForm has the versions of an algorithm and the open questions of one as switches.
type ruleForm struct {
	Action, Check, Setting string
	Ask                    string        // what a check asks beside the questions of the algorithm
	Versions               []homeSubject // none if there is one alone
	Version                string        // the name of the one that is
	Switches               []ledger.Switch
	Faults                 []homeSubject // those that can be made in the variant
	Fault                  string        // the name of the one that is
}

func newRuleForm(sub *subject, text string) ruleForm {
	a := sub.algorithm
	f := ruleForm{
		Action: page(a.Name, sub.name), Check: checkPath(a.Name, sub.name), Setting: text, Ask: sub.asks(),
		Version: sub.base, Switches: ledger.Switches(a, sub.base, sub.answers), Faults: sub.faults(),
	}
	for i := range a.Variants {
		if v := &a.Variants[i]; len(a.Variants) > 1 {
			f.Versions = append(f.Versions, homeSubject{Name: v.Name, Doc: v.Doc})
		}
	}
	if sub.mutant {
		f.Fault = sub.name
	}
	return f
}

// Any reports whether there is something to switch.
func (f *ruleForm) Any() bool { return len(f.Versions)+len(f.Switches)+len(f.Faults) > 0 }

// composing leads to the page of a request whose rules are switched. It reports whether some
// are.
func (s *Server) composing(a *Answer, r *Request, sub *subject) bool {
	query, err := url.ParseQuery(r.Query)
	if err != nil || len(r.Query) > maxQuery {
		return false
	}
	to, some, err := sub.switched(query)
	switch {
	case err != nil:
		s.fail(a, statusBadRequest, err)
	case some:
		kind := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")[0]
		address := "/" + kind + "/" + url.PathEscape(sub.algorithm.Name) + "/" + url.PathEscape(to)
		kept := url.Values{}
		for _, key := range []string{"setting", verbAsk} {
			if query.Get(key) != "" {
				kept[key] = query[key]
			}
		}
		if len(kept) > 0 {
			address += "?" + kept.Encode()
		}
		a.lead(address)
	}
	return some || err != nil
}

// switched returns the name of the variant, or mutant, that a request switches to.
func (s *subject) switched(query url.Values) (name string, some bool, err error) {
	switches := ledger.Switches(s.algorithm, s.base, s.answers)
	known := []string{ruleVersion, ruleFault}
	for i := range switches {
		known = append(known, switches[i].Question.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(query)) {
		name, rule := strings.CutPrefix(key, rulePrefix)
		if some = some || rule; rule && !slices.Contains(known, name) {
			return "", true, nearest.Unknown("question", name, known)
		}
	}
	if version := query.Get(rulePrefix + ruleVersion); version != "" && version != s.base {
		name, err := s.version(version)
		return name, true, err
	}
	if fault := query.Get(rulePrefix + ruleFault); fault != "" {
		name, err = s.fault(fault)
		return name, true, err
	}
	base, answers := s.base, maps.Clone(s.answers)
	if answers == nil {
		answers = make(map[string]string)
	}
	for i := range switches {
		w := &switches[i]
		to := query.Get(rulePrefix + w.Question.Name)
		switch {
		case to == "" || to == w.Given:
		case w.Silent():
			answers[w.Question.Name] = to
		default:
			if base, err = ledger.Turned(s.algorithm, base, w.Question, to); err != nil {
				return "", true, err
			}
		}
	}
	if base != s.base { // which may leave other questions open
		open := ledger.Switches(s.algorithm, base, nil)
		maps.DeleteFunc(answers, func(name, _ string) bool {
			return !slices.ContainsFunc(open, func(w ledger.Switch) bool { return w.Question.Name == name && w.Silent() })
		})
	}
	if !some || len(answers) == 0 {
		return base, some, nil
	}
	_, given, err := ledger.Composed(s.algorithm, base, answers)
	return strings.Join(append([]string{base}, given...), answered), true, err
}

// version returns the name of another variant. Answers and faults are those of a variant, and so
// do not go along.
func (s *subject) version(name string) (string, error) {
	if _, err := s.algorithm.Variant(name); err != nil {
		return "", err
	}
	return name, nil
}

// faults returns the mutants of the variant.
func (s *subject) faults() (list []homeSubject) {
	for i := range s.algorithm.Mutants {
		if m := &s.algorithm.Mutants[i]; m.Of == s.base {
			list = append(list, homeSubject{Name: m.Name, Doc: m.Doc})
		}
	}
	return list
}

// fault returns the name of a mutant of the variant.
func (s *subject) fault(name string) (string, error) {
	var known []string
	for _, f := range s.faults() {
		known = append(known, f.Name)
	}
	if !slices.Contains(known, name) {
		return "", nearest.Unknown("fault", name, known)
	}
	return name, nil
}
