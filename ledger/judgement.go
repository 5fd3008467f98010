package ledger

import (
	"cmp"
	"slices"
	"strings"
)

// A Judgement is what a claim came to.
type Judgement struct {
	// Claim is its name.
	Claim string
	// Outcome is what it comes to, and Readings what the evidence says in each variant:
	// in that in which it is judged first, and then by the order of the evidence.
	Outcome  Outcome
	Readings []Reading
	// Trees are what it comes to in all readings of what the source does not say of events,
	// under each answer about the world; none where nothing is written of that.
	Trees []TreeRuling
	// Exhibits are what the pieces of evidence came to, in their order.
	Exhibits []Exhibit
	// Ran names what ran where it was judged: rules, messages and actions of the
	// variant that judges. Idle names, with what there is to say of it, what could
	// have run there and did not; a verdict says nothing about that.
	Ran  []string
	Idle []string
}

// A Reading is what the evidence on a claim says in one variant.
type Reading struct {
	Variant string `json:"variant"`
	// If is the answer about the world, as Evidence.If.
	If     string `json:"if,omitempty"`
	Ruling Ruling `json:"ruling"`
	// Admissible says that it is a reading in which the claim is judged.
	Admissible bool `json:"admissible,omitempty"`
}

// sum makes the judgement on a claim.
func (j *judging) sum(c *Claim, trees []TreeRuling) Judgement {
	out := Judgement{Claim: c.Name, Trees: trees}
	type key struct{ variant, world string }
	rulings := make(map[key]Ruling)
	asked := make(map[key]map[string]bool) // and whether the question arises somewhere
	var order []key
	for i := range c.Evidence {
		e := &c.Evidence[i]
		x := j.found[e]
		out.Exhibits = append(out.Exhibits, *x)
		if e.Aside != "" {
			continue
		}
		k := key{variant: e.Variant, world: e.If}
		if asked[k] == nil {
			order = append(order, k)
			rulings[k], asked[k] = AsClaimed, make(map[string]bool)
		}
		rulings[k] = and(rulings[k], x.Ruling)
		asked[k][e.Property] = asked[k][e.Property] || x.Ruling != Moot
	}
	admissible := j.a.judgedIn(c)
	for _, k := range order {
		for _, arises := range asked[k] {
			if !arises {
				rulings[k] = and(rulings[k], Open)
			}
		}
		r := Reading{Variant: j.a.named(k.variant), If: k.world, Ruling: rulings[k]}
		r.Admissible = slices.Contains(admissible, r.Variant)
		if r.Admissible && r.Ruling == AsClaimed && k.world == "" && c.less(k.variant) {
			r.Ruling = Open
		}
		out.Readings = append(out.Readings, r)
	}
	for _, v := range admissible { // what is not looked at in a reading is open there
		if slices.ContainsFunc(out.Readings, func(r Reading) bool { return r.Variant == v && r.If == "" }) || !c.searched() {
			continue
		}
		r := Reading{Variant: v, Ruling: Open, Admissible: true}
		if slices.Contains(c.alike(), v) {
			r.Ruling = rulings[key{variant: c.Judged()}]
		}
		out.Readings = append(out.Readings, r)
	}
	out.Outcome = j.a.outcome(c, out.Readings, trees)
	out.Ran, out.Idle = j.coverage(c)
	return out
}

// named returns the name of a variant, that of the default for "".
func (a *Algorithm) named(variant string) string { return cmp.Or(variant, a.Variants[0].Name) }

// judgedIn returns the readings in which a claim is judged: the admissible ones of its
// source, or the one that does what it supposes.
func (a *Algorithm) judgedIn(c *Claim) []string {
	if c.Supposes != "" || len(c.Evidence) == 0 || c.arithmetic() {
		return []string{a.named(c.Judged())}
	}
	return a.Admissible(c.Source)
}

// less reports whether something is asked about the reading in which the claim is judged
// first, deep scopes aside, and about a variant in none of the settings in which it is.
func (c *Claim) less(variant string) bool {
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if c.decides(e) && !e.Deep && e.searched() && !slices.ContainsFunc(c.Evidence, func(base Evidence) bool {
			return c.decides(&base) && base.alike(e) && c.asks(variant, &base)
		}) {
			return true
		}
	}
	return false
}

