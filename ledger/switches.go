package ledger

import (
	"fmt"
	"slices"

	"bullyproof/internal/nearest"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Switch is an open question of a variant that somebody may answer otherwise.
type Switch struct {
	Question *Question
	// Answers are the admissible ones, two at least, and those that other variants give.
	Answers []Answer
	// Given is the name of the answer that is given.
	Given string
}

// Silent reports whether any answer goes with any of other questions. Otherwise another answer
// is another variant: see Turned.
func (s *Switch) Silent() bool { return len(s.Question.Cells) > 0 }

// Switches returns the open questions of a variant of an algorithm. Answers are those to its
// silences, by question: where it names none, the answer is what the code does.
func Switches(a *Algorithm, variant string, answers map[string]string) (list []Switch) {
	t, _ := a.written()
	source, silent := silentSource(a, variant)
	for i := range t.Questions {
		q := &t.Questions[i]
		s := Switch{Question: q}
		switch given := q.answer(variant); {
		case len(q.Cells) > 0 && silent && q.Source == source:
			s.Answers = slices.DeleteFunc(slices.Clone(q.Answers), func(n Answer) bool { return n.Excluded != "" })
			if s.Given = answers[q.Name]; s.Given == "" && len(s.Answers) > 0 {
				s.Given = s.Answers[0].Name
			}
		case len(q.Cells) == 0 && given != nil:
			s.Answers = slices.DeleteFunc(slices.Clone(q.Answers), func(n Answer) bool { return len(n.Variants) == 0 })
			s.Given = given.Name
		}
		if len(s.Answers) > 1 {
			list = append(list, s)
		}
	}
	return list
}

// silentSource returns the source that is judged in a variant first and has silences.
func silentSource(a *Algorithm, variant string) (source string, ok bool) {
	for i := range a.Silent {
		if base := a.Literal(a.Silent[i].Source); base != nil && base.Name == variant {
			return a.Silent[i].Source, true
		}
	}
	return "", false
}

// Turned returns the name of the variant of an algorithm that gives an answer to a question,
// and otherwise answers most as a variant does.
func Turned(a *Algorithm, variant string, q *Question, answer string) (string, error) {
	at := slices.IndexFunc(q.Answers, func(n Answer) bool { return n.Name == answer })
	if at < 0 || len(q.Answers[at].Variants) == 0 {
		return "", nearest.Unknown("answer to "+q.Name, answer, answerNames(q.Answers))
	}
	best, most := "", -1
	for _, name := range q.Answers[at].Variants {
		same := 0
		for _, other := range a.byVariants(q.Source) {
			if of := other.answer(variant); of != nil && slices.Contains(of.Variants, name) {
				same++
			}
		}
		if same > most {
			best, most = name, same
		}
	}
	return best, nil
}

func answerNames(list []Answer) (names []string) {
	for _, n := range list {
		names = append(names, n.Name)
	}
	return names
}

// Composed returns what makes the system of a variant of an algorithm with these answers to
// its silences, by question. It also returns the answers that are not what the code does, in
// the order of the questions, as "told=goes-on".
func Composed(a *Algorithm, variant string, answers map[string]string) (in func(setting.Setting) (*model.System, error), given []string, err error) {
	source, ok := silentSource(a, variant)
	if !ok {
		return nil, nil, fmt.Errorf("%s/%s: %w", a.Name, variant, ErrNotSilent)
	}
	src, err := a.Silences(source)
	if err != nil {
		return nil, nil, err
	}
	reading, known := src.Nothing(), make([]string, len(src.Silences))
	for i := range src.Silences {
		q := &src.Silences[i]
		known[i], reading[i] = q.Name, 0
		name, named := answers[q.Name]
		if !named {
			continue
		}
		if reading[i] = slices.Index(q.Answers, name); reading[i] < 0 {
			return nil, nil, nearest.Unknown("answer to "+q.Name, name, q.Answers)
		}
		if reading[i] > 0 {
			given = append(given, q.Name+"="+name)
		}
	}
	for name := range answers {
		if !slices.Contains(known, name) {
			return nil, nil, nearest.Unknown("open question of "+a.Name+"/"+variant, name, known)
		}
	}
	return func(s setting.Setting) (*model.System, error) {
		if err := fits(a.Literal(source).Setting, s); err != nil {
			return nil, err
		}
		return src.System(s, reading, silence.AsCoded)
	}, given, nil
}
