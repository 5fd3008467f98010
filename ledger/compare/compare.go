// Package compare sets algorithms side by side: the same properties, asked in
// the same world, of each.
//
// Run asks each Subject under each Fault, for each number of processes, and
// keeps a Trial of it: a Cell for each property, with the shortest run where it
// is violated. It computes what elections cost (package cost), takes from each
// algorithm what it assumes, one premise at a time (ledger.Assumption), and looks
// for a shortest pair of runs on which two of them come to different coordinators
// (Difference).
//
// A world is what the faults say and nothing else: what an algorithm needs (its
// topology, the order of its channels, its timing, its detector) is its own, and
// the faults come on top. Where they would not call for an election, no crash, no
// newcomer, no wrong report and no cut being among them, an algorithm that
// begins settled begins with its coordinator just crashed: all are then asked
// about an election.
//
// The first subject is the yardstick. Breaks has what the others break of what it
// keeps.
package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// Bounds of a comparison.
const (
	// MostSubjects is how many algorithms are compared at most.
	MostSubjects = 16
	// MostFaults is under how many faults they are at most.
	MostFaults = 64
)

// A Subject is an algorithm, in one reading of it.
type Subject struct {
	// Algorithm and Variant are its names, and Title is the algorithm's in prose.
	Algorithm, Variant, Title string
	// Assumes says in words what its source assumes, and Assumptions as premises.
	Assumes     string
	Assumptions []ledger.Assumption
	// Setting is what its source assumes: what the algorithm needs is taken from
	// there.
	Setting setting.Setting
	// Store says that the process with the highest id is a store, to which no fault
	// happens.
	Store bool
	// In returns the system that it is in a setting.
	In func(setting.Setting) (*model.System, error)
	// Questions are the properties that its author asks of it.
	Questions []*checker.Property
}

// SubjectOf returns a variant of an algorithm, or a mutant, as a subject; "" is
// the name of the default. The error suggests the name that was probably meant.
func SubjectOf(a *ledger.Algorithm, name string) (Subject, error) {
	s := Subject{Algorithm: a.Name, Title: a.Title, Questions: a.Questions(), Assumptions: a.AssumptionsOf(name), Store: a.Store}
	if m, err := a.Mutant(name); err == nil {
		s.Variant, s.Assumes, s.Setting, s.In = m.Name, "as "+m.Of+", of which it is a mutant", m.Setting, m.In
		return s, nil
	}
	v, err := a.Variant(name)
	if err != nil {
		return s, err
	}
	s.Variant, s.Assumes, s.Setting, s.In = v.Name, v.Assumes, v.Setting, v.In
	return s, nil
}

// Name returns ALGO/VARIANT.
func (s *Subject) Name() string {
	if s.Variant == "" {
		return s.Algorithm
	}
	return s.Algorithm + "/" + s.Variant
}

// Options say under what to compare, and how far to go.
type Options struct {
	// Faults are what the world does; nil stands for Usual.
	Faults []Fault
	// N has the numbers of processes, in ascending order; nil stands for 3.
	N []int
	// Workers, Exact, MaxStates, MaxGraphStates, MaxBytes and MaxTime are those of
	// checker.Options, of each search. Limits end a search early, and its cells
	// are incomplete.
	Check checker.Options
	// Also has further questions that are asked of every subject, each a table
	// row of its own.
	Also []Also
	// Progress, where it is not nil, is called while searches run, with what is
	// looked at.
	Progress func(what string, p explore.Progress)
}

// An Also is a question that is no property: what clients can expect (Clients).
type Also struct {
	// Name is the head of its row, and Doc says in a sentence what it asks.
	Name, Doc string
	// Ask answers it for a subject among n processes. An error is shown in place of
	// an answer.
	Ask func(ctx context.Context, s *Subject, n int) (Reply, error)
}

// A Reply answers an Also.
type Reply struct {
	// Text is the answer in a word or two, for a table.
	Text string
	// Verdict says whether it is good news: Holds is, Violated is not.
	Verdict checker.Verdict
	// Why says what was not seen, or never came up; empty as a rule.
	Why string
	// Shown is the run that shows it; nil where there is none.
	Shown *Shown
}

