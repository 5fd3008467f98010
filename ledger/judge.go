package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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

// A Reading is what the evidence on a claim says in one variant.
type Reading struct {
	Variant string `json:"variant"`
	// If is the answer about the world, as Evidence.If.
	If     string `json:"if,omitempty"`
	Ruling Ruling `json:"ruling"`
	// Admissible says that it is a reading in which the claim is judged.
	Admissible bool `json:"admissible,omitempty"`
}

// A Judgement is what a claim came to.
type Judgement struct {
	// Claim is its name.
	Claim string
	// Outcome is what it comes to, and Readings what the evidence says in each variant:
	// in that in which it is judged first, and then by the order of the evidence.
	Outcome  Outcome
	Readings []Reading
	// Exhibits are what the pieces of evidence came to, in their order.
	Exhibits []Exhibit
	// Ran names what ran where it was judged: rules, messages and actions of the
	// variant that judges. Idle names, with what there is to say of it, what could
	// have run there and did not; a verdict says nothing about that.
	Ran  []string
	Idle []string
}

// JudgeOptions say how far to go.
type JudgeOptions struct {
	// Deep also looks at the evidence that takes long.
	Deep bool
	// Believe takes from the record, deep or not, what a search of more than 1,000
	// states found of the code as it is (Exhibit.Fingerprint), and looks at nothing else
	// that takes so many. Renew also takes that from the record, and looks at the rest.
	// With any options, a record that is out of date is looked at again if it took up to
	// 200,000 states.
	Believe, Renew bool
	// Reduce decides properties on reduced systems where they can be and where a
	// search of the system as it is has visited checker.DefaultReduceBeyond states
	// and not ended; a search ends when all is decided, and nothing is said of what
	// ran. MaxTime, if it is not 0, ends a search early.
	Reduce  bool
	MaxTime time.Duration
	// Workers is the number of goroutines of a search; 0 is one per processor.
	Workers int
	// Progress, where it is not nil, is called about every second with what is
	// searched and how far.
	Progress func(what string, s explore.Progress)
}

// Judge looks at the evidence on the claims of an algorithm. The deep scopes of more than
// 1,000 states, which it leaves out, are taken from the record; Ledger.Stale says which are
// out of date.
func (a *Algorithm) Judge(ctx context.Context, opt JudgeOptions) ([]Judgement, error) {
	recorded, err := a.lock()
	if err != nil {
		return nil, err
	}
	return a.judge(ctx, recorded, opt, false)
}

