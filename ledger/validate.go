package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Usable returns an error unless every algorithm in a list can be checked: names
// are words in lower case and unique, there is a variant, and settings are
// possible. It makes no system. Validate looks at everything.
func Usable(all []*Algorithm) error { return each(all, (*Algorithm).usable) }

// Validate returns an error unless every algorithm in a list is complete and
// works: beside what Usable asks, nothing that a reader needs is empty, settings
// agree with the protocol, mutants name a variant that is there and a property
// that exists, and evidence can be had. It reports all that is wrong, not only
// the first.
func Validate(all []*Algorithm) error {
	return each(all, func(a *Algorithm) flaws { return append(a.usable(), a.validate()...) })
}

// each reports what is wrong with each algorithm of a list, and with the list.
func each(all []*Algorithm, wrong func(a *Algorithm) flaws) error {
	var errs []error
	seen := make(map[string]bool)
	for i, a := range all {
		if a == nil {
			errs = append(errs, fmt.Errorf("algorithm %d of the list is nil", i))
			continue
		}
		if seen[a.Name] {
			errs = append(errs, fmt.Errorf("algorithm %q is in the list twice", a.Name))
		}
		seen[a.Name] = true
		for _, err := range wrong(a) {
			errs = append(errs, fmt.Errorf("algorithm %q: %w", a.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Flaws are what is wrong with an algorithm.
type flaws []error

// add adds those that are none, each behind a prefix.
func (f *flaws) add(prefix string, found ...error) {
	for _, err := range found {
		if err != nil {
			*f = append(*f, fmt.Errorf("%s%w", prefix, err))
		}
	}
}

func (a *Algorithm) usable() (f flaws) {
	f.add("", naming.Valid(a.Name))
	if len(a.Variants) == 0 {
		f.add("", errors.New("there is no variant: want one at least"))
	}
	for _, name := range naming.Repeated(append(a.variantNames(), a.mutantNames()...)) {
		f.add("", fmt.Errorf("two variants or mutants are named %q", name))
	}
	for i := range a.Variants {
		v := &a.Variants[i]
		f.add(fmt.Sprintf("variant %q: ", v.Name), naming.Valid(v.Name), made(v.New), v.Setting.Validate())
	}
	for i := range a.Mutants {
		m := &a.Mutants[i]
		f.add(fmt.Sprintf("mutant %q: ", m.Name), naming.Valid(m.Name), made(m.New), m.Setting.Validate())
	}
	return f
}

func made(build func(setting.Setting) (*model.System, error)) error {
	if build == nil {
		return errors.New("there is no New function")
	}
	return nil
}

// validate returns what is wrong beside what usable does.
func (a *Algorithm) validate() (f flaws) {
	f.add("", naming.Filled("Title", a.Title), naming.Filled("Source", a.Source), naming.Filled("Doc", a.Doc), validAssumptions(a.Assumptions))
	for i := range a.Variants {
		v := &a.Variants[i]
		prefix := fmt.Sprintf("variant %q: ", v.Name)
		f.add(prefix, naming.Filled("Doc", v.Doc), naming.Filled("Assumes", v.Assumes), validAssumptions(v.Assumptions), builds(v.New, v.Setting))
		for j := range v.Figures {
			f.add(prefix, v.Figures[j].Validate())
		}
	}
	f.add("", a.validLiterals())
	for i := range a.Mutants {
		m := &a.Mutants[i]
		f.add(fmt.Sprintf("mutant %q: ", m.Name), naming.Filled("Doc", m.Doc), builds(m.New, m.Setting), a.hasVariant(m.Of), a.caught(m.Caught))
	}
	return append(f, a.validateClaims()...)
}

func (a *Algorithm) hasVariant(name string) error {
	if name == "" {
		return errors.New("field Of is empty: want the name of the variant that it was made from")
	}
	_, err := a.Variant(name)
	return err
}

// caught checks that a property can catch anything.
func (a *Algorithm) caught(name string) error {
	p, err := a.Property(name)
	if err == nil && p.Witness() {
		err = fmt.Errorf("property %q is a %s: want one that can be violated", name, p.Kind())
	}
	return err
}

// builds checks that a system can be made in a setting, if there is anything to
// make it with.
func builds(build func(setting.Setting) (*model.System, error), s setting.Setting) error {
	if build == nil || s.Validate() != nil {
		return nil // said already
	}
	sys, err := build(s)
	if err == nil && sys == nil {
		err = errors.New("function New returns neither a system nor an error")
	}
	return err
}

// validateClaims returns what is wrong with the claims, stories and properties.
func (a *Algorithm) validateClaims() (errs []error) {
	if _, unread := a.written(); unread != nil {
		errs = append(errs, unread)
	}
	add := func(kind, name string, found ...error) {
		for _, err := range found {
			if err != nil {
				errs = append(errs, fmt.Errorf("%s %q: %w", kind, name, err))
			}
		}
	}
	errs = append(errs, a.validateQuestions()...)
	errs = append(errs, a.validateChecklists()...)
	built := make(map[[2]string]error)
	var claims, stories, properties []string
	for i := range a.Claims() {
		c := &a.Claims()[i]
		claims = append(claims, c.Name)
		for _, err := range []error{
			naming.Valid(c.Name), naming.Filled("Place", c.Place), naming.Filled("Text", c.Text),
			a.validFinding(c), a.validReading(c), a.validAnswers(c),
		} {
			add("claim", c.Name, at(c.At, err))
		}
		errs = append(errs, a.validateEvidence(c, built)...)
	}
	for i := range a.Stories() {
		s := &a.Stories()[i]
		stories = append(stories, s.Name)
		e := Keeps(s.Property, s.Setting).Of(s.Variant)
		for _, err := range []error{
			naming.Valid(s.Name), naming.Filled("Title", s.Title), naming.Filled("Text", s.Text), a.validEvidence(&e, built),
		} {
			add("story", s.Name, at(s.At, err))
		}
	}
	for _, p := range a.Properties {
		properties = append(properties, p.Name)
		if standard, err := checker.Lookup(p.Name); err == nil && standard != p {
			add("property", p.Name, errors.New("a standard property has this name"))
		}
	}
	for kind, names := range map[string][]string{"claim": claims, "story": stories, "property": properties} {
		for _, name := range naming.Repeated(names) {
			add(kind, name, errors.New("there are two of that name"))
		}
	}
	return errs
}

// validateEvidence returns what is wrong with the evidence on a claim. A line of a
// file stands for several pieces, and is shown once.
func (a *Algorithm) validateEvidence(c *Claim, built map[[2]string]error) (errs []error) {
	seen := make(map[string]bool)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		err := a.validEvidence(e, built)
		if err == nil {
			continue
		}
		if e.At == "" {
			err = fmt.Errorf("evidence %d: %w", i+1, err)
		}
		err = at(cmp.Or(e.At, c.At), err)
		if !seen[err.Error()] {
			seen[err.Error()] = true
			errs = append(errs, fmt.Errorf("claim %q: %w", c.Name, err))
		}
	}
	return errs
}

// at puts where something is written before an error about it.
func at(where string, err error) error {
	if where == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", where, err)
}

// validLiterals checks that a source has one literal reading, which adds nothing.
func (a *Algorithm) validLiterals() error {
	var sources []string
	for i := range a.Variants {
		sources = append(sources, a.Variants[i].Literal...)
	}
	if twice := naming.Repeated(sources); len(twice) > 0 {
		return fmt.Errorf("two variants are the literal reading of %q: want one", twice[0])
	}
	for i := range a.Claims() {
		if c := &a.Claims()[i]; len(c.Evidence) > 0 {
			sources = append(sources, c.Source)
		}
	}
	for _, source := range sources {
		if v := a.Literal(source); v != nil && (v.Adds != "" || v.Repair) {
			return fmt.Errorf("variant %q is the literal reading of %q, and adds something or repairs: want the variant that does not to list the source in Literal", v.Name, source)
		}
	}
	return nil
}

// validReading checks that a claim is judged in the literal reading of its
// source, unless it supposes something else.
func (a *Algorithm) validReading(c *Claim) error {
	if len(c.Evidence) == 0 || len(a.Variants) == 0 {
		return nil
	}
	want, got := a.Literal(c.Source).Name, judged(a, c)
	switch {
	case c.Supposes == "" && got != want:
		return fmt.Errorf("its first evidence is of variant %q: want %q, the literal reading of its source, or field Supposes to say what the claim supposes", got, want)
	case c.Supposes != "" && got == want:
		return fmt.Errorf("field Supposes is %q, and its first evidence is of the literal reading, %q: want it of the variant that does so", c.Supposes, got)
	}
	return nil
}

// validFinding checks that a claim names another one as the same finding, one
// that leads: a claim of this algorithm that is there, or one of another.
func (a *Algorithm) validFinding(c *Claim) error {
	name := strings.TrimPrefix(c.Finding, a.Name+"/")
	if name == "" || strings.Contains(name, "/") {
		return nil
	}
	lead, err := a.Claim(name)
	switch {
	case err != nil:
		return fmt.Errorf("field Finding: %w", err)
	case lead == c || lead.Finding != "":
		return fmt.Errorf("field Finding names %q, which is not the claim that leads: want one without a Finding of its own", c.Finding)
	}
	return nil
}

// validOutcome checks that a claim says what its outcome needs.
func (a *Algorithm) validOutcome(c *Claim, j *Judgement) error {
	// Of a reconstruction it is known why nothing is decided: we do not have the paper.
	why := j.Outcome == Undecided && len(c.Evidence) > 0 && a.reconstructs(c)
	if !j.Outcome.Confirms() && j.Outcome != Follows && !why && strings.TrimSpace(c.Note) == "" {
		return fmt.Errorf("it is %s, and field Note does not say why", j.Outcome)
	}
	if j.Outcome == RefutedBeyond && !strings.Contains(c.Exceeds, `"`) {
		return fmt.Errorf("it is %s, and field Exceeds quotes no sentence that excludes this: %q", j.Outcome, c.Exceeds)
	}
	if err := a.validDelays(c, j); err != nil {
		return err
	}
	if len(c.Between) > 0 && j.Outcome != Contradiction {
		return fmt.Errorf("an admissible reading may satisfy %s together: want no claim of a contradiction", strings.Join(c.Between, " and "))
	}
	against := j.Outcome == Refuted || j.Outcome == RefutedBeyond || j.Outcome == Depends
	if !against || c.Kind != SafetyClaim && c.Kind != LivenessClaim {
		return nil
	}
	if strings.TrimSpace(c.Repair) == "" && j.Outcome != Depends {
		return errors.New("it is refuted, and field Repair says neither what would make it true nor that nothing is known")
	}
	if j.Outcome == Depends && c.Story == "" && slices.ContainsFunc(j.Trees, func(t TreeRuling) bool { return t.Turns != "" }) {
		return nil // the tree has the run
	}
	s := a.story(c.Story)
	if s == nil {
		return fmt.Errorf("it is %s, and field Story names no recorded counterexample: %q", j.Outcome, c.Story)
	}
	if !slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return a.sameVariant(e.Variant, s.Variant) && e.Property == s.Property
	}) {
		return fmt.Errorf("story %q is about property %s of variant %q, and no evidence is", s.Name, s.Property, s.Variant)
	}
	if !slices.ContainsFunc(j.Readings, func(r Reading) bool {
		return (r.Admissible || len(j.Trees) > 0) && r.Ruling == NotAsClaimed && a.sameVariant(r.Variant, s.Variant)
	}) {
		return fmt.Errorf("story %q is of variant %q: want an admissible reading in which the claim is not true", s.Name, s.Variant)
	}
	return nil
}

// validAnswers checks that a claim is looked at in each admissible reading of its source,
// and that what it says of answers about the world and of other claims is there.
func (a *Algorithm) validAnswers(c *Claim) error {
	if worlds := slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.If != "" }); worlds != (c.Unsaid != "") {
		return fmt.Errorf("field Unsaid is %q: want it to say what the source leaves open where evidence has an If, and there alone", c.Unsaid)
	}
	for _, name := range append(slices.Clone(c.Between), c.Formula) {
		if name == "" {
			continue
		}
		if of, err := a.Claim(name); err != nil {
			return err
		} else if of.Source != c.Source && name != c.Formula {
			return fmt.Errorf("field Between names %q, which is of another source", name)
		}
	}
	if len(c.Between) > 0 && (len(c.Between) < 2 || len(c.Evidence) > 0) {
		return errors.New("field Between: want two claims at least, and no evidence beside")
	}
	if _, why, _ := strings.Cut(c.Alike, ": "); c.Alike != "" && strings.TrimSpace(why) == "" {
		return fmt.Errorf("field Alike is %q: want readings, a colon, and why they are alike", c.Alike)
	}
	if len(c.Evidence) == 0 || !c.searched() {
		return nil
	}
	for _, v := range a.judgedIn(c) {
		asked := slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return a.named(e.Variant) == v && e.Aside == "" })
		if asked == slices.Contains(c.alike(), v) {
			if asked {
				return fmt.Errorf("field Alike names %q, in which something is asked: want one or the other", v)
			}
			return fmt.Errorf("nothing is asked in the admissible reading %q: want what is asked in %q asked there, too", v, a.named(c.Judged()))
		}
	}
	return nil
}

// validEvidence checks that a piece of evidence can be had. A variant in a setting is
// built once.
func (a *Algorithm) validEvidence(e *Evidence, built map[[2]string]error) error {
	if !e.searched() {
		return errors.Join(naming.Filled("What", e.What), naming.Filled("Printed", e.Printed), naming.Filled("Computed", e.Computed))
	}
	if e.Property != "" {
		if _, err := a.Property(e.Property); err != nil {
			return err
		}
	}
	if asks := e.Asks(); strings.Contains(asks, ": ") {
		return fmt.Errorf("it asks %q: want no colon in that", asks) // the record has one behind it
	}
	in := [2]string{e.Variant, e.Setting}
	err, known := built[in]
	if !known {
		_, _, err = a.at(e)
		built[in] = err
	}
	return err
}
