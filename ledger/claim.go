package ledger

import (
	"fmt"
	"strings"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A ClaimKind says what a claim is about.
type ClaimKind uint8

const (
	// SafetyClaim: something never happens.
	SafetyClaim ClaimKind = iota
	// LivenessClaim: something happens sooner or later.
	LivenessClaim
	// CountClaim: an election takes so many messages.
	CountClaim
	// TimeClaim: an election takes so long.
	TimeClaim
	// FigureClaim: a number that is printed follows from a formula that is.
	FigureClaim
)

var claimKindNames = []string{"safety", "liveness", "count", "time", "figure"}

// String returns "safety", "liveness", "count", "time" or "figure".
func (k ClaimKind) String() string { return wordOf("ClaimKind", claimKindNames, uint8(k)) }

// MarshalText returns what String does.
func (k ClaimKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Claim is what a source says of an algorithm, as something that can be
// executed.
type Claim struct {
	// Name is a word in lower case, unique in its algorithm: "one-coordinator".
	Name string
	// Source names the publication where that is not the variant's or the
	// algorithm's; Place says where in it the claim stands: "section III, rule 2".
	Source, Place string
	// Text is the claim, in the source's words in quotation marks or in ours.
	Text string
	// Kind says what it is about.
	Kind ClaimKind
	// Exceeds says of a claim that is refuted beyond what its source assumes what it
	// takes, and quotes the sentence of the source that excludes it.
	Exceeds string
	// Delays says of a claim that comes out otherwise under equal delays, and that is not open
	// for that, which sentence of the source excludes one of the two.
	Delays string
	// Unsaid says what of the world the source leaves open, where evidence is about one
	// answer alone (Evidence.If): "whether a second node may crash".
	Unsaid string
	// Between names the claims that are the sentences of this one: it asks whether a
	// reading satisfies them together, and has no evidence of its own.
	Between []string
	// Alike names the admissible readings in which nothing is asked, since they are like the
	// one in which the claim is judged first in all that it is about, and says why: "polite,
	// patient: one process notices, once".
	Alike string
	// Formula names, of a calculation, the claim that the formula itself is.
	Formula string
	// Finding names the claim that is false for the same cause, where that is
	// another one: "table-2-ring" of this algorithm, or "fceabr/table-2-ring". The
	// two are one finding, and are counted as one.
	Finding string
	// Supposes says of a claim that is not about the source's own rules what it
	// supposes instead: "that nodes lose what they had stored". It is then judged in
	// the variant that does so, and all other claims in the literal reading of their
	// source.
	Supposes string
	// Evidence is what decides it. The variant of the first piece is the literal reading
	// of the source, in which the claim is judged first; the questions there are also
	// asked in each other admissible reading. Those of further variants are verdicts of
	// their own. A claim without evidence is undecided, and Note says why.
	Evidence []Evidence
	// Larger, where it is not nil, returns what the evidence asks where each setting
	// has one process more: see Algorithm.Larger.
	Larger func() []Evidence
	// Proved names the properties of relations.txt that say what the claim says, and of which
	// proofs.txt has a proof for every number of processes.
	Proved []string
	// Note says what the outcome means: why a claim is refuted, and whether that
	// breaks the algorithm or a reading; what follows from an assumption alone;
	// how far an undecided claim was checked, and what would decide it.
	Note string
	// Story names the recorded counterexample of a refuted claim of safety or
	// liveness: the smallest run in the scopes that the claim names.
	Story string
	// Repair says of a refuted claim of safety or liveness which variant makes it
	// true and by what, or that no such change is known.
	Repair string
	// At says where the claim is written, for errors: "claims.txt:12". It is
	// empty for claims in Go.
	At string
	// Needs names what has to have run for the claim to be judged at all, as
	// Judgement.Ran does: "rule 3", "message OK", "crash", "two participants at
	// once". Empty stands for everything but what Idle names: rules that are about
	// something else, joining say.
	Needs, Idle []string
}

// A Story is a run that is recorded, the shortest that breaks a property, with
// what there is to say about it.
type Story struct {
	// Name is the name of its file, and tells the story in brief:
	// "bully-lasting-disagreement".
	Name string
	// Variant, Property and Setting say where it is found.
	Variant, Property, Setting string
	// Title says in one line, and Text in two or three sentences, what happens
	// and why.
	Title, Text string
	// At says where the story is written, as Claim.At does.
	At string
}

// A Relation says how a cost is to compare with a figure.
type Relation uint8

const (
	// Exactly: it is the figure.
	Exactly Relation = iota
	// AtMost: it is no more.
	AtMost
	// AtLeast: it is no less.
	AtLeast
)

var relationNames = []string{"=", "≤", "≥"}

// Evidence is one thing that is found out to decide a claim. Keeps, Breaks,
// Takes and Adds make it; the methods change it.
type Evidence struct {
	// At is as Claim.At.
	At string
	// Variant is the reading that is looked at; empty is the default.
	Variant string
	// Setting is the scope, in its text form.
	Setting string
	// Deep says that it takes long, and is left to the deep scopes.
	Deep bool
	// If says, where it is not empty, under which answer about the world this is asked,
	// where the source leaves that open (Claim.Unsaid): "only the leader crashes".
	If string
	// Aside says, where it is not empty, that this is reported beside what
	// decides the claim and does not decide it, and why: "under last resort".
	Aside string
	// MaxStates ends the search early, 0 never: the evidence is then undecided at
	// best.
	MaxStates uint64

	// Property is the name of what is to hold, or of what is to break if Broken.
	Property string
	Broken   bool

	// Cost is what is asked of costs, and Chance what is asked of chance.
	Cost   *CostQuestion
	Chance *ChanceQuestion

	// Printed and Computed are a figure that stands in a source, and the one that
	// follows from the formula that belongs to it; What says what they are of.
	What, Printed, Computed string
}

// A CostQuestion asks whether a cost is what a source says.
type CostQuestion struct {
	Measure  cost.Measure
	Case     cost.Case
	Relation Relation
	// Figure is what the source says.
	Figure int
	// From and When say where counting begins, as cost.Options.From, and that in
	// words: "from when 1 has joined". Without them it begins at the start.
	From func(v *model.View) bool
	When string
}

// String returns the question: "worst messages ≤ 12".
func (q *CostQuestion) String() string {
	s := fmt.Sprintf("%s %s %s %d", q.Case, q.Measure, relationNames[q.Relation], q.Figure)
	if q.When != "" {
		s += ", " + q.When
	}
	return s
}

// holds reports whether a cost is what the source says.
func (q *CostQuestion) holds(found int) bool {
	switch q.Relation {
	case AtMost:
		return found <= q.Figure
	case AtLeast:
		return found >= q.Figure
	}
	return found == q.Figure
}

// Keeps is evidence that a property holds in a setting (or that a witness
// exists).
func Keeps(property, setting string) Evidence {
	return Evidence{Property: property, Setting: setting}
}

// Breaks is evidence that a property does not hold in a setting, where that is
// what the source says.
func Breaks(property, setting string) Evidence {
	return Evidence{Property: property, Setting: setting, Broken: true}
}

// Takes is evidence that an election in a setting takes so many messages or so
// much time.
func Takes(c cost.Case, m cost.Measure, r Relation, figure int, setting string) Evidence {
	return Evidence{Setting: setting, Cost: &CostQuestion{Measure: m, Case: c, Relation: r, Figure: figure}}
}

// Tosses is evidence of how likely a run in a setting comes to its end, or what it costs on average.
func Tosses(q ChanceQuestion, setting string) Evidence {
	return Evidence{Setting: setting, Chance: &q}
}

// Adds is evidence that a figure that is printed is the one that follows from
// its formula.
func Adds(what string, printed, computed any) Evidence {
	return Evidence{What: what, Printed: fmt.Sprint(printed), Computed: fmt.Sprint(computed)}
}

// Of returns the evidence about another variant.
func (e Evidence) Of(variant string) Evidence {
	e.Variant = variant
	return e
}

// InDeep returns the evidence as one that is left to the deep scopes.
func (e Evidence) InDeep() Evidence {
	e.Deep = true
	return e
}

// Beside returns the evidence as one that decides nothing, and says why.
func (e Evidence) Beside(why string) Evidence {
	e.Aside = why
	return e
}

// Given returns the evidence as one of a world that the source leaves open: see If.
func (e Evidence) Given(world string) Evidence {
	e.If = world
	return e
}

// Within returns the evidence with a limit on the number of states.
func (e Evidence) Within(states uint64) Evidence {
	e.MaxStates = states
	return e
}

// After returns the evidence of a cost with the place where counting begins.
func (e Evidence) After(when string, from func(v *model.View) bool) Evidence {
	q := *e.Cost
	q.From, q.When = from, when
	e.Cost = &q
	return e
}

// Asks says what is asked: "uniqueness", "worst messages = 5".
func (e *Evidence) Asks() string {
	switch {
	case e.Cost != nil:
		return e.Cost.String()
	case e.Chance != nil:
		return e.Chance.String()
	case e.Property != "" && e.Broken:
		return e.Property + " is to break"
	case e.Property != "":
		return e.Property
	}
	return e.What + " = " + e.Printed
}

// Judged returns the variant in whose reading a claim is judged first.
func (c *Claim) Judged() string {
	if len(c.Evidence) == 0 {
		return ""
	}
	return c.Evidence[0].Variant
}

// alike returns the readings that Alike names.
func (c *Claim) alike() []string {
	names, _, _ := strings.Cut(c.Alike, ":")
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })
}

