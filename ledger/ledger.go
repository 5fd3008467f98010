// Package ledger sets what the literature claims of algorithms beside what the
// explorer finds: the claims of each algorithm with their rulings, as text, as
// Markdown and as JSON.
//
// An Algorithm is an entry of a catalogue, and what the packages under algorithms
// are made of: its source, its Variants (readings and repairs), its Mutants, and
// its Claims, each with the Evidence that decides it. Validate checks a list of
// them, Find and Lookup find in one, and VerifyClaims keeps the claims of an
// algorithm true in a go test.
//
// Entry.Rows has the claims as pages show them, and a Lesson is a claim in words for
// a class.
//
// A ledger is made in two ways. Recorded takes what is on record, which the
// tests of the algorithms keep true. Judge looks at all evidence again, and
// Differences says where it comes to something else than the record.
package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/quantity"
)

// A Ledger is a list of claims with what they came to.
type Ledger struct {
	// Entries has one entry for each algorithm.
	Entries []Entry
}

// An Entry is an algorithm with the judgements on its claims, in their order.
type Entry struct {
	Algorithm  *Algorithm
	Judgements []Judgement
}

// Recorded returns the ledger of algorithms as it is on record. Searches of up to 1,000 states
// are on no record and are made, which takes a moment; so it ends with an error where ctx
// does. The error names the algorithm whose record does not belong to its claims. Of the
// record's fingerprints (Stale) only those of the algorithms' own code are compared, which
// takes no time.
func Recorded(ctx context.Context, all []*Algorithm) (*Ledger, error) {
	l := new(Ledger)
	for _, a := range all {
		recorded, err := a.lock()
		if err != nil {
			return nil, err
		}
		found, err := a.judge(ctx, recorded, JudgeOptions{Believe: true, Workers: 1}, true)
		if err != nil {
			return nil, err
		}
		if !recorded.of(a, found) {
			return nil, fmt.Errorf("%s: the record does not belong to the claims: its test writes it with -update", a.Name)
		}
		l.Entries = append(l.Entries, Entry{Algorithm: a, Judgements: found})
	}
	return l, nil
}

// of reports whether the record has each claim of an algorithm, and each search that is too
// large to be made without.
func (l *lock) of(a *Algorithm, found []Judgement) bool {
	if !slices.EqualFunc(l.claims, found, func(c lockedClaim, j Judgement) bool { return c.name == j.Claim }) {
		return false
	}
	for i := range found {
		for k := range found[i].Exhibits {
			x := &found[i].Exhibits[k]
			if _, known := l.searches[a.Claims()[i].Evidence[k].asksLocked(x)]; x.Found == notYet && !known {
				return false
			}
		}
	}
	return true
}

// Judge returns the ledger of algorithms with what their claims come to now.
// Where ctx ends it stops, and returns the algorithms that it has judged along
// with the error.
func Judge(ctx context.Context, all []*Algorithm, opt JudgeOptions) (*Ledger, error) {
	l := new(Ledger)
	for _, a := range all {
		found, err := Judgements(ctx, a, opt)
		if err != nil {
			return l, err
		}
		l.Entries = append(l.Entries, Entry{Algorithm: a, Judgements: found})
	}
	return l, nil
}

// Differences lists in words where a ledger is not what its algorithms have on
// record, claim by claim: other outcomes, and other results of large searches.
func (l *Ledger) Differences() ([]string, error) {
	var list []string
	for i := range l.Entries {
		e := &l.Entries[i]
		recorded, err := e.Algorithm.lock()
		if err != nil {
			return nil, err
		}
		for k := range e.Judgements {
			now := &e.Judgements[k]
			for _, d := range recorded.differences(&e.Algorithm.Claims()[k], now) {
				list = append(list, e.Algorithm.Name+", "+now.Claim+": "+d)
			}
		}
	}
	return list, nil
}

// differences lists where a judgement is not what it was.
func (l *lock) differences(c *Claim, now *Judgement) (list []string) {
	was := l.claim(now.Claim)
	if was == nil {
		return []string{"nothing is on record"}
	}
	if was.outcome != now.Outcome {
		list = append(list, fmt.Sprintf("%s, and on record as %s", now.Outcome, was.outcome))
	}
	for i := range now.Trees {
		t := &now.Trees[i]
		if old := l.tree(now.Claim, t.If); !t.same(old) {
			list = append(list, fmt.Sprintf("in all readings: %s, and on record %s", t.figures(), old.figures()))
		}
	}
	for i := range now.Exhibits {
		x := &now.Exhibits[i]
		old, known := l.searches[c.Evidence[i].asksLocked(x)]
		switch {
		case !known && x.States > mostJudged:
			list = append(list, fmt.Sprintf("%s in %q: %s (%d states), and nothing on record", x.Asked, x.Setting, x.Found, x.States))
		case known && (old.Ruling != x.Ruling || old.Found != x.Found || old.States != x.States):
			list = append(list, fmt.Sprintf("%s in %q: %s (%d states), and on record %s (%d states)",
				x.Asked, x.Setting, x.Found, x.States, old.Found, old.States))
		}
	}
	return list
}

