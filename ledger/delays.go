package ledger

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model/setting"
)

// delays are the bounds under which each claim about runs is looked at.
var delays = []setting.Timing{{Kind: setting.Lockstep}, {D: 1}, {D: 2}}

// mostDelayed limits the search of a setting under other delays than those that
// a claim names.
const mostDelayed = 150_000

// otherDelays is why evidence under such delays decides nothing.
const otherDelays = "under other delays"

// ByDelays returns claims with more evidence: what is asked of a property in the
// reading that judges, under one of equal delays, sync:1 and sync:2, is also
// asked under the others. It decides nothing, and is left to the deep scopes.
func ByDelays(claims []Claim) []Claim {
	out := slices.Clone(claims)
	in := make(map[string]delaySet)
	for i := range out {
		if c := &out[i]; c.aboutRuns() {
			c.Evidence = slices.Concat(c.Evidence, c.delayed(in))
		}
	}
	return out
}

// aboutRuns reports whether delays matter to a claim.
func (c *Claim) aboutRuns() bool { return c.Kind == SafetyClaim || c.Kind == LivenessClaim }

// delaySet is a setting in one way of writing it, and under other delays.
type delaySet struct {
	setting string
	others  []string // none where it cannot have others
}

// delay reads a setting. It can have other delays if it is under one of them, and
// clocks run alike.
func delay(text string) delaySet {
	s, err := setting.Parse(text)
	if err != nil {
		return delaySet{setting: text} // Validate reports it
	}
	d := delaySet{setting: s.String()}
	if s.Drift != 0 || !slices.Contains(delays, s.Timing) {
		return d
	}
	for _, t := range delays {
		if other := s; t != s.Timing {
			other.Timing = t
			d.others = append(d.others, other.String())
		}
	}
	return d
}

// delayed returns the evidence under delays that a claim does not name. Settings
// that were read are in a map, since claims share them.
func (c *Claim) delayed(in map[string]delaySet) (list []Evidence) {
	known := make(map[asked]bool, 3*len(c.Evidence))
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if _, ok := in[e.Setting]; !ok {
			in[e.Setting] = delay(e.Setting)
		}
		known[e.question(in[e.Setting].setting)] = true
	}
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if !c.decides(e) || e.Property == "" || e.Deep {
			continue
		}
		for _, other := range in[e.Setting].others {
			if q := e.question(other); !known[q] {
				known[q] = true
				list = append(list, Evidence{
					Variant: q.variant, Setting: q.setting, Property: q.property, Broken: q.broken,
					MaxStates: mostDelayed, Aside: otherDelays, Deep: true,
				})
			}
		}
	}
	return list
}

// asked is what is asked, and nothing of how.
type asked struct {
	variant, setting, property string
	broken                     bool
}

// question is what e asks, in a setting in place of its own.
func (e *Evidence) question(in string) asked {
	return asked{variant: e.Variant, setting: in, property: e.Property, broken: e.Broken}
}

// timings says of a claim about runs what its evidence says under each timing
// that it was looked at, in the reading in which it is judged: "as claimed under
// lockstep; not as claimed under sync:1 and sync:2". It is empty where there is one
// alone.
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
	var groups []Ruling // as they first come
	under := make(map[Ruling][]string)
	for _, timing := range order {
		if r, ok := rulings[timing]; ok {
			if under[r] == nil {
				groups = append(groups, r)
			}
			under[r] = append(under[r], timing)
		}
	}
	words := make([]string, len(groups))
	for i, r := range groups {
		words[i] = r.String() + " under " + enumerated(under[r])
	}
	return strings.Join(words, "; ")
}

// turnedByDelays reports whether a property that decides a claim comes out otherwise where all
// messages take equally long. A sentence of what can happen is not turned: it needs one run.
func turnedByDelays(c *Claim, j *Judgement) bool {
	if !c.aboutRuns() {
		return false
	}
	equal, differing := make(map[string]Ruling), make(map[string]Ruling)
	decides := make(map[string]bool)
	for i := range j.Exhibits {
		x := &j.Exhibits[i]
		s, err := setting.Parse(x.Setting)
		if err != nil || c.Evidence[i].Property == "" || c.Evidence[i].Broken || x.If != "" || x.Variant != c.Judged() {
			continue
		}
		into := differing
		if s.Timing.Kind == setting.Lockstep {
			into = equal
		}
		s.Timing = setting.Timing{}
		q := x.Asked + "\n" + s.String()
		decides[q] = decides[q] || x.Aside == ""
		if old, ok := into[q]; ok {
			into[q] = and(old, x.Ruling)
		} else if x.Ruling == AsClaimed || x.Ruling == NotAsClaimed {
			into[q] = x.Ruling
		}
	}
	for q, r := range equal {
		if d, ok := differing[q]; ok && decides[q] && r != d && r != Open && d != Open {
			return true
		}
	}
	return false
}

// validDelays checks that a claim is open that turns by delays, or says which sentence of the
// source excludes one of the two; and that no other claim says that.
func (a *Algorithm) validDelays(c *Claim, j *Judgement) error {
	for _, p := range a.AssumptionsOf(judged(a, c)) {
		if p.Premise == EqualDelays {
			return nil
		}
	}
	decided := j.Outcome.Confirms() || j.Outcome == Refuted || j.Outcome == RefutedBeyond
	if c.Delays == "" && decided && turnedByDelays(c, j) {
		return fmt.Errorf("it is %s, and comes out otherwise where all messages take equally long: want it asked under both "+
			"(Unsaid, If), or in field Delays the sentence that excludes one of the two", j.Outcome)
	}
	if c.Delays != "" {
		return validSentence(c)
	}
	return nil
}

// validSentence checks that the field Delays quotes a sentence, which is not the claim itself: the
// words of a claim cannot say under which delays they are true.
func validSentence(c *Claim) error {
	parts := strings.Split(c.Delays, `"`)
	if len(parts) < 3 {
		return fmt.Errorf("field Delays quotes no sentence: %q", c.Delays)
	}
	for i := 1; i < len(parts); i += 2 {
		if !strings.Contains(c.Text, parts[i]) {
			return nil
		}
	}
	return fmt.Errorf("field Delays quotes the claim alone: %q; want another sentence of the source, or what the claim says asked "+
		"where messages take equally long and where they do not", c.Delays)
}

// enumerated joins words: "a, b and c".
func enumerated(words []string) string {
	last := len(words) - 1
	if last <= 0 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
