package checker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Plan says what a check is going to do: which search decides which property, on what
// system, in which order. It is made from what is asked alone; no search is made for it.
// Checks follow it.
type Plan struct {
	// Algorithm, Variant and Setting are those of the check.
	Algorithm, Variant string
	Setting            setting.Setting
	// Stages are the searches, one after the other. A later one is not asked about a
	// property that an earlier one has decided.
	Stages []*Stage
	// Unreduced are the properties that no reduced system decides, by the reason.
	Unreduced []Unreduced

	opt   Options
	asked int
}

// A Stage is one search of a plan.
type Stage struct {
	// States are the properties that it decides where a state or a step breaks them, and
	// Runs those of whole runs.
	States, Runs []*Property
	// Reductions are those of the system that is searched; 0: it is the system as it is. On
	// a reduced system properties of whole runs are decided where runs are over, and are
	// left open where that does not do.
	Reductions model.Reductions
	// Graph says that the search keeps the graph of all states, on which properties of whole
	// runs are decided. NoGraph says why it does not although there are such properties:
	// they stay undecided.
	Graph   bool
	NoGraph string
	// Beyond, if it is not 0, is the number of states from which on Turns are made, each if
	// its system has many times fewer states. The search then goes on with what they leave
	// open.
	Beyond uint64
	Turns  []*Stage
	// Disk is the directory to which the search goes where it does not fit in memory; empty
	// for none. A search that needs the graph of a reduced system is in memory and ends at
	// Most states where others go to a directory; 0: at those of the check.
	Disk string
	Most uint64

	resume bool
	engine string // where it is made beyond memory; "" for here
}

// Unreduced says why properties are not decided on a reduced system.
type Unreduced struct {
	Properties []string
	Why        string
}

// PlanOf returns the plan of a check. Its errors are those of Check that it takes no
// search to find.
func PlanOf(sys *model.System, opt Options) (*Plan, error) {
	props, err := opt.asked(sys)
	if err != nil {
		return nil, err
	}
	return opt.plan(sys, props)
}

func (o Options) plan(sys *model.System, props []*Property) (*Plan, error) {
	if _, err := Remembered(sys, props...); err != nil {
		return nil, err
	}
	p := &Plan{Algorithm: cmp.Or(o.Algorithm, naming.Unnamed), Variant: o.Variant, Setting: sys.Setting(), opt: o, asked: len(props)}
	if o.reducesFirst() {
		p.Stages, p.Unreduced = o.reducible(sys, props)
		if len(p.Stages) > 0 {
			if props = slices.DeleteFunc(slices.Clone(props), p.surely); len(props) == 0 {
				return p, nil
			}
			o = o.at(o.place().Plain())
		}
	}
	plain, err := o.plain(sys, props)
	if err != nil {
		return nil, err
	}
	p.Stages = append(p.Stages, plain...)
	if o.Reduce == 0 || o.reducesFirst() {
		return p, nil
	}
	if why := o.staysPlain(); why != "" {
		p.Unreduced = []Unreduced{{namesOf(props), why}}
		return p, nil
	}
	for _, s := range plain {
		_, left := o.reducible(sys, s.properties())
		p.Unreduced = slices.Concat(p.Unreduced, left)
	}
	return p, nil
}

// surely reports whether a reduced stage decides a property, except for limits: of
// whole runs it may leave one open.
func (p *Plan) surely(q *Property) bool {
	return slices.ContainsFunc(p.Stages, func(s *Stage) bool { return slices.Contains(s.States, q) })
}

func namesOf(props []*Property) (names []string) {
	for _, p := range props {
		names = append(names, p.Name)
	}
	return names
}

// properties returns what a stage is to decide.
func (s *Stage) properties() []*Property { return slices.Concat(s.States, s.Runs) }

// reducesFirst reports whether a check begins with reduced systems.
func (o *Options) reducesFirst() bool { return o.Reduce != 0 && o.ReduceBeyond == 0 }

