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
// the algorithm whose record does not belong to its claims.
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
		l.Entries = append(l.Entries, Entry{a, found})
	}
	return l, nil
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
			if want := e.Algorithm.Claims()[k].Outcome; now.Outcome != want {
				list = append(list, fmt.Sprintf("%s, %s: it is said to be %s, and is %s", e.Algorithm.Name, now.Claim, want, now.Outcome))
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

// A Tally counts claims by their outcomes.
type Tally struct {
	Claims, Confirmed, Undecided int
	// Refuted counts what is refuted within the assumptions of its source, and
	// RefutedBeyond what is refuted beyond them.
	Refuted, RefutedBeyond int
	// Right and Wrong count calculations.
	Right, Wrong int
	// Findings counts the causes of what is refuted within or wrong: a claim that
	// names another as the same finding is not counted.
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
	case Right:
		t.Right++
	case Wrong:
		t.Wrong++
	default:
		t.Undecided++
	}
	if c.Finding == "" && (o == Refuted || o == Wrong) {
		t.Findings++
	}
}

// String returns the tally in words: "5 claims: 3 confirmed, 2 refuted; 1
// finding". What is refuted without more words is so within what its source
// assumes.
func (t Tally) String() string {
	s := fmt.Sprintf("%s: %d confirmed, %d refuted", quantity.Plural(t.Claims, "claim"), t.Confirmed, t.Refuted)
	for _, part := range []struct {
		count int
		words string
	}{
		{t.RefutedBeyond, "refuted beyond what the source assumes"}, {t.Right, "right as calculations"},
		{t.Wrong, "wrong as calculations"}, {t.Undecided, "undecided"},
	} {
		if part.count > 0 {
			s += fmt.Sprintf(", %d %s", part.count, part.words)
		}
	}
	if t.Findings > 0 && t.Findings != t.Refuted+t.Wrong {
		s += "; " + quantity.Plural(t.Findings, "finding")
	}
	return s
}
