package checker

import (
	"fmt"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

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
	case s.Reductions != 0 && p.opt.ReduceBeyond > 0:
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