// staysPlain says why a check of many states, which is asked to turn to reduced systems,
// does not; "" if it does.
func (o *Options) staysPlain() string {
	why := ""
	switch {
	case o.Exhaustive:
		why = "Exhaustive (--exhaustive) visits every state of the system as it is"
	case o.Exact:
		why = "Exact (--exact) compares the states of the system as it is"
	case o.MaxDepth != 0:
		why = "MaxDepth (--max-depth) counts the steps of the system as it is"
	case o.Disk.Dir != "":
		why = "a search that may go to Disk (--disk) does not turn to another system"
	case o.Order != explore.BreadthFirst:
		why = "a search in the order depth first (--order dfs) does not turn to another system"
	default:
		return ""
	}
	return why + "; --reduce auto begins with a reduced one"
}

// unreduced says why a property is decided on no reduced system of a check; "" if it is
// on one, where there is one.
func (o *Options) unreduced(sys *model.System, p *Property) string {
	lasting := p.kind.fair()
	switch {
	case p.kind == kindOutcome:
		return "who is named on the way to the end of an election counts, and a reduction leaves such states out"
	case p.kind == kindRecoverability:
		return "what can be reached from each state counts, and a reduction leaves states and actions out"
	case p.step != nil && p.state == nil && !p.kind.temporal():
		return "it is about steps, and a reduction leaves steps out; what is about states can be reduced (Always, Sometimes)"
	case len(p.monitors) > 0:
		return "a monitor is asked, which sees the order of steps, and a reduction changes that; what processes keep in their own state can be asked instead"
	case p.given != nil && p.given.step != nil:
		return "the occasion is a step (GivenStep), and a reduction leaves steps out; where it is a state that can be reduced (Given)"
	case lasting && p.temporal.fairness.Excepts():
		return "the fairness makes exceptions for some steps (Fairness.But), and a reduction leaves steps out"
	case lasting && len(periodic(sys)) > 0:
		return "where a timer is periodic (" + prose.List(periodic(sys)) + ") runs go on without end, and whether they are fair takes the graph of the system as it is"
	case lasting && o.Order != explore.BreadthFirst:
		return "whether a run can go on without end takes the graph of the reduced system, which a depth-first search (--order dfs) does not keep"
	case !lasting && p.reads == 0:
		return "what it reads of states is not said (Property.Reading)"
	}
	return ""
}

// reducible divides properties into those that searches of reduced systems decide, and
// the rest, with the reasons. Whole runs are decided on the smallest reduced system, where
// settled states alone are read; it also decides properties of states that read no more.
func (o Options) reducible(sys *model.System, props []*Property) (stages []*Stage, left []Unreduced) {
	s := &Stage{}
	for _, p := range props {
		switch why := o.unreduced(sys, p); {
		case why != "":
			left = without(left, why, p)
		case p.kind.temporal():
			s.Runs = append(s.Runs, p)
		default:
			s.States = append(s.States, p)
		}
	}
	for _, s := range o.divided(sys, s) {
		made, err := sys.Watched().Reducible(s.reduction(o.Reduce))
		var irreducible *model.IrreducibleError
		if errors.As(err, &irreducible) {
			left = without(left, irreducible.Why, s.properties()...)
			continue
		}
		s.Reductions = made
		if len(s.Runs) > 0 && o.Disk.Dir != "" {
			s.Most = o.graphLimit()
		} else {
			at := o.place()
			if len(s.States) < len(props) {
				at = at.Reduced()
			}
			s.Disk, s.resume, s.engine = at.Dir, at.Resume, o.engine()
		}
		stages = append(stages, s)
	}
	return stages, left
}

// without adds properties to those that are left, by their reasons.
func without(left []Unreduced, why string, props ...*Property) []Unreduced {
	if len(props) == 0 {
		return left
	}
	i := slices.IndexFunc(left, func(u Unreduced) bool { return u.Why == why })
	if i < 0 {
		i = len(left)
		left = append(left, Unreduced{Why: why})
	}
	left[i].Properties = slices.Concat(left[i].Properties, namesOf(props))
	return left
}

// divided divides the properties of one stage, on reduced systems, into those of two,
// where one system does not do for all, or one may leave memory: the smaller one first.
func (o Options) divided(sys *model.System, s *Stage) []*Stage {
	runs, others := &Stage{Runs: s.Runs}, &Stage{}
	turns := o.turns(sys, s.States)
	for _, p := range s.States {
		if len(s.Runs) > 0 && p.reads == model.ReadsSettled && !turns && o.Disk.Dir == "" {
			runs.States = append(runs.States, p)
		} else {
			others.States = append(others.States, p)
		}
	}
	return slices.DeleteFunc([]*Stage{runs, others}, func(s *Stage) bool { return len(s.properties()) == 0 })
}