// A Comparison is what was found.
type Comparison struct {
	// Subjects are those that were compared; the first is the yardstick.
	Subjects []Subject
	Faults   []Fault
	N        []int
	// Properties are the questions, the standard ones in the order of reports,
	// then those of single subjects.
	Properties []*checker.Property
	// Trials has each subject under each fault for each n, in the order of faults,
	// n, subjects.
	Trials []Trial
	// Costs has what elections cost, in the order of n, subjects.
	Costs []Costs
	// Premises has what becomes of each subject without each of its assumptions.
	Premises []Without
	// Differences has for each two subjects a shortest pair of runs to different
	// coordinators, where one was found.
	Differences []Difference
	// Answers has what Options.Also asked.
	Answers []Answer
	// Title is the page's; empty stands for the names of the subjects. Site is what
	// the page is a part of; nil where there is none.
	Title string
	Site  *render.Site
	// Glossary is the address of the page that explains properties and words; empty
	// where there is none.
	Glossary string
	// Of returns the address of the page about an algorithm, to which the heads of
	// tables link; nil where there are no such pages.
	Of func(algorithm string) string
	// Interrupted says that the context ended it: what is missing is incomplete.
	Interrupted bool

	files map[*Shown]string // names of the files of runs, without an ending
}

// An Answer is what a subject answers to an Also, among the smallest number of
// processes.
type Answer struct {
	Name, Doc, Subject string
	Reply
}

// Run compares subjects. A context that is done ends it, and what is decided by
// then is in the comparison. Errors are those of bad options, and of systems
// that misbehave.
func Run(ctx context.Context, subjects []Subject, opt Options) (*Comparison, error) {
	if opt.Faults == nil {
		opt.Faults = Usual()
	}
	if len(opt.N) == 0 {
		opt.N = []int{3}
	}
	if err := opt.validate(subjects); err != nil {
		return nil, err
	}
	c := &Comparison{
		Subjects: slices.Clone(subjects), Faults: slices.Clone(opt.Faults), N: slices.Clone(opt.N),
		Properties: rows(subjects),
	}
	r := &runner{c, opt}
	for _, part := range []func(context.Context) error{r.trials, r.costs, r.premises, r.differences, r.also} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	c.Interrupted = ctx.Err() != nil
	return c, nil
}

// A runner makes a comparison.
type runner struct {
	*Comparison
	opt Options
}

// validate returns what is wrong with options.
func (o *Options) validate(subjects []Subject) error {
	var names []string
	for i := range subjects {
		s := &subjects[i]
		if s.In == nil {
			return fmt.Errorf("subject %q: there is no In function", nearest.Clip(s.Name()))
		}
		if slices.Contains(names, s.Name()) {
			return fmt.Errorf("%s is compared with itself", s.Name())
		}
		names = append(names, s.Name())
	}
	switch n := len(subjects); {
	case n == 0:
		return errors.New("nothing to compare: want an algorithm at least")
	case n > MostSubjects:
		return fmt.Errorf("%d algorithms: want %d at most", n, MostSubjects)
	case len(o.Faults) == 0 || len(o.Faults) > MostFaults:
		return fmt.Errorf("%d faults: want from 1 to %d", len(o.Faults), MostFaults)
	}
	for i, f := range o.Faults {
		for _, g := range o.Faults[:i] {
			if f.Name == g.Name {
				return fmt.Errorf("faults: %q is there twice", nearest.Clip(f.Name))
			}
		}
	}
	for i, n := range o.N {
		if n < 2 || n > setting.MaxExhaustive {
			return fmt.Errorf("n=%d: want numbers from 2 to %d", n, setting.MaxExhaustive)
		}
		if i > 0 && n <= o.N[i-1] {
			return fmt.Errorf("n=%d comes after n=%d: want numbers in ascending order", n, o.N[i-1])
		}
	}
	return nil
}

