package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/quantity"
	"bullyproof/model/setting"
)

// deciding returns the exhibits that decide a claim: those of the variant in
// which it is judged that are not there for comparison alone.
func deciding(c *Claim, j *Judgement) (list []*Exhibit) {
	for i := range j.Exhibits {
		if x := &j.Exhibits[i]; x.Aside == "" && x.If == "" && x.Variant == c.Judged() {
			list = append(list, x)
		}
	}
	return list
}

// found says in brief what decided a claim: the first thing that refutes it, or
// the scope in which nothing does.
func found(c *Claim, j *Judgement) string {
	list := deciding(c, j)
	if j.Outcome.Against() || j.Outcome == Depends && slices.ContainsFunc(list, func(x *Exhibit) bool { return x.Ruling == NotAsClaimed }) {
		refuting, wrong := "", 0
		for _, x := range list {
			if x.Ruling != NotAsClaimed {
				continue
			}
			if wrong++; wrong == 1 {
				refuting = answer(x)
				if x.Setting != "" {
					refuting += " (" + x.Setting + ")"
				}
			}
		}
		if wrong > 1 {
			refuting += fmt.Sprintf("; and %d more", wrong-1)
		}
		return refuting
	}
	return scopeText(list)
}

// scopeText says in brief where a claim was checked: "N=3 to 4; sync:1, sync:2;
// crashes=1; 113,368 states at most".
func scopeText(list []*Exhibit) string {
	var (
		ns              []int
		timings, worlds []string
		states          uint64
		sums            int
	)
	for _, x := range list {
		if x.Setting == "" {
			sums++
			continue
		}
		s, err := setting.Parse(x.Setting)
		if err != nil {
			continue // Validate reports it
		}
		ns = append(ns, s.N)
		timings = append(timings, s.Timing.String())
		worlds = append(worlds, faults(s))
		states = max(states, x.States)
	}
	var parts []string
	if len(ns) > 0 {
		parts = append(parts, span(ns), strings.Join(unique(timings), ", "))
		if w := unique(worlds); len(w) > 0 {
			parts = append(parts, strings.Join(w, " or "))
		}
		parts = append(parts, quantity.Plural(states, "state")+" at most")
	}
	if sums > 0 {
		parts = append(parts, fmt.Sprintf("%d sums", sums))
		if sums == 1 {
			parts[len(parts)-1] = "arithmetic"
		}
	}
	return strings.Join(parts, "; ")
}

// span returns "N=3" or "N=2 to 5".
func span(ns []int) string {
	least, most := slices.Min(ns), slices.Max(ns)
	if least == most {
		return fmt.Sprintf("N=%d", least)
	}
	return fmt.Sprintf("N=%d to %d", least, most)
}

// faults says what a setting lets go wrong: "crashes=1 restarts=1".
func faults(s setting.Setting) string {
	var words []string
	for _, b := range setting.Budgets() {
		if n := *b.Of(&s); n > 0 && b.Key != "premature" && !(b.Key == "restarts" && s.RestartsOwed) { // the timing says the former
			words = append(words, fmt.Sprintf("%s=%d", b.Key, n))
		}
	}
	if s.Drift > 0 {
		words = append(words, fmt.Sprintf("drift=%d", s.Drift))
	}
	if s.HealsOwed {
		words = append(words, "heals=owed")
	}
	if s.RestartsOwed {
		words = append(words, "restarts=owed")
	}
	if s.MidSend {
		words = append(words, "midsend")
	}
	return strings.Join(words, " ")
}

// unique returns the words of a list that are not empty, once each, in their
// order.
func unique(words []string) (out []string) {
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// answer is what was asked and what was found: "uniqueness: holds", "worst
// messages = 5: found 6".
func answer(x *Exhibit) string {
	found := strings.TrimSuffix(x.Found, ".") // the line goes on
	if strings.ContainsAny(x.Asked, "=≤≥") {
		return x.Asked + ": found " + found
	}
	return x.Asked + ": " + found
}

// ran says in brief what ran where a claim was judged: "all 7 rules, all 3
// messages, crash, deliver".
func ran(j *Judgement) string {
	var parts, actions []string
	for _, kind := range []string{"rule", "message"} {
		is := func(name string) bool { return strings.HasPrefix(name, kind+" ") }
		count := func(names []string) (n int) {
			for _, name := range names {
				if is(name) {
					n++
				}
			}
			return n
		}
		switch n, not := count(j.Ran), count(j.Idle); {
		case not > 0:
			parts = append(parts, fmt.Sprintf("%d of %d %ss", n, n+not, kind))
		case n > 0:
			parts = append(parts, "all "+quantity.Plural(n, kind))
		}
	}
	for _, name := range j.Ran {
		if !strings.HasPrefix(name, "rule ") && !strings.HasPrefix(name, "message ") {
			actions = append(actions, name)
		}
	}
	return strings.Join(append(parts, actions...), ", ")
}

// readings says what a claim comes to in variants that are not admissible readings: "as
// claimed in coulouris (adds: T') and repaired".
func readings(a *Algorithm, j *Judgement) string {
	var groups []Ruling
	words := make(map[Ruling][]string)
	for _, r := range j.Readings {
		if r.Admissible {
			continue
		}
		word := r.Variant
		if v, err := a.Variant(r.Variant); err == nil && v.Adds != "" {
			word += " (adds: " + v.Adds + ")"
		}
		if words[r.Ruling] == nil {
			groups = append(groups, r.Ruling)
		}
		words[r.Ruling] = append(words[r.Ruling], word)
	}
	list := make([]string, len(groups))
	for i, r := range groups {
		list[i] = r.String() + " in " + enumerated(words[r])
	}
	return strings.Join(list, "; ")
}

// place returns where a claim stands: the publication, where it is not the
// algorithm's, and the place.
func place(c *Claim) string {
	if c.Source == "" {
		return c.Place
	}
	return c.Source + ", " + c.Place
}

// judged returns the name of the variant in which a claim is judged.
func judged(a *Algorithm, c *Claim) string {
	if len(c.Evidence) == 0 {
		return a.Literal(c.Source).Name
	}
	return cmp.Or(c.Judged(), a.Variants[0].Name)
}