// turns reports whether some properties of states are decided with symmetries, which
// whole runs are not.
func (o Options) turns(sys *model.System, states []*Property) bool {
	if len(states) == 0 {
		return false
	}
	made, err := sys.Watched().Reducible(reductionOf(states, o.Reduce))
	return err == nil && made&model.Symmetries != 0
}

// reduction returns how the system of a stage is reduced.
func (s *Stage) reduction(only model.Reductions) model.Reduction {
	if len(s.Runs) > 0 {
		return model.Reduction{Reads: model.ReadsSettled, Only: only &^ model.Symmetries}
	}
	return reductionOf(s.States, only)
}

// plain returns the searches of a system as it is that decide properties, in order:
// one, unless that would take more than 64 marks.
func (o Options) plain(sys *model.System, props []*Property) ([]*Stage, error) {
	n := sys.Setting().N
	all := []*Stage{{}}
	for _, p := range props {
		if !p.kind.temporal() {
			all[0].States = append(all[0].States, p)
		}
	}
	for _, p := range props {
		if !p.kind.temporal() {
			continue
		}
		if own := (&Stage{Runs: []*Property{p}}).marks(n); own > maxMarks && p.kind != kindOutcome {
			return nil, fmt.Errorf("property %q: it asks %d things of each state; %d are possible", p.Name, own-1, maxMarks-1)
		}
		last := all[len(all)-1]
		last.Runs = append(last.Runs, p)
		if len(last.States)+len(last.Runs) > 1 && last.marks(n) > maxMarks {
			last.Runs = last.Runs[:len(last.Runs)-1]
			all = append(all, &Stage{Runs: []*Property{p}})
		}
	}
	for i, s := range all {
		at := o.place().Nth(i, len(all))
		s.Disk, s.resume, s.engine = at.Dir, at.Resume, o.engine()
		if len(s.Runs) > 0 {
			s.NoGraph = s.whyNoGraph(n, &o)
			s.Graph = s.NoGraph == ""
		}
		if o.Reduce != 0 && o.ReduceBeyond > 0 && len(s.properties()) > 0 && o.staysPlain() == "" {
			s.Beyond = o.ReduceBeyond
			s.Turns, _ = o.reducible(sys, s.properties())
		}
	}
	return all, nil
}

// marks returns how many bits a stage takes in the mark of a state.
func (s *Stage) marks(n int) int {
	sum := len(s.States) + 1 // and whether it is settled
	for _, p := range s.Runs {
		sum += len(p.marks(n))
	}
	return sum
}

// whyNoGraph says why a stage cannot keep the graph that it needs, "" if it can.
func (s *Stage) whyNoGraph(n int, opt *Options) string {
	switch {
	case opt.Order == explore.DepthFirst:
		return "it takes the graph of all states, which a depth-first search does not keep"
	case s.marks(n) > maxMarks:
		return fmt.Sprintf("the beliefs of %d processes are more than a graph keeps: of at most %d", n, outcome.MostProcesses)
	}
	return ""
}

// Text returns the plan for people, in lines of a width; 0 stands for 80.
func (p *Plan) Text(width int) string {
	out := prose.Print(width, false)
	out.Line(0, "PLAN: "+(&Report{Algorithm: p.Algorithm, Variant: p.Variant}).Subject()+". Nothing has been searched.", "")
	out.Line(2, "setting: "+p.Setting.String(), "")
	out.Gap()
	number := 0
	for _, s := range p.Stages {
		number++
		p.write(out, s, number)
		for _, t := range s.Turns {
			number++
			p.write(out, t, number)
		}
	}
	out.Gap()
	for _, text := range reasons(p.Unreduced, p.asked) {
		out.Line(2, "Not reduced: "+text+".", "")
	}
	if p.opt.Reduce == 0 {
		out.Line(2, "Not reduced: that is not asked for (--reduce none).", "")
	}
	out.Line(2, p.limitsText(), "")
	return out.String()
}