// rows returns the properties that subjects are asked: standard ones that one of
// them asks, and then their own.
func rows(subjects []Subject) []*checker.Property {
	asked := make(map[string]*checker.Property)
	var own []*checker.Property
	for i := range subjects {
		for _, p := range subjects[i].Questions {
			if asked[p.Name] != nil || p == checker.Misuse {
				continue
			}
			asked[p.Name] = p
			if standard, err := checker.Lookup(p.Name); err != nil || standard != p {
				own = append(own, p)
			}
		}
	}
	var list []*checker.Property
	for _, p := range standard() {
		if asked[p.Name] == p {
			list = append(list, p)
		}
	}
	for _, p := range own { // a standard one under another fairness, too
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// standard returns the properties that may be asked of any algorithm.
func standard() []*checker.Property {
	return append(checker.Standard(), checker.OnRequest()...)
}

// options returns those of a search.
func (r *runner) options(s *Subject, what string) checker.Options {
	opt := r.opt.Check
	opt.Algorithm, opt.Variant, opt.Order = s.Algorithm, s.Variant, explore.BreadthFirst
	opt.Progress = nil
	if show := r.opt.Progress; show != nil {
		opt.Progress = func(p explore.Progress) { show(what, p) }
	}
	return opt
}

// costs computes what elections cost.
func (r *runner) costs(ctx context.Context) error {
	for _, n := range r.N {
		for i := range r.Subjects {
			s := &r.Subjects[i]
			c := Costs{Subject: s.Name(), N: n}
			if err := r.cost(ctx, s, &c); err != nil {
				return err
			}
			r.Costs = append(r.Costs, c)
		}
	}
	return nil
}

// Costs is what an election of a subject costs: without faults, and where it
// begins settled, with the coordinator just crashed.
type Costs struct {
	Subject string
	N       int
	Setting setting.Setting
	// Messages counts them all; Time is in ticks of lockstep, in which every
	// message takes one. Nil where Why says why they are not known.
	Messages, Time *cost.Cost
	Why            string
	// UntilNamed says that no run settles, since timers never cease, and that
	// costs are those until all that are up name one process that is up and nobody
	// is in an election.
	UntilNamed bool
	// Best and Worst are the runs that show the best and the worst of Messages;
	// nil where there is none.
	Best, Worst *Shown
}

// cost computes the costs of one subject.
func (r *runner) cost(ctx context.Context, s *Subject, c *Costs) error {
	in, err := s.calm(c.N)
	if err == nil {
		c.Setting = cost.Setting(in)
		err = c.Setting.Validate()
	}
	if err != nil {
		c.Why = "not applicable: " + reason(err)
		return nil
	}
	if ctx.Err() != nil {
		c.Why = interrupted
		return nil
	}
	report, err := r.election(ctx, s, c, nil)
	if err == nil && report.Why == "" && report.Cost(cost.Measure{}).Best < 0 {
		c.UntilNamed = true // it never settles
		report, err = r.election(ctx, s, c, func(v *model.View) bool { return v.Participants.Empty() && together(v) != model.None })
	}
	if err != nil {
		return fmt.Errorf("%s, costs, n=%d: %w", s.Name(), c.N, err)
	}
	if c.Why = report.Why; c.Why != "" {
		return nil
	}
	c.Messages = report.Cost(cost.Measure{})
	if report.Lockstep != nil {
		c.Time = report.Lockstep.Cost(cost.Measure{Unit: cost.Ticks})
	}
	if best, err := report.Run(cost.Measure{}, cost.BestCase); err == nil {
		c.Best = &Shown{Trace: best.Trace, Run: best.Run}
	}
	if worst, err := report.Run(cost.Measure{}, cost.WorstCase); err == nil {
		c.Worst = &Shown{Trace: worst.Trace, Run: worst.Run}
	}
	return nil
}

// election computes what the elections of a subject cost, until something is so.
func (r *runner) election(ctx context.Context, s *Subject, c *Costs, until func(v *model.View) bool) (*cost.Report, error) {
	o := r.options(s, s.Name()+", costs, n="+strconv.Itoa(c.N))
	return cost.OfElection(ctx, s.In, c.Setting, nil, cost.Options{
		Algorithm: o.Algorithm, Variant: o.Variant, Until: until, Workers: o.Workers, Exact: o.Exact,
		MaxStates: o.MaxStates, MaxBytes: o.MaxBytes, MaxTime: o.MaxTime, Progress: o.Progress, ProgressEvery: o.ProgressEvery,
	})
}

// also asks what the options ask beside properties.
func (r *runner) also(ctx context.Context) error {
	for _, q := range r.opt.Also {
		for i := range r.Subjects {
			s := &r.Subjects[i]
			a := Answer{q.Name, q.Doc, s.Name(), Reply{Text: "incomplete", Verdict: checker.Incomplete, Why: interrupted}}
			if ctx.Err() == nil {
				reply, err := q.Ask(ctx, s, r.N[0])
				if a.Reply = reply; err != nil {
					a.Reply = Reply{Text: "-", Verdict: checker.Incomplete, Why: reason(err)}
				}
			}
			r.Answers = append(r.Answers, a)
		}
	}
	return nil
}

// interrupted is why nothing is known of what had not begun when a comparison
// was ended.
const interrupted = "interrupted before it began"
