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

// Recorded returns the ledger of algorithms as it is on record. The error names
// the algorithm whose record does not belong to its claims. Of the record's fingerprints
// (Stale) only those of the algorithms' own code are compared, which takes no time.
func Recorded(all []*Algorithm) (*Ledger, error) {
	l := new(Ledger)
	for _, a := range all {
		found, err := a.Recorded()
		if err != nil {
			return nil, err
		}
		same := slices.EqualFunc(a.Claims(), found, func(c Claim, j Judgement) bool {
			return c.Name == j.Claim && len(c.Evidence) == len(j.Exhibits)
		})
		if !same {
			return nil, fmt.Errorf("%s: the record does not belong to the claims: its test writes it with -update", a.Name)
		}
		if err := a.compareCode(found); err != nil {
			return nil, err
		}
		l.Entries = append(l.Entries, Entry{a, found})
	}
	return l, nil
}

// compareCode notes what is out of date since the algorithm's own code is another one.
func (a *Algorithm) compareCode(recorded []Judgement) error {
	code, err := codePrint(a.Code)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	for i := range recorded {
		for k := range recorded[i].Exhibits {
			if x := &recorded[i].Exhibits[k]; x.States > mostJudged {
				x.stale = fingerprint{code: code}.changed(x.Fingerprint)
			}
		}
	}
	return nil
}

// Judge returns the ledger of algorithms with what their claims come to now.
// Where ctx ends it stops, and returns the algorithms that it has judged along
// with the error.
func Judge(ctx context.Context, all []*Algorithm, opt JudgeOptions) (*Ledger, error) {
	l := new(Ledger)
	for _, a := range all {
		found, err := a.Judge(ctx, opt)
		if err != nil {
			return l, err
		}
		l.Entries = append(l.Entries, Entry{a, found})
	}
	return l, nil
}

// Differences lists in words where a ledger is not what its algorithms have on
// record, claim by claim.
func (l *Ledger) Differences() ([]string, error) {
	var list []string
	for i := range l.Entries {
		e := &l.Entries[i]
		recorded, err := e.Algorithm.Recorded()
		if err != nil {
			return nil, err
		}
		was := make(map[string]*Judgement)
		for k := range recorded {
			was[recorded[k].Claim] = &recorded[k]
		}
		for k := range e.Judgements {
			now := &e.Judgements[k]
			for _, d := range differences(was[now.Claim], now) {
				list = append(list, e.Algorithm.Name+", "+now.Claim+": "+d)
			}
		}
	}
	return list, nil
}

// differences lists where a judgement is not what it was.
func differences(was, now *Judgement) (list []string) {
	if was == nil {
		return []string{"nothing is on record"}
	}
	if was.Outcome != now.Outcome {
		list = append(list, fmt.Sprintf("%s, and on record as %s", now.Outcome, was.Outcome))
	}
	if len(was.Exhibits) != len(now.Exhibits) {
		return append(list, fmt.Sprintf("%d pieces of evidence, and %d on record", len(now.Exhibits), len(was.Exhibits)))
	}
	for i := range now.Exhibits {
		a, b := &was.Exhibits[i], &now.Exhibits[i]
		if a.Ruling != b.Ruling || a.Found != b.Found || a.States != b.States || a.Asked != b.Asked || a.Setting != b.Setting {
			list = append(list, fmt.Sprintf("%s in %q: %s (%d states), and on record %s (%d states)",
				b.Asked, b.Setting, b.Found, b.States, a.Found, a.States))
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
	if c.Finding == "" && (o == Refuted || o == DoesNotFollow || o == Contradiction) {
		t.Findings++
	}
}

// String returns the tally in words: "5 claims: 3 confirmed, 2 refuted; 1
// finding". A claim that is refuted without more words is so within the
// assumptions of its source.
func (t Tally) String() string {
	s := fmt.Sprintf("%s: %d confirmed, %d refuted", quantity.Plural(t.Claims, "claim"), t.Confirmed, t.Refuted)
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