// write writes what the stage of a number does.
func (p *Plan) write(out *prose.Printer, s *Stage, number int) {
	text := "The system as it is, "
	if s.Reductions != 0 {
		text = "The system reduced (" + strings.Join(s.Reductions.Names(), ", ") + "), "
	}
	text += fmt.Sprintf("%s with %s, %s", orderText(p.opt.Order), quantity.Plural(p.opt.workers(), "worker"), s.where())
	switch {
	case s.Reductions != 0 && !p.opt.reducesFirst():
		text += fmt.Sprintf(", if it has at most a %s of the states to the same depth, or at it, or if no end of 1 is in sight", quarter)
	case p.Stages[0] != s:
		text += ", for what is open then"
	}
	out.Hanging(2, fmt.Sprintf("%d. ", number), text+":", "")
	line := func(how string, props []*Property) {
		if len(props) > 0 {
			out.Line(5, how+": "+prose.List(namesOf(props)), "")
		}
	}
	if s.Reductions&model.Rotations != 0 {
		out.Line(5, "without rotation, if a process names another by its id", "")
	}
	line("in each state and step", s.States)
	switch {
	case s.Reductions != 0:
		line("where runs are over, if none goes on without end", s.Runs)
	case s.Graph:
		line("on the graph of all states, "+p.graphText(s), s.Runs)
	default:
		line("undecided ("+s.NoGraph+")", s.Runs)
	}
	if s.Beyond > 0 && len(s.Turns) > 0 {
		next := fmt.Sprintf("search %d is made", number+1)
		if n := len(s.Turns); n > 1 {
			next = fmt.Sprintf("searches %d and %d are made", number+1, number+n)
		}
		out.Line(5, fmt.Sprintf("from %s on %s for what is open, and this one goes on with the rest", quantity.Plural(s.Beyond, "state"), next), "")
	}
}

// where says where the states of a stage are.
func (s *Stage) where() string {
	switch {
	case s.Most > 0:
		return "in memory, at most " + quantity.Plural(s.Most, "state")
	case s.Disk == "":
		return "in memory"
	case s.engine != "" && s.Graph:
		return "in memory and, where that is full, " + s.engine + ", with all files in " + s.Disk
	case s.engine != "":
		return s.engine + ", with all files in " + s.Disk
	case s.resume:
		return "from the checkpoint in " + s.Disk
	}
	return "in memory and, where that is full, in " + s.Disk
}

// graphText says how large the graph of a stage may be.
func (p *Plan) graphText(s *Stage) string {
	switch {
	case s.Disk != "":
		return "at most " + quantity.Plural(p.opt.graphLimit(), "state") + ", in memory"
	case p.opt.MaxGraphStates > 0:
		return "at most " + quantity.Plural(p.opt.MaxGraphStates, "state")
	}
	return "at most half of the memory"
}

// limitsText says what ends the check early.
func (p *Plan) limitsText() string {
	o := &p.opt
	var parts []string
	add := func(set bool, text string) {
		if set {
			parts = append(parts, text)
		}
	}
	add(o.MaxStates > 0, quantity.Plural(o.MaxStates, "state")+" in each search")
	add(o.MaxDepth > 0, "runs of "+quantity.Plural(o.MaxDepth, "step"))
	add(o.MaxTime > 0, quantity.Duration(o.MaxTime)+" in all")
	add(o.MaxBytes > 0, quantity.Bytes(o.MaxBytes)+" of memory")
	add(o.MaxBytes == 0, "what the machine has left of memory")
	text := "Limits: " + prose.List(parts) + "."
	switch {
	case o.FailFast:
		text += " The first violation ends a search (--fail-fast)."
	case o.Exhaustive:
		text += " Every state is visited, whatever is decided (--exhaustive)."
	default:
		text += " A search ends where all its properties are decided."
	}
	return text
}

// refusal says why some of so many properties are not decided on a reduced system; "" where
// none is left.
func refusal(left []Unreduced, asked int) string { return strings.Join(reasons(left, asked), ". ") }

func reasons(left []Unreduced, asked int) (all []string) {
	for _, u := range left {
		if len(u.Properties) == asked {
			return []string{u.Why}
		}
		all = append(all, fmt.Sprintf("%s, since %s", prose.List(u.Properties), u.Why))
	}
	return all
}
