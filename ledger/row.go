package ledger

import (
	"cmp"
	"strings"
)

// A Remark is something that there is to say of a claim.
type Remark struct {
	// Label says what it is about, "Repair"; it may be empty.
	Label string
	// Text is one or several sentences; of RunRemark it is the name of the recorded
	// run.
	Text string
}

// RunRemark is the label of the remark that names the recorded run.
const RunRemark = "Run"

// A Row is a claim with what it came to, in the words that tables have for that.
// The claim has the rest.
type Row struct {
	Claim     *Claim
	Judgement *Judgement
	// Place is where the claim stands: the publication, where that is not the
	// algorithm's, and the place.
	Place string
	// Reading is the variant in which it is judged first.
	Reading string
	// Outcome is what it came to in words: "follows from its formula, which is refuted
	// within (equation-1)".
	Outcome string
	// Found is in brief what was found: the scope, or what refutes the claim.
	Found string
	// Remarks are what else there is to say of it.
	Remarks []Remark
	// Turns says in a few lines which answers to what the source does not say turn the claim;
	// it is empty where none does.
	Turns []string
	// Answers are what was asked and found, for each exhibit of the judgement.
	Answers []string
	// Ran says what ran where it was judged; empty where nothing was searched.
	Ran string
}

// Rows returns the claims of an entry, in their order.
func (e *Entry) Rows() []Row {
	list := make([]Row, len(e.Judgements))
	for i := range list {
		c, j := &e.Algorithm.Claims()[i], &e.Judgements[i]
		list[i] = Row{
			Claim: c, Judgement: j, Place: place(c), Reading: judged(e.Algorithm, c), Outcome: e.inWords(c, j),
			Found: found(c, j), Remarks: remarks(e.Algorithm, c, j), Ran: ran(j),
			Turns: e.Algorithm.inTurn(c, j.Trees),
		}
		for k := range j.Exhibits {
			list[i].Answers = append(list[i].Answers, answer(&j.Exhibits[k]))
		}
	}
	return list
}

// remarks returns what there is to say of a claim beside what was found.
func remarks(a *Algorithm, c *Claim, j *Judgement) (list []Remark) {
	add := func(label, before, text, after string) {
		if text != "" {
			list = append(list, Remark{label, before + text + after})
		}
	}
	phrase := func(text string) string { return strings.TrimSuffix(text, ".") }
	add("", "", depends(a, c, j), ".")
	add("", "", a.inReadings(c, j.Trees), "")
	if t := timings(c, j); t != "" {
		after := "."
		if c.Delays == "" {
			after = ". " + sourceDelays(a, c)
		}
		add("By delays", "", t, after)
	}
	add("The source on delays", "", phrase(c.Delays), ".")
	add("", "It supposes ", phrase(c.Supposes), ".")
	add("The source excludes it", "", phrase(c.Exceeds), ".")
	add("", "No admissible reading satisfies ", enumerated(c.Between), " together.")
	add("", "Same finding as ", phrase(c.Finding), ".")
	add("Alike in", "", phrase(c.Alike), ".")
	add("", "", c.Note, "")
	add(RunRemark, "", c.Story, "")
	add("Repair", "", phrase(c.Repair), ".")
	add("Other readings", "", readings(a, j), ".")
	return list
}

// sourceDelays says what the source of a claim assumes of delays.
func sourceDelays(a *Algorithm, c *Claim) string {
	for _, p := range a.AssumptionsOf(judged(a, c)) {
		switch p.Premise {
		case EqualDelays:
			return "The source has equal delays (lockstep)."
		case BoundedDelays:
			return "The source bounds delays; it does not make them equal."
		}
	}
	return "The source has no bound on delays."
}

// Standing says how a variant stands to the sources: "judged first", "adds
// T'"; it is empty where there is nothing to say.
func (a *Algorithm) Standing(v *Variant) string {
	var words, sources []string
	all := true
	for i := range a.Claims() {
		if source := a.Claims()[i].Source; a.Literal(source) == v {
			sources = append(sources, cmp.Or(source, "its source"))
		} else {
			all = false
		}
	}
	switch {
	case len(sources) > 0 && all:
		words = append(words, "judged first")
	case len(sources) > 0:
		words = append(words, "judged first for "+strings.Join(unique(sources), "; for "))
	}
	if v.Adds != "" {
		words = append(words, "adds: "+v.Adds)
	}
	if v.Repair {
		words = append(words, "a repair")
	}
	return strings.Join(words, "; ")
}