// alike reports whether two pieces ask for the same property or the same cost, whatever the
// setting and the figure.
func (e *Evidence) alike(o *Evidence) bool {
	if e.Chance != nil && o.Chance != nil {
		return e.Chance.Unit == o.Chance.Unit && e.Chance.Over == o.Chance.Over && e.Chance.Relation == o.Chance.Relation
	}
	if e.Cost == nil || o.Cost == nil {
		return e.Cost == o.Cost && e.Chance == o.Chance && e.Property == o.Property && e.Broken == o.Broken
	}
	return e.Cost.Measure == o.Cost.Measure && e.Cost.Case == o.Cost.Case && e.Cost.Relation == o.Cost.Relation
}

// asks reports whether evidence that decides asks of a variant what e asks of another.
func (c *Claim) asks(variant string, e *Evidence) bool {
	return slices.ContainsFunc(c.Evidence, func(o Evidence) bool {
		return o.Variant == variant && o.Aside == "" && o.If == "" && o.Setting == e.Setting && o.Asks() == e.Asks()
	})
}

// and is the ruling of two pieces of evidence: one that refutes is enough, and
// one that is moot changes nothing.
func and(a, b Ruling) Ruling {
	switch {
	case a == NotAsClaimed || b == NotAsClaimed:
		return NotAsClaimed
	case a == Open || b == Open:
		return Open
	}
	return AsClaimed
}

// coverage lists what ran in any of the searches that decide a claim, and what
// ran in none; nothing where one of them was left out.
func (j *judging) coverage(c *Claim) (ran, idle []string) {
	all := make(map[string]string)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if !c.covers(e) {
			continue
		}
		if !j.ran[e] {
			return nil, nil
		}
		for name, gap := range j.found[e].ran {
			if old, ok := all[name]; !ok || old != "" {
				all[name] = gap
			}
		}
	}
	for name, gap := range all {
		if gap == "" {
			ran = append(ran, name)
		} else {
			idle = append(idle, name+" "+gap)
		}
	}
	slices.Sort(ran)
	slices.Sort(idle)
	return ran, idle
}

// recall returns what ran where a claim is decided, and what did not, as it is on record: the
// rules and messages that are not idle, and actions.
func (j *judging) recall(c *Claim, was *lockedClaim) (ran, idle []string, err error) {
	at := slices.IndexFunc(c.Evidence, func(e Evidence) bool { return c.covers(&e) })
	if at < 0 {
		return nil, nil, nil
	}
	_, sys, err := j.a.at(&c.Evidence[at])
	if err != nil {
		return nil, nil, err
	}
	for _, rule := range sys.Names().Rules {
		ran = append(ran, "rule "+rule)
	}
	for _, kind := range sys.Names().Kinds {
		ran = append(ran, "message "+kind)
	}
	for _, gap := range was.idle {
		longest := -1
		for i, name := range ran {
			if strings.HasPrefix(gap, name+" ") && (longest < 0 || len(name) > len(ran[longest])) {
				longest = i
			}
		}
		if longest >= 0 {
			ran = slices.Delete(ran, longest, longest+1)
		}
	}
	ran = append(ran, was.actions...)
	slices.Sort(ran)
	return ran, was.idle, nil
}

// covers reports whether what runs where a piece of evidence is looked at counts as what ran
// where the claim is decided. Chances are computed up to the end of runs, and say nothing of what
// ran.
func (c *Claim) covers(e *Evidence) bool {
	return c.decides(e) && e.searched() && e.Chance == nil && (!e.Deep || c.onlyDeep())
}

// searched reports whether it takes a search to decide a claim.
func (c *Claim) searched() bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return c.decides(&e) && e.searched() })
}

// searched reports whether it takes a search to answer a piece of evidence.
func (e *Evidence) searched() bool { return e.Property != "" || e.Cost != nil || e.Chance != nil }

// onlyDeep reports whether a claim is decided by deep scopes alone.
func (c *Claim) onlyDeep() bool {
	return !slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return c.decides(&e) && !e.Deep && e.searched()
	})
}

// Vacuous returns what a claim is about and did not happen where it was judged:
// what has to have run for the judgement to mean anything.
func (c *Claim) Vacuous(j *Judgement) []string {
	if len(c.Needs) == 0 {
		return slices.DeleteFunc(slices.Clone(j.Idle), func(name string) bool {
			return slices.ContainsFunc(c.Idle, func(idle string) bool { return means(name, idle) })
		})
	}
	return slices.DeleteFunc(slices.Clone(c.Needs), func(need string) bool {
		return slices.ContainsFunc(j.Ran, func(name string) bool { return means(name, need) })
	})
}

// means reports whether a name is the one that is meant, or begins with it:
// "rule 4" stands for "rule 4: answer", and for "rule 4 never ran".
func means(name, meant string) bool {
	rest, ok := strings.CutPrefix(name, meant)
	return ok && (rest == "" || rest[0] == ':' || rest[0] == ' ')
}