// judge judges; asRecorded has it take from the record all that is there.
func (a *Algorithm) judge(ctx context.Context, recorded *lock, opt JudgeOptions, asRecorded bool) ([]Judgement, error) {
	code, err := codePrint(a.Files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	j := &judging{a: a, opt: opt, asRecorded: asRecorded, recorded: recorded, code: code, samples: make(map[sampled]string)}
	if err := j.search(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	claims := a.Claims()
	list := make([]Judgement, len(claims))
	for i := range claims {
		list[i] = j.sum(&claims[i])
		if was := recorded.claim(claims[i].Name); was != nil && was.covered && len(list[i].Ran) == 0 { // not all of it was run
			if list[i].Ran, list[i].Idle, err = j.recall(&claims[i], was); err != nil {
				return nil, fmt.Errorf("%s: claim %q: %w", a.Name, claims[i].Name, err)
			}
		}
	}
	for i := range claims {
		if len(claims[i].Between) > 0 {
			list[i].Outcome = a.contradiction(&claims[i], list)
		}
	}
	return list, nil
}

// lock returns what is on record of the claims. It is an error if the claims or the record
// cannot be read.
func (a *Algorithm) lock() (*lock, error) {
	if _, err := a.written(); err != nil {
		return nil, fmt.Errorf("%s: the claims cannot be read: %w", a.Name, err)
	}
	var l *lock
	record, err := a.record()
	if err == nil {
		l, err = parseLock(record)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the record of its claims cannot be read: %w", a.Name, err)
	}
	return l, nil
}

// Searched returns the searches of more than 1,000 states that are on record, an exhibit for
// each thing that was asked; it is not on which claim.
func (a *Algorithm) Searched() ([]Exhibit, error) {
	l, err := a.lock()
	if err != nil {
		return nil, err
	}
	var list []Exhibit
	for _, x := range l.searches {
		if x.Found != notYet {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(x, y Exhibit) int {
		return cmp.Or(cmp.Compare(x.Setting, y.Setting), cmp.Compare(x.Variant, y.Variant), cmp.Compare(x.Asked, y.Asked), cmp.Compare(x.States, y.States))
	})
	return list, nil
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

// A judging is the work of judging an algorithm's claims. One search serves all
// evidence on the same variant in the same setting.
type judging struct {
	a        *Algorithm
	opt      JudgeOptions
	recorded *lock
	found    map[*Evidence]*Exhibit
	ran      map[*Evidence]bool
	code     string             // see codePrint
	samples  map[sampled]string // see samplePrint

	asRecorded bool // whether nothing but the code decides what of the record is out of date
}

// sampled is what a sample is of.
type sampled struct {
	variant, setting string
	states           uint64
}

// fingerprint returns that of a piece of evidence that took so many states.
func (j *judging) fingerprint(e *Evidence, states uint64) (f fingerprint, err error) {
	if f.code = j.code; f.code == "" {
		return f, nil
	}
	of := sampled{e.Variant, e.Setting, states}
	if f.behaviour = j.samples[of]; f.behaviour == "" {
		_, sys, err := j.a.at(e)
		if err != nil {
			return f, err
		}
		f.behaviour = samplePrint(sys, states)
		j.samples[of] = f.behaviour
	}
	return f, nil
}

// A scope is the evidence that one search decides.
type scope struct {
	variant, setting string
	maxStates        uint64
	costs            bool
	when             string
	probe            bool // it ends where it turns out to take more than mostJudged states
}

// limit returns the number of states at which the search ends, 0 for none.
func (s *scope) limit() uint64 {
	if s.probe && (s.maxStates == 0 || s.maxStates > mostJudged) {
		return mostJudged + 1
	}
	return s.maxStates
}

// scope returns the scope that a piece of evidence belongs to.
func (e *Evidence) scope(probe bool) scope {
	s := scope{variant: e.Variant, setting: e.Setting, maxStates: e.MaxStates, probe: probe}
	if e.Cost != nil {
		s.costs, s.when = true, e.Cost.When
	}
	return s
}

// search looks at all evidence that is not left out, with one search for each scope.
func (j *judging) search(ctx context.Context) error {
	j.found, j.ran = make(map[*Evidence]*Exhibit), make(map[*Evidence]bool)
	scopes, groups, err := j.scopes()
	if err != nil {
		return err
	}
	for _, s := range scopes {
		if err := j.look(ctx, s, groups[s]); err != nil {
			return fmt.Errorf("variant %q, setting %q: %w", s.variant, s.setting, err)
		}
	}
	return nil
}

// scopes returns the scopes to be searched, in the order of the claims, and the evidence
// of each. It answers the evidence that needs no search.
func (j *judging) scopes() (order []scope, groups map[scope][]*Evidence, err error) {
	groups = make(map[scope][]*Evidence)
	for i := range j.a.Claims() {
		c := &j.a.Claims()[i]
		for k := range c.Evidence {
			e := &c.Evidence[k]
			x := e.exhibit()
			j.found[e] = &x
			if e.Property == "" && e.Cost == nil {
				x.compare(e)
				continue
			}
			out, probe, err := j.leftOut(e)
			if err != nil {
				return nil, nil, fmt.Errorf("variant %q, setting %q: %w", e.Variant, e.Setting, err)
			}
			if out {
				continue
			}
			j.ran[e] = true
			s := e.scope(probe)
			if groups[s] == nil {
				order = append(order, s)
			}
			groups[s] = append(groups[s], e)
		}
	}
	return order, groups, nil
}

// look searches one scope, answers its evidence and signs the answers.
func (j *judging) look(ctx context.Context, s scope, group []*Evidence) (err error) {
	switch {
	case s.costs:
		err = j.count(ctx, s, group)
	case j.opt.Reduce:
		err = j.decide(ctx, s, group)
	default:
		err = j.check(ctx, s, group)
	}
	if err != nil {
		return err
	}
	if s.probe {
		j.drop(group)
	}
	return j.sign(group)
}

// sign adds fingerprints to the answers of a search.
func (j *judging) sign(group []*Evidence) error {
	for _, e := range group {
		x := j.found[e]
		if x.States <= mostJudged || j.opt.Reduce { // of a reduced system nothing is on record
			continue
		}
		f, err := j.fingerprint(e, x.States)
		if err != nil {
			return err
		}
		x.Fingerprint = f.String()
	}
	return nil
}

// drop forgets what was found in more states than are searched without a record.
func (j *judging) drop(group []*Evidence) {
	for _, e := range group {
		if j.found[e].States > mostJudged {
			x := e.exhibit()
			x.Found = notYet
			j.found[e], j.ran[e] = &x, false
		}
	}
}

// leftOut reports whether a piece of evidence is taken from the record, and takes it; and
// otherwise whether it is looked at in no more states than are searched without a record.
func (j *judging) leftOut(e *Evidence) (out, probe bool, err error) {
	x := j.found[e]
	old, known := j.recorded.searches[e.asksLocked(x)]
	deeper := e.Deep && !j.opt.Deep
	switch {
	case !deeper && !j.opt.Believe && !j.opt.Renew:
		return false, false, nil
	case !known || old.Found == notYet:
		return false, deeper || j.opt.Believe, nil
	}
	f := fingerprint{code: j.code}
	if !j.asRecorded {
		if f, err = j.fingerprint(e, old.States); err != nil {
			return false, false, err
		}
	}
	stale := f.changed(old.Fingerprint)
	if stale != "" && !j.asRecorded && (old.States <= mostAgain || !deeper && !j.opt.Believe) {
		return false, false, nil
	}
	x.Ruling, x.Found, x.States, x.Depth, x.Fingerprint, x.stale = old.Ruling, old.Found, old.States, old.Depth, old.Fingerprint, stale
	return true, false, nil
}

// compare answers a question of arithmetic.
func (x *Exhibit) compare(e *Evidence) {
	x.Ruling, x.Found = AsClaimed, e.Computed
	if e.Printed != e.Computed {
		x.Ruling = NotAsClaimed
	}
}

func (j *judging) progress(s scope) func(explore.Progress) {
	if j.opt.Progress == nil {
		return nil
	}
	name := j.a.Name + "/" + cmp.Or(s.variant, j.a.Variants[0].Name) + ": " + s.setting
	return func(snapshot explore.Progress) { j.opt.Progress(name, snapshot) }
}

// concurrent is the witness that elections ran at once.
var concurrent = checker.Sometimes("concurrent", "Two processes are in an election at once.",
	func(v *model.View) bool { return v.Participants.Len() > 1 })

// concurrently is what coverage says of that.
const concurrently = "two participants at once"

// properties returns those that evidence is about.
func (j *judging) properties(group []*Evidence) (props []*checker.Property, err error) {
	for _, e := range group {
		p, err := j.a.Property(e.Property)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(props, func(q *checker.Property) bool { return q.Name == p.Name }) {
			props = append(props, p)
		}
	}
	return props, nil
}

// check decides properties.
func (j *judging) check(ctx context.Context, s scope, group []*Evidence) error {
	v, sys, err := j.a.at(group[0])
	if err != nil {
		return err
	}
	props, err := j.properties(group)
	if err != nil {
		return err
	}
	props = append([]*checker.Property{concurrent}, props...)
	r, err := checker.Check(ctx, sys, checker.Options{
		Algorithm: j.a.Name, Variant: v.Name, Properties: props, Workers: j.opt.Workers, Exhaustive: true,
		MaxStates: s.limit(), Progress: j.progress(s),
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
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
	for _, e := range group {
		x := j.found[e]
		x.answer(e, r.Finding(e.Property))
		x.States, x.Depth, x.ran = r.Distinct, r.Depth, ran
	}
	return nil
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

// count answers questions about costs.
func (j *judging) count(ctx context.Context, s scope, group []*Evidence) error {
	v, sys, err := j.a.at(group[0])
	if err != nil {
		return err
	}
	r, err := cost.Of(ctx, sys, cost.Options{
		Algorithm: j.a.Name, Variant: v.Name, From: group[0].Cost.From, Workers: j.opt.Workers,
		MaxStates: s.limit(), MaxTime: j.opt.MaxTime, Progress: j.progress(s),
	})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ran := ranIn(&r.Coverage, sys)
	for _, e := range group {
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

// sum makes the judgement on a claim.
func (j *judging) sum(c *Claim) Judgement {
	out := Judgement{Claim: c.Name}
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
		k := key{e.Variant, e.If}
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
		if slices.ContainsFunc(out.Readings, func(r Reading) bool { return r.Variant == v }) || !c.searched() {
			continue
		}
		r := Reading{Variant: v, Ruling: Open, Admissible: true}
		if slices.Contains(c.alike(), v) {
			r.Ruling = rulings[key{variant: c.Judged()}]
		}
		out.Readings = append(out.Readings, r)
	}
	out.Outcome = j.a.outcome(c, out.Readings)
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
		if c.decides(e) && !e.Deep && (e.Property != "" || e.Cost != nil) && !slices.ContainsFunc(c.Evidence, func(base Evidence) bool {
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
	if e.Cost == nil || o.Cost == nil {
		return e.Cost == o.Cost && e.Property == o.Property && e.Broken == o.Broken
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
// where the claim is decided.
func (c *Claim) covers(e *Evidence) bool {
	return c.decides(e) && (e.Property != "" || e.Cost != nil) && (!e.Deep || onlyDeep(c))
}

// searched reports whether it takes a search to decide a claim.
func (c *Claim) searched() bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return c.decides(&e) && (e.Property != "" || e.Cost != nil)
	})
}

// onlyDeep reports whether a claim is decided by deep scopes alone.
func onlyDeep(c *Claim) bool {
	return !slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return c.decides(&e) && !e.Deep && (e.Property != "" || e.Cost != nil)
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
