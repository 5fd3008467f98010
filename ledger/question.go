package ledger

import (
	"errors"
	"fmt"
	"slices"

	"bullyproof/internal/naming"
)

// A Question is something that a source leaves open: by a sentence that can be carried out
// in more ways than one, by two that contradict each other, or by saying nothing.
type Question struct {
	// Name is a word in lower case, unique in its algorithm: "retry".
	Name string
	// Source names the publication, as Claim.Source does.
	Source string
	// Asks is the question in words, and Open what leaves it open: the sentence, or the
	// two, or that there is none.
	Asks, Open string
	// Cells are patterns of the events that it is about, if it is what the source does not say
	// of events: a silence (silence.ParsePattern). Its first answer is what the code does. No
	// variant gives the others: they are given in the system that Algorithm.Silent has.
	Cells []string
	// Answers are those that there are, two at least.
	Answers []Answer
	// At says where the question is written, as Claim.At does.
	At string
}

// An Answer is one way of reading what a source leaves open.
type Answer struct {
	// Name is a word in lower case, unique in its question, and Says the answer in words.
	Name, Says string
	// Excluded is the sentence of the source that the answer contradicts. An answer that
	// contradicts none, with an empty Excluded, is admissible.
	Excluded string
	// Variants are the readings that give this answer. A variant is a reading of a source
	// if it gives an answer to each of its questions.
	Variants []string
}

// Open returns the questions that a source leaves open.
func (a *Algorithm) Open(source string) []Question {
	t, _ := a.written()
	var list []Question
	for i := range t.Questions {
		if t.Questions[i].Source == source {
			list = append(list, t.Questions[i])
		}
	}
	return list
}

// byVariants returns the questions of a source that variants answer.
func (a *Algorithm) byVariants(source string) []Question {
	return givenByVariants(a.Open(source))
}

func givenByVariants(questions []Question) []Question {
	return slices.DeleteFunc(slices.Clone(questions), func(q Question) bool { return len(q.Cells) > 0 })
}

// answer returns the answer that a variant gives, nil if it gives none.
func (q *Question) answer(variant string) *Answer {
	for i := range q.Answers {
		if slices.Contains(q.Answers[i].Variants, variant) {
			return &q.Answers[i]
		}
	}
	return nil
}

// Admissible returns the names of the readings of a source in which what it says is judged,
// its literal reading first: those that answer its questions by admissible answers alone.
// A source without questions has its literal reading.
func (a *Algorithm) Admissible(source string) []string {
	base := a.Literal(source)
	if base == nil {
		return nil
	}
	list := []string{base.Name}
	questions := a.byVariants(source)
	for i := range a.Variants {
		v := &a.Variants[i]
		if v != base && len(questions) > 0 && !slices.ContainsFunc(questions, func(q Question) bool {
			given := q.answer(v.Name)
			return given == nil || given.Excluded != ""
		}) {
			list = append(list, v.Name)
		}
	}
	return list
}

// NotLookedAt returns the combinations of admissible answers to a source's questions that no
// reading gives, each as the answers in the order of the questions.
func (a *Algorithm) NotLookedAt(source string) [][]string {
	questions := a.byVariants(source)
	combinations := [][]string{nil}
	for i := range questions {
		var next [][]string
		for _, before := range combinations {
			for k := range questions[i].Answers {
				if questions[i].Answers[k].Excluded == "" {
					next = append(next, append(slices.Clip(before), questions[i].Answers[k].Name))
				}
			}
		}
		combinations = next
	}
	for _, v := range a.Admissible(source) {
		var given []string
		for i := range questions {
			given = append(given, questions[i].answer(v).Name)
		}
		combinations = slices.DeleteFunc(combinations, func(c []string) bool { return slices.Equal(c, given) })
	}
	if len(questions) == 0 {
		return nil
	}
	return combinations
}

