package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// A Dependency is a question that a source leaves open, and what a claim comes to under each
// admissible answer.
type Dependency struct {
	// Question is its name; of a question about the world it is empty, and Asks alone
	// says what it is.
	Question string `json:"question,omitempty"`
	Asks     string `json:"asks"`
	// Decides says that the outcome depends on it.
	Decides bool           `json:"decides"`
	Answers []AnswerRuling `json:"answers"`
}

// otherwise is the answer about the world under which evidence is asked that names none.
const otherwise = "otherwise"

// An AnswerRuling is an answer with what a claim comes to in the admissible readings that
// give it.
type AnswerRuling struct {
	Answer string `json:"answer"`
	// Excluded is the sentence that excludes the answer; it has no ruling then.
	Excluded string `json:"excluded,omitempty"`
	// Holds and Fails name the readings that give the answer and in which the claim is
	// true, and not true. In what is left it is undecided.
	Holds []string `json:"holds,omitempty"`
	Fails []string `json:"fails,omitempty"`
}

// Dependencies returns the questions that the source of a claim leaves open, with what the
// claim comes to under each answer.
func (a *Algorithm) Dependencies(c *Claim, j *Judgement) (list []Dependency) {
	if c.Supposes == "" {
		for _, q := range a.byVariants(c.Source) {
			d := Dependency{Question: q.Name, Asks: q.Asks}
			for _, n := range q.Answers {
				r := AnswerRuling{Answer: n.Name, Excluded: n.Excluded}
				r.sort(j.Readings, func(r *Reading) bool { return r.If == "" && slices.Contains(n.Variants, r.Variant) })
				d.Answers = append(d.Answers, r)
			}
			list = append(list, d)
		}
		for i := range list {
			list[i].Decides = j.Outcome == Depends && a.decisive(i, c.Source, j.Readings)
		}
	}
	if c.Unsaid != "" {
		list = append(list, c.worlds(j))
	}
	return list
}

// sort puts the admissible readings of some kind to where they belong.
func (r *AnswerRuling) sort(readings []Reading, of func(r *Reading) bool) {
	for i := range readings {
		switch x := &readings[i]; {
		case !x.Admissible || !of(x):
		case x.Ruling == AsClaimed:
			r.Holds = append(r.Holds, x.Variant)
		case x.Ruling == NotAsClaimed:
			r.Fails = append(r.Fails, x.Variant)
		}
	}
}

// decisive reports whether an outcome depends on a question of a source, given by its index:
// whether two readings that differ in its answer alone come to different things. Where no
// two differ in one answer alone, it depends on whichever they differ in.
func (a *Algorithm) decisive(question int, source string, readings []Reading) bool {
	questions := a.byVariants(source)
	least, here := len(questions)+1, false
	for i := range readings {
		for k := range readings {
			x, y := &readings[i], &readings[k]
			if !x.Admissible || !y.Admissible || x.If != "" || y.If != "" || x.Ruling != AsClaimed || y.Ruling != NotAsClaimed {
				continue
			}
			differ, own := 0, false
			for n := range questions {
				if questions[n].answer(x.Variant).Name != questions[n].answer(y.Variant).Name {
					differ++
					own = own || n == question
				}
			}
			if own && differ == 1 {
				return true
			}
			if least > differ {
				least, here = differ, false
			}
			here = here || own && differ == least
		}
	}
	return here && least > 1
}

// worlds returns what a claim comes to under each answer about the world.
func (c *Claim) worlds(j *Judgement) Dependency {
	d := Dependency{Asks: c.Unsaid, Decides: j.Outcome == Depends}
	for i := range c.Evidence {
		world := c.Evidence[i].If
		if slices.ContainsFunc(d.Answers, func(r AnswerRuling) bool { return r.Answer == world }) {
			continue
		}
		r := AnswerRuling{Answer: world}
		r.sort(j.Readings, func(r *Reading) bool { return r.If == world })
		d.Answers = append(d.Answers, r)
	}
	d.Decides = d.Decides && (len(j.Trees) > 0 || turnsByWorld(d.Answers))
	for i := range d.Answers {
		if d.Answers[i].Answer == "" {
			d.Answers[i].Answer = otherwise
		}
	}
	return d
}

// turnsByWorld reports whether a claim depends on the answer about the world: whether a reading
// has it hold under one answer and fail under another. Where none does, it depends on the world
// only if no answer has readings that differ, so that nothing else tells those that hold from
// those that fail.
func turnsByWorld(answers []AnswerRuling) bool {
	for _, x := range answers {
		for _, y := range answers {
			if slices.ContainsFunc(x.Holds, func(v string) bool { return slices.Contains(y.Fails, v) }) {
				return true
			}
		}
	}
	return !slices.ContainsFunc(answers, func(x AnswerRuling) bool { return len(x.Holds) > 0 && len(x.Fails) > 0 })
}

// depends says on what an outcome depends: "It depends on retry: it holds with limit
// (coulouris), and not with none (coulouris-noretry)". It is empty where nothing does.
func depends(a *Algorithm, c *Claim, j *Judgement) string {
	if j.Outcome != Depends {
		return ""
	}
	var words []string
	for _, d := range a.Dependencies(c, j) {
		if !d.Decides {
			continue
		}
		words = append(words, d.String())
	}
	return strings.Join(words, ". ")
}

// String returns the question with the answers under which the claim holds and does not: the
// question alone, if it also takes answers about events for the claim to hold.
func (d *Dependency) String() string {
	name := d.Asks
	if d.Question != "" {
		name = fmt.Sprintf("%s (%s)", d.Question, strings.TrimSuffix(d.Asks, "."))
	}
	var holds, fails []string
	for i := range d.Answers {
		r := &d.Answers[i]
		if len(r.Holds) > 0 {
			holds = append(holds, r.with(d, r.Holds))
		}
		if len(r.Fails) > 0 {
			fails = append(fails, r.with(d, r.Fails))
		}
	}
	if len(holds) == 0 {
		return "It depends on " + name
	}
	return fmt.Sprintf("It depends on %s: it holds %s, and not %s", name, enumerated(holds), enumerated(fails))
}

// with returns an answer, and the readings that give it where it is one to a question, or where
// readings differ under it.
func (r *AnswerRuling) with(d *Dependency, readings []string) string {
	if d.Question != "" {
		return "with " + r.Answer + " (" + strings.Join(readings, ", ") + ")"
	}
	words := "if " + r.Answer
	if r.Answer == otherwise {
		words = otherwise
	}
	if len(r.Holds) > 0 && len(r.Fails) > 0 {
		words += " (" + strings.Join(readings, ", ") + ")"
	}
	return words
}

// inWords returns an outcome with what belongs to it in the same line: from which formula
// something follows, and what became of that.
func (e *Entry) inWords(c *Claim, j *Judgement) string {
	switch j.Outcome {
	case Follows, DoesNotFollow:
		s := j.Outcome.String() + " from its formula"
		for i := range e.Judgements {
			if of := &e.Judgements[i]; of.Claim == c.Formula {
				s += fmt.Sprintf(", which is %s (%s)", of.Outcome, of.Claim)
			}
		}
		return s
	case Contradiction:
		return "the source contradicts itself"
	case ConfirmedForEveryN:
		return fmt.Sprintf("%s: proofs.txt, %s", j.Outcome, strings.Join(c.Proved, ", "))
	}
	return j.Outcome.String()
}
