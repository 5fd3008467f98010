package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// An Exhibit is the answer of a piece of evidence. It does not depend on the machine or
// the time.
type Exhibit struct {
	// Variant, Setting and Asked say what was looked at, as in the evidence.
	Variant string `json:"variant,omitempty"`
	Setting string `json:"setting,omitempty"`
	Asked   string `json:"asked"`
	// Ruling is what it says about the claim.
	Ruling Ruling `json:"ruling"`
	// Found is the answer in words: "violated in 7 steps: ...", "12".
	Found string `json:"found"`
	// Fingerprint says of which code it is, where a search of more than 1,000 states
	// found it: the package's own (Algorithm.Files), and whatever else has a hand in what
	// its system does, by a sample of that.
	Fingerprint string `json:"fingerprint,omitempty"`
	// States is the number of distinct states that were visited, and Depth the
	// largest number of steps to one (0 for costs); 0 where nothing was searched.
	States uint64 `json:"states,omitempty"`
	Depth  int    `json:"depth,omitempty"`
	// Deep says that it belongs to the deep scopes, and Aside why it decides
	// nothing, where it does not.
	Deep  bool   `json:"deep,omitempty"`
	Aside string `json:"aside,omitempty"`
	// If is the answer about the world under which it was asked, where the source leaves
	// that open.
	If string `json:"if,omitempty"`

	ran   map[string]string // what ran, and what could have run and did not, with what is to be said of that
	stale string            // why the record that this is taken from is out of date; see Ledger.Stale
}

// notYet is what stands for the answer of a large search that was never made.
const notYet = "not looked at yet"

// exhibit returns the exhibit of a piece of evidence, without an answer.
func (e *Evidence) exhibit() Exhibit {
	text := e.Setting
	if s, err := setting.Parse(text); err == nil && text != "" {
		text = s.String()
	}
	return Exhibit{Variant: e.Variant, Setting: text, Asked: e.Asks(), Deep: e.Deep, Aside: e.Aside, If: e.If}
}