// validateQuestions returns what is wrong with the questions.
func (a *Algorithm) validateQuestions() (errs []error) {
	t, _ := a.written()
	var names []string
	for i := range t.Questions {
		q := &t.Questions[i]
		names = append(names, q.Name)
		for _, err := range a.validQuestion(q) {
			errs = append(errs, fmt.Errorf("question %q: %w", q.Name, at(q.At, err)))
		}
	}
	for _, name := range naming.Repeated(names) {
		errs = append(errs, fmt.Errorf("question %q: there are two of that name", name))
	}
	return errs
}

// validQuestion returns what is wrong with a question.
func (a *Algorithm) validQuestion(q *Question) (f flaws) {
	f.add("", naming.Valid(q.Name), naming.Filled("Asks", q.Asks), naming.Filled("Open", q.Open))
	if len(q.Answers) < 2 {
		f.add("", errors.New("it has fewer than two answers: want those that there are"))
	}
	var names, variants []string
	admissible := a.Admissible(q.Source)
	for i := range q.Answers {
		n := &q.Answers[i]
		names = append(names, n.Name)
		variants = append(variants, n.Variants...)
		prefix := fmt.Sprintf("answer %q: ", n.Name)
		f.add(prefix, naming.Valid(n.Name), naming.Filled("Says", n.Says))
		for _, v := range n.Variants {
			f.add(prefix, a.reads(q.Source, v))
		}
		looked := slices.ContainsFunc(n.Variants, func(v string) bool { return slices.Contains(admissible, v) })
		if n.Excluded == "" && !looked && len(q.Cells) == 0 {
			f.add(prefix, errors.New("it is admissible, and no admissible reading gives it: want one, or the sentence that excludes it"))
		}
	}
	for _, name := range naming.Repeated(names) {
		f.add("", fmt.Errorf("two answers are named %q", name))
	}
	for _, name := range naming.Repeated(variants) {
		f.add("", fmt.Errorf("variant %q gives two answers: want one", name))
	}
	if base := a.Literal(q.Source); base != nil && len(q.Cells) == 0 {
		if given := q.answer(base.Name); given == nil || given.Excluded != "" {
			f.add("", fmt.Errorf("variant %q is where the source is judged first, and gives no admissible answer", base.Name))
		}
	}
	return f
}

// reads checks that a variant answers all questions of a source.
func (a *Algorithm) reads(source, variant string) error {
	if _, err := a.Variant(variant); err != nil {
		return err
	}
	for _, q := range a.byVariants(source) {
		if q.answer(variant) == nil {
			return fmt.Errorf("variant %q gives no answer to question %q of the same source: want one", variant, q.Name)
		}
	}
	return nil
}

// InReadings returns claims with more evidence: what is asked of a claim in the reading in
// which it is judged first is also asked in each other admissible reading of its source
// where nothing is asked there yet. Deep evidence and evidence beside is not.
func InReadings(questions []Question, claims []Claim) []Claim {
	out := slices.Clone(claims)
	questions = givenByVariants(questions)
	readings := make(map[string][]string) // by source
	for i := range questions {
		q := &questions[i]
		for k := range q.Answers {
			readings[q.Source] = append(readings[q.Source], q.Answers[k].Variants...)
		}
	}
	for source := range readings {
		slices.Sort(readings[source])
		readings[source] = slices.DeleteFunc(slices.Compact(readings[source]), func(v string) bool {
			return slices.ContainsFunc(questions, func(q Question) bool {
				given := q.answer(v)
				return q.Source == source && (given == nil || given.Excluded != "")
			})
		})
	}
	for i := range out {
		c := &out[i]
		if c.Supposes != "" {
			continue
		}
		for _, v := range readings[c.Source] {
			if slices.Contains(c.alike(), v) {
				continue
			}
			c.Evidence = append(slices.Clip(c.Evidence), c.askedOf(v)...)
		}
	}
	return out
}

// askedOf returns what decides a claim as asked of another variant; nothing where anything
// is asked of that.
func (c *Claim) askedOf(variant string) (list []Evidence) {
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Variant == variant && e.Aside == "" {
			return nil
		}
		if c.decides(e) && !e.Deep && e.searched() {
			list = append(list, e.Of(variant))
		}
	}
	return list
}