// Stale says of each algorithm how much of what the ledger takes from the record is out of
// date, since it is of other code, why, and on which claims that is; nothing where all of
// it is of the code as it is.
func (l *Ledger) Stale() (list []string) {
	for i := range l.Entries {
		e, count, why := &l.Entries[i], 0, ""
		var claims []string
		for k := range e.Judgements {
			before := count
			for _, t := range e.Judgements[k].Trees {
				if t.stale != "" {
					count, why = count+1, t.stale
				}
			}
			for _, x := range e.Judgements[k].Exhibits {
				if x.stale != "" {
					count, why = count+1, x.stale
				}
			}
			if count > before {
				claims = append(claims, e.Judgements[k].Claim)
			}
		}
		if count > 0 {
			list = append(list, fmt.Sprintf("%s: the record of %s of evidence is out of date: %s (%s)",
				e.Algorithm.Name, quantity.Plural(count, "piece"), why, strings.Join(claims, ", ")))
		}
	}
	return list
}

// A Tally counts claims by their outcomes.
type Tally struct {
	Claims, Confirmed, Undecided int
	// ForEveryN counts those of the confirmed ones that are proved for every N.
	ForEveryN int
	// Refuted counts what is refuted within the assumptions of its source, and
	// RefutedBeyond what is refuted beyond them.
	Refuted, RefutedBeyond int
	// Depends counts what depends on a question that its source leaves open, and
	// Contradictions sentences that no reading satisfies together.
	Depends, Contradictions int
	// Follows and DoesNotFollow count calculations.
	Follows, DoesNotFollow int
	// Findings counts the causes of what is refuted within, of contradictions and of what
	// does not follow: a claim that names another as the same finding is not counted.
	Findings int
}

// Tally counts the claims of an entry.
func (e *Entry) Tally() (t Tally) {
	for i := range e.Judgements {
		t.add(&e.Algorithm.Claims()[i], e.Judgements[i].Outcome)
	}
	return t
}

// Tally counts all claims.
func (l *Ledger) Tally() (t Tally) {
	for i := range l.Entries {
		e := &l.Entries[i]
		for k := range e.Judgements {
			t.add(&e.Algorithm.Claims()[k], e.Judgements[k].Outcome)
		}
	}
	return t
}

func (t *Tally) add(c *Claim, o Outcome) {
	t.Claims++
	switch o {
	case Confirmed:
		t.Confirmed++
	case ConfirmedForEveryN:
		t.Confirmed++
		t.ForEveryN++
	case Refuted:
		t.Refuted++
	case RefutedBeyond:
		t.RefutedBeyond++
	case Depends:
		t.Depends++
	case Contradiction:
		t.Contradictions++
	case Follows:
		t.Follows++
	case DoesNotFollow:
		t.DoesNotFollow++
	default:
		t.Undecided++
	}
	if c.finds(o) {
		t.Findings++
	}
}

// finds reports whether an outcome of a claim is a finding of its own.
func (c *Claim) finds(o Outcome) bool {
	return c.Finding == "" && (o == Refuted || o == DoesNotFollow || o == Contradiction)
}

// String returns the tally in words: "5 claims: 3 confirmed, 2 refuted; 1
// finding". A claim that is refuted without more words is so within the
// assumptions of its source.
func (t Tally) String() string {
	s := fmt.Sprintf("%s: %d confirmed", quantity.Plural(t.Claims, "claim"), t.Confirmed)
	if t.ForEveryN > 0 {
		s += fmt.Sprintf(" (%d for every N)", t.ForEveryN)
	}
	s += fmt.Sprintf(", %d refuted", t.Refuted)
	for _, part := range []struct {
		count int
		words string
	}{
		{t.RefutedBeyond, "refuted beyond what the source assumes"}, {t.Depends, "open"}, {t.Contradictions, "contradictions"},
		{t.Follows, "that follow"}, {t.DoesNotFollow, "that do not follow"}, {t.Undecided, "undecided"},
	} {
		if part.count > 0 {
			s += fmt.Sprintf(", %d %s", part.count, part.words)
		}
	}
	if t.Findings > 0 && t.Findings != t.Refuted+t.DoesNotFollow+t.Contradictions {
		s += "; " + quantity.Plural(t.Findings, "finding")
	}
	return s
}
