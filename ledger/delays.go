package ledger

import (
	"slices"
	"strings"

	"bullyproof/setting"
)

// delays are the bounds under which each claim about runs is looked at.
var delays = []setting.Timing{{Kind: setting.Lockstep}, {D: 1}, {D: 2}}

// mostDelayed limits the search of a setting under other delays than those that
// a claim names.
const mostDelayed = 150_000

// otherDelays is why evidence under such delays decides nothing.
const otherDelays = "under other delays"

// ByDelays returns claims with more evidence: what is asked of a property in the
// reading that judges, under one of equal delays, sync:1 and sync:2, is asked
// under the others, too. It decides nothing, and is left to the deep scopes.
func ByDelays(claims []Claim) []Claim {
	out := slices.Clone(claims)
	for i := range out {
		if c := &out[i]; c.aboutRuns() {
			c.Evidence = slices.Concat(c.Evidence, c.delayed())
		}
	}
	return out
}

// aboutRuns reports whether delays matter to a claim.
func (c *Claim) aboutRuns() bool { return c.Kind == SafetyClaim || c.Kind == LivenessClaim }

// delayed returns the evidence under delays that a claim does not name.
func (c *Claim) delayed() (list []Evidence) {
	known := make(map[Evidence]bool)
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Property != "" {
			known[e.question(nil)] = true
		}
	}
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if !c.decides(e) || e.Property == "" || e.Deep || !e.delayable() {
			continue
		}
		for k := range delays {
			q := e.question(&delays[k])
			if known[q] {
				continue
			}
			known[q] = true
			list = append(list, q.Within(mostDelayed).Beside(otherDelays).InDeep())
		}
	}
	return list
}

// delayable reports whether the setting of a piece of evidence can have other
// delays: it is under one of them, and clocks run alike.
func (e *Evidence) delayable() bool {
	s, err := setting.Parse(e.Setting)
	return err == nil && s.Drift == 0 && slices.ContainsFunc(delays, func(t setting.Timing) bool { return t.String() == s.Timing.String() })
}

// question is what is asked, under a timing unless that is nil, and nothing of
// how.
func (e *Evidence) question(t *setting.Timing) Evidence {
	s, err := setting.Parse(e.Setting)
	if err != nil {
		return Evidence{Variant: e.Variant, Setting: e.Setting, Property: e.Property, Broken: e.Broken} // Validate reports it
	}
	if t != nil {
		s.Timing = *t
	}
	return Evidence{Variant: e.Variant, Setting: s.Normal().String(), Property: e.Property, Broken: e.Broken}
}

// timings says of a claim about runs what its evidence says under each timing
// that it was looked at, in the reading in which it is judged: "lockstep: as
// claimed, sync:1: not as claimed". It is empty where there is one alone.
func timings(c *Claim, j *Judgement) string {
	if !c.aboutRuns() {
		return ""
	}
	asked := make(map[string]bool) // what decides the claim, whatever the timing
	for _, x := range deciding(c, j) {
		if s, err := setting.Parse(x.Setting); err == nil {
			s.Timing = setting.Timing{}
			asked[x.Asked+"\n"+s.String()] = true
		}
	}
	var order []string
	for _, t := range delays {
		order = append(order, t.String())
	}
	rulings := make(map[string]Ruling)
	for i := range j.Exhibits {
		x := &j.Exhibits[i]
		s, err := setting.Parse(x.Setting)
		if err != nil || x.Variant != c.Judged() || x.Ruling == Moot {
			continue
		}
		timing := s.Timing.String()
		s.Timing = setting.Timing{}
		if x.Aside != "" && !asked[x.Asked+"\n"+s.String()] {
			continue // it is there for another reason
		}
		old, ok := rulings[timing]
		if !ok {
			old = AsClaimed
			if !slices.Contains(order, timing) {
				order = append(order, timing)
			}
		}
		rulings[timing] = and(old, x.Ruling)
	}
	if len(rulings) < 2 {
		return ""
	}
	var words []string
	for _, timing := range order {
		if r, ok := rulings[timing]; ok {
			words = append(words, timing+": "+r.String())
		}
	}
	return strings.Join(words, ", ")
}