// check decides properties.
func (j *judging) check(ctx context.Context, s *search) error {
	v, sys, err := j.a.at(s.evidence[0])
	if err != nil {
		return err
	}
	props, err := s.properties(j.a)
	if err != nil {
		return err
	}
	props = append([]*checker.Property{concurrent}, props...)
	r, err := checker.Check(ctx, sys, checker.Options{
		Algorithm: j.a.Name, Variant: v.Name, Properties: props, Workers: j.opt.Workers, Exhaustive: true,
		MaxStates: s.limit(), Progress: j.progress(s),
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	if misused := r.Finding(checker.Misuse.Name); misused != nil {
		return fmt.Errorf("misuse: %s", misused.Explanation)
	}
	ran := ranIn(&r.Coverage, sys)
	ran[concurrently] = ""
	if r.Finding(concurrent.Name).Verdict != checker.Found {
		ran[concurrently] = "never"
	}
	for _, e := range s.evidence {
		x := j.found[e]
		x.answer(e, r.Finding(e.Property))
		x.States, x.Depth, x.ran = r.Distinct, r.Depth, ran
	}
	return nil
}

// decide decides properties where no more than the answers are wanted: those of
// states on the system as it is, or on the reduced one if that pays, and the others
// in a search of their own.
func (j *judging) decide(ctx context.Context, s *search) error {
	v, sys, err := j.a.at(s.evidence[0])
	if err != nil {
		return err
	}
	all, err := s.properties(j.a)
	if err != nil {
		return err
	}
	opt := checker.Options{
		Algorithm: j.a.Name, Variant: v.Name, Workers: j.opt.Workers, Progress: j.progress(s),
		MaxStates: s.maxStates, MaxTime: j.opt.MaxTime, Reduce: checker.ReduceAuto, ReduceBeyond: checker.DefaultReduceBeyond,
	}
	if s.maxStates > 0 {
		opt.ReduceBeyond = min(opt.ReduceBeyond, max(1, s.maxStates/2))
	}
	for _, reducible := range []bool{true, false} {
		opt.Properties = slices.DeleteFunc(slices.Clone(all), func(p *checker.Property) bool { return p.Reducible() != reducible })
		if len(opt.Properties) == 0 {
			continue
		}
		r, err := checker.Check(ctx, sys, opt)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		for _, e := range s.evidence {
			if f := r.Finding(e.Property); f != nil {
				x := j.found[e]
				x.answer(e, f)
				x.States, x.Depth = r.Distinct, r.Depth
			}
		}
	}
	return nil
}

// count answers questions about costs.
func (j *judging) count(ctx context.Context, s *search) error {
	v, sys, err := j.a.at(s.evidence[0])
	if err != nil {
		return err
	}
	r, err := cost.Of(ctx, sys, cost.Options{
		Algorithm: j.a.Name, Variant: v.Name, From: s.evidence[0].Cost.From, Workers: j.opt.Workers,
		MaxStates: s.limit(), MaxTime: j.opt.MaxTime, Progress: j.progress(s),
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	ran := ranIn(&r.Coverage, sys)
	for _, e := range s.evidence {
		x := j.found[e]
		x.States, x.ran = r.Distinct, ran
		if r.Why != "" {
			x.Ruling, x.Found = Open, "unknown: "+r.Why
			continue
		}
		if err := x.price(e.Cost, r); err != nil {
			return err
		}
	}
	return nil
}

// properties returns those of an algorithm that the evidence is about.
func (s *search) properties(a *Algorithm) (props []*checker.Property, err error) {
	for _, e := range s.evidence {
		p, err := a.Property(e.Property)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(props, func(q *checker.Property) bool { return q.Name == p.Name }) {
			props = append(props, p)
		}
	}
	return props, nil
}

// concurrent is the witness that elections ran at once.
var concurrent = checker.Sometimes("concurrent", "Two processes are in an election at once.",
	func(v *model.View) bool { return v.Participants.Len() > 1 })

// concurrently is what coverage says of that.
const concurrently = "two participants at once"

func (j *judging) progress(s *search) func(explore.Progress) {
	if j.opt.Progress == nil {
		return nil
	}
	name := j.a.Name + "/" + cmp.Or(s.variant, j.a.Variants[0].Name) + ": " + s.setting
	return func(snapshot explore.Progress) { j.opt.Progress(name, snapshot) }
}

// ranIn tells what ran, and what there is to say of what did not.
func ranIn(c *model.Coverage, sys *model.System) map[string]string {
	ran := make(map[string]string)
	note := func(prefix string, counts []model.Count) {
		for _, n := range counts {
			if n.Times > 0 {
				ran[prefix+n.Name] = ""
			}
		}
	}
	note("rule ", c.Rules)
	note("message ", c.Received)
	note("", c.Actions)
	for _, g := range checker.Gaps(c, sys.Setting(), sys.Names()) {
		ran[cmp.Or(g.Action, g.Kind+" "+g.Name)] = g.What
	}
	return ran
}

// answer says what a finding means for a claim.
func (x *Exhibit) answer(e *Evidence, f *checker.Finding) {
	x.Found = f.Line()
	switch f.Verdict {
	case checker.Incomplete:
		x.Ruling = Open
	case checker.Vacuous:
		x.Ruling = Moot
	case checker.Holds, checker.Found:
		x.Ruling = AsClaimed
		if e.Broken {
			x.Ruling = NotAsClaimed
		}
	default:
		x.Ruling = NotAsClaimed
		if e.Broken {
			x.Ruling = AsClaimed
		}
	}
}

// price says what costs mean for a claim.
func (x *Exhibit) price(q *CostQuestion, r *cost.Report) error {
	c := r.Cost(q.Measure)
	if c == nil {
		return fmt.Errorf("there is no cost in %v", q.Measure)
	}
	found, ok, none := c.Best, c.Best >= 0, "no run settles"
	if q.Case == cost.WorstCase {
		found, ok, none = c.Worst, !c.Unbounded, "unbounded"
	}
	x.Found, x.Ruling = fmt.Sprint(found), NotAsClaimed
	switch {
	case !ok:
		x.Found = none
		if none == "unbounded" && q.Relation == AtLeast {
			x.Ruling = AsClaimed
		}
	case q.holds(found):
		x.Ruling = AsClaimed
	}
	if r.Stuck > 0 && q.Case == cost.WorstCase {
		x.Found += ", and some runs never settle"
	}
	return nil
}

// compare answers a question of arithmetic.
func (x *Exhibit) compare(e *Evidence) {
	x.Ruling, x.Found = AsClaimed, e.Computed
	if e.Printed != e.Computed {
		x.Ruling = NotAsClaimed
	}
}
