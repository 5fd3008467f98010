package ledger

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
)

// A Ruling is what one piece of evidence says of a claim, or all evidence on it
// in one reading.
type Ruling uint8

const (
	// Open: nothing speaks against the claim as far as the search went, and that
	// is not far enough to say more.
	Open Ruling = iota
	// AsClaimed: what was found is what the claim says.
	AsClaimed
	// NotAsClaimed: it is not. There is a run, or a figure.
	NotAsClaimed
	// Moot: the question does not arise in the scope, so that it speaks neither
	// for a claim nor against it. It is a ruling on a piece of evidence, never on
	// a reading.
	Moot
)

var rulings = []string{"undecided", "as claimed", "not as claimed", "moot"}

// String returns "undecided", "as claimed", "not as claimed" or "moot".
func (r Ruling) String() string { return wordOf("Ruling", rulings, uint8(r)) }

// MarshalText returns what String does.
func (r Ruling) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Ruling) UnmarshalText(text []byte) error {
	i, err := indexOf("ruling", rulings, text)
	*r = Ruling(i)
	return err
}

// An Outcome is what a claim comes to. It is computed from what the evidence says in each
// admissible reading of the source; docs/how-claims-are-judged.md says how.
type Outcome uint8

const (
	// Undecided: nothing was found against the claim, and the claim reaches
	// further than the search; or it is about a paper that we do not have.
	Undecided Outcome = iota
	// Confirmed: it is true in the whole of the scope, in each admissible reading.
	Confirmed
	// Refuted: in each admissible reading a run or a figure shows that it is not true,
	// within what the source assumes.
	Refuted
	// RefutedBeyond: it is not true under something that the source excludes.
	// Claim.Exceeds quotes the sentence.
	RefutedBeyond
	// Follows: the claim is a calculation, which takes no search, and it adds up.
	Follows
	// DoesNotFollow: it is a calculation, and it does not add up.
	DoesNotFollow
	// Depends: it is true in some admissible readings and not in others, so it depends on
	// what the source leaves open.
	Depends
	// Contradiction: it is two sentences or more that no admissible reading satisfies
	// together.
	Contradiction
	// ConfirmedForEveryN: it is confirmed, and a proof that is kept says it for every number of
	// processes: Claim.Proved names what is proved.
	ConfirmedForEveryN
)

var outcomes = []string{
	"undecided", "confirmed", "refuted within", "refuted beyond", "follows", "does not follow", "open", "contradiction", "confirmed for every N",
}

// String returns "undecided", "confirmed", "confirmed for every N", "refuted within" (what the source
// assumes), "refuted beyond" (it), "follows" or "does not follow" (from its
// formula), "open" (it depends on a question) or "contradiction".
func (o Outcome) String() string { return wordOf("Outcome", outcomes, uint8(o)) }

// MarshalText returns what String does.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error {
	i, err := indexOf("outcome", outcomes, text)
	*o = Outcome(i)
	return err
}

// Confirms reports whether the claim is confirmed, for every N or in its scopes.
func (o Outcome) Confirms() bool { return o == Confirmed || o == ConfirmedForEveryN }

// Against reports whether the outcome speaks against the claim.
func (o Outcome) Against() bool { return o == Refuted || o == RefutedBeyond || o == DoesNotFollow }

// wordOf returns the word of a value of a type.
func wordOf(kind string, words []string, i uint8) string {
	if int(i) < len(words) {
		return words[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

// indexOf returns the index of a word.
func indexOf(what string, words []string, text []byte) (int, error) {
	i := slices.Index(words, string(text))
	if i < 0 {
		return 0, fmt.Errorf("%s %q: want one of %s", what, nearest.Clip(string(text)), strings.Join(words, ", "))
	}
	return i, nil
}

// outcome returns what a claim comes to by what its evidence says in each admissible
// reading, and its trees in all of them.
func (a *Algorithm) outcome(c *Claim, readings []Reading, trees []TreeRuling) Outcome {
	var holds, fails, open bool
	for _, r := range readings {
		if r.Admissible {
			holds, fails, open = holds || r.Ruling == AsClaimed, fails || r.Ruling == NotAsClaimed, open || r.Ruling == Open
		}
	}
	if len(trees) > 0 {
		inAll := byTrees(trees)
		holds, fails = inAll.holds || holds, inAll.fails || fails
		open = inAll.open || open && !fails
	}
	switch {
	case holds && !fails && !open && c.arithmetic():
		return Follows
	case fails && !holds && !open && c.arithmetic():
		return DoesNotFollow
	case a.reconstructs(c):
		return Undecided
	case holds && fails:
		return Depends
	case open:
		return Undecided
	case holds && len(c.Proved) > 0:
		return ConfirmedForEveryN
	case holds:
		return Confirmed
	case fails && c.Exceeds != "":
		return RefutedBeyond
	case fails:
		return Refuted
	}
	return Undecided
}

// contradiction returns what a claim comes to that is two sentences or more, each a claim
// of its own: Contradiction if in each admissible reading one of them is not as claimed.
func (a *Algorithm) contradiction(c *Claim, trees []TreeRuling, all []Judgement) Outcome {
	if len(trees) > 0 {
		if in := byTrees(trees); in.holds || in.open {
			return Undecided
		}
		return Contradiction
	}
	for _, v := range a.Admissible(c.Source) {
		fails := false
		for _, name := range c.Between {
			at := slices.IndexFunc(all, func(j Judgement) bool { return j.Claim == name })
			fails = fails || at >= 0 && slices.ContainsFunc(all[at].Readings, func(r Reading) bool {
				return r.Variant == v && r.If == "" && r.Ruling == NotAsClaimed
			})
		}
		if !fails {
			return Undecided
		}
	}
	return Contradiction
}

// arithmetic reports whether a claim is decided by calculation alone.
func (c *Claim) arithmetic() bool {
	return len(c.Evidence) > 0 && !c.searched()
}

// reconstructs reports whether the rules by which a claim is judged are ours,
// for want of the paper.
func (a *Algorithm) reconstructs(c *Claim) bool {
	if v, err := a.Variant(c.Judged()); err == nil && v.Reconstruction != "" {
		return true
	}
	return a.Reconstruction != ""
}
