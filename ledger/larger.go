package ledger

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"bullyproof/internal/quantity"
)

// Larger returns the algorithm with each claim asked at one process more: what
// decides it, in the same settings otherwise, in searches of up to so many states
// (0 is no limit). Questions asked already are left out, and claims without any
// other have no evidence. Nothing is on record, and the outcomes are those of the
// claims as they are.
func (a *Algorithm) Larger(maxStates uint64) *Algorithm {
	b := *a
	b.Files = unrecorded(a.Files)
	b.Written = sync.OnceValues(func() (*Text, error) {
		t, err := a.written()
		larger := *t
		larger.Claims = slices.Clone(t.Claims)
		for i := range larger.Claims {
			larger.Claims[i].Evidence = t.Claims[i].larger(maxStates)
		}
		return &larger, err
	})
	return &b
}

// larger returns what decides a claim at one process more.
func (c *Claim) larger(maxStates uint64) (list []Evidence) {
	if c.Larger == nil {
		return nil
	}
	known := make(map[lockedQuestion]bool)
	for i := range c.Evidence {
		if e := &c.Evidence[i]; c.decides(e) && e.MaxStates == 0 {
			x := e.exhibit()
			known[e.asksLocked(&x)] = true
		}
	}
	for _, e := range c.Larger() {
		x := e.exhibit()
		q := e.asksLocked(&x)
		q.within = 0
		if !c.decides(&e) || known[q] {
			continue
		}
		known[q] = true
		e.Deep, e.MaxStates = false, maxStates
		list = append(list, e)
	}
	return list
}

// A Change is a claim that comes to something else at one process more.
type Change struct {
	Algorithm, Claim string
	// Was is what its evidence says on record, and Now at one process more.
	Was, Now Ruling
	// Found is the first thing that says so.
	Found string
}

// String returns the change in a line.
func (c *Change) String() string {
	return fmt.Sprintf("%s, %s: %s on record, and %s at one process more: %s", c.Algorithm, c.Claim, c.Was, c.Now, c.Found)
}

// A Reach says how far the claims of an algorithm are decided at one process more.
type Reach struct {
	Algorithm string
	// Asked is the number of claims of which something is asked there, and Decided
	// of how many of them all of it is answered, or refuted by one answer.
	Asked, Decided int
	// Questions and Answered are those of the pieces of evidence.
	Questions, Answered int
	// Changes are the claims that are decided, and otherwise than on record.
	Changes []Change
}

// String returns the reach in words: "bully: 20 of 23 claims are decided at one
// process more, with 50 of 60 questions; 1 of them otherwise than on record".
func (r *Reach) String() string {
	s := fmt.Sprintf("%s: %d of %s decided at one process more, by %d of %s", r.Algorithm, r.Decided,
		quantity.Plural(r.Asked, "claim"), r.Answered, quantity.Plural(r.Questions, "question"))
	if len(r.Changes) > 0 {
		s += fmt.Sprintf("; %d otherwise than on record", len(r.Changes))
	}
	return s
}

// Reaches compares what the claims of algorithms come to at one process more, which
// is a ledger of what Larger returns, with their records.
func (l *Ledger) Reaches(ctx context.Context, all []*Algorithm) ([]Reach, error) {
	recorded, err := Recorded(ctx, all)
	if err != nil {
		return nil, err
	}
	list := make([]Reach, 0, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		at := slices.IndexFunc(recorded.Entries, func(r Entry) bool { return r.Algorithm.Name == e.Algorithm.Name })
		if at < 0 {
			return nil, fmt.Errorf("algorithm %q is not among those that are on record", e.Algorithm.Name)
		}
		r := Reach{Algorithm: e.Algorithm.Name}
		for k := range e.Judgements {
			was := &recorded.Entries[at]
			r.add(&was.Algorithm.Claims()[k], &was.Judgements[k], &e.Algorithm.Claims()[k], &e.Judgements[k])
		}
		list = append(list, r)
	}
	return list, nil
}

// add counts a claim: as it is on record, and at one process more.
func (r *Reach) add(old *Claim, was *Judgement, c *Claim, now *Judgement) {
	if len(c.Evidence) == 0 {
		return
	}
	r.Asked++
	for i := range now.Exhibits {
		r.Questions++
		if now.Exhibits[i].Ruling != Open {
			r.Answered++
		}
	}
	before, after := ruling(old, was), ruling(c, now)
	if after != Open {
		r.Decided++
		if after != before {
			r.Changes = append(r.Changes, Change{Algorithm: r.Algorithm, Claim: c.Name, Was: before, Now: after, Found: found(c, now)})
		}
	}
}

// ruling returns what decides a claim comes to.
func ruling(c *Claim, j *Judgement) Ruling {
	all, arises := AsClaimed, false
	for _, x := range deciding(c, j) {
		all = and(all, x.Ruling)
		arises = arises || x.Ruling != Moot
	}
	if !arises {
		return Open
	}
	return all
}