// decides reports whether a piece of evidence decides the claim in the reading in which it
// is judged first.
func (c *Claim) decides(e *Evidence) bool {
	return e.Aside == "" && e.If == "" && e.Variant == c.Judged()
}

// Claim returns the claim of a name. The error suggests the name that was
// probably meant.
func (a *Algorithm) Claim(name string) (*Claim, error) {
	names := make([]string, len(a.Claims()))
	for i := range a.Claims() {
		if a.Claims()[i].Name == name {
			return &a.Claims()[i], nil
		}
		names[i] = a.Claims()[i].Name
	}
	return nil, nearest.Unknown("claim on "+a.Name, name, names)
}

// Property returns the property of a name: one of the algorithm's own, or else
// one that Lookup knows. The error suggests the name that was probably meant.
func (a *Algorithm) Property(name string) (*checker.Property, error) {
	for _, p := range a.Properties {
		if p.Name == name {
			return p, nil
		}
	}
	return checker.Lookup(name, a.Properties...)
}

// story returns the recorded counterexample of a name.
func (a *Algorithm) story(name string) *Story {
	stories := a.Stories()
	for i := range stories {
		if stories[i].Name == name {
			return &stories[i]
		}
	}
	return nil
}

// sameVariant reports whether two names stand for one variant.
func (a *Algorithm) sameVariant(x, y string) bool {
	v, err := a.Variant(x)
	w, err2 := a.Variant(y)
	return err == nil && err2 == nil && v == w
}

// at returns the variant that a piece of evidence is about, and the system that
// it is in the setting.
func (a *Algorithm) at(e *Evidence) (*Variant, *model.System, error) {
	v, err := a.Variant(e.Variant)
	if err != nil {
		return nil, nil, err
	}
	s, err := setting.Parse(e.Setting)
	if err != nil {
		return nil, nil, err
	}
	sys, err := v.In(s)
	return v, sys, err
}
